"""The hands of a game as vectors: all surviving turns of a position at once, as a square of bits.

A hand is eight lanes: in lane 7 "no play", before it the cards in ascending order when they were
laid out, before them nothing. The same eight are the slots from which a turn discards; slot 7 is
"no discard". So the surviving turns of a position are 64 bits, in the order of their numbering
(red7sim.game.turns); no play with no discard is none:

    bit   0            7   8           15           48          55  56          63
        +-----------------+---------------+-- . . --+---------------+--------------+
        | slots of lane 0 |    lane 1     |         |    lane 6     |    lane 7    |
        +-----------------+---------------+-- . . --+---------------+--------------+

The lane of a card that has left the hand stays, but no turn is found in it; a card that is drawn
means laying out the hand anew.

Keys are short here (red7sim.game.short_keys). Those of the rows and columns of a palette are kept
as well, so a few additions and maxima find the keys that a play would lead to, for all lanes.
What a won rule brings is one short: the slots whose discard leaves it on the canvas, and the rule.
Those of the rules that a lane wins, or-ed together, are its turns and its wins:

    bit   0                     6   7               8           14
        +-------------------------+---------------+--------------+
        | slots whose colour has  | the canvas's  |  1 << rule   |
        | the rule                | colour has it |              |
        +-------------------------+---------------+--------------+
"""

import numpy as np

from red7sim.game.cards import (
    BELOW_FOUR,
    BLUE,
    COLOUR_OF,
    COLUMNS,
    EVEN,
    FULL,
    GREEN,
    INDIGO,
    N_COLOURS,
    NO_CARD,
    ORANGE,
    RED,
    ROW_OF,
    ROWS,
    VIOLET,
    YELLOW,
)
from red7sim.game.rules import COUNT_FIELD, COUNT_SHIFT, RUN_KEY, set_key
from red7sim.game.short_keys import (
    COLUMN_BY_ID,
    COUNT_PLACE,
    COUNTS,
    FIRST_KEYS,
    FIRST_SHORT_KEYS,
    IDS,
    ONE,
    ROW_BY_ID,
    RUNS,
    short_key,
    with_card,
    with_cards,
)
from red7sim.game.turns import as_turn, set_palette
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.machine_vectors import LANES as WIDTH
from red7sim.jit.settings import inlined, kernel
from red7sim.jit.vectors import (
    from_bytes,
    load,
    mask_bits,
    maximum,
    padded,
    pick,
    select,
    shifted_down,
    short_splat,
    shorts_from_bytes,
    splat,
    spread,
    store,
    to_bytes,
    widened,
)

MAX_HAND = WIDTH - 1
"""Cards that a hand in lanes can hold."""

NO_PLAY = NO_DISCARD = WIDTH - 1
"""The lane without a play, the slot without a discard."""

BARS = 7
"""Where `lane_keys` of a view, by rule, have what has to be exceeded, by rule."""

_EACH_BYTE = 0x0101010101010101

_DIAGONAL = sum(1 << lane << 8 * lane for lane in range(WIDTH)) - (1 << 64)
"""Bytes 1, 2, 4 .. 128, as an int64."""

LANES = padded(
    [
        # --- by lane; all 0 where there is no card, but for the next three
        ("rows", np.int16, (WIDTH,)),  # number of its row, 7 of none
        ("columns", np.int16, (WIDTH,)),  # likewise
        ("colours", np.int16, (WIDTH,)),  # 1 << column
        ("ids", np.int16, (WIDTH,)),  # id + 1
        ("ones", np.int16, (WIDTH,)),  # ONE
        ("violet_ids", np.int16, (WIDTH,)),  # the same of cards that count under violet
        ("violet_ones", np.int16, (WIDTH,)),
        ("green_ids", np.int16, (WIDTH,)),
        ("green_ones", np.int16, (WIDTH,)),
        ("cards", np.int16, (WIDTH,)),  # id, NO_CARD of none
        # --- of the whole hand or palette
        ("slots", np.int16, (WIDTH,)),  # by rule, the slots whose colour has it
        ("by_row", np.int16, (WIDTH,)),  # short keys of the palette's rows, 0 for row 7
        ("by_column", np.int16, (WIDTH,)),
        ("keys", np.int16, (WIDTH,)),  # short keys of the palette, by rule
        ("shown", np.int64),  # colours of the palette, and 1 << 7
        ("laid", np.int64),  # what was laid out, see `lay_out`
        ("allowed", np.int64),  # turns of cards in the hand, as a square
    ]
)
"""Hand and palette of one player, for finding turns; a game has an array of MAX_PLAYERS of them."""

# What a play or discard from a lane leaves of the square.
_KEEPS = np.array(
    [~(0xFF << 8 * lane | _EACH_BYTE << lane) for lane in range(MAX_HAND)] + [-1], dtype=np.int64
)


@inlined
def next_position(player, steps, players):
    """Return the table position some steps, less than `players`, after a player's."""
    position = player + steps
    return position if position < players else position - players


@inlined
def lay_out(lanes, player, hand, rules):
    """Fill the lanes of a player from his hand, of at most `MAX_HAND` cards."""
    own = lanes[player]
    # bit  0 .. m - 1     7 .. 55
    #     +------------+-------------+
    #     | m missing  | card c at   |     exactly MAX_HAND bits are set, and the n-th, from below,
    #     | cards      | c + 7       |     is lane n
    #     +------------+-------------+
    missing = MAX_HAND - popcount(hand)
    laid = hand << MAX_HAND | (1 << missing) - 1
    own.laid = laid
    word = 0
    for lane in range(MAX_HAND):
        word |= lowest(laid) << 8 * lane
        laid = drop_lowest(laid)
    ids = maximum(shorts_from_bytes(word) - (MAX_HAND - 1), short_splat(0))
    empty = ids == 0
    cards = select(empty, NO_CARD, ids - 1)
    rows = shifted_down(cards * 37, 8)  # a seventh, for 0 .. 49
    columns = select(empty, 7, cards - rows * 7)
    ones = select(empty, 0, short_splat(ONE))
    above_three = rows > 2
    odd = (rows & 1) == 0
    store(own.rows, 0, rows)
    store(own.columns, 0, columns)
    store(own.colours, 0, pick(shorts_from_bytes(_DIAGONAL), columns))
    store(own.ids, 0, ids)
    store(own.ones, 0, ones)
    store(own.violet_ids, 0, select(above_three, 0, ids))
    store(own.violet_ones, 0, select(above_three, 0, ones))
    store(own.green_ids, 0, select(odd, 0, ids))
    store(own.green_ones, 0, select(odd, 0, ones))
    store(own.cards, 0, cards)
    rule_of = pick(load(rules.column_rules, 0), columns)
    for rule in range(N_COLOURS):
        own.slots[rule] = mask_bits(rule_of == rule)
    # Every slot with a card, and no discard, in every lane with a card, and in lane 7; but no card
    # is played and discarded.
    slots = 0xFF << missing & 0xFF
    own.allowed = slots * _EACH_BYTE & ~_DIAGONAL & -(1 << 8 * missing)


@inlined
def find_lane_turns(view, lanes, rules, mover, players):
    """Find all surviving turns of the mover, whose hand is laid out, as a square.

    Modifies `turn_bits`, `win_bits`, `choices`, `lane_keys`, `slots` and `slot_cards` of the view.
    `mover` is `view.mover`, and `players` `view.players` as a constant.
    """
    own = lanes[mover]
    bars = load(lanes[next_position(mover, 1, players)].keys, 0)
    for i in range(2, players):
        bars = maximum(bars, load(lanes[next_position(mover, i, players)].keys, 0))
    keys = load(own.keys, 0)
    counts = keys & COUNTS
    ids = load(own.ids, 0)
    ones = load(own.ones, 0)
    rows = load(own.rows, 0)
    by_row = load(own.by_row, 0)
    red = maximum(spread(keys, RED), ids)
    in_row = with_cards(pick(by_row, rows), ids, ones)
    orange = maximum(spread(keys, ORANGE), in_row)
    in_column = with_cards(pick(load(own.by_column, 0), load(own.columns, 0)), ids, ones)
    yellow = maximum(spread(keys, YELLOW), in_column)
    green = maximum(spread(keys, GREEN), spread(counts, GREEN) + load(own.green_ids, 0))
    green = green + load(own.green_ones, 0)
    old_colour = (load(own.colours, 0) & own.shown) != 0
    blue = spread(counts, BLUE) + red + select(old_colour, 0, short_splat(ONE))
    run = pick(load(RUNS, view.rows[mover] & 127), rows)
    top = run & 7
    highest_card = maximum(pick(by_row, top) & IDS, select(top == rows, ids, 0))
    indigo = (run & COUNTS) + highest_card
    violet = maximum(spread(keys, VIOLET), spread(counts, VIOLET) + load(own.violet_ids, 0))
    violet = violet + load(own.violet_ones, 0)
    slots = load(own.slots, 0) | load(rules.marks, view.canvas & 7)
    found = (
        select(red > spread(bars, RED), spread(slots, RED), 0)
        | select(orange > spread(bars, ORANGE), spread(slots, ORANGE), 0)
        | select(yellow > spread(bars, YELLOW), spread(slots, YELLOW), 0)
        | select(green > spread(bars, GREEN), spread(slots, GREEN), 0)
        | select(blue > spread(bars, BLUE), spread(slots, BLUE), 0)
        | select(indigo > spread(bars, INDIGO), spread(slots, INDIGO), 0)
        | select(violet > spread(bars, VIOLET), spread(slots, VIOLET), 0)
    )
    store(view.lane_keys, VIOLET, violet)
    store(view.lane_keys, INDIGO, indigo)
    store(view.lane_keys, BLUE, blue)
    store(view.lane_keys, GREEN, green)
    store(view.lane_keys, YELLOW, yellow)
    store(view.lane_keys, ORANGE, orange)
    store(view.lane_keys, RED, red)
    store(view.lane_keys, BARS, bars)
    store(view.slots, 0, slots)
    store(view.slot_cards, 0, load(own.cards, 0))
    turns = to_bytes(found) & own.allowed
    view.turn_bits = turns
    view.win_bits = to_bytes(shifted_down(found, 8))
    view.choices = popcount(turns)


@inlined
def play_lane(view, lanes, mover, lane, slot):
    """Put the card of a lane on the mover's palette, take it and that of a slot out of the lanes,
    and return the palette; for `NO_PLAY` and `NO_DISCARD` nothing changes.
    """
    own = lanes[mover]
    for rule in range(N_COLOURS):
        own.keys[rule] = view.lane_keys[rule, lane]
    card_id = np.int64(own.ids[lane])
    one = own.ones[lane]
    row = own.rows[lane] & 7
    column = own.columns[lane] & 7
    own.by_row[row] = with_card(own.by_row[row], card_id, one)
    own.by_column[column] = with_card(own.by_column[column], card_id, one)
    own.shown |= own.colours[lane]
    own.allowed &= _KEEPS[lane] & _KEEPS[slot]
    palette = view.palettes[mover] | 1 << card_id >> 1
    view.palettes[mover] = palette
    view.rows[mover] = (view.rows[mover] | 1 << np.int64(row)) & 127
    return palette


@inlined
def lane_of(lanes, player, card):
    """Return the lane of a card that was laid out; of `NO_CARD`, the lane without a play."""
    own = lanes[player]
    return popcount(own.laid & (1 << card + MAX_HAND) - 1)


@inlined
def turn_at(view, lane, slot):
    """Return the turn of a lane and a slot of the mover's square."""
    return as_turn(np.int64(view.slot_cards[lane & 7]), np.int64(view.slot_cards[slot & 7]))


@inlined
def cheapest_in_lane(view, lane):
    """Return the turn of a lane that discards nothing if it can, or else the lowest card; the lane
    has one.
    """
    slots = view.turn_bits >> 8 * lane & 0xFF
    return turn_at(view, lane, NO_DISCARD if slots >> NO_DISCARD else lowest(slots))


@inlined
def show_first(view, lanes, player, card):
    """Give a player a palette of one card."""
    own = lanes[player]
    row, column = ROW_OF[card], COLOUR_OF[card]
    store(own.by_row, 0, short_splat(0))
    store(own.by_column, 0, short_splat(0))
    own.by_row[row] = ONE + card + 1
    own.by_column[column] = ONE + card + 1
    store(own.keys, 0, load(FIRST_SHORT_KEYS, card))
    store(view.keys, player, load(FIRST_KEYS, card))
    own.shown = 1 << column | 1 << 7
    view.palettes[player] = 1 << card
    view.rows[player] = 1 << row


@inlined
def show_palette(view, lanes, player, palette):
    """Give a player a palette."""
    own = lanes[player]
    set_palette(view, player, palette)
    for rule in range(N_COLOURS):
        own.keys[rule] = short_key(view.keys[player, rule])
    shown = 1 << 7
    for line in range(N_COLOURS):
        in_column = palette & COLUMNS[line]
        own.by_row[line] = short_key(set_key(palette & ROWS[line]))
        own.by_column[line] = short_key(set_key(in_column))
        shown |= np.int64(in_column != 0) << line
    own.by_row[7] = 0
    own.by_column[7] = 0
    own.shown = shown


@inlined
def set_view_keys(view, lanes, player):
    """Set the keys of a player in the view (red7sim.game.rules) from his palette and short keys."""
    own = lanes[player]
    palette = view.palettes[player]
    keys = own.keys
    view_keys = view.keys
    view_keys[player, VIOLET] = set_key(palette & BELOW_FOUR)
    view_keys[player, INDIGO] = RUN_KEY[view.rows[player] & 127] & (palette | COUNT_FIELD)
    view_keys[player, BLUE] = (np.int64(keys[BLUE]) >> COUNT_PLACE) << COUNT_SHIFT | palette
    view_keys[player, GREEN] = set_key(palette & EVEN)
    view_keys[player, YELLOW] = set_key(palette & COLUMN_BY_ID[keys[YELLOW] & IDS])
    view_keys[player, ORANGE] = set_key(palette & ROW_BY_ID[keys[ORANGE] & IDS])
    view_keys[player, RED] = palette


@inlined
def widen_view(view, lanes, players):
    """Set all of the view that squares stand for: keys of all players, lanes of the mover."""
    for player in range(players):
        set_view_keys(view, lanes, player)
    slots = from_bytes(view.turn_bits)
    turns = (slots & 1 << NO_DISCARD) << NO_CARD - NO_DISCARD
    for slot in range(MAX_HAND):
        card = 1 << np.int64(view.slot_cards[slot]) & FULL
        turns = turns | select((slots & 1 << slot) == 0, 0, splat(card))
    store(view.lane_turns, 0, turns)
    store(view.lane_wins, 0, from_bytes(view.win_bits))
    store(view.lane_cards, 0, widened(load(view.slot_cards, 0)))


@inlined
def knock_out_lanes(lanes, player):
    """Take a player's keys out of all comparisons."""
    own = lanes[player]
    store(own.keys, 0, short_splat(0))


@kernel
def lay_position(view, lanes, rules):
    """Lay out a position whose palettes and mover's hand are in the view, and find its turns, as a
    square and in the lanes of the view.
    """
    for player in range(view.players):
        show_palette(view, lanes, player, view.palettes[player])
    lay_out(lanes, view.mover, view.hand, rules)
    find_lane_turns(view, lanes, rules, view.mover, view.players)
    widen_view(view, lanes, view.players)
    view.lanes = WIDTH
