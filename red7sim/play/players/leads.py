"""`leads`: keeps the hand cards whose colours' rules it would lead."""

from red7sim.game.lanes import cheapest_in_lane
from red7sim.game.steps import FOLD_STEP, N_KINDS, as_step
from red7sim.game.turns import cheapest_turn
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.vectors import first_greatest, popcounts, shorts_from_bytes
from red7sim.play.policy import Player


def choose(view, rules, own):
    """Return the turn after which most cards of the hand belong to rules that the player leads;
    of several the one that leads most rules. Cards that he may not discard do not count.

    The rules led depend on the play alone, and the cards to count are the surviving discards of
    the lane. One that is discarded is no longer in the hand, so within a lane discarding nothing is
    best and all discards are equal: either way one less than the turns of the lane are counted.
    """
    best = 0
    best_value = 7  # less than any lane with a turn
    for lane in range(view.lanes):
        value = popcount(view.lane_turns[lane]) << 3 | popcount(view.lane_wins[lane])
        if value > best_value:
            best_value = value
            best = lane
    return cheapest_turn(view.lane_cards[best], view.lane_turns[best])


def choose_block(views, rules, owns, asked, n, turns):
    """Choose the same turns for a block of views, all lanes of a view at once."""
    for i in range(n):
        view = views[asked[i]]
        counts = popcounts(shorts_from_bytes(view.turn_bits))
        lane = first_greatest(counts << 3 | popcounts(shorts_from_bytes(view.win_bits)))
        turns[asked[i]] = cheapest_in_lane(view, lane)


def choose_step(view, steps, rules, own):
    """Return the step after which most cards of the hand belong to rules that the player leads;
    of several the one that leads most rules. Of the steps of which no turn survives, none.
    """
    best = FOLD_STEP
    best_value = -1
    for kind in range(N_KINDS):
        cards = steps.legal[kind]
        while cards:
            card = lowest(cards)
            cards = drop_lowest(cards)
            if steps.counts[kind, card]:
                won = steps.wins[kind, card]
                left = view.hand & ~(1 << card | view.barred_discards)
                value = popcount(left & rules.cards_of[won]) << 3 | popcount(won)
                if value > best_value:
                    best_value = value
                    best = as_step(kind, card)
    return best


PLAYER = Player(
    "leads",
    "Keeps most hand cards whose colour's rule it leads after the turn, then leads most rules.",
    choose,
    choose_step,
    choose_block,
    rough_counts=True,
    by_squares=True,
    chance=False,
)
