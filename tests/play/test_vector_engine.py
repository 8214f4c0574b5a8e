"""The vector engine plays the games of the plain engine: identical tallies, whatever is asked."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rulesets

from red7sim.game import lanes as lanes_of_hands
from red7sim.game.cards import N_CARDS
from red7sim.game.lanes import LANES
from red7sim.game.ruleset import Ruleset, preset
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.turns import find_turns
from red7sim.game.view import VIEW
from red7sim.play.deal import HIDDEN, deal_round
from red7sim.play.fleet import IN_FLIGHT, board, fits
from red7sim.play.policy import find_player, player_names
from red7sim.play.table import seat
from red7sim.play.tally import GAMES, SUM, Tally, empty_tally

PLAYERS = ("random", "leads", "greedy", "thrifty")
seeds = st.integers(0, 2**64 - 1)


def played(
    ruleset: Ruleset,
    line_up: tuple[str, ...],
    seed: int,
    first: int,
    games: int,
    *,
    vectors: bool = True,
) -> Tally:
    """The tally of a range of games, by the vector engine or the plain one."""
    table = seat(ruleset, line_up, vectors=vectors)
    assert (table.fleet is not None) == (vectors and fits(ruleset))
    tally = empty_tally()
    table.play_block(seed, first, games, tally)
    return tally


def check_same(
    ruleset: Ruleset, line_up: tuple[str, ...], seed: int, first: int, games: int
) -> None:
    ours = played(ruleset, line_up, seed, first, games)
    assert (ours == played(ruleset, line_up, seed, first, games, vectors=False)).all()
    assert ours[SUM, GAMES] == games


@pytest.mark.parametrize("base", ["basic", "advanced"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", [n for n in player_names() if find_player(n).check is None])
def test_published_games_count_the_same(base: str, players: int, name: str) -> None:
    given = {parameter.name for parameter in find_player(name).parameters}
    text = f"{name}:samples=1" if "samples" in given else name
    check_same(preset(base, players), (text,) * players, 7, 100, 300)


@pytest.mark.parametrize("base", ["basic", "advanced"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("turn", range(4))
def test_mixed_line_ups_count_the_same(base: str, players: int, turn: int) -> None:
    """Players asked in blocks and one by one, and the same player in several positions."""
    names = (PLAYERS[turn:] + PLAYERS)[:players]
    check_same(preset(base, players), names, 8, 0, 200)
    check_same(preset(base, players), (*names[:-1], names[0]), 9, 0, 200)


@settings(max_examples=150)
@given(st.data(), rulesets(), seeds, st.integers(0, 2**62 - 50), st.integers(1, 40))
def test_any_ruleset_counts_the_same(data, ruleset, seed, first, games) -> None:
    line_up = data.draw(st.tuples(*[st.sampled_from(PLAYERS)] * ruleset.players))
    check_same(ruleset, line_up, seed, first, games)


def test_leads_of_many_cards_count_the_same() -> None:
    """Palettes grow large enough for greedy leads of eight cards and more, four times in these."""
    settings = {"palette_size": 3, "draw": "auto", "draw_offset": -7}
    check_same(preset("basic", 2).changed(settings), ("greedy", "greedy"), 0, 80_000, 30_000)


@pytest.mark.parametrize("games", [1, 2, IN_FLIGHT - 1, IN_FLIGHT, IN_FLIGHT + 1, 100])
def test_ranges_may_be_cut_anywhere(games: int) -> None:
    ruleset, line_up = preset("advanced", 3), ("random", "greedy", "random")
    whole = played(ruleset, line_up, 3, 40, 2 * games + 1)
    cut = played(ruleset, line_up, 3, 40, games) + played(
        ruleset, line_up, 3, 40 + games, games + 1
    )
    assert (whole == cut).all()
    check_same(ruleset, line_up, 3, 40, games)


@pytest.mark.parametrize("in_flight", [1, 3, 5, 16])
def test_any_number_of_games_in_flight_counts_the_same(in_flight: int) -> None:
    ruleset, names = preset("advanced", 4), ("random", "leads", "random", "thrifty")
    table = seat(ruleset, names)
    tally = empty_tally()
    fleet = board([find_player(name) for name in names], in_flight)
    fleet.play_block(ruleset.packed, table.owns, 6, 10, 100, tally=tally)
    assert (tally == played(ruleset, names, 6, 10, 100)).all()


def test_a_table_is_used_again_and_again() -> None:
    ruleset, names = preset("advanced", 2), ("leads", "random")
    table, tally = seat(ruleset, names), empty_tally()
    for first, games in ((0, 3), (3, 50), (53, 1), (54, 46)):
        table.play_block(5, first, games, tally)
    assert (tally == played(ruleset, names, 5, 0, 100, vectors=False)).all()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, True),
        ({"hand_size": "7", "start_bonus": "0,1"}, False),
        ({"hand_size": "6", "start_bonus": "0,1"}, True),
        ({"hand_size": "5", "start_bonus": "3"}, False),
        ({"hand_size": "8"}, False),
        ({"palette_size": "3", "hand_size": "1"}, True),
        ({"actions": "yes"}, False),
    ],
)
def test_what_the_vector_engine_cannot_hold_is_played_by_the_plain_one(settings, expected) -> None:
    ruleset = preset("advanced", 2).changed(settings)
    assert fits(ruleset) == expected
    assert (seat(ruleset, ("random", "leads")).fleet is not None) == expected


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_forced_start_counts_the_same(position: int) -> None:
    tallies = [empty_tally(), empty_tally()]
    for tally, vectors in zip(tallies, (True, False), strict=True):
        table = seat(preset("advanced", 3), ("leads",) * 3, position, vectors=vectors)
        table.play_block(3, 0, 60, tally)
    assert (tallies[0] == tallies[1]).all()


def test_a_fault_in_a_single_rule_is_noticed() -> None:
    """A planted fault: who wins green may leave blue, and the other way round."""
    ruleset = preset("basic", 2)
    table = seat(ruleset, ("random", "random"))
    faulty = ruleset.packed.copy()
    faulty["column_rules"][:, [2, 3]] = faulty["column_rules"][:, [3, 2]]
    tally = empty_tally()
    table.fleet.play_block(faulty, table.owns, 1, 0, 50, tally=tally)
    expected = played(ruleset, ("random", "random"), 1, 0, 50, vectors=False)
    assert (tally != expected).any()


def test_a_game_that_is_left_out_is_noticed() -> None:
    ruleset, names = preset("basic", 3), ("leads",) * 3
    assert (played(ruleset, names, 2, 0, 40) != played(ruleset, names, 2, 1, 40)).any()


def positions(ruleset: Ruleset, n: int) -> Iterator[np.ndarray]:
    views, hiddens = (np.zeros(1, dtype).view(np.recarray) for dtype in (VIEW, HIDDEN))
    view, hidden, rules = views[0], hiddens[0], ruleset.packed[0]
    rng = np.random.default_rng(5)
    for game in range(n):
        hidden.seed, hidden.game = np.uint64(4), game
        deal_round(view, hidden, rules)
        view.canvas = rng.integers(7)
        view.hand = hidden.hands[view.mover]
        yield views


def surviving(view) -> list[tuple[int, int, int]]:
    """Lane by lane, those that hold a turn: card, turns, wins."""
    return [
        (int(view.lane_cards[lane]), int(view.lane_turns[lane]), int(view.lane_wins[lane]))
        for lane in range(view.lanes)
        if view.lane_turns[lane]
    ]


def numbered(view) -> list[tuple[int, int]]:
    """The turns of a square in the order of its bits: the cards played and discarded."""
    return [
        (int(view.slot_cards[bit >> 3]), int(view.slot_cards[bit & 7]))
        for bit in range(64)
        if int(view.turn_bits) >> bit & 1
    ]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("hand_size", [7, 4])
def test_turns_found_by_vectors_are_the_turns(monkeypatch, compiled: bool, hand_size: int) -> None:
    """Compiled and as plain Python, against the turns that the plain engine finds."""
    ruleset = preset("basic", 3).changed({"hand_size": hand_size, "palette_size": 3})
    rules = ruleset.packed[0]
    lanes = np.zeros(MAX_PLAYERS, LANES).view(np.recarray)
    if not compiled:
        for name, value in vars(lanes_of_hands).copy().items():
            monkeypatch.setattr(lanes_of_hands, name, getattr(value, "py_func", value))
    for views in positions(ruleset, 200 if compiled else 20):
        other = views.copy()
        find_turns(views[0], rules)
        lanes_of_hands.lay_position(other[0], lanes, rules)
        assert surviving(other[0]) == surviving(views[0])
        assert other[0].choices == views[0].choices
        assert (other[0].keys == views[0].keys).all()
        assert numbered(other[0]) == [
            (card, discard)
            for card, turns, _ in surviving(views[0])
            for discard in range(N_CARDS + 1)
            if turns >> discard & 1
        ]


GOLDEN = Path(__file__).parent.parent / "golden" / "counts_of_seed_2024.txt"

_COUNT = """
import sys
from red7sim.game.ruleset import preset
from red7sim.jit.bits import has_pdep
from red7sim.play.table import seat
from red7sim.play.tally import *
assert not has_pdep()
for line in sys.stdin:
    base, players, name, *expected = line.split()
    table, tally = seat(preset(base, int(players)), (name,) * int(players)), empty_tally()
    assert table.fleet
    table.play_block(2024, 0, 500, tally)
    total = tally[SUM]
    wins = total[SEAT_WINS : SEAT_WINS + int(players)]
    assert [*map(str, (total[TURNS], total[DRAWS], total[POINTS], *wins))] == expected, line
"""


@pytest.mark.compiled
def test_a_processor_without_vectors_counts_the_same(tmp_path) -> None:
    """The code for the plainest processor: no wide vectors, no `pdep`."""
    chosen = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    environment = os.environ | chosen | {"RED7SIM_CACHE_DIR": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-c", _COUNT],
        input="\n".join(GOLDEN.read_text().splitlines()[2:]),
        env=environment,
        text=True,
        check=True,
    )


_PLAIN = """
from red7sim.game.ruleset import preset
from red7sim.play.table import seat
from red7sim.play.tally import empty_tally
for names in (("random", "leads", "greedy"), ("thrifty", "random", "random")):
    tally = empty_tally()
    seat(preset("advanced", 3), names).play_block(5, 0, 3, tally)
    print(*tally.ravel())
"""


def test_plain_python_counts_the_same() -> None:
    """The whole engine as plain Python, with numba switched off, and compiled."""
    counts = {
        subprocess.run(
            [sys.executable, "-c", _PLAIN],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    }
    assert len(counts) == 1
    assert len(counts.pop().splitlines()) == 2


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("base", ["basic", "advanced"])
def test_a_million_games_count_the_same(base: str, players: int) -> None:
    names = ("random", "leads", "random", "greedy")[:players]
    games = 250_000 if base == "basic" else 90_000
    check_same(preset(base, players), names, 11, 0, games)


@pytest.mark.slow
@settings(max_examples=2000)
@given(st.data(), rulesets(), seeds, st.integers(0, 2**62 - 50), st.integers(1, 40))
def test_thousands_of_rulesets_count_the_same(data, ruleset, seed, first, games) -> None:
    line_up = data.draw(st.tuples(*[st.sampled_from(PLAYERS)] * ruleset.players))
    check_same(ruleset, line_up, seed, first, games)
