"""`greedy`: wins by as much as it can, now."""

import numpy as np

from red7sim.game.cards import COLOUR_OF, COLUMNS, FULL, N_COLOURS, NO_CARD, NO_CARD_FLAG
from red7sim.game.lanes import keys_by_lane
from red7sim.game.rules import COUNT_FIELD, COUNT_SHIFT
from red7sim.game.steps import DISCARD, FOLD_STEP, N_KINDS, PLAY, as_step
from red7sim.game.turns import FOLD, as_turn, cheapest_turn, keys_after_play, rival_keys
from red7sim.jit.bits import drop_lowest, highest, lowest, popcount
from red7sim.jit.settings import inlined, kernel
from red7sim.jit.vectors import extract, first_greatest, greatest, load, select, splat
from red7sim.play.policy import Player

NO_MARGIN = -(1 << 20)
"""Below every margin."""


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
                cards = 2 - (card == NO_CARD) - (discard == NO_CARD)
                value = margin(keys[rule], rivals[rule]) * 4 - cards
                if best == FOLD or value > best_value:
                    best_value = value
                    best = as_turn(card, discard)
    return best


@inlined
def best_turns(found, keys, rival, turns):
    """Add the turns of all lanes that leave one rule to the best found so far under others.

    `found` is their margin, and by lane their discards as a set; `keys` are the lanes' keys under
    the rule, `rival` the best rival's, `turns` by lane the discards that leave it.
    """
    most, best = found
    key = greatest(select(turns == 0, 0, keys))
    value = margin(key, rival)  # not above 0 where no turn leaves the rule
    least = (key & COUNT_FIELD) + (1 << (highest(key & FULL) & 63) & FULL)
    equal = select(keys > least - 1, turns, 0)
    # No branch, which could not be foretold.
    best = best & -np.int64(value <= most) | equal & -np.int64(value >= most)
    return max(most, value), best


def choose_block(views, rules, owns, asked, n, turns):
    """Choose the same turns for a block of views, all lanes of a view at once.

    Margins grow with keys, so under each rule the best margin is that of the greatest key; and the
    keys of one margin have the same count and highest card.
    """
    for i in range(n):
        view = views[asked[i]]
        surviving = load(view.lane_turns, 0)
        keys = keys_by_lane(view)
        rivals = rival_keys(view)
        marks = rules.marks[view.canvas & 7]
        found = 0, splat(0)
        found = best_turns(found, keys[0], rivals[0], surviving & marks[0])
        found = best_turns(found, keys[1], rivals[1], surviving & marks[1])
        found = best_turns(found, keys[2], rivals[2], surviving & marks[2])
        found = best_turns(found, keys[3], rivals[3], surviving & marks[3])
        found = best_turns(found, keys[4], rivals[4], surviving & marks[4])
        found = best_turns(found, keys[5], rivals[5], surviving & marks[5])
        found = best_turns(found, keys[6], rivals[6], surviving & marks[6])
        best = found[1]
        alone = best & NO_CARD_FLAG | select(load(view.lane_cards, 0) == NO_CARD, best, 0)
        fewest = select(alone == 0, select(best == 0, 0, splat(1)), 2)
        lane = first_greatest(fewest)
        turns[asked[i]] = cheapest_turn(view.lane_cards[lane], extract(best, lane))


@kernel
def best_margin(view, rules, hand, keys, rivals, won):
    """Return the largest margin with which a turn could end: under the present rule, or under that
    of a card of `hand`; NO_MARGIN where none is won.
    """
    best = NO_MARGIN
    for canvas in range(N_COLOURS):
        rule = rules.rule_of[canvas]
        if won >> rule & 1 and (canvas == view.canvas or hand & COLUMNS[canvas]):
            best = max(best, margin(keys[rule], rivals[rule]))
    return best


def choose_step(view, steps, rules, own):
    """Return the step with the largest margin that the turn could end with; of several the one of
    fewer cards. Actions of a 1 or 7 are chosen by the number of rules that they win.
    """
    best = FOLD_STEP
    best_value = 0
    rivals = rival_keys(view)
    for kind in range(N_KINDS):
        cards = steps.legal[kind]
        while cards:
            card = lowest(cards)
            cards = drop_lowest(cards)
            if steps.counts[kind, card] == 0:
                continue
            won = steps.wins[kind, card]
            value = popcount(won)
            if kind == PLAY:
                left = view.hand & ~(1 << card | view.barred_discards)
                keys = keys_after_play(view, card)
                value = best_margin(view, rules, left, keys, rivals, won) * 4 - 1
            elif kind == DISCARD:
                keys = keys_after_play(view, NO_CARD)
                canvas = view.canvas if card == NO_CARD else COLOUR_OF[card]
                rule = rules.rule_of[canvas]
                value = margin(keys[rule], rivals[rule]) * 4 - (card != NO_CARD)
            if best == FOLD_STEP or value > best_value:
                best_value = value
                best = as_step(kind, card)
    return best


PLAYER = Player(
    "greedy",
    "Wins by the largest margin under the rule that its turn leaves.",
    choose,
    choose_step,
    choose_block,
    rough_counts=True,
)
