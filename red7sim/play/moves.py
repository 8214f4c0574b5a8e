"""The elementary moves at the table: every change of a round's state is one of these.

All act for `view.mover`; `view` and `hidden` are modified, `measures` counts draws.
"""

from red7sim.game.cards import COLOUR_OF
from red7sim.game.turns import add_to_palette, earns_draw
from red7sim.jit.bits import lowest, popcount
from red7sim.jit.settings import kernel
from red7sim.play.deal import draw_cards
from red7sim.play.tally import DRAWS
from red7sim.play.trace import TRACE_DISCARD, TRACE_DRAW, TRACE_PLAY
from red7sim.play.watch import note


@kernel
def leave_hand(view, hidden, card):
    """Take a card out of the mover's hand."""
    mover = view.mover
    hidden.hands[mover] ^= 1 << card
    view.known_hands[mover] &= ~(1 << card)
    view.hand_sizes[mover] -= 1


@kernel
def play_card(view, hidden, card, trace):
    """Move a card from the mover's hand to his palette."""
    note(trace, TRACE_PLAY, card)
    add_to_palette(view, card)
    leave_hand(view, hidden, card)


@kernel
def show_on_canvas(view, card):
    """Put a card on the canvas pile: its colour is the new rule."""
    view.canvas = COLOUR_OF[card]
    view.seen |= 1 << card


@kernel
def draw(view, hidden, measures, trace):
    """Move the top card of the deck, which must not be empty, to the mover's hand.

    Cards put face down on the deck are drawn first, the last one put there before the others; who
    draws one is known to hold it.
    """
    mover = view.mover
    if view.stack_size > 0:
        view.stack_size -= 1
        view.deck_size -= 1
        card = 1 << view.stack[view.stack_size]
        view.known_hands[mover] |= card
    elif hidden.ordered > 0:
        hidden.ordered -= 1
        view.deck_size -= 1
        card = 1 << hidden.order[hidden.ordered]
    else:
        card = draw_cards(view, hidden, 1)
    note(trace, TRACE_DRAW, lowest(card))
    hidden.hands[mover] |= card
    view.hand_sizes[mover] += 1
    measures[DRAWS] += 1


@kernel
def discard_card(view, hidden, rules, card, measures, trace):
    """Move a card from the mover's hand to the canvas, and draw for it where that is earned."""
    note(trace, TRACE_DISCARD, card)
    show_on_canvas(view, card)
    leave_hand(view, hidden, card)
    if earns_draw(view, rules, card, popcount(view.palettes[view.mover])):
        draw(view, hidden, measures, trace)


@kernel
def put_on_deck(view, card):
    """Put a card that has left a palette face down on top of the deck."""
    view.stack[view.stack_size] = card
    view.stack_size += 1
    view.deck_size += 1


@kernel
def knock_out(view):
    """Take the mover out of the round: hand and palette are turned face down and count no more."""
    mover = view.mover
    view.live ^= 1 << mover
    view.seen |= view.palettes[mover] | view.known_hands[mover]
    view.known_hands[mover] = 0
    view.palettes[mover] = 0
    view.rows[mover] = 0
    for rule in range(7):
        view.keys[mover, rule] = 0


@kernel
def pass_on(view):
    """Make the next live player the mover."""
    mover = view.mover
    while True:
        mover = mover + 1 if mover + 1 < view.players else 0
        if view.live >> mover & 1:
            break
    view.mover = mover
