"""Vectors of eight int64 lanes, and masks of eight booleans.

In plain Python a vector is a numpy array of shape (8,), int64, and a mask one of bool. In a kernel
they are machine vectors that live in registers, `<8 x i64>` and `<8 x i1>` of LLVM's portable
code, which the compiler cuts to what the processor has.

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
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model
from numpy.typing import NDArray

LANES = 8

CACHE_LINE = 64
"""Bytes; a vector on its boundaries is read and written at once."""

_I8, _I32, _I64 = (ir.IntType(bits) for bits in (8, 32, 64))
_VECTOR = ir.VectorType(_I64, LANES)
_WORDS_32 = ir.VectorType(_I32, LANES)
_BYTES = ir.VectorType(_I8, LANES)
_MASK = ir.VectorType(ir.IntType(1), LANES)


class VectorType(types.Type):
    """Numba's type of a vector."""

    def __init__(self) -> None:
        super().__init__(name="vector8")


class MaskType(types.Type):
    """Numba's type of a mask."""

    def __init__(self) -> None:
        super().__init__(name="mask8")


vector8, mask8 = VectorType(), MaskType()


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _VECTOR)


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _MASK)


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
    """Return the `row`-th eight words of an int64 or uint64 array of any shape, C-contiguous."""
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


def pick(low: Any, high: Any, row: int, places: Any, places_row: int) -> Any:
    """Return a vector of lanes picked from a row of a table that is kept as two int32 arrays of
    shape (n, 8), its words' lower and upper halves; so that processors without a permutation of
    64-bit lanes have one. `places` is an int32 array of rows of eight indices 0 .. 7.
    """
    chosen = places.reshape(-1, LANES)[places_row]
    return high[row][chosen].astype(np.int64) << 32 | low[row][chosen].view(np.uint32)


# --- what kernels get

_COUNT_DOWN = sum(LANES - 1 - lane << 8 * lane for lane in range(LANES))
"""Bytes 7 .. 0."""


def _constant(value: int) -> ir.Constant:
    return ir.Constant(_I32, value)


def _spread(builder: Any, value: Any) -> Any:
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, value, _constant(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(_WORDS_32, [0] * LANES))


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, row: Any, kind: Any) -> Any:
    """Point at a row of eight elements of an array, as a vector in memory."""
    data = context.make_array(array_type)(context, builder, array).data
    start = builder.gep(data, [builder.shl(row, ir.Constant(_I64, 3))])
    return builder.bitcast(start, kind.as_pointer())


def _load(context: Any, builder: Any, array_type: Any, array: Any, row: Any, kind: Any) -> Any:
    loaded = builder.load(_pointer(context, builder, array_type, array, row, kind))
    loaded.align = array_type.dtype.bitwidth // 8
    return loaded


@intrinsic
def _splat(_context: Any, value: Any) -> Any:
    return vector8(types.int64), lambda context, builder, signature, args: _spread(builder, args[0])


@intrinsic
def _load_vector(_context: Any, array: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _load(context, builder, signature.args[0], args[0], args[1], _VECTOR)

    return vector8(array, types.int64), generate


@intrinsic
def _store_vector(_context: Any, array: Any, row: Any, vector: Any) -> Any:
    narrow = array.dtype.bitwidth == 32

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = _WORDS_32 if narrow else _VECTOR
        value = builder.trunc(args[2], kind) if narrow else args[2]
        pointer = _pointer(context, builder, signature.args[0], args[0], args[1], kind)
        builder.store(value, pointer).align = array.dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.void(array, types.int64, vector8), generate


@intrinsic
def _select(_context: Any, mask: Any, chosen: Any, other: Any) -> Any:
    return vector8(
        mask8, vector8, vector8
    ), lambda context, builder, signature, args: builder.select(*args)


@intrinsic
def _popcounts(_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.ctpop.v8i64")
        return builder.call(function, args)

    return vector8(vector8), generate


@intrinsic
def _shifted_down(_context: Any, vector: Any, n: Any) -> Any:
    return vector8(vector8, types.int64), lambda context, builder, signature, args: builder.lshr(
        args[0], _spread(builder, args[1])
    )


@intrinsic
def _greatest(_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_VECTOR])
        name = "llvm.vector.reduce.smax.v8i64"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return types.int64(vector8), generate


@intrinsic
def _any_bit(_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_VECTOR])
        name = "llvm.vector.reduce.or.v8i64"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return types.int64(vector8), generate


@intrinsic
def _to_bytes(_context: Any, vector: Any) -> Any:
    return types.int64(vector8), lambda context, builder, signature, args: builder.bitcast(
        builder.trunc(args[0], _BYTES), _I64
    )


@intrinsic
def _from_bytes(_context: Any, word: Any) -> Any:
    return vector8(types.int64), lambda context, builder, signature, args: builder.zext(
        builder.bitcast(args[0], _BYTES), _VECTOR
    )


@intrinsic
def _pick(_context: Any, low: Any, high: Any, row: Any, places: Any, places_row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        low, high, row, places, places_row = args
        where = _load(context, builder, signature.args[3], places, places_row, _WORDS_32)
        where = builder.and_(where, ir.Constant(_WORDS_32, [LANES - 1] * LANES))
        halves = []
        for i, table in enumerate((low, high)):
            source = _load(context, builder, signature.args[i], table, row, _WORDS_32)
            half = ir.Constant(_WORDS_32, ir.Undefined)
            # LLVM knows this pattern and makes one permutation of it where there is one.
            for lane in map(_constant, range(LANES)):
                element = builder.extract_element(source, builder.extract_element(where, lane))
                half = builder.insert_element(half, element, lane)
            halves.append(half)
        order = [half + lane for lane in range(LANES) for half in (0, LANES)]
        mixed = builder.shuffle_vector(*halves, ir.Constant(ir.VectorType(_I32, 2 * LANES), order))
        return builder.bitcast(mixed, _VECTOR)

    return vector8(low, high, types.int64, places, types.int64), generate


def _define(operation: Any, result: Any, instruction: Callable[..., Any]) -> None:
    """Teach numba an operator between a vector and a vector or an integer."""

    @intrinsic
    def machine(_context: Any, x: Any, y: Any) -> Any:
        return result(vector8, vector8), lambda context, builder, signature, args: instruction(
            builder, *args
        )

    @overload(operation)
    def operate(x, y):
        if x == vector8 and y == vector8:
            return lambda x, y: machine(x, y)
        if x == vector8 and isinstance(y, types.Integer):
            return lambda x, y: machine(x, _splat(y))
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


@intrinsic
def _invert(_context: Any, vector: Any) -> Any:
    return vector8(vector8), lambda context, builder, signature, args: builder.not_(args[0])


@overload(operator.invert)
def _overload_invert(x):
    return (lambda x: _invert(x)) if x == vector8 else None


@overload(splat)
def _overload_splat(value):
    return lambda value: _splat(value)


@overload(load)
def _overload_load(array, row):
    return lambda array, row: _load_vector(array, row)


@overload(store)
def _overload_store(array, row, vector):
    return lambda array, row, vector: _store_vector(array, row, vector)


@overload(select)
def _overload_select(mask, chosen, other):
    if isinstance(chosen, types.Integer):
        return lambda mask, chosen, other: select(mask, _splat(chosen), other)
    if isinstance(other, types.Integer):
        return lambda mask, chosen, other: select(mask, chosen, _splat(other))
    return lambda mask, chosen, other: _select(mask, chosen, other)


@overload(maximum)
def _overload_maximum(x, y):
    return lambda x, y: _select(x > y, x, y)


@overload(popcounts)
def _overload_popcounts(vector):
    return lambda vector: _popcounts(vector)


@overload(shifted_down)
def _overload_shifted_down(vector, n):
    return lambda vector, n: _shifted_down(vector, n)


@overload(first_greatest)
def _overload_first_greatest(vector):
    # The lane's number goes below the value, counted down so that the first lane is the greatest.
    return lambda vector: LANES - 1 - (_greatest(vector << 3 | from_bytes(_COUNT_DOWN)) & 7)


@overload(any_bit)
def _overload_any_bit(vector):
    return lambda vector: _any_bit(vector)


@overload(to_bytes)
def _overload_to_bytes(vector):
    return lambda vector: _to_bytes(vector)


@overload(from_bytes)
def _overload_from_bytes(word):
    return lambda word: _from_bytes(word)


@overload(pick)
def _overload_pick(low, high, row, places, places_row):
    return lambda low, high, row, places, places_row: _pick(low, high, row, places, places_row)
