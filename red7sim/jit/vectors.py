"""Vectors of eight int64 lanes, and masks of eight booleans.

In plain Python a vector is a numpy array of shape (8,), int64, and a mask one of bool. In a kernel
they are machine vectors that live in registers (`red7sim.jit.machine_vectors`).

Vectors know `~` and, with a vector or an integer on the right, `+ - * & | ^ << >>`, and `> == !=`,
which give masks. Arithmetic wraps, `>>` keeps the sign, shifts are by 0 .. 63. The functions below
do the rest; each is its own plain meaning, and has further down what a kernel gets.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from red7sim.jit import machine_vectors as machine
from red7sim.jit.machine_vectors import LANES, mask8, vector8

CACHE_LINE = 64
"""Bytes; a vector on its boundaries is read and written at once."""


def padded(fields: list[Any]) -> np.dtype[np.void]:
    """Return the record dtype of these fields, its size rounded up to whole cache lines."""
    dtype = np.dtype(fields, align=True)
    rest = -dtype.itemsize % CACHE_LINE
    return np.dtype([*fields, ("padding", np.uint8, (rest,))], align=True) if rest else dtype


def aligned_records(dtype: np.dtype[np.void], n: int) -> NDArray[np.void]:
    """Return an array of `n` records of zeros that starts on a cache line."""
    memory = np.zeros(n * dtype.itemsize + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    records = memory[start : start + n * dtype.itemsize].view(dtype)
    return records.view(np.recarray)


# --- plain meanings


def splat(value: int) -> Any:
    """Return the vector whose lanes all hold one integer."""
    return np.full(LANES, value, dtype=np.int64)


def load(array: Any, row: int) -> Any:
    """Return the `row`-th eight words of an int64, uint64 or int32 array of any shape,
    C-contiguous.
    """
    return array.reshape(-1, LANES)[row].astype(np.int64)


def store(array: Any, row: int, vector: Any) -> None:
    """Write a vector to the `row`-th eight words of an array, int64 or uint64; into one of int32
    go the lower halves.
    """
    array.reshape(-1, LANES)[row] = vector.astype(array.dtype)


def select(mask: Any, chosen: Any, other: Any) -> Any:
    """Return the lanes of `chosen` where the mask is set, of `other` elsewhere; either may be an
    integer.
    """
    return np.where(mask, chosen, other).astype(np.int64)


def maximum(x: Any, y: Any) -> Any:
    """Return the greater of two vectors, lane by lane."""
    return np.maximum(x, y)


def shifted_down(vector: Any, n: int) -> Any:
    """Return the lanes, as unsigned words, shifted right: zeros come in from above."""
    return (vector.view(np.uint64) >> np.uint64(n)).view(np.int64)


def first_greatest(vector: Any) -> int:
    """Return the lane of the greatest value, the first of several; values are 0 .. 2**60-1."""
    return int(np.argmax(vector))


def extract(vector: Any, lane: int) -> int:
    """Return the value of one lane."""
    return int(vector[lane])


def greatest(vector: Any) -> int:
    """Return the greatest value of any lane."""
    return int(np.max(vector))


def popcounts(vector: Any) -> Any:
    """Return the number of set bits of every lane."""
    return np.bitwise_count(vector.view(np.uint64)).astype(np.int64)


def any_bit(vector: Any) -> int:
    """Return the bits that are set in any lane, as one int64."""
    return int(np.bitwise_or.reduce(vector))


def to_bytes(vector: Any) -> int:
    """Return the lowest byte of every lane as one int64 word, lane 0 lowest."""
    return int(vector.astype(np.uint8).view(np.int64)[0])


def from_bytes(word: int) -> Any:
    """Return the vector of the eight bytes of an int64 word, lowest first, each 0 .. 255."""
    return np.array([word], dtype=np.int64).view(np.uint8).astype(np.int64)


def pick(low: Any, high: Any, row: int, places: Any) -> Any:
    """Return a vector of lanes picked from a row of a table that is kept as two int32 arrays of
    shape (n, 8), its words' lower and upper halves; so that processors without a permutation of
    64-bit lanes have one. `places` is the vector of their indices, of which three bits count.
    """
    chosen = places & LANES - 1
    return high[row][chosen].astype(np.int64) << 32 | low[row][chosen].view(np.uint32)


# --- what kernels get

_COUNT_DOWN = sum(LANES - 1 - lane << 8 * lane for lane in range(LANES))
"""Bytes 7 .. 0."""


def _define(operation: Any, result: Any, instruction: Callable[..., Any]) -> None:
    """Teach numba an operator between a vector and a vector or an integer."""
    operate = machine.binary(result, instruction)

    @overload(operation)
    def _overload(x, y):
        if x == vector8 and y == vector8:
            return lambda x, y: operate(x, y)
        if x == vector8 and isinstance(y, types.Integer):
            return lambda x, y: operate(x, splat(y))
        return None


for _operation, _name in (
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.mul, "mul"),
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.lshift, "shl"),
    (operator.rshift, "ashr"),
):
    _define(_operation, vector8, getattr(ir.IRBuilder, _name))
for _operation, _name in ((operator.gt, ">"), (operator.eq, "=="), (operator.ne, "!=")):
    _define(
        _operation,
        mask8,
        lambda builder, x, y, _name=_name: builder.icmp_signed(_name, x, y),
    )


@overload(operator.invert)
def _overload_invert(x):
    return (lambda x: machine.invert(x)) if x == vector8 else None


@overload(splat)
def _overload_splat(value):
    return lambda value: machine.splat(value)


@overload(load)
def _overload_load(array, row):
    return lambda array, row: machine.load_vector(array, row)


@overload(store)
def _overload_store(array, row, vector):
    return lambda array, row, vector: machine.store_vector(array, row, vector)


@overload(select)
def _overload_select(mask, chosen, other):
    if isinstance(chosen, types.Integer):
        return lambda mask, chosen, other: select(mask, splat(chosen), other)
    if isinstance(other, types.Integer):
        return lambda mask, chosen, other: select(mask, chosen, splat(other))
    return lambda mask, chosen, other: machine.select(mask, chosen, other)


@overload(maximum)
def _overload_maximum(x, y):
    return lambda x, y: machine.select(x > y, x, y)


@overload(popcounts)
def _overload_popcounts(vector):
    return lambda vector: machine.popcounts(vector)


@overload(shifted_down)
def _overload_shifted_down(vector, n):
    return lambda vector, n: machine.shifted_down(vector, n)


@overload(first_greatest)
def _overload_first_greatest(vector):
    # The lane's number goes below the value, counted down so that the first lane is the greatest.
    return lambda vector: LANES - 1 - (machine.greatest(vector << 3 | from_bytes(_COUNT_DOWN)) & 7)


@overload(extract)
def _overload_extract(vector, lane):
    return lambda vector, lane: machine.extract(vector, lane)


@overload(greatest)
def _overload_greatest(vector):
    return lambda vector: machine.greatest(vector)


@overload(any_bit)
def _overload_any_bit(vector):
    return lambda vector: machine.any_bit(vector)


@overload(to_bytes)
def _overload_to_bytes(vector):
    return lambda vector: machine.to_bytes(vector)


@overload(from_bytes)
def _overload_from_bytes(word):
    return lambda word: machine.from_bytes(word)


@overload(pick)
def _overload_pick(low, high, row, places):
    return lambda low, high, row, places: machine.pick(low, high, row, places)
