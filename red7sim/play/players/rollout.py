"""`rollout`: plays every turn on with guessed cards, and takes the one that wins most often.

All turns are judged by the same guesses (red7sim.play.playout); of equal ones it takes the most
promising (red7sim.play.promising).
"""

import numpy as np

from red7sim.play.playout import PLAYOUT, SAMPLES
from red7sim.play.policy import Player
from red7sim.play.promising import most_wins


def choose(view, rules, own):
    """Return the turn that wins the round most often."""
    samples, playout = np.int64(own.params[0]), np.int64(own.params[1])
    return most_wins(view, rules, own, samples, playout, view.choices, 0.0)


PLAYER = Player(
    "rollout",
    "Plays each turn on with guessed cards, and takes the one that wins most often.",
    choose,
    parameters=(SAMPLES, PLAYOUT),
)
