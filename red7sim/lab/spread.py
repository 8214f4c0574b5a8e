"""How much a deal decides: the same deal played again and again with other choices.

A deal fixes all cards, those in the deck too. Let p be the chance of a position to win the round
that is dealt, over the random choices of the players. Its spread over the deals is the luck of the
deal; what is left is the luck of the choices. Each of the deals 0 .. D - 1 of a run is played R
times, which makes a one-way layout with random effects: with y wins in R rounds,

    within   =  mean of y (R - y) / (R (R - 1))          estimates the mean of p (1 - p)
    between  =  variance of y / R, less within / R       estimates the variance of p

both without bias (Searle, Casella and McCulloch, "Variance Components", 1992, chapter 3), summed
over the positions. The share of the deal is between / (between + within). It may come out a little
below 0 where the deal decides nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from red7sim.game.refused import whole_in
from red7sim.game.switches import MAX_PLAYERS
from red7sim.lab.groups import jackknife
from red7sim.lab.pieces import play_total, scaled
from red7sim.lab.runs import Run, RunError
from red7sim.lab.stats import Estimate
from red7sim.play.details import GROUPS, group_of
from red7sim.play.replayed import ReplayedTable, seat_replayed

FEWEST_PLAYOUTS: Final = 2
MOST_PLAYOUTS: Final = 100_000
"""So that sums of squares over 2^28 deals stay below 2^63."""

# Columns of the sums of a group of deals.
DEALS, WITHIN = 0, 1  # deals; sum of y (R - y) over deals and positions
WINS = 2  # by position: sum of y, then of its square
WIN_SQUARES = WINS + MAX_PLAYERS
N_SUMS = WIN_SQUARES + MAX_PLAYERS

Sums = NDArray[np.int64]


def checked_playouts(playouts: int) -> int:
    """Return how often a deal is played; RunError refuses what shows no spread, or is too much."""
    return whole_in("playouts", playouts, FEWEST_PLAYOUTS, MOST_PLAYOUTS, error=RunError)


@dataclass(frozen=True)
class Replayed:
    """The first deals of the games of a run, each of them played `playouts` times as one round.

    Raises
    ------
    RunError
        Fewer than two playouts, which show no spread, too many, or a run with pairing.
    """

    run: Run
    playouts: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "playouts", checked_playouts(self.playouts))
        if self.run.paired:
            raise RunError("deals are played again without pairing")

    @property
    def seed(self) -> int:
        """Seed of all chance."""
        return self.run.seed

    def empty_tally(self) -> Sums:
        """Return the sums of no deals: int64 of shape (GROUPS, N_SUMS)."""
        return np.zeros((GROUPS, N_SUMS), dtype=np.int64)

    def table(self) -> "SpreadTable":
        """Return a new table to play at, for one thread."""
        return SpreadTable(seat_replayed(self.run.rules, self.run.players), self.playouts)


@dataclass(frozen=True)
class SpreadTable:
    """A table that counts who wins a deal how often."""

    table: ReplayedTable
    playouts: int

    def play_block(self, seed: int, first_deal: int, deals: int, sums: Sums) -> None:
        """Play each deal of a range again and again, and add it to the sums of its group."""
        wins = self.table.replay(seed, first_deal, deals, self.playouts)
        # A position without a player has no wins and no spread, as R - y is multiplied by y.
        within = (wins * (self.playouts - wins)).sum(axis=1, keepdims=True)
        rows = np.concatenate([np.ones_like(within), within, wins, wins * wins], axis=1)
        np.add.at(sums, group_of(first_deal + np.arange(deals)), rows)


def replay_deals(
    run: Run,
    deals: int,
    playouts: int,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Sums:
    """Play deals 0 .. `deals` - 1 repeatedly; `progress` is given the number of rounds played.

    Returns
    -------
    The sums of the groups that have deals: int64 of shape (groups, N_SUMS).
    """
    again = Replayed(run, playouts)
    told = scaled(progress, playouts)
    sums = play_total(again, 0, deals, threads, told)
    return sums[sums[:, DEALS] > 0]


def luck_share(sums: Sums, playouts: int) -> Estimate:
    """Return the share of the deal in the variance of who wins; NaN for fewer than two deals."""

    def share(totals: Any) -> Any:
        between, within = variances(totals, playouts)
        return between / (between + within)

    return jackknife(sums, share)


def chance_spread(sums: Sums, playouts: int, players: int) -> Estimate:
    """Return the standard deviation of a position's chance to win over the deals."""
    between = jackknife(sums, lambda totals: variances(totals, playouts)[0] / players)
    if not between.value > 0:
        return Estimate(0.0 if between.value <= 0 else between.value, float("nan"))
    deviation = sqrt(between.value)
    return replace(between, value=deviation, error=between.error / (2 * deviation))


def variances(totals: Any, playouts: int) -> tuple[Any, Any]:
    """Return the variance between the deals and the one within, both summed over the positions.

    `totals` are sums of shape (N_SUMS, ...).
    """
    deals = np.asarray(totals[DEALS], dtype=float)
    within = totals[WITHIN] / (deals * playouts * (playouts - 1))
    # Python's whole numbers up to the division: products of totals pass 2^63, and nothing cancels.
    exact = totals.astype(object)
    wins, squares = exact[WINS:WIN_SQUARES], exact[WIN_SQUARES:]
    spread = np.asarray((exact[DEALS] * squares - wins * wins).sum(axis=0), dtype=float)
    observed = spread / deals / (deals - 1) / playouts**2
    return observed - within / playouts, within
