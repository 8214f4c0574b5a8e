"""The hands of a game as vectors: all surviving turns of a position at once.

A `LANES` record holds the hidden hands of one game in flight. A hand is eight lanes: in
lane 7 "no play", before it the cards in ascending order when they were laid out, before them
nothing. The lane of a card that has left the hand stays, but no turn is found in it; a card that is
drawn means laying out the hand anew. For every lane stands ready what its play would do, so that
a turn costs a few additions:

    lane                  of a card                      of none         7, "no play"
    bits                  the card                       0               0
    cards                 its id                         below 0         NO_CARD
    violet, green, blue   what the play adds to the key  0               0
    yellow, orange        key of the card's column, row  0               0
                          with the card in it
    row_masks, column_masks  all cards of its row, column   0            0
    rows                  number of its row              7               7

What a won rule brings is one word, kept by canvas colour and rule in `marks` of the RULES record;
the words of the rules that a lane wins, or-ed together, hold its turns and its wins:

    bit   0                             48   49           50              56
        +---------------------------------+--------------+------------------+
        | cards whose colour has the rule | NO_CARD_FLAG | 1 << rule        |
        +---------------------------------+--------------+------------------+
                                            the rule is the canvas's
"""

import numpy as np

from red7sim.game.cards import (
    BELOW_FOUR,
    BLUE,
    COLUMNS,
    EVEN,
    FULL,
    GREEN,
    INDIGO,
    NO_CARD,
    NO_CARD_FLAG,
    ORANGE,
    RED,
    ROWS,
    VIOLET,
    YELLOW,
)
from red7sim.game.rules import COUNT_FIELD, COUNT_SHIFT, ONE_MORE, RUN_KEY
from red7sim.game.ruleset import MAX_PLAYERS
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.machine_vectors import LANES as WIDTH
from red7sim.jit.settings import inlined
from red7sim.jit.vectors import (
    any_bit,
    from_bytes,
    load,
    maximum,
    padded,
    pick,
    popcounts,
    select,
    shifted_down,
    splat,
    store,
    to_bytes,
)

MAX_HAND = WIDTH - 1
"""Cards that a hand in lanes can hold."""

NO_PLAY = WIDTH - 1
"""The lane without a play."""

WON_SHIFT = NO_CARD + 1

# What a lane whose card is not in the hand bars: every turn; "no play" bars "no discard" alone,
# since doing nothing is no turn, even for a mover who is already winning.
_BARRED = np.array([FULL | NO_CARD_FLAG] * MAX_HAND + [NO_CARD_FLAG])

_HANDS = (MAX_PLAYERS, WIDTH)

LANES = padded(
    [
        ("bits", np.int64, _HANDS),
        ("cards", np.int64, _HANDS),
        ("violet", np.int64, _HANDS),
        ("green", np.int64, _HANDS),
        ("blue", np.int64, _HANDS),
        ("yellow", np.int64, _HANDS),
        ("orange", np.int64, _HANDS),
        ("row_masks", np.int64, _HANDS),
        ("column_masks", np.int64, _HANDS),
        ("bars", np.int64, (1, WIDTH)),  # workspace: the keys to exceed, by rule
        ("rows", np.int32, _HANDS),
        ("laid", np.int64, (MAX_PLAYERS,)),  # what was laid out, see `lay_out`
    ]
)

# RUN_LOW, RUN_HIGH[occupied rows, row]: halves of the RUN_KEY once a row is added; row 7 adds none.
_RUN_WITH = np.array(
    [[RUN_KEY[rows | (1 << row) & 127] for row in range(WIDTH)] for rows in range(128)]
)
RUN_LOW = (_RUN_WITH & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
RUN_HIGH = (_RUN_WITH >> 32).astype(np.int32)

_PREFIX_SUMS = 0x0101010101010101
"""Eight bytes times this, in one word: their inclusive prefix sums."""

_WORD = (1 << 63) - 1


@inlined
def next_position(player, steps, players):
    """Return the table position some steps, less than `players`, after a player's."""
    position = player + steps
    return position if position < players else position - players


@inlined
def lay_out(lanes, player, hand, palette):
    """Fill the lanes of a player from the hand, of at most `MAX_HAND` cards, and the palette."""
    # Seven bits: the hand, seven places up, and below it one bit for each card missing. Counted
    # from there ids are 7 .. 55 for cards, less for none and 56 for "no play"; shifted back down,
    # what stands for no card drops out or lies above the cards.
    laid = hand << MAX_HAND | (1 << MAX_HAND - popcount(hand)) - 1
    lanes.laid[player] = laid
    word = NO_CARD + MAX_HAND << 8 * NO_PLAY
    for lane in range(MAX_HAND):
        word |= lowest(laid) << 8 * lane
        laid = drop_lowest(laid)
    ids = from_bytes(word)
    row = shifted_down(ids * 37, 8)  # a seventh, for 0 .. 56
    start = row * 7
    bits = shifted_down(splat(1) << ids, MAX_HAND) & FULL
    row_masks = shifted_down(splat(ROWS[0]) << start, MAX_HAND) & FULL
    column_masks = select(bits == 0, 0, splat(COLUMNS[0]) << ids - start)
    new_in_column = (column_masks & palette) == 0
    alone = bits + select(bits == 0, 0, ONE_MORE)
    in_row = row_masks & palette | bits
    in_column = column_masks & palette | bits
    store(lanes.bits, player, bits)
    store(lanes.cards, player, ids - MAX_HAND)
    store(lanes.violet, player, select((bits & BELOW_FOUR) == 0, 0, alone))
    store(lanes.green, player, select((bits & EVEN) == 0, 0, alone))
    store(lanes.blue, player, select(new_in_column, alone, bits))
    store(lanes.yellow, player, popcounts(in_column) << COUNT_SHIFT | in_column)
    store(lanes.orange, player, popcounts(in_row) << COUNT_SHIFT | in_row)
    store(lanes.row_masks, player, row_masks)
    store(lanes.column_masks, player, column_masks)
    store(lanes.rows, player, row - 1 & 7)


@inlined
def find_lane_turns(view, lanes, rules, players):
    """Fill the lanes of a view with all surviving turns of its mover, whose hand is in `view.hand`.

    Modifies `choices`, `lane_ends`, `lane_cards`, `lane_wins` and `lane_turns` of the view, and
    the workspace of `lanes`. `players` is `view.players`, as a constant.
    """
    mover = view.mover & 3
    keys = view.keys
    marks = rules.marks
    canvas = view.canvas & 7
    # What has to be exceeded, rule by rule: with one rival his keys as they lie in memory.
    rival = next_position(mover, 1, players)
    bars = keys[rival]
    best = load(keys, rival)
    if players > 2:
        for i in range(2, players):
            best = maximum(best, load(keys, next_position(mover, i, players)))
        bars = lanes.bars[0]
        store(bars, 0, best)
    # Keys never fall, so what is won already is won in every lane.
    won = any_bit(select(load(keys, mover) > best, load(marks, canvas), 0))
    bits = load(lanes.bits, mover)
    after = bits | view.palettes[mover]
    rows = load(lanes.rows, mover)
    run = pick(RUN_LOW, RUN_HIGH, view.rows[mover], rows) & (after | COUNT_FIELD)
    violet = load(lanes.violet, mover) + keys[mover, VIOLET]
    green = load(lanes.green, mover) + keys[mover, GREEN]
    blue = load(lanes.blue, mover) + keys[mover, BLUE]
    yellow = load(lanes.yellow, mover)
    orange = load(lanes.orange, mover)
    found = (
        select(after > bars[RED], marks[canvas, RED], 0)
        | select(orange > bars[ORANGE], marks[canvas, ORANGE], 0)
        | select(yellow > bars[YELLOW], marks[canvas, YELLOW], 0)
        | select(green > bars[GREEN], marks[canvas, GREEN], 0)
        | select(blue > bars[BLUE], marks[canvas, BLUE], 0)
        | select(run > bars[INDIGO], marks[canvas, INDIGO], 0)
        | select(violet > bars[VIOLET], marks[canvas, VIOLET], 0)
        | won
    )
    hand = view.hand
    barred = bits | select((bits & hand) == 0, load(_BARRED, 0), 0)
    turns = found & ~barred & (hand | NO_CARD_FLAG)
    store(view.lane_turns, 0, turns)
    store(view.lane_wins, 0, shifted_down(found, WON_SHIFT))
    store(view.lane_cards, 0, load(lanes.cards, mover))
    ends = to_bytes(popcounts(turns)) * _PREFIX_SUMS & _WORD
    view.lane_ends = ends
    view.choices = ends >> 8 * NO_PLAY


@inlined
def keys_by_lane(view):
    """Return the mover's seven keys after the play of each lane, as vectors, by rank of the rule.

    They are those of `red7sim.game.turns.keys_after_play`, for lanes found by `find_lane_turns`,
    and found from what the mover knows. Of lanes without a turn they mean nothing.
    """
    mover = view.mover & 3
    keys = view.keys
    palette = view.palettes[mover]
    cards = load(view.lane_cards, 0) & 63  # some lanes have numbers below 0
    row = shifted_down(cards * 37, 8)  # a seventh, for 0 .. 49
    bits = splat(1) << cards & FULL
    after = bits | palette
    row_masks = select(bits == 0, 0, splat(ROWS[0]) << (row * 7 & 63))
    column_masks = select(bits == 0, 0, splat(COLUMNS[0]) << (cards - row * 7 & 63))
    alone = bits + select(bits == 0, 0, ONE_MORE)
    in_row = row_masks & after
    in_column = column_masks & after
    run = pick(RUN_LOW, RUN_HIGH, view.rows[mover], row) & (after | COUNT_FIELD)
    return (
        select((bits & BELOW_FOUR) == 0, 0, alone) + keys[mover, VIOLET],
        run,
        select((column_masks & palette) == 0, alone, bits) + keys[mover, BLUE],
        select((bits & EVEN) == 0, 0, alone) + keys[mover, GREEN],
        maximum(popcounts(in_column) << COUNT_SHIFT | in_column, splat(keys[mover, YELLOW])),
        maximum(popcounts(in_row) << COUNT_SHIFT | in_row, splat(keys[mover, ORANGE])),
        after,
    )


@inlined
def play_lane(view, lanes, lane):
    """Put the card of a lane on the mover's palette; for `NO_PLAY` nothing changes."""
    mover = view.mover & 3
    keys = view.keys
    bit = lanes.bits[mover, lane]
    palette = view.palettes[mover] | bit
    rows = (view.rows[mover] | 1 << lanes.rows[mover, lane]) & 127
    keys[mover, VIOLET] += lanes.violet[mover, lane]
    keys[mover, INDIGO] = RUN_KEY[rows] & (palette | COUNT_FIELD)
    keys[mover, BLUE] += lanes.blue[mover, lane]
    keys[mover, GREEN] += lanes.green[mover, lane]
    keys[mover, YELLOW] = max(keys[mover, YELLOW], lanes.yellow[mover, lane])
    keys[mover, ORANGE] = max(keys[mover, ORANGE], lanes.orange[mover, lane])
    keys[mover, RED] = palette
    view.palettes[mover] = palette
    view.rows[mover] = rows
    # The card now counts in its row and column, and its column is new to none.
    one = bit + ONE_MORE
    in_row = (load(lanes.row_masks, mover) & bit) != 0
    in_column = (load(lanes.column_masks, mover) & bit) != 0
    store(lanes.orange, mover, load(lanes.orange, mover) + select(in_row, one, 0))
    store(lanes.yellow, mover, load(lanes.yellow, mover) + select(in_column, one, 0))
    blue = load(lanes.blue, mover)
    store(lanes.blue, mover, blue - (select(in_column, ONE_MORE, 0) & blue))


@inlined
def lane_of(lanes, player, card):
    """Return the lane of a card that was laid out; of `NO_CARD`, the lane without a play."""
    return popcount(lanes.laid[player] & (1 << card + MAX_HAND) - 1)
