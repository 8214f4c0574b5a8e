"""`leads`: keeps the hand cards whose colours' rules it would lead."""

from red7sim.game.cards import NO_CARD, NO_CARD_FLAG
from red7sim.game.steps import FOLD_STEP, N_KINDS, as_step
from red7sim.game.turns import FOLD, as_turn
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.play.policy import Player


def choose(view, rules, own):
    """Return the turn after which most cards of the hand belong to rules that the player leads;
    of several the one that leads most rules.

    The rules led depend on the play alone, and every surviving discard is one of the cards
    counted, so within a lane discarding nothing is best and all discards are equal.
    """
    best = FOLD
    best_value = -1
    for lane in range(view.lanes):
        turns = view.lane_turns[lane]
        if turns:
            card = view.lane_cards[lane]
            won = view.lane_wins[lane]
            useful = popcount(view.hand & ~(1 << card) & rules.cards_of[won])
            play_only = turns & NO_CARD_FLAG != 0
            value = (useful - (not play_only)) << 3 | popcount(won)
            if value > best_value:
                best_value = value
                best = as_turn(card, NO_CARD if play_only else lowest(turns))
    return best


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
                left = view.hand & ~(1 << card)
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
)
