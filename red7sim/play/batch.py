"""Sets of cards, counted for many rounds at once.

The sets of a round wait in a BATCH until that is full. Its words are then transposed, one a card
with one bit a round. For the cards dealt in first rounds that is

    bit   0                      31 32                     63
         +-------------------------+-------------------------+
         | dealt to any position   | dealt to the winner     |
         +-------------------------+-------------------------+
           round 0 .. round 31       round 0 .. round 31

Counting bits counts rounds. Seven such words, of the cards of a colour or a number, are
added bit by bit, in all rounds at once, to three words: the binary digits of how many of the seven
each round dealt, from which come sums of squares and products, too.
"""

import numpy as np

from red7sim.game.cards import N_CARDS, N_COLOURS
from red7sim.jit.bits import popcount
from red7sim.jit.settings import kernel

HAND, START = range(2)
"""Places of a card in the first round of a game: the hand as dealt, the palette as dealt."""

DEALT, WON, DEALT_SQUARES, WON_SQUARES, PRODUCTS = range(5)
"""Sums over first rounds: K, the cards dealt to the place at all positions; W, those at the round
winner's; of K^2, of W^2, of K * W. For a single card all but the first are W or K again.
"""

BATCH_DEALS = 32
BATCH_ROUNDS = 64

BATCH = np.dtype(
    [
        ("deals", np.int64),  # of first rounds, that wait
        ("dealt", np.int64, (2, BATCH_DEALS)),  # by place: to any position
        ("won", np.int64, (2, BATCH_DEALS)),  # by place: to the winner
        ("rounds", np.int64),  # that wait
        ("scored", np.int64, (BATCH_ROUNDS,)),  # set of the winner
        ("changes", np.int64, (BATCH_ROUNDS,)),  # of the rule by the winner: to colour c in byte c
        ("words", np.int64, (64,)),  # workspace
    ]
)
"""What waits to be counted."""

_DEALT_BITS = (1 << BATCH_DEALS) - 1

_UPPER_LEFT = (
    0x5555555555555555,
    0x3333333333333333,
    0x0F0F0F0F0F0F0F0F,
    0x00FF00FF00FF00FF,
    0x0000FFFF0000FFFF,
    0x00000000FFFFFFFF,
)
"""The places i of a word of which bit number 0, 1, .. 5 is not set."""


@kernel
def add_deal(batch, hands, palettes, winner):
    """Let the deal of a round wait: what it dealt by position, and who won."""
    i = batch.deals
    batch.dealt[HAND, i] = hands[0] | hands[1] | hands[2] | hands[3]
    batch.dealt[START, i] = palettes[0] | palettes[1] | palettes[2] | palettes[3]
    batch.won[HAND, i] = hands[winner]
    batch.won[START, i] = palettes[winner]
    batch.deals = i + 1


@kernel
def add_round(batch, scored, changes):
    """Let the set that scored in a round wait, and the winner's changes of the rule."""
    batch.scored[batch.rounds] = scored
    batch.changes[batch.rounds] = changes
    batch.rounds += 1


@kernel
def swap_blocks(words, size, upper_left):
    """Let blocks of `size` words and bits change places with those beyond the diagonal.

    Unsigned indices spare numba's wraparound, and with it LLVM turns the loop into vectors.
    """
    for first in range(0, 64, 2 * size):
        for row in range(size):
            i = np.uint64(first + row)
            j = np.uint64(first + row + size)
            changed = (words[i] >> size ^ words[j]) & upper_left
            words[i] ^= changed << size
            words[j] ^= changed


@kernel
def transpose(words):
    """Transpose 64 words of 64 bits in place: bit j of word i becomes bit i of word j."""
    for level in range(5, -1, -1):
        swap_blocks(words, 1 << level, _UPPER_LEFT[level])


@kernel
def add_bits(a, b, c):
    """Add three bits in every place: return the words of their sums' ones and twos."""
    either = a ^ b
    return either ^ c, a & b | either & c


@kernel
def sum_of_products(a, b):
    """Return the sum over rounds of the product of two numbers, given by three binary digits."""
    total = 0
    for i in range(3):
        for j in range(3):
            total += popcount(a[i] & b[j]) << i + j
    return total


@kernel
def sums_of_group(words, first, step):
    """Return DEALT .. PRODUCTS for the seven cards from `first` on, by steps of `step`."""
    ones, twos = add_bits(words[first], words[first + step], words[first + 2 * step])
    more, more_twos = add_bits(
        words[first + 3 * step], words[first + 4 * step], words[first + 5 * step]
    )
    ones, last_twos = add_bits(ones, more, words[first + 6 * step])
    twos, fours = add_bits(twos, more_twos, last_twos)
    dealt = (ones & _DEALT_BITS, twos & _DEALT_BITS, fours & _DEALT_BITS)
    won = (
        ones >> BATCH_DEALS & _DEALT_BITS,
        twos >> BATCH_DEALS & _DEALT_BITS,
        fours >> BATCH_DEALS & _DEALT_BITS,
    )
    one = (_DEALT_BITS, 0, 0)
    return (
        sum_of_products(dealt, one),
        sum_of_products(won, one),
        sum_of_products(dealt, dealt),
        sum_of_products(won, won),
        sum_of_products(dealt, won),
    )


@kernel
def count_deals(batch, cards, groups):
    """Count the deals that wait by card, and by colour and number, and wait for others."""
    words = batch.words
    for place in range(2):
        for i in range(BATCH_DEALS):
            waits = i < batch.deals
            words[i] = batch.dealt[place, i] if waits else 0
            words[BATCH_DEALS + i] = batch.won[place, i] if waits else 0
        transpose(words)
        for card in range(N_CARDS):
            cards[place, DEALT, card] += popcount(words[card] & _DEALT_BITS)
            cards[place, WON, card] += popcount(words[card] >> BATCH_DEALS & _DEALT_BITS)
        for i in range(7):
            colour = sums_of_group(words, i, N_COLOURS)
            number = sums_of_group(words, i * N_COLOURS, 1)
            for kind in range(5):
                groups[place, kind, i] += colour[kind]
                groups[place, kind, N_COLOURS + i] += number[kind]
    batch.deals = 0


@kernel
def count_rounds(batch, scored, changes_won):
    """Count the sets that wait by card, the changes by colour, and wait for others."""
    for colour in range(N_COLOURS):
        changes = 0
        for i in range(batch.rounds):
            changes += batch.changes[i] >> 8 * colour & 0xFF
        changes_won[colour] += changes
    words = batch.words
    for i in range(BATCH_ROUNDS):
        words[i] = batch.scored[i] if i < batch.rounds else 0
    transpose(words)
    for card in range(N_CARDS):
        low, high = words[card] & _DEALT_BITS, words[card] >> BATCH_DEALS & _DEALT_BITS
        scored[card] += popcount(low) + popcount(high)
    batch.rounds = 0
