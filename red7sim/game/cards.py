"""The 49 cards as bits, and sets of cards as int64 masks.

    id = (number - 1) * 7 + colour_rank      colour_rank: violet 0, indigo 1, ... red 6

    bit   0         6   7        13             42        48   49
        +-----------+-----------+---- . . . ---+-----------+------
        | V1 ... R1 | V2 ... R2 |              | V7 ... R7 | flag
        +-----------+-----------+---- . . . ---+-----------+------

A greater id is a higher card, so comparing two disjoint sets as integers compares their highest
cards. A *row* is the seven cards of one number, a *column* the seven cards of one colour.
"""

import numpy as np

COLOURS = ("violet", "indigo", "blue", "green", "yellow", "orange", "red")
"""Colour names by rank, lowest first; a rule is named by the published colour of its card."""

LETTERS = "VIBGYOR"
"""Colour letters by rank, lowest first."""

N_COLOURS = 7
N_CARDS = 49
FULL = (1 << N_CARDS) - 1
"""The set of all cards. Complements are `FULL ^ cards`; `~cards` would set flag bits."""

NO_CARD = 49
"""Stands for "no card" wherever a card id is expected, as a flag bit in masks of ids too."""

NO_CARD_FLAG = 1 << NO_CARD

VIOLET, INDIGO, BLUE, GREEN, YELLOW, ORANGE, RED = range(N_COLOURS)

ROWS = tuple(0x7F << 7 * row for row in range(7))
COLUMNS = tuple(sum(1 << 7 * row + rank for row in range(7)) for rank in range(N_COLOURS))
EVEN = ROWS[1] | ROWS[3] | ROWS[5]
BELOW_FOUR = ROWS[0] | ROWS[1] | ROWS[2]

ROW_OF = np.array([card // 7 for card in range(N_CARDS)], dtype=np.int64)
COLOUR_OF = np.array([card % 7 for card in range(N_CARDS)], dtype=np.int64)
ROW_MASK = np.array([ROWS[card // 7] for card in range(N_CARDS)], dtype=np.int64)
COLUMN_MASK = np.array([COLUMNS[card % 7] for card in range(N_CARDS)], dtype=np.int64)
