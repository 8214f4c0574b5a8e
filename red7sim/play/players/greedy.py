"""`greedy`: wins by as much as it can, now."""

from red7sim.game.cards import COLOUR_OF, FULL, NO_CARD
from red7sim.game.rules import COUNT_SHIFT
from red7sim.game.turns import FOLD, as_turn, keys_after_play, rival_keys
from red7sim.jit.bits import drop_lowest, highest, lowest
from red7sim.jit.settings import kernel
from red7sim.play.policy import Player


@kernel
def margin(own_key, rival_key):
    """Return by how much a key wins: difference of counts, then of the highest cards' ids."""
    counts = (own_key >> COUNT_SHIFT) - (rival_key >> COUNT_SHIFT)
    return counts * 128 + highest(own_key & FULL) - highest(rival_key & FULL)


def choose(view, rules, own):
    """Return the turn with the largest margin to the best rival under the rule that it leaves;
    of several the one of fewer cards.
    """
    best = FOLD
    best_value = 0
    rivals = rival_keys(view)
    for lane in range(view.lanes):
        turns = view.lane_turns[lane]
        if turns:
            card = view.lane_cards[lane]
            keys = keys_after_play(view, card)
            while turns:
                discard = lowest(turns)
                turns = drop_lowest(turns)
                canvas = view.canvas if discard == NO_CARD else COLOUR_OF[discard]
                rule = rules.rule_of[canvas]
                cards = (card != NO_CARD) + (discard != NO_CARD)
                value = margin(keys[rule], rivals[rule]) * 4 - cards
                if best == FOLD or value > best_value:
                    best_value = value
                    best = as_turn(card, discard)
    return best


PLAYER = Player("greedy", "Wins by the largest margin under the rule that its turn leaves.", choose)
