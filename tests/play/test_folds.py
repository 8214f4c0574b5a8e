"""Records of who folds, against logs of the same games and between the engines."""

import numpy as np
import pytest
from naive_folds import folds_of_log

from red7sim.game.ruleset import Ruleset, preset
from red7sim.play.design import arms_of
from red7sim.play.paired import seat_paired
from red7sim.play.record import FOLDS, ROUND, Rounds
from red7sim.play.replay import replay_game
from red7sim.play.tally import GAME_SQUARES, GAMES

LINE_UP = ("banker:samples=2", "banker:samples=2+no-fold", "leads", "banker:samples=1")


def record(
    ruleset: Ruleset, line_up: tuple[str, ...], deals: int, kind=FOLDS, *, vectors: bool = True
) -> Rounds:
    watched = "folds" if kind == FOLDS else "rounds"
    arms = arms_of("rotate", len(line_up))
    table = seat_paired(ruleset, line_up, arms, watched=watched, vectors=vectors)
    tally = np.zeros((GAME_SQUARES + 1, GAMES + 1), dtype=np.int64)
    return table.record_games(4, 0, deals, tally, kind)[1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_folds_is_who_goes_out_though_a_turn_survives(players: int) -> None:
    ruleset, line_up = preset("advanced", players), LINE_UP[:players]
    rows = record(ruleset, line_up, 6)
    expected: list[int] = []
    for deal in range(6):
        for arm in arms_of("rotate", players):
            events = [*replay_game(ruleset, arm.seated(line_up), 4, deal)]
            expected += folds_of_log(events, ruleset.as_json())
    assert rows["folded"].tolist() == expected
    assert any(expected)
    assert not all(expected)


def test_only_who_may_fold_folds() -> None:
    line_up = LINE_UP[:2]
    rows = record(preset("advanced", 2), line_up, 20)
    orders = np.array([arm.order for arm in arms_of("rotate", 2)])
    folders = np.array([0, 0])
    for position in range(2):
        entry = orders[rows["arm"], position]
        folders += np.bincount(entry, rows["folded"] >> position & 1, 2).astype(int)
    assert folders[0] > 0
    assert folders[1] == 0


@pytest.mark.parametrize("players", [2, 4])
def test_records_are_otherwise_those_of_rounds_by_either_engine(players: int) -> None:
    ruleset, line_up = preset("advanced", players), LINE_UP[:players]
    rows = record(ruleset, line_up, 5)
    plain = record(ruleset, line_up, 5, vectors=False)
    assert (rows == plain).all()
    rounds = record(ruleset, line_up, 5, ROUND)
    for name in ROUND.names:
        assert np.array_equal(rows[name], rounds[name])
