"""Deals played again, against rounds from the same deals as starts and against whole logs."""

import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.play.replay import replay_game
from red7sim.play.replayed import seat_replayed
from red7sim.play.started import seat_at
from red7sim.play.starts import starts_of
from red7sim.play.tally import POSITION_WINS, SHARE_UNIT, SUM, empty_tally

SEED, FIRST, DEALS, PLAYOUTS = 9, 30, 6, 25


@pytest.mark.parametrize("printing", [None, "1.2"])
@pytest.mark.parametrize("players", [2, 3])
def test_wins_are_those_from_the_deals_of_logs(players: int, printing: str | None) -> None:
    rules = preset("advanced", players, printing).changed({"end": "round"})
    line_up = ("random", "leads", "random")[:players]
    wins = seat_replayed(rules, line_up).replay(SEED, FIRST, DEALS, PLAYOUTS)
    assert wins.sum(axis=1).tolist() == [PLAYOUTS] * DEALS
    for row, game in zip(wins, range(FIRST, FIRST + DEALS), strict=True):
        deal = next(replay_game(rules, line_up, SEED, game))
        tally = empty_tally()
        table = seat_at(starts_of([deal]), rules, line_up)
        table.play_block(SEED, game * PLAYOUTS, PLAYOUTS, tally)
        expected = tally[SUM, POSITION_WINS : POSITION_WINS + 4] // SHARE_UNIT
        assert row.tolist() == expected.tolist()


def test_players_without_chance_play_the_round_of_the_log_every_time() -> None:
    rules, line_up = preset("advanced", 3), ("leads", "greedy", "thrifty")
    wins = seat_replayed(rules, line_up).replay(SEED, 0, 40, 3)
    for game in range(40):
        log = replay_game(rules, line_up, SEED, game)
        end = next(event for event in log if event["type"] == "round_end")
        assert wins[game, end["winner"]] == 3


def test_ranges_do_not_matter() -> None:
    table = seat_replayed(preset("basic", 2), ("random", "random"))
    whole = table.replay(SEED, 0, 10, PLAYOUTS)
    parts = [table.replay(SEED, first, n, PLAYOUTS) for first, n in ((0, 1), (1, 7), (8, 2))]
    assert (whole == np.concatenate(parts)).all()
    assert 0 < whole[:, 0].sum() < whole.sum()
