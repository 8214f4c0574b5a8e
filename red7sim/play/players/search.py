"""`search`: plays the most promising turns on with guessed cards.

Promising are the turns of the greatest worth in the eyes of `pressure` (red7sim.play.prospect). Its
chance to win the round is first taken to be

    p = 1 / (1 + rivals * exp(-worth))

the odds of its own next turns to the replies, shared among the rivals; this counts like the
outcomes of `prior` guesses. To them come the outcomes of `samples` guesses, the same for all turns
(red7sim.play.playout), and the turn with the greatest share of wins is taken, of equal ones the
most promising.
"""

from dataclasses import replace
from math import exp

import numpy as np

from red7sim.game.turns import FOLD, as_turn, discarded, played
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel
from red7sim.play.playout import PLAYOUT, SAMPLES, wins_of
from red7sim.play.policy import Parameter, Player
from red7sim.play.prospect import prepare, worth

_THREAT, _BASE = 0.7, 0.3
"""The parameters of `pressure`."""


@kernel
def next_best(view, rules, own, bound, after):
    """Return the turn that comes next by falling worth, then by number: the first one behind that
    of worth `bound` and number `after`. Return its worth and its number as well.
    """
    best = FOLD
    best_worth = -np.inf
    best_number = -1
    number = 0
    for lane in range(view.lanes):
        turns = view.lane_turns[lane]
        while turns:
            turn = as_turn(view.lane_cards[lane], lowest(turns))
            turns = drop_lowest(turns)
            value = worth(view, rules, own, _THREAT, _BASE, played(turn), discarded(turn))
            open_to = value < bound or (value == bound and number > after)
            if open_to and value > best_worth:
                best, best_worth, best_number = turn, value, number
            number += 1
    return best, best_worth, best_number


def choose(view, rules, own):
    """Return the turn with the greatest share of wins, its prior included."""
    samples, playout = np.int64(own.params[0]), np.int64(own.params[1])
    candidates, prior = np.int64(own.params[2]), own.params[3]
    rivals = popcount(view.live) - 1
    prepare(view, rules, own, True, _THREAT)
    bound = np.inf
    number = -1
    best = FOLD
    best_wins = -1.0
    for _ in range(min(candidates, view.choices)):
        turn, bound, number = next_best(view, rules, own, bound, number)
        if view.choices == 1:
            return turn
        wins = prior / (1.0 + rivals * exp(-bound))
        wins += wins_of(view, rules, own, turn, samples, playout)
        if wins > best_wins:
            best_wins = wins
            best = turn
    return best


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
