"""Strengths of players from won games: the Plackett-Luce model, for two the one of Bradley-Terry.

Of players with strengths g at a table, one wins with probability g over the sum of all. A line-up
may hold a player several times.
"""

from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

ELO: Final = 400 / log(10)
"""Points of the Elo scale for a factor e of strength; 400 points are odds of 10 to 1."""

PRIOR_WINS: Final = 0.5
"""Games that each seat of a line-up is taken to have won besides, so that nobody is infinite."""

_CLOSE = 1e-10
_MOST_STEPS = 100_000


def strengths(
    seats: NDArray[np.float64], games: NDArray[np.float64], wins: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the most likely strengths, by Hunter's MM algorithm (Ann. Statist. 32, 2004).

    Parameters
    ----------
    seats
        How many seats each player has in each line-up: shape (line-ups, players).
    games
        Games of each line-up: shape (replicates, line-ups).
    wins
        Games won by each player: shape (replicates, players).

    Returns
    -------
    Shape (replicates, players); the geometric mean of each row is 1.
    """
    games = games + PRIOR_WINS * seats.sum(axis=1)
    wins = wins + PRIOR_WINS * seats.sum(axis=0)
    found = np.ones_like(wins)
    for _ in range(_MOST_STEPS):
        better = wins / ((games / (found @ seats.T)) @ seats)
        better /= np.exp(np.log(better).mean(axis=1, keepdims=True))
        if np.abs(better / found - 1).max() < _CLOSE:
            return better
        found = better
    return found


def win_chances(seats: NDArray[np.float64], strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how often one seat of each player wins in each line-up, by his strength.

    `strength` has shape (players,); the result has that of `seats`, where he sits, else NaN.
    """
    chance = strength / (seats @ strength)[:, None]
    return np.where(seats > 0, chance, np.nan)
