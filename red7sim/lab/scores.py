"""Points of scored games by who wins them: counts of each entry of a line-up, deal by deal."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from red7sim.game.switches import MAX_PLAYERS
from red7sim.lab.stats import Estimate, per_game, per_round
from red7sim.play.design import Arm
from red7sim.play.record import Rounds
from red7sim.play.tally import GAME_SQUARES, GAMES, ROUNDS, SQUARES, SUM, TIMES_ROUNDS, Tally

# Columns behind those of a paired tally.
ENTRY_POINTS: Final = GAMES + 1  # points of the rounds that an entry wins
ENTRY_LEAD: Final = ENTRY_POINTS + MAX_PLAYERS  # players x that, less the points of all entries
N_COLUMNS: Final = ENTRY_LEAD + MAX_PLAYERS

POINT_FIGURES: Final = ("points", "points_per_round", "lead")
"""What is known of an entry: points a game and a round, and by how much more a game these are than
the mean of the others.
"""


def empty_scores() -> Tally:
    """Return a tally of no deals: int64 of shape (4, N_COLUMNS)."""
    return np.zeros((GAME_SQUARES + 1, N_COLUMNS), dtype=np.int64)


def add_points(
    tally: Tally,
    rows: Rounds,
    orders: NDArray[np.int64],
    first_deal: int,
    measures: NDArray[np.int64],
) -> None:
    """Add the points of some deals to a tally that has counted the deals already.

    `rows` are the records of their rounds, `orders` who sits where in each arm, of shape (arms,
    players), and `measures` those of the deals.
    """
    players, deals = orders.shape[1], len(measures)
    deal = rows["game"] - first_deal
    entry = orders[rows["arm"], rows["winner"]]
    cells = np.bincount(deal * players + entry, rows["points"], minlength=deals * players)
    points = cells.reshape(deals, players).astype(np.int64)
    add_with_lead(tally, ENTRY_POINTS, points, measures[:, ROUNDS])


def add_with_lead(
    tally: Tally, first: int, points: NDArray[np.int64], rounds: NDArray[np.int64]
) -> None:
    """Add points of games or deals, of shape (units, players), to the columns of a tally from
    `first` on, and by how much more they are than the mean of all, times the players, to those
    MAX_PLAYERS further on. `rounds` are the rounds of each unit.
    """
    players = points.shape[1]
    lead = players * points - points.sum(axis=1, keepdims=True)
    for place, values in ((first, points), (first + MAX_PLAYERS, lead)):
        columns = slice(place, place + players)
        tally[SUM, columns] += values.sum(axis=0)
        tally[SQUARES, columns] += (values * values).sum(axis=0)
        tally[TIMES_ROUNDS, columns] += rounds @ values


def points_of(tally: Tally, entry: int, arms: int, players: int) -> dict[str, Estimate]:
    """Return POINT_FIGURES of an entry; the deal is the unit."""
    points = ENTRY_POINTS + entry
    figures = (
        per_game(tally, points, arms),
        per_round(tally, points),
        per_game(tally, ENTRY_LEAD + entry, arms * (players - 1)),
    )
    return dict(zip(POINT_FIGURES, figures, strict=True))


def seating_of(arms: Sequence[Arm]) -> NDArray[np.int64]:
    """Return who sits where in each arm of a run: shape (arms, players)."""
    return np.array([arm.order for arm in arms], dtype=np.int64)
