"""`thrifty`: spends as little as it can."""

from red7sim.game.cards import NO_CARD, NO_CARD_FLAG
from red7sim.game.lanes import NO_DISCARD, cheapest_in_lane
from red7sim.game.steps import (
    DISCARD,
    FIVES,
    FOLD_STEP,
    N_KINDS,
    PLAY,
    TAKE,
    TO_DECK,
    as_step,
)
from red7sim.game.turns import FOLD, as_turn
from red7sim.jit.bits import drop_lowest, lowest
from red7sim.jit.vectors import (
    first_greatest,
    load,
    pick,
    popcounts,
    select,
    short_splat,
    shorts_from_bytes,
)
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


def choose_block(views, rules, owns, asked, n, turns):
    """Choose the same turns for a block of views, all lanes of a view at once."""
    for i in range(n):
        view = views[asked[i]]
        surviving = shorts_from_bytes(view.turn_bits)
        costs = load(view.slot_cards, 0) + _CARD
        costs = select(costs == NO_CARD + _CARD, 0, costs)
        lowest_slots = popcounts(~surviving & surviving - 1)
        discard_costs = select((surviving & 1 << NO_DISCARD) == 0, pick(costs, lowest_slots), 0)
        saved = short_splat(3 * _CARD) - costs - discard_costs
        lane = first_greatest(select(surviving == 0, 0, saved))
        turns[asked[i]] = cheapest_in_lane(view, lane)


def choose_step(view, steps, rules, own):
    """Return the step that spends the fewest cards by the end of the turn, as far as it can be
    told: one for a play or discard, one more for a 5, one more where a discard has yet to follow.
    """
    rule = rules.rule_of[view.canvas]
    best = FOLD_STEP
    best_cost = 4 * _CARD
    for kind in range(N_KINDS):
        cards = steps.legal[kind]
        while cards:
            card = lowest(cards)
            cards = drop_lowest(cards)
            if steps.counts[kind, card]:
                wins_here = steps.wins[kind, card] >> rule & 1
                cost = 0
                if kind in (PLAY, DISCARD) and card != NO_CARD:
                    cost = _CARD + card
                if kind == PLAY and 1 << card & FIVES:
                    cost += _CARD
                if kind in (PLAY, TAKE, TO_DECK) and not wins_here:
                    cost += _CARD
                if cost < best_cost:
                    best_cost = cost
                    best = as_step(kind, card)
    return best


PLAYER = Player(
    "thrifty",
    "Spends the fewest cards, then the lowest ones.",
    choose,
    choose_step,
    choose_block,
    rough_counts=True,
    by_squares=True,
    chance=False,
)
