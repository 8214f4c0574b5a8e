"""`search`: plays the most promising turns on with guessed cards (red7sim.play.promising)."""

from dataclasses import replace

import numpy as np

from red7sim.play.playout import PLAYOUT, SAMPLES
from red7sim.play.policy import Parameter, Player
from red7sim.play.promising import most_wins


def choose(view, rules, own):
    """Return the turn with the greatest share of wins, its prior included."""
    samples, playout = np.int64(own.params[0]), np.int64(own.params[1])
    turns, prior = np.int64(own.params[2]), own.params[3]
    return most_wins(view, rules, own, samples, playout, turns, prior)


PLAYER = Player(
    "search",
    "Plays the most promising turns on with guessed cards, and takes the best.",
    choose,
    parameters=(
        replace(SAMPLES, default=100),
        PLAYOUT,
        Parameter("turns", "Plays so many turns on, the most promising ones.", 6, 1, 182),
        Parameter("prior", "Counts what a turn promises like so many guesses.", 30.0, 0, 1000),
    ),
)
