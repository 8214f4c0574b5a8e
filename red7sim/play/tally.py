"""Counts of games: what is measured in a game, and sums that add up over games.

A game is measured by a vector of whole numbers; a tally holds, for each measure x, three sums
over the games: of x, of x squared and of x times the rounds of the game. That is what means,
standard errors and ratios per round need, and tallies of different games add.
"""

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import N_COLOURS
from red7sim.game.switches import MAX_PLAYERS
from red7sim.jit.settings import kernel

SHARE_UNIT = 12
"""A win counts 12, shared among k winners 12 / k: a whole number for k = 1 .. 4."""

# Measures of one game. The first five groups are sums over its rounds.
ROUNDS = 0
TURNS = 1
DRAWS = 2
POINTS = 3  # points of the rounds' winners
ROUND_SEAT_WINS = 4  # rounds won, by turn order of the round
FINAL_RULE = ROUND_SEAT_WINS + MAX_PLAYERS  # rounds ended on a canvas colour, by rank
SEAT_WINS = FINAL_RULE + N_COLOURS  # share of the game, by turn order of the first round
POSITION_WINS = SEAT_WINS + MAX_PLAYERS  # share of the game, by table position
ENDED = POSITION_WINS + MAX_PLAYERS  # 1 for the reason, by index into END_REASONS
END_REASONS = ("round", "points", "wins", "cards")
N_MEASURES = ENDED + len(END_REASONS)

SUM, SQUARES, TIMES_ROUNDS = range(3)
"""Rows of a tally."""

GAME_SQUARES = 3
"""Fourth row, in paired designs: there the unit is the deal, and this sums x squared a game."""

GAMES = N_MEASURES
"""Column of a tally whose first row counts the games."""

_LOW_HALF = 0xFFFFFFFF  # no measure exceeds it; told so, the compiler multiplies four at a time

Tally = NDArray[np.int64]


def empty_tally() -> Tally:
    """Return a tally of no games: int64 array of shape (3, N_MEASURES + 1)."""
    return np.zeros((3, N_MEASURES + 1), dtype=np.int64)


@kernel
def add_game(tally, measures):
    """Add the measures of one game (int64 of N_MEASURES) to a tally."""
    rounds = measures[ROUNDS] & _LOW_HALF
    for i in range(N_MEASURES):
        value = measures[i] & _LOW_HALF
        tally[SUM, i] += value
        tally[SQUARES, i] += value * value
        tally[TIMES_ROUNDS, i] += value * rounds
    tally[SUM, GAMES] += 1
