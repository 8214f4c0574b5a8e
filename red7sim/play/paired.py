"""Paired designs on a table: all arms of a deal, counted with the deal as the unit."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numpy.typing import NDArray

from red7sim.game.ruleset import MAX_PLAYERS, Ruleset
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN
from red7sim.play.design import Arm
from red7sim.play.engine import play_game
from red7sim.play.policy import (
    CHOOSE_STEP_TYPE,
    CHOOSE_TYPE,
    OWN_TYPE,
    RULES_TYPE,
    STEPS_TYPE,
    VIEW_TYPE,
)
from red7sim.play.table import Table, seat
from red7sim.play.tally import (
    GAME_SQUARES,
    N_MEASURES,
    POSITION_WINS,
    Tally,
    add_game,
)


@kernel
def play_deal(
    view, hidden, rules, steps, owns, policies, orders, seed, deal, measures, sums, tally
):
    """Play all arms of a deal and count the deal.

    Arguments as for `red7sim.play.engine.play_game`, but `rules` is an array of one record an
    arm, `owns` of shape (arms, MAX_PLAYERS), `orders` int64 of that shape (which line-up entry
    sits where), and `sums` int64 of N_MEASURES. A measure of a deal is the sum over its games;
    wins by position are counted for the line-up entry instead. `tally` has the row GAME_SQUARES.
    """
    sums[:] = 0
    for arm in range(orders.shape[0]):
        order = orders[arm]
        seated = (policies[order[0]], policies[order[1]], policies[order[2]], policies[order[3]])
        play_game(view, hidden, rules[arm], steps, owns[arm], seated, seed, deal, measures)
        for position in range(view.players):
            entry = POSITION_WINS + order[position]
            won = measures[POSITION_WINS + position]
            sums[entry] += won
            tally[GAME_SQUARES, entry] += won * won
            measures[POSITION_WINS + position] = 0
        for i in range(N_MEASURES):
            sums[i] += measures[i]
            tally[GAME_SQUARES, i] += measures[i] * measures[i]
    add_game(tally, sums)


def play_deals(
    views, hiddens, rules, owns, policies, orders, seed, first, measures, records, tally
):
    """Play deals from `first` on, without actions, and write down the measures of each deal.

    `records` is int64 of shape (deals, N_MEASURES); `views` and `hiddens` are arrays of at least
    one record.
    """
    view, hidden = views[0], hiddens[0]
    for i in range(records.shape[0]):
        sums, deal = records[i], first + i
        play_deal(
            view, hidden, rules, None, owns, policies, orders, seed, deal, measures, sums, tally
        )


def play_action_deals(
    views, hiddens, rules, owns, policies, orders, seed, first, measures, records, tally, steps
):
    """Like `play_deals`, with actions; `steps` is an array of one STEPS record."""
    view, hidden, memory = views[0], hiddens[0], steps[0]
    for i in range(records.shape[0]):
        sums, deal = records[i], first + i
        play_deal(
            view, hidden, rules, memory, owns, policies, orders, seed, deal, measures, sums, tally
        )


@cache
def deals_kernel(actions: bool) -> Any:
    """Return `play_deals` or `play_action_deals`, compiled for any line-up."""
    records = (VIEW_TYPE[::1], from_dtype(HIDDEN)[::1], RULES_TYPE[::1], OWN_TYPE[:, ::1])
    choose = types.UniTuple(CHOOSE_STEP_TYPE if actions else CHOOSE_TYPE, MAX_PLAYERS)
    counts = (int64[::1], int64[:, ::1], int64[:, ::1])
    table = (*records, choose, int64[:, ::1], uint64, int64, *counts)
    if actions:
        return kernel(play_action_deals, types.void(*table, STEPS_TYPE[::1]))
    return kernel(play_deals, types.void(*table))


@dataclass(frozen=True)
class PairedTable:
    """A table on which every deal is played in several arms. It serves one thread at a time."""

    table: Table
    kernel: Any
    rules: NDArray[np.void]
    owns: NDArray[np.void]
    orders: NDArray[np.int64]

    def play_block(self, seed: int, first_deal: int, deals: int, tally: Tally) -> None:
        """Play all arms of a range of deals and add them to the tally (four rows)."""
        self.record_block(seed, first_deal, deals, tally)

    def record_block(
        self, seed: int, first_deal: int, deals: int, tally: Tally
    ) -> NDArray[np.int64]:
        """Like `play_block`; return the measures of each deal too, of shape (deals, N_MEASURES)."""
        records = np.empty((deals, N_MEASURES), dtype=np.int64)
        self.kernel(
            self.table.views,
            self.table.hiddens,
            self.rules,
            self.owns,
            self.table.policies,
            self.orders,
            np.uint64(seed),
            first_deal,
            self.table.measures,
            records,
            tally,
            *self.table.steps,
        )
        return records


def seat_paired(ruleset: Ruleset, line_up: tuple[str, ...], arms: tuple[Arm, ...]) -> PairedTable:
    """Return a table for all arms of a design, compiling what is not yet; see `seat`."""
    table = seat(ruleset, line_up, vectors=False)
    orders = np.tile(np.arange(MAX_PLAYERS, dtype=np.int64), (len(arms), 1))
    for i, arm in enumerate(arms):
        orders[i, : len(line_up)] = arm.order
    rules = np.concatenate([ruleset.packed_with_start(arm.first_start) for arm in arms])
    # A player's own record goes with him to his position.
    owns = np.ascontiguousarray(table.owns[orders]).view(np.recarray)
    return PairedTable(table, deals_kernel(ruleset.actions), rules, owns, orders)
