"""Figures of random play, against an independent C program (5 million games, 10^7 rounds).

Each check allows the stated tolerance of the reference figure, which is at least four standard
errors of our own sample, so a correct program fails a check with probability below 1 in 10,000.
"""

import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, play
from red7sim.lab.stats import per_game, per_round
from red7sim.play.tally import ENDED, ROUND_SEAT_WINS, ROUNDS, SEAT_WINS, SHARE_UNIT, TURNS

pytestmark = pytest.mark.verification

ROUNDS_PLAYED = 10_000_000
GAMES_PLAYED = 200_000


@pytest.mark.parametrize(
    ("base", "players", "first_seat", "turns"),
    [
        ("basic", 2, 0.3532, 7.99),
        ("basic", 3, 0.2086, 11.98),
        ("basic", 4, 0.1472, 15.47),
        ("advanced", 2, 0.4104, None),
        ("advanced", 3, 0.2656, None),
        ("advanced", 4, 0.1978, None),
    ],
)
def test_one_round(base: str, players: int, first_seat: float, turns: float | None) -> None:
    rules = preset(base, players).changed({"end": "round"})
    tally = play(Run(rules, ("random",) * players, 1), ROUNDS_PLAYED).tally
    assert per_round(tally, ROUND_SEAT_WINS).value == pytest.approx(first_seat, abs=0.0008)
    if turns is not None:
        assert per_round(tally, TURNS).value == pytest.approx(turns, abs=0.006)


@pytest.mark.parametrize(
    ("players", "first_seat", "rounds", "exhausted"),
    [(2, 0.470, 5.80, 0.0), (3, 0.313, 5.80, 0.002), (4, 0.233, 5.21, 0.156)],
)
def test_whole_advanced_games(players, first_seat, rounds, exhausted) -> None:
    run = Run(preset("advanced", players), ("random",) * players, 1)
    tally = play(run, GAMES_PLAYED).tally
    assert per_game(tally, SEAT_WINS, SHARE_UNIT).value == pytest.approx(first_seat, abs=0.005)
    assert per_game(tally, ROUNDS).value == pytest.approx(rounds, abs=0.02)
    assert per_game(tally, ENDED + 3).value == pytest.approx(exhausted, abs=0.004)
