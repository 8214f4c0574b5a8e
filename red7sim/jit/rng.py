"""Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy
as 1, 2, 3", SC 2011), keyed by seed, game, round and purpose.

There is no state to carry: any number of any stream can be computed at any time, by any thread.
The 128-bit counter of one block, from its lowest word, and the 64-bit key:

    word 0, 1   game index, 64 bits
    word 2      block: number of the block within its stream
    word 3      round << 16 | part << 4 | purpose
    key         seed, 64 bits

One block gives two 64-bit words, so word `w` of a stream is half `w & 1` of block `w >> 1`. The
streams of a round, by purpose:

    DECK        part 0, word k >> 2 serves the k-th card of the deck
    CHOICE      part 0, word t is the choice of turn t
    STEP        part s >> 1, block t, half s & 1 is the choice of step s of turn t (Action rule)
    BOOTSTRAP   round 0, part 0, block b >> 3, of its 16-bit parts number b & 7 makes the weight of
                a deal in replicate b
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from red7sim.jit.settings import kernel
from red7sim.jit.vectors import shifted_down, splat

STREAM_VERSION = 3
"""Raised whenever the games of a seed change."""

PURPOSE_DECK = 0
PURPOSE_CHOICE = 1
PURPOSE_STEP = 2
PURPOSE_BOOTSTRAP = 3

_I64, _I128 = ir.IntType(64), ir.IntType(128)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)
_ROUNDS = 10


def mul_high(x: Any, y: Any) -> np.uint64:
    """Return the upper 64 bits of the 128-bit product of two unsigned numbers."""
    return np.uint64(int(x) * int(y) >> 64)


def mul_low(x: Any, y: Any) -> np.uint64:
    """Return the lower 64 bits of the product of two unsigned numbers."""
    return np.uint64(int(x) * int(y) & 0xFFFFFFFFFFFFFFFF)


@intrinsic
def _umulh(_context: Any, _x: Any, _y: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = builder.mul(builder.zext(args[0], _I128), builder.zext(args[1], _I128))
        return builder.trunc(builder.lshr(wide, ir.Constant(_I128, 64)), _I64)

    return types.uint64(types.uint64, types.uint64), generate


@overload(mul_high)
def _mul_high(x, y):
    return lambda x, y: _umulh(x, y)


@overload(mul_low)
def _mul_low(x, y):
    return lambda x, y: np.uint64(x) * np.uint64(y)


@kernel
def philox(counter_0, counter_1, counter_2, counter_3, key_0, key_1):
    """Return the four 32-bit words of one Philox4x32-10 block; all arguments are uint64 below
    2**32.
    """
    for _ in range(_ROUNDS):
        product_0 = counter_0 * _MULTIPLIER_0
        product_1 = counter_2 * _MULTIPLIER_1
        counter_0 = (product_1 >> _HALF) ^ counter_1 ^ key_0
        counter_2 = (product_0 >> _HALF) ^ counter_3 ^ key_1
        counter_1 = product_1 & _LOW
        counter_3 = product_0 & _LOW
        key_0 = (key_0 + _WEYL_0) & _LOW
        key_1 = (key_1 + _WEYL_1) & _LOW
    return counter_0, counter_1, counter_2, counter_3


@kernel
def stream_block(seed, game, round_number, purpose, part, block):
    """Return the two 64-bit words (uint64) of one block of a stream.

    `seed` is uint64, the others int64: `game` >= 0, `round_number` < 2**16, `part` < 2**12,
    `block` < 2**32.
    """
    index = np.uint64(game)
    word_0, word_1, word_2, word_3 = philox(
        index & _LOW,
        index >> _HALF,
        np.uint64(block),
        np.uint64(round_number << 16 | part << 4 | purpose),
        seed & _LOW,
        seed >> _HALF,
    )
    return word_0 | word_1 << _HALF, word_2 | word_3 << _HALF


@kernel
def stream_blocks(seed, game, round_number, purposes, blocks):
    """Return eight blocks of the streams of one round, each with its purpose (part 0).

    `purposes` and `blocks` are vectors; the result is the vectors of the blocks' first and second
    words. The other arguments are those of `stream_block`.
    """
    # Only the lower halves of the lanes count; the upper ones hold whatever is left there.
    low = splat(0xFFFFFFFF)
    key_0 = splat(np.int64(seed))
    key_1 = splat(np.int64(seed >> _HALF))
    counter_0 = splat(game)
    counter_1 = splat(game >> 32)
    counter_2 = blocks
    counter_3 = purposes | round_number << 16
    for _ in range(_ROUNDS):
        product_0 = (counter_0 & low) * 0xD2511F53
        product_1 = (counter_2 & low) * 0xCD9E8D57
        counter_0 = shifted_down(product_1, 32) ^ counter_1 ^ key_0
        counter_2 = shifted_down(product_0, 32) ^ counter_3 ^ key_1
        counter_1 = product_1
        counter_3 = product_0
        key_0 = key_0 + 0x9E3779B9
        key_1 = key_1 + 0xBB67AE85
    return counter_0 & low | counter_1 << 32, counter_2 & low | counter_3 << 32


@kernel
def bounded(word, n):
    """Return an int64 in 0 .. n-1 from a 64-bit word, by its upper part (Lemire's reduction
    without rejection): no value is off its share of 1/n by more than a factor n * 2**-64.
    """
    return np.int64(mul_high(word, np.uint64(n)))
