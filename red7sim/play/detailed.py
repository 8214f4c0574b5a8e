"""Games played with their details counted (red7sim.play.details)."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numpy.typing import NDArray

from red7sim.game.ruleset import MAX_PLAYERS, Ruleset
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN, deal_round
from red7sim.play.details import (
    DETAILS,
    MEMORY,
    Details,
    close_details,
    count_game,
    count_standing,
    empty_details,
    group_of,
    open_details,
)
from red7sim.play.engine import (
    GAME_GOES_ON,
    close_game,
    game_winners,
    new_game,
    play_round,
    score_round,
    winning_cards,
)
from red7sim.play.policy import (
    CHOOSE_STEP_TYPE,
    CHOOSE_TYPE,
    OWN_TYPE,
    RULES_TYPE,
    STEPS_TYPE,
    VIEW_TYPE,
)
from red7sim.play.table import Table, seat
from red7sim.play.tally import POINTS, Tally, add_game, empty_tally

Counts = NDArray[np.int64]


def empty_counts() -> Counts:
    """Return the counts of no games: int64, those of a tally and those of all DETAILS in a row."""
    return np.zeros(empty_tally().size + empty_details().nbytes // 8, dtype=np.int64)


def split_counts(counts: Counts) -> tuple[Tally, Details]:
    """Return the tally and the DETAILS records of counts; they share their memory."""
    tally = empty_tally()
    details = counts[tally.size :].view(DETAILS).view(np.recarray)
    return counts[: tally.size].reshape(tally.shape), details


@kernel
def play_detailed_game(
    view, hidden, rules, steps, owns, policies, seed, game, measures, memory, details
):
    """Play one game like `red7sim.play.engine.play_game`, and count its details."""
    new_game(view, hidden, seed, game, measures)
    watcher = (memory, details)
    first = 0
    while True:
        deal_round(view, hidden, rules)
        if view.round_number == 0:
            first = view.start
        points = measures[POINTS]
        open_details(memory, view, hidden, rules)
        winner = play_round(view, hidden, rules, steps, owns, policies, measures, watcher)
        scored = winning_cards(view, rules, winner)
        reason = score_round(view, rules, winner, measures)
        close_details(memory, details, view, winner, scored, measures[POINTS] - points)
        if reason != GAME_GOES_ON:
            break
        count_standing(memory, view)
        view.round_number += 1
    close_game(view, first, winner, reason, measures)
    count_game(memory, details, view, game_winners(view, reason, winner))


def play_detailed(
    views, hiddens, rules, owns, policies, seed, first, games, measures, tally, memories, details
):
    """Play games `first` .. `first + games - 1` without actions; tally them, count their details.

    `memories` is an array of one MEMORY record, `details` of GROUPS DETAILS records; the others are
    as for `red7sim.play.engine.play_block`.
    """
    for game in range(first, first + games):
        play_detailed_game(
            views[0], hiddens[0], rules[0], None, owns, policies, seed, game, measures,
            memories[0], details[group_of(game)],
        )  # fmt: skip
        add_game(tally, measures)


def play_detailed_actions(
    views,
    hiddens,
    rules,
    owns,
    policies,
    seed,
    first,
    games,
    measures,
    tally,
    memories,
    details,
    steps,
):
    """Like `play_detailed`, with actions; `steps` is an array of one STEPS record."""
    for game in range(first, first + games):
        play_detailed_game(
            views[0], hiddens[0], rules[0], steps[0], owns, policies, seed, game, measures,
            memories[0], details[group_of(game)],
        )  # fmt: skip
        add_game(tally, measures)


@cache
def detailed_kernel(actions: bool) -> Any:
    """Return `play_detailed` or `play_detailed_actions`, compiled for any line-up."""
    records = (
        VIEW_TYPE[::1],
        from_dtype(HIDDEN)[::1],
        types.Array(RULES_TYPE, 1, "C", readonly=True),
        OWN_TYPE[::1],
    )
    choose = types.UniTuple(CHOOSE_STEP_TYPE if actions else CHOOSE_TYPE, MAX_PLAYERS)
    counts = (int64[::1], int64[:, ::1], from_dtype(MEMORY)[::1], from_dtype(DETAILS)[::1])
    table = (*records, choose, uint64, int64, int64, *counts)
    if actions:
        return kernel(play_detailed_actions, types.void(*table, STEPS_TYPE[::1]))
    return kernel(play_detailed, types.void(*table))


@dataclass(frozen=True)
class DetailedTable:
    """A table whose games are counted in detail. It serves one thread at a time."""

    table: Table
    kernel: Any
    memories: NDArray[np.void]

    def play_block(self, seed: int, first_game: int, games: int, counts: Counts) -> None:
        """Play a range of games and add them to counts (`empty_counts`)."""
        tally, details = split_counts(counts)
        table = self.table
        self.kernel(
            table.views,
            table.hiddens,
            table.rules,
            table.owns,
            table.policies,
            np.uint64(seed),
            first_game,
            games,
            table.measures,
            tally,
            self.memories,
            details,
            *table.steps,
        )


def seat_detailed(ruleset: Ruleset, players: tuple[str, ...]) -> DetailedTable:
    """Return a table with the named players, compiling what is not yet; see `seat`."""
    table = seat(ruleset, players, vectors=False)
    memories = np.zeros(1, dtype=MEMORY).view(np.recarray)
    return DetailedTable(table, detailed_kernel(ruleset.actions), memories)
