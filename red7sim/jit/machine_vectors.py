"""The machine code of vectors: numba's types of them, and what each operation compiles to.

A vector is `<8 x i64>` and a mask `<8 x i1>` of LLVM's portable code, which the compiler cuts to
what the processor has. What an operation means is said in `red7sim.jit.vectors`, where its name
in kernels is defined.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

LANES = 8

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
def splat(_context: Any, value: Any) -> Any:
    return vector8(types.int64), lambda context, builder, signature, args: _spread(builder, args[0])


@intrinsic
def load_vector(_context: Any, array: Any, row: Any) -> Any:
    narrow = array.dtype.bitwidth == 32

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = _WORDS_32 if narrow else _VECTOR
        loaded = _load(context, builder, signature.args[0], args[0], args[1], kind)
        return builder.sext(loaded, _VECTOR) if narrow else loaded

    return vector8(array, types.int64), generate


@intrinsic
def store_vector(_context: Any, array: Any, row: Any, vector: Any) -> Any:
    narrow = array.dtype.bitwidth == 32

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = _WORDS_32 if narrow else _VECTOR
        value = builder.trunc(args[2], kind) if narrow else args[2]
        pointer = _pointer(context, builder, signature.args[0], args[0], args[1], kind)
        builder.store(value, pointer).align = array.dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.void(array, types.int64, vector8), generate


@intrinsic
def select(_context: Any, mask: Any, chosen: Any, other: Any) -> Any:
    return vector8(
        mask8, vector8, vector8
    ), lambda context, builder, signature, args: builder.select(*args)


@intrinsic
def popcounts(_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.ctpop.v8i64")
        return builder.call(function, args)

    return vector8(vector8), generate


@intrinsic
def shifted_down(_context: Any, vector: Any, n: Any) -> Any:
    return vector8(vector8, types.int64), lambda context, builder, signature, args: builder.lshr(
        args[0], _spread(builder, args[1])
    )


@intrinsic
def greatest(_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_VECTOR])
        name = "llvm.vector.reduce.smax.v8i64"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return types.int64(vector8), generate


@intrinsic
def extract(_context: Any, vector: Any, lane: Any) -> Any:
    return types.int64(
        vector8, types.int64
    ), lambda context, builder, signature, args: builder.extract_element(*args)


@intrinsic
def any_bit(_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_VECTOR])
        name = "llvm.vector.reduce.or.v8i64"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return types.int64(vector8), generate


@intrinsic
def to_bytes(_context: Any, vector: Any) -> Any:
    return types.int64(vector8), lambda context, builder, signature, args: builder.bitcast(
        builder.trunc(args[0], _BYTES), _I64
    )


@intrinsic
def from_bytes(_context: Any, word: Any) -> Any:
    return vector8(types.int64), lambda context, builder, signature, args: builder.zext(
        builder.bitcast(args[0], _BYTES), _VECTOR
    )


@intrinsic
def pick(_context: Any, low: Any, high: Any, row: Any, places: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        low, high, row, places = args
        where = builder.trunc(places, _WORDS_32)
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

    return vector8(low, high, types.int64, vector8), generate


@intrinsic
def invert(_context: Any, vector: Any) -> Any:
    return vector8(vector8), lambda context, builder, signature, args: builder.not_(args[0])


def binary(result: Any, instruction: Callable[..., Any]) -> Any:
    """Return the operation on two vectors that an instruction of the builder does."""

    @intrinsic
    def machine(_context: Any, x: Any, y: Any) -> Any:
        return result(vector8, vector8), lambda context, builder, signature, args: instruction(
            builder, *args
        )

    return machine
