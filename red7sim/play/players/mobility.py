"""`mobility`: keeps the most turns open for its next time, should no rival change his palette.

It takes the turn, or step, of the best outlook with rivals that stay as they are
(red7sim.play.prospect).
"""

from red7sim.play.policy import Player
from red7sim.play.prospect import best_step, best_turn


def choose(view, rules, own):
    """Return the turn after which most turns would survive next time; of several the first."""
    return best_turn(view, rules, own, False, 0.0, 0.0)


def choose_step(view, steps, rules, own):
    """Return the step after which most turns would survive next time; of several the first."""
    return best_step(view, steps, rules, own, False, 0.0, 0.0)


PLAYER = Player(
    "mobility",
    "Keeps the most turns that would survive next time if no rival changed his palette.",
    choose,
    choose_step,
)
