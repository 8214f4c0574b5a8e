"""`banker`: plays for the points of the round, and folds where that costs least.

Where points win the game, every turn is played on with guessed cards (red7sim.play.playout), and so
is a fold; it takes what gains most on average. What is gained are the points of the winner's set as
far as he needs them, and `bonus` more where they end the game; a rival's points count against it,
shared among the rivals. With two players a fold costs just what the rival's set is worth now. Where
points do not matter it takes the turn that wins the round most often, as `rollout` does, and never
folds.
"""

from dataclasses import replace

import numpy as np

from red7sim.game.packed import END_POINTS
from red7sim.game.turns import FOLD, as_turn
from red7sim.jit.bits import drop_lowest, lowest
from red7sim.jit.settings import kernel
from red7sim.play.playout import PLAYOUT, SAMPLES, points_of, wins_of
from red7sim.play.policy import Parameter, Player


@kernel
def value_of(view, rules, own, turn):
    """Return what a turn gains, summed over all guesses (float64)."""
    samples, playout, bonus = np.int64(own.params[0]), np.int64(own.params[1]), own.params[2]
    if rules.end == END_POINTS:
        return points_of(view, rules, own, turn, samples, playout, bonus)
    return float(wins_of(view, rules, own, turn, samples, playout))


def choose(view, rules, own):
    """Return the turn that gains most, of several the first; or FOLD, if it gains more."""
    best = FOLD
    best_value = -np.inf
    if rules.end == END_POINTS and not own.no_fold:
        best_value = value_of(view, rules, own, FOLD)
    for lane in range(view.lanes):
        turns = view.lane_turns[lane]
        while turns:
            turn = as_turn(view.lane_cards[lane], lowest(turns))
            turns = drop_lowest(turns)
            value = value_of(view, rules, own, turn)
            if value > best_value or (value == best_value and best == FOLD):
                best_value = value
                best = turn
    return best


PLAYER = Player(
    "banker",
    "Plays each turn on for the points of the round, and folds where that costs least.",
    choose,
    parameters=(
        replace(SAMPLES, default=20),
        PLAYOUT,
        Parameter("bonus", "Is added to points that end the game.", 6.0, 0, 100),
    ),
    folds=True,
)
