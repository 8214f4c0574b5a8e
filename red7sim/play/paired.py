"""Paired designs on a table: all arms of a deal, counted with the deal as the unit."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from red7sim.game.ruleset import Ruleset
from red7sim.game.switches import MAX_PLAYERS
from red7sim.play.design import Arm
from red7sim.play.fleet import Fleet
from red7sim.play.paired_engine import deals_kernel, sum_arm, sum_deals
from red7sim.play.policy import OWN
from red7sim.play.record import FIRST_ROOM, ROUND, Rounds, record_into
from red7sim.play.spec import parse_line_up
from red7sim.play.table import Table, lay_table
from red7sim.play.tally import N_MEASURES, Tally
from red7sim.play.watch import watching

_DEALS_AT_ONCE = 2048
"""Deals whose games the vector engine plays arm by arm: their measures stay in the cache."""


@dataclass(frozen=True)
class Seating:
    """Who sits where in each arm, and by which rules.

    Attributes
    ----------
    rules
        A RULES record an arm.
    orders
        Which line-up entry sits at each position: int64 of shape (arms, MAX_PLAYERS).
    owns
        OWN records of that shape, by position.
    """

    rules: NDArray[np.void]
    orders: NDArray[np.int64]
    owns: NDArray[np.void]


class Deals(Protocol):
    """Plays deals in all arms, by one of the engines."""

    def kernel(self, watched: str) -> Any:
        """Return the kernel that plays them, compiled if it is not yet, for who watches: `nobody`,
        `rounds` or `folds`.
        """

    def __call__(
        self, seed: int, first: int, sums: NDArray[np.int64], tally: Tally, rows: Rounds | None
    ) -> int:
        """Play deals from `first` on: their measures go to `sums`, int64 of shape (deals,
        N_MEASURES), ROUND or FOLDS records to `rows`; return how many these are, -1 if there is no
        room.
        """


@dataclass(frozen=True)
class PlainDeals:
    """Deals played by the plain engine."""

    table: Table
    seating: Seating

    def kernel(self, watched: str) -> Any:
        """See `Deals`."""
        return deals_kernel(self.table.actions, watched)

    def __call__(
        self, seed: int, first: int, sums: NDArray[np.int64], tally: Tally, rows: Rounds | None
    ) -> int:
        """See `Deals`."""
        used = self.kernel(watching(rows))(
            self.table.views,
            self.table.hiddens,
            self.seating.rules,
            self.seating.owns,
            self.table.policies,
            self.seating.orders,
            np.uint64(seed),
            first,
            self.table.measures,
            sums,
            tally,
            rows,
            *self.table.steps,
        )
        return int(used)


@dataclass(frozen=True)
class VectorDeals:
    """Deals played by the vector engine: some deals in the first arm, the same in the next."""

    fleets: tuple[Fleet, ...]
    """One an arm, all in the same memory."""
    seating: Seating
    kept: NDArray[np.int64]

    def kernel(self, watched: str) -> Any:
        """See `Deals`."""
        return self.fleets[0].kernel(keeps=True, watched=watched)

    def __call__(
        self, seed: int, first: int, sums: NDArray[np.int64], tally: Tally, rows: Rounds | None
    ) -> int:
        """See `Deals`."""
        used = 0
        for start in range(0, len(sums), _DEALS_AT_ONCE):
            part = sums[start : start + _DEALS_AT_ONCE]
            part[:] = 0
            kept = self.kept[: len(part)]
            for arm, fleet in enumerate(self.fleets):
                rules, owns = self.seating.rules[arm : arm + 1], self.seating.owns[arm]
                used = fleet.play_block(
                    rules, owns, seed, first + start, len(part),
                    kept=kept, rounds=rows, arm=arm, place=used,
                )  # fmt: skip
                if used < 0:
                    return used
                sum_arm(part, tally, kept, self.seating.orders[arm])
            sum_deals(part, tally)
        if rows is not None:
            # The rounds of a game were written down in their order.
            order = np.lexsort((rows["arm"][:used], rows["game"][:used]))
            rows[:used] = rows[:used][order]
        return used


@dataclass(frozen=True)
class PairedTable:
    """A table on which every deal is played in several arms. It serves one thread at a time."""

    deals: Deals
    arms: int
    one_round: bool
    """Whether every game has one round."""

    def play_block(self, seed: int, first_deal: int, deals: int, tally: Tally) -> None:
        """Play all arms of a range of deals and add them to the tally (four rows)."""
        self.record_deals(seed, first_deal, deals, tally)

    def record_deals(
        self, seed: int, first_deal: int, deals: int, tally: Tally
    ) -> NDArray[np.int64]:
        """Like `play_block`; return the measures of each deal too, of shape (deals, N_MEASURES)."""
        sums = np.empty((deals, N_MEASURES), dtype=np.int64)
        self.deals(seed, first_deal, sums, tally, None)
        return sums

    def record_rounds(self, seed: int, first_deal: int, deals: int, tally: Tally) -> Rounds:
        """Like `play_block`; return the ROUND records of all games too, in order of play."""
        return self.record_games(seed, first_deal, deals, tally)[1]

    def record_games(
        self,
        seed: int,
        first_deal: int,
        deals: int,
        tally: Tally,
        kind: np.dtype[np.void] = ROUND,
    ) -> tuple[NDArray[np.int64], Rounds]:
        """Return both the measures of `record_deals` and the records of `record_rounds`; the latter
        may be FOLDS records.
        """
        sums = np.empty((deals, N_MEASURES), dtype=np.int64)

        def play(rows: Rounds) -> int:
            counts = np.zeros_like(tally)
            used = self.deals(seed, first_deal, sums, counts, rows)
            if used >= 0:
                tally[:] += counts
            return used

        room = deals * self.arms * (1 if self.one_round else FIRST_ROOM)
        rows = record_into(room, play, kind)
        return sums, rows


def seat_paired(
    ruleset: Ruleset,
    line_up: tuple[str, ...],
    arms: tuple[Arm, ...],
    *,
    watched: str = "nobody",
    vectors: bool = True,
) -> PairedTable:
    """Return a table for all arms of a design, compiling what deals need, or their records where
    `rounds` or `folds` are watched, and is not compiled yet; see `red7sim.play.table.seat`.
    """
    table = lay_table(ruleset, line_up, vectors=vectors)
    orders = np.tile(np.arange(MAX_PLAYERS, dtype=np.int64), (len(arms), 1))
    for i, arm in enumerate(arms):
        orders[i, : len(line_up)] = arm.order
    rules = np.concatenate([ruleset.packed_with_start(arm.first_start) for arm in arms])
    # A player's own record goes with him to his position; memory is not copied, since it is large.
    owns = np.zeros(orders.shape, OWN).view(np.recarray)
    for name in {*(OWN.names or ())} - {"scratch", "search"}:
        owns[name] = table.owns[name][orders]
    seating = Seating(rules, orders, owns)
    deals: Deals
    if table.fleet is None:
        deals = PlainDeals(table, seating)
    else:
        players = [spec.player for spec in parse_line_up(line_up, ruleset)]
        fleets = [table.fleet.with_players([players[i] for i in arm.order]) for arm in arms]
        kept = np.zeros((_DEALS_AT_ONCE, N_MEASURES), dtype=np.int64)
        deals = VectorDeals(tuple(fleets), seating, kept)
    deals.kernel(watched)
    return PairedTable(deals, len(arms), ruleset.one_round)
