"""`thrifty`: spends as little as it can."""

from red7sim.game.cards import NO_CARD, NO_CARD_FLAG
from red7sim.game.turns import FOLD, as_turn
from red7sim.jit.bits import lowest
from red7sim.play.policy import Player

_CARD = 1 << 8  # more than any sum of two card ids


def choose(view, rules, own):
    """Return the turn of fewest cards; of several the one of the smallest sum of card ids."""
    best = FOLD
    best_cost = 3 * _CARD
    for lane in range(view.lanes):
        turns = view.lane_turns[lane]
        if turns:
            card = view.lane_cards[lane]
            cost = 0 if card == NO_CARD else _CARD + card
            discard = NO_CARD
            if turns & NO_CARD_FLAG == 0:
                discard = lowest(turns)
                cost += _CARD + discard
            if cost < best_cost:
                best_cost = cost
                best = as_turn(card, discard)
    return best


PLAYER = Player("thrifty", "Spends the fewest cards, then the lowest ones.", choose)
