"""`foresight`: keeps the most turns open for its next time, when a rival has one card more.

It takes the turn, or step, of the best outlook where a rival first adds an unseen card to his
palette (red7sim.play.prospect). Among several rivals one alone adds a card: that was found better
than a card for each.
"""

from red7sim.play.policy import Player
from red7sim.play.prospect import best_step, best_turn


def choose(view, rules, own):
    """Return the turn after which most turns are expected to survive; of several the first."""
    return best_turn(view, rules, own, True, 0.0, 0.0)


def choose_step(view, steps, rules, own):
    """Return the step after which most turns are expected to survive; of several the first."""
    return best_step(view, steps, rules, own, True, 0.0, 0.0)


PLAYER = Player(
    "foresight",
    "Keeps the most turns expected to survive after a rival has added an unseen card.",
    choose,
    choose_step,
)
