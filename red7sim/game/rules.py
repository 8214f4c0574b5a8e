"""The seven rules: who is winning, and with which cards.

Every rule gives a palette one integer, its key; the live player with the greatest key is winning.

    bit   0                          48   49          54
        +------------------------------+--------------+
        | cards of the set that counts |    count     |        0 = empty set, never wins
        +------------------------------+--------------+

Palettes are disjoint, so comparing keys compares counts, then the highest card of the set, and no
two keys of a table are equal unless both are 0. Three keys carry other bits below the count that
order in the same way and cost less:

    red       no count, the whole palette (its highest card decides)
    blue      the whole palette (the set's highest card is the palette's)
    indigo    only the cards of the run's top number

Keys never fall when a card is added to a palette. They are listed by the rank of the rule's
published colour: violet 0 ... red 6.
"""

import numpy as np

from red7sim.game.cards import (
    BELOW_FOUR,
    BLUE,
    COLUMN_MASK,
    COLUMNS,
    EVEN,
    FULL,
    GREEN,
    INDIGO,
    N_CARDS,
    N_COLOURS,
    ORANGE,
    RED,
    ROW_MASK,
    ROW_OF,
    ROWS,
    VIOLET,
    YELLOW,
)
from red7sim.jit.bits import highest, popcount
from red7sim.jit.settings import inlined, kernel

COUNT_SHIFT = N_CARDS
ONE_MORE = 1 << COUNT_SHIFT
COUNT_FIELD = 63 << COUNT_SHIFT


def _longest_run(occupied: int) -> tuple[int, int]:
    """Return length and top row of the longest run of rows; of equal ones the higher."""
    length = top = current = 0
    for row in range(7):
        current = current + 1 if occupied >> row & 1 else 0
        if current and current >= length:
            length, top = current, row
    return length, top


# RUN_KEY[occupied rows as 7 bits]: length << 49 | all cards of the run's top row.
RUN_KEY = np.array(
    [
        length << COUNT_SHIFT | (ROWS[top] if length else 0)
        for length, top in map(_longest_run, range(128))
    ],
    dtype=np.int64,
)
# RUN_ROWS[occupied rows]: all cards of the rows of the longest run.
RUN_ROWS = np.array(
    [
        sum(ROWS[row] for row in range(top - length + 1, top + 1))
        for length, top in map(_longest_run, range(128))
    ],
    dtype=np.int64,
)


@inlined
def set_key(cards):
    """Return the key of a set all of whose cards count."""
    return popcount(cards) << COUNT_SHIFT | cards


@kernel
def occupied_rows(palette):
    """Return the rows that hold a card of the palette, as 7 bits, lowest number first."""
    rows = 0
    for row in range(7):
        if palette & ROWS[row]:
            rows |= 1 << row
    return rows


@kernel
def palette_keys(palette):
    """Return the seven keys (int64) of a palette, by rank: violet, indigo, ... red."""
    orange = 0
    yellow = 0
    colours = 0
    for i in range(7):
        orange = max(orange, set_key(palette & ROWS[i]))
        column = palette & COLUMNS[i]
        yellow = max(yellow, set_key(column))
        colours += column != 0
    return (
        set_key(palette & BELOW_FOUR),
        RUN_KEY[occupied_rows(palette)] & (palette | COUNT_FIELD),
        colours << COUNT_SHIFT | palette,
        set_key(palette & EVEN),
        yellow,
        orange,
        palette,
    )


@inlined
def keys_with(palette, rows, blue, yellow, orange, card):
    """Return the seven keys of a palette after one card is added to it.

    `palette` and `rows` are those before; `blue`, `yellow` and `orange` the keys before.
    """
    added = 1 << card
    after = palette | added
    column = after & COLUMN_MASK[card]
    in_column = popcount(column)
    return (
        set_key(after & BELOW_FOUR),
        RUN_KEY[rows | 1 << ROW_OF[card]] & (after | COUNT_FIELD),
        (blue | added) + (ONE_MORE if in_column == 1 else 0),
        set_key(after & EVEN),
        max(yellow, in_column << COUNT_SHIFT | column),
        max(orange, set_key(after & ROW_MASK[card])),
        after,
    )


@inlined
def rules_won(keys, rivals):
    """Return which rules a player with `keys` wins against the best rival keys, as 7 bits.

    Both are tuples of seven keys. A key of 0, an empty set, exceeds nothing.
    """
    return (
        (keys[0] > rivals[0])
        | (keys[1] > rivals[1]) << 1
        | (keys[2] > rivals[2]) << 2
        | (keys[3] > rivals[3]) << 3
        | (keys[4] > rivals[4]) << 4
        | (keys[5] > rivals[5]) << 5
        | (keys[6] > rivals[6]) << 6
    )


@kernel
def _one_card_a_row(cards, rows):
    """Return the highest-coloured card of each given row that occurs in `cards`."""
    chosen = 0
    for row in range(7):
        in_row = cards & rows & ROWS[row]
        if in_row:
            chosen |= 1 << highest(in_row)
    return chosen


@kernel
def counting_set(palette, rule):
    """Return the cards of a palette (int64 mask) that count under a rule (rank of its colour)."""
    if rule == RED:
        return 1 << highest(palette) if palette else 0
    if rule == GREEN:
        return palette & EVEN
    if rule == VIOLET:
        return palette & BELOW_FOUR
    if rule == INDIGO:
        return _one_card_a_row(palette, RUN_ROWS[occupied_rows(palette)])
    best = 0
    for i in range(7):
        if rule == ORANGE:
            best = max(best, set_key(palette & ROWS[i]))
        else:
            column = palette & COLUMNS[i]
            if rule == YELLOW:
                best = max(best, set_key(column))
            elif rule == BLUE and column:
                best |= 1 << highest(column)
    return best & FULL


_ONES, _TWOS, _FOURS = (
    sum(ROWS[number - 1] for number in range(1, 8) if number & bit) for bit in (1, 2, 4)
)


@kernel
def face_value(cards):
    """Return the sum of the numbers on the cards: the points of a scored set."""
    # The numbers in binary: which rows have a 1, a 2, a 4 in their number.
    return popcount(cards & _ONES) + 2 * popcount(cards & _TWOS) + 4 * popcount(cards & _FOURS)


@kernel
def richest_set(palette, rule):
    """Return the counting set of most points among those of the largest count.

    Only yellow can have several sets of equal count and different points; of equal points the
    set with the highest card is taken.
    """
    best = counting_set(palette, rule)
    if rule == YELLOW:
        size = popcount(best)
        points = face_value(best)
        for rank in range(N_COLOURS):
            column = palette & COLUMNS[rank]
            value = face_value(column)
            if popcount(column) == size and (value, column) > (points, best):
                best = column
                points = value
    return best
