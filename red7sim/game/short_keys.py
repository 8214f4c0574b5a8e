"""Keys of palettes cut to what decides, so that eight fit into a small vector.

Palettes are disjoint, so of equal counts the highest card decides, and nothing else of a set need
be known:

    bit   0        5   6     10
        +-----------+----------+
        |  id + 1   |  count   |    of the highest card of the set; red has no count; 0 = empty set
        +-----------+----------+

Short keys are int16, and order palettes under a rule as the keys of `red7sim.game.rules` do. Those
of a row or a column of cards count all of its cards.
"""

import numpy as np

from red7sim.game.cards import (
    BELOW_FOUR,
    COLUMN_MASK,
    EVEN,
    FULL,
    N_CARDS,
    N_COLOURS,
    ROW_MASK,
)
from red7sim.game.rules import COUNT_SHIFT, ONE_MORE, RUN_KEY
from red7sim.jit.bits import highest
from red7sim.jit.settings import inlined
from red7sim.jit.vectors import maximum

COUNT_PLACE = 6

ONE = 1 << COUNT_PLACE
"""The count of one card."""

COUNTS = -ONE
"""The bits of the count."""

IDS = ONE - 1
"""The bits of the highest card."""


@inlined
def short_key(key):
    """Return the short key of a key."""
    return (key >> COUNT_SHIFT) << COUNT_PLACE | highest(key & FULL) + 1


@inlined
def with_card(key, card_id, one):
    """Return a short key with a card more, from its id + 1 and `ONE`; with 0 and 0, the same."""
    return max(key, (key & COUNTS) + card_id) + one


@inlined
def with_cards(keys, ids, ones):
    """Return what `with_card` does, for vectors."""
    return maximum(keys, (keys & COUNTS) + ids) + ones


def _run_with(rows: int, row: int) -> int:
    key = int(RUN_KEY[(rows | 1 << row) & 127])
    top = (key & FULL).bit_length() // N_COLOURS - 1
    return (key >> COUNT_SHIFT) << COUNT_PLACE | top & 7


RUNS = np.array(
    [[_run_with(rows, row) for row in range(N_COLOURS + 1)] for rows in range(128)], dtype=np.int16
)
"""Longest run by occupied rows and a row that is added, 7 for none: its length as a count, and in
place of a card its top row, 7 where there is no run.
"""


def _first_keys(card: int) -> list[int]:
    bit = 1 << card
    one = ONE_MORE | bit
    return [one if bit & BELOW_FOUR else 0, one, one, one if bit & EVEN else 0, one, one, bit, 0]


FIRST_KEYS = np.array([_first_keys(card) for card in range(N_CARDS)], dtype=np.int64)
"""Keys of a palette of one card (red7sim.game.rules), by card; the eighth is 0."""

FIRST_SHORT_KEYS = np.array(
    [
        [key and (key >> COUNT_SHIFT) << COUNT_PLACE | card + 1 for key in keys]
        for card, keys in enumerate(FIRST_KEYS.tolist())
    ],
    dtype=np.int16,
)

ROW_BY_ID = np.array([0, *ROW_MASK], dtype=np.int64)
"""The row of a card by its id + 1; none by 0."""

COLUMN_BY_ID = np.array([0, *COLUMN_MASK], dtype=np.int64)
