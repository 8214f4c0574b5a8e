"""Paired designs on a table: all arms of a deal, counted with the deal as the unit."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numba.extending import overload
from numpy.typing import NDArray

from red7sim.game.ruleset import END_ROUND, MAX_PLAYERS, Ruleset
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN, deal_round
from red7sim.play.design import Arm
from red7sim.play.engine import (
    GAME_GOES_ON,
    close_game,
    new_game,
    play_game,
    play_round,
    score_round,
)
from red7sim.play.policy import (
    CHOOSE_STEP_TYPE,
    CHOOSE_TYPE,
    OWN,
    OWN_TYPE,
    RULES_TYPE,
    STEPS_TYPE,
    VIEW_TYPE,
)
from red7sim.play.record import ROUND, Rounds, close_record, open_record
from red7sim.play.table import Table, seat
from red7sim.play.tally import (
    DRAWS,
    GAME_SQUARES,
    N_MEASURES,
    POINTS,
    POSITION_WINS,
    Tally,
    add_game,
)

_USUAL_ROUNDS = 8
"""Room for the records of so many rounds to begin with, for a game that may have several."""


@kernel
def record_game(view, hidden, rules, steps, owns, policies, seed, game, measures, arm, rows, used):
    """Play one game like `play_game`, and record its rounds in `rows` from index `used` on.

    Returns how many records are used then; -1 if there is no room, and the game is not over.
    """
    new_game(view, hidden, seed, game, measures)
    first = 0
    while used < len(rows):
        deal_round(view, hidden, rules)
        if view.round_number == 0:
            first = view.start
        points, draws = measures[POINTS], measures[DRAWS]
        row = rows[used]
        open_record(row, view, hidden, arm)
        winner = play_round(view, hidden, rules, steps, owns, policies, measures, row)
        reason = score_round(view, rules, winner, measures)
        close_record(row, view, winner, measures[POINTS] - points, measures[DRAWS] - draws)
        used += 1
        if reason != GAME_GOES_ON:
            close_game(view, first, winner, reason, measures)
            return used
        view.round_number += 1
    return -1


def play_arm(view, hidden, rules, steps, owns, policies, seed, game, measures, arm, rows, used):
    """Play one game, and record its rounds if `rows` is not None; returns as `record_game`."""
    if rows is not None:
        return record_game(
            view, hidden, rules, steps, owns, policies, seed, game, measures, arm, rows, used
        )
    play_game(view, hidden, rules, steps, owns, policies, seed, game, measures)
    return 0


@overload(play_arm)
def _play_arm(view, hidden, rules, steps, owns, policies, seed, game, measures, arm, rows, used):  # noqa: ARG001
    # Chosen by type, so that a kernel compiles only the kind of game that it plays.
    if isinstance(rows, types.NoneType):

        def plain(view, hidden, rules, steps, owns, policies, seed, game, measures, *_):
            play_game(view, hidden, rules, steps, owns, policies, seed, game, measures)
            return 0

        return plain

    def recorded(view, hidden, rules, steps, owns, policies, seed, game, measures, arm, rows, used):
        return record_game(
            view, hidden, rules, steps, owns, policies, seed, game, measures, arm, rows, used
        )

    return recorded


@kernel
def play_deal(
    view,
    hidden,
    rules,
    steps,
    owns,
    policies,
    orders,
    seed,
    deal,
    measures,
    sums,
    tally,
    rows,
    used,
):
    """Play all arms of a deal and count the deal; returns as `record_game`.

    Arguments as for `red7sim.play.engine.play_game`, but `rules` is an array of one record an
    arm, `owns` of shape (arms, MAX_PLAYERS), `orders` int64 of that shape (which line-up entry
    sits where), and `sums` int64 of N_MEASURES. A measure of a deal is the sum over its games;
    wins by position are counted for the line-up entry instead. `tally` has the row GAME_SQUARES;
    `rows` is None or an array of ROUND records, of which `used` are used.
    """
    sums[:] = 0
    for arm in range(orders.shape[0]):
        order = orders[arm]
        seated = (policies[order[0]], policies[order[1]], policies[order[2]], policies[order[3]])
        used = play_arm(
            view, hidden, rules[arm], steps, owns[arm], seated, seed, deal, measures,
            arm, rows, used,
        )  # fmt: skip
        if used < 0:
            return used
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
    return used


def play_deals(
    views, hiddens, rules, owns, policies, orders, seed, first, measures, records, tally, rows
):
    """Play deals from `first` on, without actions, and write down the measures of each deal.

    `records` is int64 of shape (deals, N_MEASURES); `views` and `hiddens` are arrays of at least
    one record; `rows` is None or an array for the rounds. Returns as `record_game`.
    """
    view, hidden = views[0], hiddens[0]
    used = 0
    for i in range(records.shape[0]):
        used = play_deal(
            view, hidden, rules, None, owns, policies, orders, seed, first + i, measures,
            records[i], tally, rows, used,
        )  # fmt: skip
        if used < 0:
            break
    return used


def play_action_deals(
    views,
    hiddens,
    rules,
    owns,
    policies,
    orders,
    seed,
    first,
    measures,
    records,
    tally,
    rows,
    steps,
):
    """Like `play_deals`, with actions; `steps` is an array of one STEPS record."""
    view, hidden, memory = views[0], hiddens[0], steps[0]
    used = 0
    for i in range(records.shape[0]):
        used = play_deal(
            view, hidden, rules, memory, owns, policies, orders, seed, first + i, measures,
            records[i], tally, rows, used,
        )  # fmt: skip
        if used < 0:
            break
    return used


@cache
def deals_kernel(actions: bool, rows: bool) -> Any:
    """Return `play_deals` or `play_action_deals`, compiled for any line-up."""
    records = (VIEW_TYPE[::1], from_dtype(HIDDEN)[::1], RULES_TYPE[::1], OWN_TYPE[:, ::1])
    choose = types.UniTuple(CHOOSE_STEP_TYPE if actions else CHOOSE_TYPE, MAX_PLAYERS)
    counts = (int64[::1], int64[:, ::1], int64[:, ::1])
    rounds = from_dtype(ROUND)[::1] if rows else types.none
    table = (*records, choose, int64[:, ::1], uint64, int64, *counts, rounds)
    if actions:
        return kernel(play_action_deals, int64(*table, STEPS_TYPE[::1]))
    return kernel(play_deals, int64(*table))


@dataclass(frozen=True)
class PairedTable:
    """A table on which every deal is played in several arms. It serves one thread at a time."""

    table: Table
    kernel: Callable[[bool], Any]
    rules: NDArray[np.void]
    owns: NDArray[np.void]
    orders: NDArray[np.int64]

    def play_block(self, seed: int, first_deal: int, deals: int, tally: Tally) -> None:
        """Play all arms of a range of deals and add them to the tally (four rows)."""
        self.record_deals(seed, first_deal, deals, tally)

    def record_deals(
        self, seed: int, first_deal: int, deals: int, tally: Tally
    ) -> NDArray[np.int64]:
        """Like `play_block`; return the measures of each deal too, of shape (deals, N_MEASURES)."""
        records = np.empty((deals, N_MEASURES), dtype=np.int64)
        self._play(seed, first_deal, records, tally, None)
        return records

    def record_rounds(self, seed: int, first_deal: int, deals: int, tally: Tally) -> Rounds:
        """Like `play_block`; return the ROUND records of all games too, in order of play."""
        records = np.empty((deals, N_MEASURES), dtype=np.int64)
        one_round = self.rules["end"][0] == END_ROUND
        room = deals * len(self.orders) * (1 if one_round else _USUAL_ROUNDS)
        while True:
            rows = np.empty(room, dtype=ROUND).view(np.recarray)
            counts = np.zeros_like(tally)
            used = self._play(seed, first_deal, records, counts, rows)
            if used >= 0:
                tally += counts
                return rows[:used]
            room *= 4

    def _play(
        self,
        seed: int,
        first_deal: int,
        records: NDArray[np.int64],
        tally: Tally,
        rows: Rounds | None,
    ) -> int:
        used = self.kernel(rows is not None)(
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
            rows,
            *self.table.steps,
        )
        return int(used)


def seat_paired(ruleset: Ruleset, line_up: tuple[str, ...], arms: tuple[Arm, ...]) -> PairedTable:
    """Return a table for all arms of a design, compiling what is not yet; see `seat`."""
    table = seat(ruleset, line_up, vectors=False)
    orders = np.tile(np.arange(MAX_PLAYERS, dtype=np.int64), (len(arms), 1))
    for i, arm in enumerate(arms):
        orders[i, : len(line_up)] = arm.order
    rules = np.concatenate([ruleset.packed_with_start(arm.first_start) for arm in arms])
    # A player's own record goes with him to his position; memory is not copied, since it is large.
    owns = np.zeros(orders.shape, OWN).view(np.recarray)
    for name in {*(OWN.names or ())} - {"scratch", "search"}:
        owns[name] = table.owns[name][orders]
    kernel = partial(deals_kernel, ruleset.actions)
    return PairedTable(table, kernel, rules, owns, orders)
