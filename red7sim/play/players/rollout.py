"""`rollout`: plays every turn on with guessed cards, and takes the one that wins most often.

All turns are judged by the same guesses (red7sim.play.playout); of equal ones it takes the first.
"""

import numpy as np

from red7sim.game.turns import FOLD, as_turn
from red7sim.jit.bits import drop_lowest, lowest
from red7sim.play.playout import PLAYOUT, SAMPLES, wins_of
from red7sim.play.policy import Player


def choose(view, rules, own):
    """Return the turn that wins the round most often."""
    samples, playout = np.int64(own.params[0]), np.int64(own.params[1])
    best = FOLD
    best_wins = -1
    for lane in range(view.lanes):
        turns = view.lane_turns[lane]
        while turns:
            turn = as_turn(view.lane_cards[lane], lowest(turns))
            turns = drop_lowest(turns)
            if view.choices == 1:
                return turn
            wins = wins_of(view, rules, own, turn, samples, playout)
            if wins > best_wins:
                best_wins = wins
                best = turn
    return best


PLAYER = Player(
    "rollout",
    "Plays each turn on with guessed cards, and takes the one that wins most often.",
    choose,
    parameters=(SAMPLES, PLAYOUT),
)
