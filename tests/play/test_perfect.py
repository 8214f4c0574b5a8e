"""The player who sees both hands."""

import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, play
from red7sim.play.open_hands import solver_table
from red7sim.play.policy import PlayerError
from red7sim.play.replay import replay_game
from red7sim.play.spec import parse_line_up
from red7sim.play.table import seat
from red7sim.play.tally import POSITION_WINS, SHARE_UNIT, SUM, empty_tally

BASIC = preset("basic", 2)
PERFECT = "perfect:hands=open"


def winners(line_up: tuple[str, ...], games: int, seed: int) -> list[int]:
    found = []
    for game in range(games):
        tally = empty_tally()
        seat(BASIC, line_up).play_block(seed, game, 1, tally)
        found.append([*tally[SUM, POSITION_WINS : POSITION_WINS + 2]].index(SHARE_UNIT))
    return found


def test_whoever_should_win_does() -> None:
    rows = solver_table(BASIC).record_rounds(3, 0, 150, empty_tally())
    assert winners((PERFECT, PERFECT), 150, 3) == rows["winner"].tolist()


@pytest.mark.parametrize("rival", ["random", "leads"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_won_deal_is_won_against_everybody(rival: str, place: int) -> None:
    rows = solver_table(BASIC).record_rounds(3, 0, 150, empty_tally())
    line_up = (PERFECT, rival) if place == 0 else (rival, PERFECT)
    won = np.array(winners(line_up, 150, 3)) == place
    assert won[rows["winner"] == place].all()
    assert won[rows["winner"] != place].any()


def test_pairing_shows_him_the_hands_at_every_position() -> None:
    rotated = play(Run(BASIC, (PERFECT, "leads"), 3, "rotate"), 60, threads=1).tally
    won = [winners(line_up, 60, 3) for line_up in ((PERFECT, "leads"), ("leads", PERFECT))]
    wins = won[0].count(0) + won[1].count(1)
    assert rotated[SUM, POSITION_WINS] == SHARE_UNIT * wins


def test_replay_seats_him_too() -> None:
    log = [*replay_game(BASIC, (PERFECT, "leads"), 3, 0)]
    end = next(event for event in log if event["type"] == "round_end")
    assert end["winner"] == winners((PERFECT, "leads"), 1, 3)[0]


def test_nobody_else_is_shown_a_hand() -> None:
    table = seat(BASIC, ("leads", PERFECT))
    table.play_block(0, 0, 20, empty_tally())
    assert not table.owns[0].open_hands.any()
    assert table.owns[1].open_hands.any()


@pytest.mark.parametrize(
    ("name", "ruleset", "culprit"),
    [
        ("perfect", BASIC, "perfect:hands=open"),
        ("perfect:hands=closed", BASIC, "hands 'closed'"),
        (PERFECT, preset("basic", 3), "players"),
        (PERFECT, preset("advanced", 2).changed({"end": "round"}), "draw"),
        (PERFECT, preset("basic", 2, "1.2"), "actions"),
        (PERFECT, BASIC.changed({"end": "wins:2"}), "end"),
    ],
)
def test_he_is_refused(name: str, ruleset, culprit: str) -> None:
    with pytest.raises(PlayerError, match=culprit):
        parse_line_up((name,) * ruleset.players, ruleset)
