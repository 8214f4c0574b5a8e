"""One turn under the Action rule: the player is asked step by step, and each step carried out."""

from numba import types
from numba.extending import overload

from red7sim.game.actions import find_steps, stage_after_play
from red7sim.game.cards import NO_CARD
from red7sim.game.steps import (
    DISCARD,
    FOLD_STEP,
    PLAY,
    STAGE_AFTER_TAKE,
    STAGE_END,
    STAGE_FREE,
    STAGE_STOP,
    STEP_SHIFT,
    TAKE,
    THREES,
    TO_CANVAS,
    only_step,
)
from red7sim.game.turns import draws_after_seven, remove_from_palette
from red7sim.jit.bits import popcount
from red7sim.jit.settings import kernel
from red7sim.play.deal import choice_word_of_step
from red7sim.play.moves import discard_card, draw, play_card, put_on_deck, show_on_canvas
from red7sim.play.trace import (
    TRACE_DISCARD_PALETTE,
    TRACE_FOLD,
    TRACE_OUT,
    TRACE_TAKE,
    TRACE_TO_DECK,
)
from red7sim.play.watch import note, reads_choices

NO_STEP = -1


@kernel
def play_and_draw(view, hidden, card, measures, trace):
    """Play a card and, for a 3, draw; return the stage that follows."""
    play_card(view, hidden, card, trace)
    if 1 << card & THREES and view.deck_size > 0:
        draw(view, hidden, measures, trace)
    view.hand = hidden.hands[view.mover]
    return stage_after_play(view, card)


@kernel
def take_from_rival(view, card, trace):
    """Move a card from the palette of its owner to the top of the deck."""
    owner = 0
    while not view.palettes[owner] >> card & 1:
        owner += 1
    note(trace, TRACE_TAKE, card, owner)
    remove_from_palette(view, owner, card)
    put_on_deck(view, card)
    return STAGE_AFTER_TAKE


@kernel
def move_to_canvas(view, hidden, rules, card, measures, trace):
    """Discard a card of the mover's palette to the canvas, and draw for it where that is earned."""
    note(trace, TRACE_DISCARD_PALETTE, card)
    remove_from_palette(view, view.mover, card)
    show_on_canvas(view, card)
    if draws_after_seven(view, rules, card, popcount(view.palettes[view.mover])):
        draw(view, hidden, measures, trace)
        view.hand = hidden.hands[view.mover]
    return STAGE_END if rules.discard_after_seven else STAGE_STOP


@kernel
def move_to_deck(view, card, trace):
    """Put a card of the mover's palette on top of the deck."""
    note(trace, TRACE_TO_DECK, card)
    remove_from_palette(view, view.mover, card)
    put_on_deck(view, card)
    return STAGE_END


def given_step(script, number):
    """Return the `number`-th step of a script, or NO_STEP where it has ended or is None."""
    return NO_STEP if script is None or number >= len(script) else int(script[number])


@overload(given_step)
def _given_step(script, number):  # noqa: ARG001
    # Chosen by type, so that without a script nothing is looked up.
    if isinstance(script, types.Array):
        return lambda script, number: script[number] if number < len(script) else NO_STEP
    return lambda script, number: NO_STEP  # noqa: ARG005


@kernel
def next_step(view, hidden, rules, steps, choices, number, own, policy, script):
    """Return the mover's next step, the `number`-th of the turn.

    He is asked at the start of his turn, where he may fold, and wherever he has a choice, unless
    a script says what he does.
    """
    given = given_step(script, number)
    if given != NO_STEP:
        return given
    if choices == 1 and steps.stage != STAGE_FREE:
        return only_step(steps)
    view.word = choice_word_of_step(view, hidden, number)
    return policy(view, steps, rules, own)


@kernel
def play_action_turn(view, hidden, rules, steps, own, policy, measures, trace, script):
    """Play the mover's turn with actions; return whether he is still in.

    He is out if he folds, if nothing survives what he has drawn, or after a losing 1. `script` is
    an int64 array of the steps with which he begins, all of them legal, or None.
    """
    view.hand = hidden.hands[view.mover]
    steps.rough_counts = own.rough_counts & (not reads_choices(trace))
    stage = STAGE_FREE
    card = NO_CARD
    won = 0
    number = 0
    while True:
        choices = find_steps(view, rules, steps, stage, card, won)
        if number == 0:
            view.choices = steps.total
        if choices == 0:
            note(trace, TRACE_OUT if number else TRACE_FOLD, NO_CARD)
            return False
        step = next_step(view, hidden, rules, steps, choices, number, own, policy, script)
        if step == FOLD_STEP:
            note(trace, TRACE_FOLD, NO_CARD)
            return False
        kind = step >> STEP_SHIFT
        card = step & (1 << STEP_SHIFT) - 1
        if kind == DISCARD:
            break
        won = steps.wins[kind, card]
        if kind == PLAY:
            stage = play_and_draw(view, hidden, card, measures, trace)
        elif kind == TAKE:
            stage = take_from_rival(view, card, trace)
        elif kind == TO_CANVAS:
            stage = move_to_canvas(view, hidden, rules, card, measures, trace)
        else:
            stage = move_to_deck(view, card, trace)
        number += 1
    if card != NO_CARD:
        discard_card(view, hidden, rules, card, measures, trace)
        return True
    if steps.counts[DISCARD, NO_CARD] == 0:
        note(trace, TRACE_OUT, NO_CARD)
        return False
    return True
