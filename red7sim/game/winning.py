"""Which rules a palette still wins once a card has left it, against fixed rivals.

Only orange and yellow depend on several lines at once: one row, or one column, that exceeds the
best rival key is enough. So the lines that do are kept as bits, and where a card leaves, only its
own row and column are looked at again.
"""

from red7sim.game.cards import (
    BELOW_FOUR,
    COLOUR_OF,
    COLUMN_MASK,
    COLUMNS,
    EVEN,
    N_COLOURS,
    ROW_MASK,
    ROW_OF,
    ROWS,
)
from red7sim.game.rules import COUNT_FIELD, ONE_MORE, RUN_KEY, set_key
from red7sim.jit.settings import inlined


@inlined
def lines_won(palette, rivals):
    """Return the rows of a palette that win orange and the columns that win yellow, as 7 bits each.

    `rivals` is the tuple of the best rival keys.
    """
    in_rows = 0
    in_columns = 0
    for i in range(N_COLOURS):
        in_rows |= (set_key(palette & ROWS[i]) > rivals[5]) << i
        in_columns |= (set_key(palette & COLUMNS[i]) > rivals[4]) << i
    return in_rows, in_columns


@inlined
def won_without(palette, rows, blue, lines, rivals, card):
    """Return which rules a palette wins after one of its cards has left it, as 7 bits.

    `palette`, `rows`, the `blue` key and the `lines` that win are those before.
    """
    leaving = 1 << card
    left = palette ^ leaving
    row, colour = ROW_OF[card], COLOUR_OF[card]
    in_row = left & ROW_MASK[card]
    in_column = left & COLUMN_MASK[card]
    run = RUN_KEY[(rows ^ (in_row == 0) << row) & 127] & (left | COUNT_FIELD)
    orange = lines[0] & ~(1 << row) | (set_key(in_row) > rivals[5]) << row
    yellow = lines[1] & ~(1 << colour) | (set_key(in_column) > rivals[4]) << colour
    return (
        (set_key(left & BELOW_FOUR) > rivals[0])
        | (run > rivals[1]) << 1
        | (blue - leaving - (ONE_MORE if in_column == 0 else 0) > rivals[2]) << 2
        | (set_key(left & EVEN) > rivals[3]) << 3
        | (yellow != 0) << 4
        | (orange != 0) << 5
        | (left > rivals[6]) << 6
    )
