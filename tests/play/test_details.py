"""The counts of details against their twin, game by game."""

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import naive_details
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rulesets

from red7sim.game.cards import COLOURS, NO_CARD
from red7sim.game.notation import CARD_NAMES
from red7sim.game.ruleset import Ruleset, preset
from red7sim.play.detailed import empty_counts, seat_detailed, split_counts
from red7sim.play.details import DETAILS, GROUP_GAMES, GROUPS, group_of
from red7sim.play.replay import replay_game
from red7sim.play.table import seat
from red7sim.play.tally import empty_tally
from red7sim.play.trace import TRACE_OUT, TRACE_TURN

LINE_UP = ("random", "leads", "greedy", "thrifty")
STEPS = ("turn", "play", "discard", "draw", "fold", "take", "discard_palette", "to_deck", "out")
SUMS = ("dealt", "won", "dealt_squares", "won_squares", "products")
AXES: dict[str, tuple[Any, ...]] = {
    "cards": (("hand", "start"), SUMS[:2], CARD_NAMES),
    "groups": (("hand", "start"), SUMS, (*COLOURS, 1, 2, 3, 4, 5, 6, 7)),
    "steps": (STEPS, (*CARD_NAMES, None)),
    "scored": (CARD_NAMES,),
    "canvas_turns": (COLOURS,),
    "discards": (COLOURS, COLOURS),
    "changes_won": (COLOURS,),
    "finals": (COLOURS, ("ends", "points")),
    "turns": (range(32), ("asked", "choices", "no_choice", "forced")),
    "lengths": (range(32),),
    "out_early": (range(4),),
    "leader_changes": (),
    "games": (),
    "long_games": (),
    "comebacks": (),
}
"""For each field the names of its indices, written here independently of the package."""


def counted(rules: Ruleset, line_up: tuple[str, ...], seed: int, game: int) -> Counter[Any]:
    """What the kernel counts in one game, by the names of the twin."""
    counts = empty_counts()
    seat_detailed(rules, line_up).play_block(seed, game, 1, counts)
    details = split_counts(counts)[1]
    found: Counter[Any] = Counter()
    for field in DETAILS.names:
        total = details[field].sum(axis=0)
        assert total.shape == tuple(map(len, AXES[field]))
        for index, value in np.ndenumerate(total):
            found[field, *(names[i] for names, i in zip(AXES[field], index, strict=True))] = value
    # The log knows no step of this kind; turns are counted elsewhere.
    del found["steps", "out", None]
    return +found


def check_game(rules: Ruleset, seed: int, game: int) -> None:
    line_up = LINE_UP[: rules.players]
    events = [*replay_game(rules, line_up, seed, game)]
    expected = naive_details.count_game(events, rules.as_json(), rules.players)
    assert counted(rules, line_up, seed, game) == expected


seeds = st.integers(0, 2**64 - 1)
games = st.integers(0, 2**62 - 1)


@settings(max_examples=60)
@given(rulesets(), seeds, games)
def test_details_of_any_game_are_those_of_the_twin(rules: Ruleset, seed: int, game: int) -> None:
    check_game(rules, seed, game)


@settings(max_examples=40)
@given(rulesets(actions=True), seeds, games)
def test_details_with_actions_are_those_of_the_twin(rules: Ruleset, seed: int, game: int) -> None:
    check_game(rules, seed, game)


@pytest.mark.parametrize("printing", [None, "1.1", "1.2", "ru"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_details_of_published_games_are_those_of_the_twin(printing, players: int) -> None:
    for game in range(4):
        check_game(preset("advanced", players, printing), 5, game)


def test_every_step_has_a_name_here() -> None:
    assert STEPS.index("turn") == TRACE_TURN
    assert STEPS.index("out") == TRACE_OUT
    assert DETAILS["steps"].shape == (len(STEPS), NO_CARD + 1)


@pytest.mark.parametrize("rules", [preset("basic", 2), preset("advanced", 3, "1.2")], ids=str)
def test_counting_details_changes_no_game(rules: Ruleset) -> None:
    line_up = LINE_UP[: rules.players]
    counts, tally = empty_counts(), empty_tally()
    seat_detailed(rules, line_up).play_block(3, 100, 200, counts)
    seat(rules, line_up).play_block(3, 100, 200, tally)
    assert (split_counts(counts)[0] == tally).all()


def test_counts_of_parts_add_up() -> None:
    table = seat_detailed(preset("advanced", 2), LINE_UP[:2])
    whole, parts = empty_counts(), empty_counts()
    table.play_block(1, 0, 300, whole)
    for first, end in ((0, 1), (1, 97), (97, 300)):
        table.play_block(1, first, end - first, parts)
    assert (whole == parts).all()


def test_games_are_spread_over_the_groups_by_their_index() -> None:
    counts = empty_counts()
    first = GROUP_GAMES * (GROUPS - 1) - 5
    seat_detailed(preset("basic", 2), LINE_UP[:2]).play_block(1, first, 2 * GROUP_GAMES, counts)
    games = split_counts(counts)[1].games
    expected = np.bincount([group_of(first + i) for i in range(2 * GROUP_GAMES)], minlength=GROUPS)
    assert (games == expected).all()
    assert (games[-2], games[-1], games[0]) == (5, GROUP_GAMES, GROUP_GAMES - 5)


_PLAIN = """
from red7sim.game.ruleset import preset
from red7sim.play.detailed import empty_counts, seat_detailed
counts = empty_counts()
seat_detailed(preset("advanced", 3), ("random", "leads", "greedy")).play_block(5, 0, 2, counts)
print(*counts)
"""


def test_plain_python_counts_the_same() -> None:
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
    assert len(counts.pop().split()) == len(empty_counts())
