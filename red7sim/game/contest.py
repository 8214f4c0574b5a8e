"""A palette under all seven rules as one word, so that one subtraction decides all contests.

A word has a lane for each rule. A lane holds the rank of the palette's key among all keys that a
palette can have under that rule, 0 for an empty set, below a guard bit that is 0:

    bit  0        8   9  10    17  18  19    26 27       55    62  63
        +----------+---+----------+---+----------+--- . . ---+--------+---+
        |   blue   | 0 |  violet  | 0 |  indigo  |   . . .   |  red   | 0 |
        +----------+---+----------+---+----------+--- . . ---+--------+---+
    lane     0              1              2                      6

With the guards of a rival's word set, subtracting a word clears the guards of exactly the lanes
in which the word is greater. Blue has the most keys, 322, and comes first since its nine bits
leave the guards of all lanes nine bits apart.

Sets of rules are 7 bits by lane here; `lanes_of_colours` says what a canvas colour stands for.
"""

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import (
    BELOW_FOUR,
    BLUE,
    EVEN,
    FULL,
    GREEN,
    INDIGO,
    N_CARDS,
    N_COLOURS,
    ORANGE,
    RED,
    VIOLET,
    YELLOW,
)
from red7sim.game.rules import COUNT_SHIFT, ONE_MORE, palette_keys
from red7sim.game.ruleset import Ruleset
from red7sim.jit.bits import highest
from red7sim.jit.settings import inlined, kernel

LANE_RULES = (BLUE, VIOLET, INDIGO, GREEN, YELLOW, ORANGE, RED)
"""The rule of each lane."""

LANE_OF = tuple(LANE_RULES.index(rule) for rule in range(len(LANE_RULES)))
"""The lane of each rule."""

LANE_BITS = 9
_GUARDS = np.uint64(sum(1 << LANE_BITS * (lane + 1) for lane in range(N_COLOURS)))
# Takes guard k from bit 9k + 9 to bit 57 + k; no two other products of bits meet, so none carries.
_GATHER = np.uint64(sum(1 << 48 - 8 * lane for lane in range(N_COLOURS)))
_GATHERED = np.uint64(57)
_CARD_BITS = 6


def _most_cards(rule: int, card: int) -> int:
    """Return the greatest number of cards in a set of a rule whose highest card is `card`."""
    row, rank = divmod(card, N_COLOURS)
    up_to_card = (2 << card) - 1
    if rule == RED:
        return 1
    if rule == ORANGE:
        return rank + 1
    if rule == BLUE:
        return min(card + 1, N_COLOURS)
    if rule in (GREEN, VIOLET):
        counting = EVEN if rule == GREEN else BELOW_FOUR
        return (counting & up_to_card).bit_count() if counting >> card & 1 else 0
    return row + 1


def _ranks(lane: int) -> list[int]:
    """Return the ranks of a lane, in their place in the word, by count << 6 | highest card + 1."""
    rule = LANE_RULES[lane]
    sets = sorted(
        count << _CARD_BITS | card + 1
        for card in range(N_CARDS)
        for count in range(1, _most_cards(rule, card) + 1)
    )
    width = 9 if lane == 0 else 8
    assert len(sets) < 1 << width
    ranks = [0] * (22 << _CARD_BITS)
    for rank, place in enumerate(sets, start=1):
        ranks[place] = rank << 9 * lane + 9 - width
    return ranks


_RANKS = np.array([_ranks(lane) for lane in range(N_COLOURS)], dtype=np.uint64)


@inlined
def _rank(lane, key):
    return _RANKS[lane, (key >> COUNT_SHIFT) << _CARD_BITS | highest(key & FULL) + 1]


@kernel
def word_of_keys(keys):
    """Return the word (uint64) of a palette from its seven keys, a tuple."""
    violet, indigo, blue, green, yellow, orange, red = keys
    if red:
        red += ONE_MORE
    return (
        _rank(0, blue)
        | _rank(1, violet)
        | _rank(2, indigo)
        | _rank(3, green)
        | _rank(4, yellow)
        | _rank(5, orange)
        | _rank(6, red)
    )


@kernel
def palette_word(palette):
    """Return the word (uint64) of a palette (int64 mask)."""
    return word_of_keys(palette_keys(palette))


@inlined
def wins_by_lane(word, rival):
    """Return the rules that a palette's word wins against a rival's, as a word (uint64) with bit 9k
    set for a win in lane k; so a sum of up to 511 of them counts wins lane by lane.
    """
    lost = (rival | _GUARDS) - word
    return (~lost & _GUARDS) >> np.uint64(LANE_BITS)


@inlined
def wins_in_lane(sums, lane):
    """Return the wins (int64) in one lane of a sum of what `wins_by_lane` returns."""
    return np.int64(sums >> np.uint64(LANE_BITS * lane) & np.uint64((1 << LANE_BITS) - 1))


@inlined
def lanes_won(word, rival):
    """Return the rules that a palette's word wins against a rival's, as 7 bits by lane."""
    lost = (rival | _GUARDS) - word
    return np.int64((~lost & _GUARDS) * _GATHER >> _GATHERED)


def lanes_of_colours(ruleset: Ruleset) -> NDArray[np.int64]:
    """Return the lane of the rule that each canvas colour stands for, by colour rank."""
    rule_of = ruleset.packed[0].rule_of
    return np.array([LANE_OF[rule] for rule in rule_of], dtype=np.int64)
