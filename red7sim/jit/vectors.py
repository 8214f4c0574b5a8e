"""Vectors of eight lanes, int64 (words) or int16 (shorts), and masks of eight booleans.

In plain Python a vector is a numpy array of shape (8,), int64 or int16, and a mask one of bool. In
a kernel they are machine vectors that live in registers (`red7sim.jit.machine_vectors`). Shorts
are a quarter as wide: eight of them are one register of any processor with vectors.

Vectors know `~` and, with a vector of the same kind or an integer on the right,
`+ - * & | ^ << >>`, and `> == !=`, which give masks. Arithmetic wraps, `>>` keeps the sign, shifts
are by less than the bits of a lane, integers fit into one. The functions below do the rest; each is
its own plain meaning, and has further down what a kernel gets.
"""

import operator
from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from red7sim.jit import machine_vectors as machine
from red7sim.jit.bits import lowest
from red7sim.jit.machine_vectors import LANES, mask8, shorts8, words8

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
    """Return the vector of words that all hold one integer."""
    return np.full(LANES, value, dtype=np.int64)


def short_splat(value: int) -> Any:
    """Return the vector of shorts that all hold the lowest 16 bits of an integer."""
    return np.full(LANES, value, dtype=np.int64).astype(np.int16)


def spread(vector: Any, lane: int) -> Any:
    """Return the vector of shorts that all hold one lane of another."""
    return np.full(LANES, vector[lane])


def load(array: Any, row: int) -> Any:
    """Return the `row`-th eight elements of an int64, uint64 or int16 array of any shape,
    C-contiguous.
    """
    loaded = array.reshape(-1, LANES)[row]
    return loaded.astype(np.int16 if array.dtype == np.int16 else np.int64)


def store(array: Any, row: int, vector: Any) -> None:
    """Write a vector to the `row`-th eight elements of an array: words to one of int64 or uint64,
    shorts to one of int16.
    """
    array.reshape(-1, LANES)[row] = vector.astype(array.dtype)


def select(mask: Any, chosen: Any, other: Any) -> Any:
    """Return the lanes of `chosen` where the mask is set, of `other` elsewhere; one of them may be
    an integer.
    """
    kind = (other if isinstance(chosen, int) else chosen).dtype
    return np.where(mask, chosen, other).astype(kind)


def maximum(x: Any, y: Any) -> Any:
    """Return the greater of two vectors, lane by lane."""
    return np.maximum(x, y)


def shifted_down(vector: Any, n: int) -> Any:
    """Return the lanes, as unsigned numbers, shifted right: zeros come in from above."""
    unsigned = np.dtype(f"u{vector.dtype.itemsize}").type
    return (vector.view(unsigned) >> unsigned(n)).view(vector.dtype)


def first_greatest(vector: Any) -> int:
    """Return the lane of the greatest of shorts, the first of several."""
    return int(np.argmax(vector))


def extract(vector: Any, lane: int) -> int:
    """Return the value of one lane."""
    return int(vector[lane])


def popcounts(vector: Any) -> Any:
    """Return the number of set bits of every lane."""
    unsigned = np.dtype(f"u{vector.dtype.itemsize}")
    return np.bitwise_count(vector.view(unsigned)).astype(vector.dtype)


def to_bytes(vector: Any) -> int:
    """Return the lowest byte of every lane as one int64 word, lane 0 lowest."""
    return int(vector.astype(np.uint8).view(np.int64)[0])


def from_bytes(word: int) -> Any:
    """Return the words of the eight bytes of an int64 word, lowest first, each 0 .. 255."""
    return np.array([word], dtype=np.int64).view(np.uint8).astype(np.int64)


def shorts_from_bytes(word: int) -> Any:
    """Return the shorts of the eight bytes of an int64 word, lowest first, each 0 .. 255."""
    return np.array([word], dtype=np.int64).view(np.uint8).astype(np.int16)


def widened(vector: Any) -> Any:
    """Return the words of the same numbers as a vector of shorts."""
    return vector.astype(np.int64)


def mask_bits(mask: Any) -> int:
    """Return a mask as eight bits, lane 0 lowest."""
    return int(np.packbits(mask, bitorder="little")[0])


def pick(table: Any, places: Any) -> Any:
    """Return the vector of lanes picked from a table, itself a vector; both are shorts, and of the
    places three bits count.
    """
    return table[places & LANES - 1]


# --- what kernels get

_KINDS = (words8, shorts8)


def _define(operation: Any, result: Any, instruction: Callable[..., Any]) -> None:
    """Teach numba an operator between a vector and a vector or an integer; its result is a vector
    of the same kind where `result` is None.
    """
    operate = {kind: machine.binary(kind, result or kind, instruction) for kind in _KINDS}

    @overload(operation)
    def _overload(x, y):
        if x not in _KINDS:
            return None
        of_kind = operate[x]
        if y == x:
            return lambda x, y: of_kind(x, y)
        if isinstance(y, types.Integer):
            return lambda x, y: of_kind(x, machine.splat_like(x, y))
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
    _define(_operation, None, getattr(ir.IRBuilder, _name))
for _operation, _name in ((operator.gt, ">"), (operator.eq, "=="), (operator.ne, "!=")):
    _define(
        _operation,
        mask8,
        lambda builder, x, y, _name=_name: builder.icmp_signed(_name, x, y),
    )


def _teach(function: Callable[..., Any], instruction: Any) -> None:
    """Teach numba that a function of one to three arguments is a machine operation."""
    by_arguments = (
        lambda x: instruction(x),
        lambda x, y: instruction(x, y),
        lambda x, y, z: instruction(x, y, z),
    )
    implementation = by_arguments[len(signature(function).parameters) - 1]
    overload(function, strict=False)(lambda *_: implementation)


for _function, _instruction in (
    (splat, machine.splat),
    (short_splat, machine.short_splat),
    (load, machine.load_vector),
    (store, machine.store_vector),
    (popcounts, machine.popcounts),
    (shifted_down, machine.shifted_down),
    (extract, machine.extract),
    (to_bytes, machine.to_bytes),
    (from_bytes, machine.from_bytes),
    (shorts_from_bytes, machine.shorts_from_bytes),
    (widened, machine.widened),
    (mask_bits, machine.mask_bits),
    (pick, machine.pick),
):
    _teach(_function, _instruction)


@overload(operator.invert)
def _overload_invert(x):
    return (lambda x: machine.invert(x)) if x in _KINDS else None


@overload(spread)
def _overload_spread(vector, lane):
    return lambda vector, lane: short_splat(extract(vector, lane))


@overload(select)
def _overload_select(mask, chosen, other):
    if isinstance(chosen, types.Integer):
        return lambda mask, chosen, other: machine.select(
            mask, machine.splat_like(other, chosen), other
        )
    if isinstance(other, types.Integer):
        return lambda mask, chosen, other: machine.select(
            mask, chosen, machine.splat_like(chosen, other)
        )
    return lambda mask, chosen, other: machine.select(mask, chosen, other)


@overload(maximum)
def _overload_maximum(x, y):
    return lambda x, y: machine.select(x > y, x, y)


@overload(first_greatest)
def _overload_first_greatest(vector):
    return lambda vector: lowest(machine.mask_bits(vector == machine.greatest(vector)))
