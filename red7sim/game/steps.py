"""The steps of a turn under the Action rule: their kinds, stages and numbering, and the record that
holds the legal ones.

With actions a turn is a sequence of steps, and a player decides one step at a time. At each point
the legal steps are kept as masks of cards, one mask a kind of step; behind each legal step stands
the number of complete turns that go on from it and survive. Nothing else is legal, with one
exception: where the ruleset allows a losing 1, its steps are legal with a count of 0.

A step is a number, and the numbering of the legal steps goes by kind, then by ascending card:

    step = kind << 6 | card

    PLAY        hand card to the palette                   stage FREE, CHAIN
    DISCARD     hand card to the canvas, ends the turn     stage FREE, END; NO_CARD: end the turn
    TAKE        a 1: rival's palette card to the deck      stage TAKE
    TO_CANVAS   a 7: palette card to the canvas            stage MOVE
    TO_DECK     a 7: palette card to the deck              stage MOVE

The stages of a turn: FREE at its start; CHAIN after a 5 with cards left in hand, where another card
must be played; TAKE and MOVE for the action of a 1 or 7; END after everything else, also after
a draw, where only the discard is open (AFTER_TAKE likewise); STOP where not even that is.
"""

import numpy as np

from red7sim.game.cards import N_CARDS, ROWS
from red7sim.jit.bits import lowest
from red7sim.jit.settings import kernel

N_KINDS = 5
PLAY, DISCARD, TAKE, TO_CANVAS, TO_DECK = range(N_KINDS)
(
    STAGE_FREE,
    STAGE_CHAIN,
    STAGE_TAKE,
    STAGE_MOVE,
    STAGE_END,
    STAGE_AFTER_TAKE,
    STAGE_STOP,
) = range(7)

STEP_NAMES = ("play", "discard", "take", "discard_palette", "to_deck")
"""What logs call the kinds, in their order."""

STEP_SHIFT = 6
FOLD_STEP = N_KINDS << STEP_SHIFT
"""Do nothing and be out; only at the start of a turn."""

ONES, THREES, FIVES, SEVENS = ROWS[0], ROWS[2], ROWS[4], ROWS[6]
"""The cards that act."""

STEPS = np.dtype(
    [
        # 1: counts that are not 0 may be too small. Set before the steps are found.
        ("rough_counts", np.int64),
        ("stage", np.int64),
        ("total", np.int64),  # surviving turns, over all legal steps
        ("totals", np.int64, (N_KINDS,)),  # the same by kind
        ("legal", np.int64, (N_KINDS,)),  # by kind, the cards of the legal steps
        (
            "counts",
            np.int64,
            (N_KINDS, N_CARDS + 1),
        ),  # surviving turns behind a step, by kind and card
        (
            "wins",
            np.int64,
            (N_KINDS, N_CARDS + 1),
        ),  # rules the mover wins after it, before any action
        # --- workspace
        ("chains", np.int64, (1 << 7,)),  # surviving turns behind a subset of the 5s in hand
        ("targets", np.int64),  # number of rivals' cards that a 1 might take
        ("largest_target", np.int64),  # largest palette that holds one
        ("target_cards", np.int64, (N_CARDS,)),
        ("target_sizes", np.int64, (N_CARDS,)),  # palette size of the card's owner
        ("target_keys", np.int64, (N_CARDS, 8)),  # best rival keys once the card is gone
    ],
    align=True,
)
"""The legal steps of the mover at one point of his turn; what a player may read beside the view."""


@kernel
def as_step(kind, card):
    """Return the step of a kind with a card, which may be `NO_CARD`."""
    return kind << STEP_SHIFT | card


@kernel
def only_step(steps):
    """Return the first legal step, where there is one."""
    kind = 0
    while not steps.legal[kind]:
        kind += 1
    return as_step(kind, lowest(steps.legal[kind]))
