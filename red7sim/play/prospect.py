"""The best turn by its outlook and by what it leaves to the next player.

The worth of a turn is its outlook (red7sim.play.outlook) where `threat` is 0, otherwise

    ln(base + outlook) - threat * ln(base + replies)

with the next player's replies (red7sim.play.replies). Rivals stay as they are or, with `adds`,
one of them adds an unseen card.
"""

from math import log

import numpy as np

from red7sim.game.cards import COLOUR_OF, NO_CARD, NO_CARD_FLAG
from red7sim.game.steps import DISCARD, FOLD_STEP, N_KINDS, PLAY, TO_CANVAS, as_step
from red7sim.game.turns import FOLD, as_turn, remove_from_palette
from red7sim.jit.bits import drop_lowest, lowest
from red7sim.jit.settings import kernel
from red7sim.play.outlook import follow_ups, look_ahead, unseen_cards
from red7sim.play.replies import expected_replies, look_at_replies

THREAT, BASE = 0.7, 0.3
"""The usual weights of a worth."""


@kernel
def prepare(view, rules, own, adds, threat):
    """Fill the tables that `worth` reads."""
    unseen = unseen_cards(view)
    look_ahead(view, rules, own, unseen if adds else 0)
    if threat > 0:
        look_at_replies(view, rules, own, unseen)


@kernel
def worth(view, rules, own, threat, base, card, discard):
    """Return the worth (float64) of a turn of the mover."""
    outlook = follow_ups(view, rules, own, card, discard)
    if threat == 0:
        return outlook
    replies = expected_replies(view, rules, own, card, discard)
    return log(base + outlook) - threat * log(base + replies)


@kernel
def best_turn(view, rules, own, adds, threat, base):
    """Return the surviving turn of the greatest worth; of several the first."""
    prepare(view, rules, own, adds, threat)
    best = FOLD
    best_value = -np.inf
    for lane in range(view.lanes):
        turns = view.lane_turns[lane]
        card = view.lane_cards[lane]
        while turns:
            discard = lowest(turns)
            turns = drop_lowest(turns)
            value = worth(view, rules, own, threat, base, card, discard)
            if value > best_value:
                best_value = value
                best = as_turn(card, discard)
    return best


@kernel
def best_end(view, rules, own, card, won, threat, base):
    """Return the greatest worth of a turn that plays a card and then ends, in which the rules `won`
    are won; -inf where none survives.
    """
    best_value = -np.inf
    ends = view.hand & ~(1 << card | view.barred_discards) & rules.cards_of[won]
    if won >> rules.rule_of[view.canvas] & 1:
        ends |= NO_CARD_FLAG
    while ends:
        value = worth(view, rules, own, threat, base, card, lowest(ends))
        best_value = max(best_value, value)
        ends = drop_lowest(ends)
    return best_value


@kernel
def view_after(view, own, kind, card):
    """Return a copy of a view with the action of a 1 or 7 carried out."""
    after = own.trial
    own.trial = view
    owner = 0
    while not view.palettes[owner] >> card & 1:
        owner += 1
    remove_from_palette(after, owner, card)
    if kind == TO_CANVAS:
        after.canvas = COLOUR_OF[card]
        after.seen |= 1 << card
    else:
        after.deck_size += 1
    return after


@kernel
def best_step(view, steps, rules, own, adds, threat, base):
    """Return the step of the greatest worth under the Action rule, among those with surviving turns
    behind them; of several the first.

    The worth of a step is the greatest worth of the turn if it ends with it or with a discard after
    it. Actions still to come and cards still to be drawn in this turn are not foreseen; a step
    after which the turn cannot end yet comes last.
    """
    best = FOLD_STEP
    best_value = -np.inf
    prepare(view, rules, own, adds, threat)
    for kind in range(N_KINDS):
        cards = steps.legal[kind]
        while cards:
            card = lowest(cards)
            cards = drop_lowest(cards)
            if steps.counts[kind, card] == 0:
                continue
            won = steps.wins[kind, card]
            if kind == PLAY:
                value = best_end(view, rules, own, card, won, threat, base)
            elif kind == DISCARD:
                value = worth(view, rules, own, threat, base, NO_CARD, card)
            else:
                after = view_after(view, own, kind, card)
                prepare(after, rules, own, adds, threat)
                value = best_end(after, rules, own, NO_CARD, won, threat, base)
            if best == FOLD_STEP or value > best_value:
                best_value = value
                best = as_step(kind, card)
    return best
