"""What is kept of games is the same by the vector engine and the plain one: records of rounds,
paired designs, details.
"""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rulesets

from red7sim.game.ruleset import Ruleset, preset
from red7sim.play.design import DESIGNS, arms_of
from red7sim.play.detailed import empty_counts, seat_detailed
from red7sim.play.fleet import fits
from red7sim.play.paired import PlainDeals, VectorDeals, seat_paired
from red7sim.play.record import Rounds
from red7sim.play.table import lay_table
from red7sim.play.tally import GAME_SQUARES, GAMES, SUM, Tally, empty_tally

PLAYERS = ("random", "leads", "greedy", "thrifty")
seeds = st.integers(0, 2**64 - 1)
firsts = st.integers(0, 2**62 - 50)


def deal_counts() -> Tally:
    return np.zeros((GAME_SQUARES + 1, GAMES + 1), dtype=np.int64)


def kept(
    ruleset: Ruleset, line_up: tuple[str, ...], design: str, deals: range, *, vectors: bool
) -> tuple[Rounds, Any, Tally]:
    """Records of rounds, measures of deals and counts of some deals, each from a run of its own."""
    table = seat_paired(ruleset, line_up, arms_of(design, len(line_up)), vectors=vectors)
    engine = VectorDeals if vectors and fits(ruleset) else PlainDeals
    assert isinstance(table.deals, engine)
    counts, again = deal_counts(), deal_counts()
    rows = table.record_rounds(9, deals.start, len(deals), counts)
    measures = table.record_deals(9, deals.start, len(deals), again)
    assert (counts == again).all()
    assert counts[SUM, GAMES] == len(deals)
    return rows, measures, counts


def check_kept(ruleset: Ruleset, line_up: tuple[str, ...], design: str, deals: range) -> None:
    ours, plain = (kept(ruleset, line_up, design, deals, vectors=v) for v in (True, False))
    for one, other in zip(ours, plain, strict=True):
        assert np.array_equal(one, other)


def check_details(ruleset: Ruleset, line_up: tuple[str, ...], seed: int, games: range) -> None:
    counts = []
    for vectors in (True, False):
        counts.append(empty_counts())
        table = seat_detailed(ruleset, line_up, vectors=vectors)
        table.play_block(seed, games.start, len(games), counts[-1])
    assert (counts[0] == counts[1]).all()


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("base", ["basic", "advanced"])
def test_published_games_are_kept_the_same(base: str, players: int, design: str) -> None:
    check_kept(preset(base, players), PLAYERS[:players], design, range(70, 130))


@settings(max_examples=60)
@given(
    st.data(),
    rulesets(),
    firsts,
    st.integers(1, 30),
    st.sampled_from(("none", "rotate", "force-start")),
)
def test_games_of_any_ruleset_are_kept_the_same(data, ruleset, first, deals, design) -> None:
    line_up = data.draw(st.tuples(*[st.sampled_from(PLAYERS)] * ruleset.players))
    check_kept(ruleset, line_up, design, range(first, first + deals))


def test_deals_are_cut_where_the_cache_ends(monkeypatch) -> None:
    """Parts of a range, and a last part that is shorter."""
    from red7sim.play import paired

    monkeypatch.setattr(paired, "_DEALS_AT_ONCE", 7)
    check_kept(preset("advanced", 3), PLAYERS[1:], "rotate", range(40, 60))


def check_block(ruleset: Ruleset, line_up: tuple[str, ...], games: range) -> None:
    """Records and counts of a block of games: by both engines, and as a design of one arm."""
    expected, _, counts = kept(ruleset, line_up, "none", games, vectors=False)
    for vectors in (True, False):
        tally = empty_tally()
        table = lay_table(ruleset, line_up, vectors=vectors)
        rows = table.record_block(9, games.start, len(games), tally)
        assert np.array_equal(rows, expected)
        assert (tally == counts[:GAME_SQUARES]).all()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("base", ["basic", "advanced"])
def test_blocks_of_games_are_recorded_the_same(base: str, players: int) -> None:
    check_block(preset(base, players), PLAYERS[:players], range(50, 100))


def test_records_of_more_rounds_than_there_is_room_for(monkeypatch) -> None:
    from red7sim.play import paired, table

    monkeypatch.setattr(paired, "FIRST_ROOM", 1)
    monkeypatch.setattr(table, "FIRST_ROOM", 1)
    check_kept(preset("advanced", 2), PLAYERS[:2], "rotate", range(20))
    check_block(preset("advanced", 2), PLAYERS[:2], range(20))


def test_records_out_of_order_are_noticed(monkeypatch) -> None:
    """A planted fault: the rounds of games in flight as they were dealt, mixed up."""
    from red7sim.play import paired

    monkeypatch.setattr(paired.np, "lexsort", lambda keys: np.arange(len(keys[0])))
    ours, plain = (
        kept(preset("advanced", 2), PLAYERS[:2], "none", range(20), vectors=v)[0]
        for v in (True, False)
    )
    assert not np.array_equal(ours, plain)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("base", ["basic", "advanced"])
def test_details_of_published_games_are_the_same(base: str, players: int) -> None:
    check_details(preset(base, players), PLAYERS[:players], 4, range(1000, 1300))


@settings(max_examples=60)
@given(st.data(), rulesets(), seeds, firsts, st.integers(1, 40))
def test_details_of_any_ruleset_are_the_same(data, ruleset, seed, first, games) -> None:
    line_up = data.draw(st.tuples(*[st.sampled_from(PLAYERS)] * ruleset.players))
    check_details(ruleset, line_up, seed, range(first, first + games))


_PLAIN = """
import numpy as np
from red7sim.game.ruleset import preset
from red7sim.play.design import arms_of
from red7sim.play.detailed import empty_counts, seat_detailed
from red7sim.play.paired import seat_paired
from red7sim.play.tally import GAME_SQUARES, GAMES
rules, names = preset("advanced", 3), ("random", "leads", "greedy")
tally = np.zeros((GAME_SQUARES + 1, GAMES + 1), dtype=np.int64)
rows = seat_paired(rules, names, arms_of("rotate", 3)).record_rounds(5, 0, 1, tally)
print(rows.tolist(), *tally.ravel())
counts = empty_counts()
seat_detailed(rules, names).play_block(5, 0, 2, counts)
print(*counts)
"""


def test_plain_python_keeps_the_same() -> None:
    kept = {
        subprocess.run(
            [sys.executable, "-c", _PLAIN],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    }
    assert len(kept) == 1
    assert len(kept.pop().splitlines()) == 2


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("base", ["basic", "advanced"])
def test_many_games_are_kept_the_same(base: str, players: int) -> None:
    check_kept(preset(base, players), PLAYERS[:players], "rotate", range(40_000))
    check_details(preset(base, players), PLAYERS[:players], 4, range(40_000))
