"""The most promising turns, played on with guessed cards.

Turns are as promising as they are worth in the eyes of `pressure` (red7sim.play.prospect). The
chance that one wins the round is first taken to be

    p = 1 / (1 + rivals * exp(-worth))

the odds of the player's own next turns to the replies, shared among the rivals; this counts like
the outcomes of `prior` guesses. To them come the outcomes of `samples` guesses, the same for all
turns (red7sim.play.playout).
"""

from math import exp

import numpy as np

from red7sim.game.turns import FOLD, as_turn, discarded, played
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel
from red7sim.play.playout import wins_of
from red7sim.play.prospect import BASE, THREAT, prepare, worth


@kernel
def prepare_worth(view, rules, own):
    """Prepare what the worth of the turns of a position is computed from."""
    prepare(view, rules, own, True, THREAT)


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
            value = worth(view, rules, own, THREAT, BASE, played(turn), discarded(turn))
            open_to = value < bound or (value == bound and number > after)
            if open_to and value > best_worth:
                best, best_worth, best_number = turn, value, number
            number += 1
    return best, best_worth, best_number


@kernel
def most_wins(view, rules, own, samples, playout, turns, prior):
    """Return the turn with the greatest share of wins among the `turns` most promising ones; of
    several the most promising.
    """
    rivals = popcount(view.live) - 1
    prepare_worth(view, rules, own)
    bound = np.inf
    number = -1
    best = FOLD
    best_wins = -1.0
    for _ in range(min(turns, view.choices)):
        turn, bound, number = next_best(view, rules, own, bound, number)
        if view.choices == 1:
            return turn
        wins = prior / (1.0 + rivals * exp(-bound))
        wins += wins_of(view, rules, own, turn, samples, playout)
        if wins > best_wins:
            best_wins = wins
            best = turn
    return best
