"""Several runs on common deals: the counts of each, and what ties them together."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.lab.match import Comparison, Match, Measure, compare
from red7sim.lab.pieces import play_total, scaled
from red7sim.lab.runs import Outcome, Run, RunError
from red7sim.lab.stats import Estimate, per_game
from red7sim.play.paired import PairedTable, seat_paired
from red7sim.play.tally import (
    GAME_SQUARES,
    GAMES,
    N_MEASURES,
    SEAT_WINS,
    SQUARES,
    SUM,
    Tally,
)

BASE_PRODUCTS = GAME_SQUARES + 1
"""Row of a run's counts behind those of its tally: sums of its measures times the first run's."""


@dataclass(frozen=True)
class CommonDeals:
    """Runs of one seed, one design and one number of players; the first is the baseline.

    Attributes
    ----------
    shares
        Whether the products of all shares of seats are summed too, of all pairs of runs.

    Raises
    ------
    RunError
        There is no run, or runs differ where they must not.
    """

    runs: tuple[Run, ...]
    shares: bool = False

    def __post_init__(self) -> None:
        if not self.runs:
            raise RunError("runs: 0 are not allowed; allowed: at least 1")
        for run in self.runs:
            Match(self.runs[0], run)

    @property
    def seed(self) -> int:
        """Seed of the common deals."""
        return self.runs[0].seed

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.runs[0].players)

    @property
    def games_a_deal(self) -> int:
        """Games of all runs on one deal."""
        return len(self.runs) * len(self.runs[0].arms)

    def empty_tally(self) -> Tally:
        """Return a tally of no deals: a flat int64 array, which `CommonCounts` can read."""
        return np.zeros(self._counts_size() + self._gram_side() ** 2, dtype=np.int64)

    def table(self) -> "CommonTable":
        """Return new tables to play at, for one thread."""
        tables = [seat_paired(run.rules, run.players, run.arms) for run in self.runs]
        return CommonTable(self, tables)

    def read(self, tally: Tally) -> "CommonCounts":
        """Return what a tally holds, without a copy."""
        size, side = self._counts_size(), self._gram_side()
        counts = tally[:size].reshape(len(self.runs), BASE_PRODUCTS + 1, N_MEASURES + 1)
        return CommonCounts(self, counts, tally[size:].reshape(side, side))

    def _counts_size(self) -> int:
        return len(self.runs) * (BASE_PRODUCTS + 1) * (N_MEASURES + 1)

    def _gram_side(self) -> int:
        return len(self.runs) * self.players if self.shares else 0


@dataclass(frozen=True)
class CommonTable:
    """Tables at which the same deals are played."""

    deals: CommonDeals
    tables: list[PairedTable]

    def play_block(self, seed: int, first_deal: int, deals: int, tally: Tally) -> None:
        """Play a range of deals in all runs and add them to the tally."""
        found = self.deals.read(tally)
        seats = slice(SEAT_WINS, SEAT_WINS + self.deals.players)
        baseline: Any = None
        shares = []
        for table, counts in zip(self.tables, found.counts, strict=True):
            records = table.record_deals(seed, first_deal, deals, counts[:BASE_PRODUCTS])
            baseline = records if baseline is None else baseline
            counts[BASE_PRODUCTS, :GAMES] += (records * baseline).sum(axis=0)
            shares.append(records[:, seats])
        if self.deals.shares:
            # Floats hold these whole numbers exactly, and are multiplied much faster.
            matrix = np.concatenate(shares, axis=1).astype(np.float64)
            found.share_products[...] += (matrix.T @ matrix).astype(np.int64)


@dataclass(frozen=True)
class CommonCounts:
    """Counts of runs on common deals.

    Attributes
    ----------
    counts
        int64 of shape (runs, BASE_PRODUCTS + 1, N_MEASURES + 1): the rows of a paired tally, and
        BASE_PRODUCTS.
    share_products
        int64 of shape (runs x players, runs x players), or empty: sums over the deals of the
        products of shares of seats, in SHARE_UNITs, summed over the games of a deal.
    """

    common: CommonDeals
    counts: NDArray[np.int64]
    share_products: NDArray[np.int64]

    @property
    def deals(self) -> int:
        """Number of deals counted."""
        return int(self.counts[0, SUM, GAMES])

    def outcome(self, i: int) -> Outcome:
        """Return the counts of a run as if it had been played alone."""
        run = self.common.runs[i]
        rows = len(run.empty_tally())
        return Outcome(run, 0, self.deals, self.counts[i, :rows], 0.0, 0)

    def mean(self, i: int, measure: Measure) -> Estimate:
        """Return the mean of a measure a game of a run; the deal is the unit."""
        return per_game(self.counts[i], measure.index, measure.unit * len(self.common.runs[i].arms))

    def difference(self, i: int, measure: Measure) -> Comparison:
        """Return a run compared with the baseline, deal by deal."""
        baseline, other = self.counts[0], self.counts[i]
        sums = [
            other[SUM],
            other[SQUARES],
            baseline[SUM],
            baseline[SQUARES],
            other[BASE_PRODUCTS],
        ]
        match = Match(self.common.runs[i], self.common.runs[0])
        return compare(match, np.stack(sums), measure)


def play_common(
    common: CommonDeals,
    deals: int,
    first_index: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> CommonCounts:
    """Play a range of deals in all runs; `progress` is called with the number of games done."""
    end, told = first_index + deals, scaled(progress, common.games_a_deal)
    return common.read(play_total(common, first_index, end, threads, told))
