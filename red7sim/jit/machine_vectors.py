"""The machine code of vectors: numba's types of them, and what each operation compiles to.

A vector of words is `<8 x i64>`, one of shorts `<8 x i16>`, and a mask `<8 x i1>` of LLVM's
portable code, which the compiler cuts to what the processor has. What an operation means is said in
`red7sim.jit.vectors`, where its name in kernels is defined.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

LANES = 8

_I8, _I32, _I64 = (ir.IntType(bits) for bits in (8, 32, 64))
_WORDS_32 = ir.VectorType(_I32, LANES)
_BYTES = ir.VectorType(_I8, LANES)


class VectorType(types.Type):
    """Numba's type of a vector of eight integers of some bits; a mask is one of single bits."""

    def __init__(self, name: str, bits: int) -> None:
        super().__init__(name=name)
        self.bits = bits
        self.lane = ir.IntType(bits)
        self.machine = ir.VectorType(self.lane, LANES)


words8, shorts8, mask8 = VectorType("words8", 64), VectorType("shorts8", 16), VectorType("mask8", 1)


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, fe_type.machine)


def _constant(value: int) -> ir.Constant:
    return ir.Constant(_I32, value)


def _spread(builder: Any, kind: VectorType, value: Any) -> Any:
    """Spread an int64 over all lanes of a vector."""
    undefined = ir.Constant(kind.machine, ir.Undefined)
    lane = builder.trunc(value, kind.lane)  # of the same width it is the value itself
    first = builder.insert_element(undefined, lane, _constant(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(_WORDS_32, [0] * LANES))


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, row: Any, kind: Any) -> Any:
    """Point at a row of eight elements of an array, as a vector in memory."""
    data = context.make_array(array_type)(context, builder, array).data
    start = builder.gep(data, [builder.shl(row, ir.Constant(_I64, 3))])
    return builder.bitcast(start, kind.machine.as_pointer())


def kind_of(array_type: Any) -> VectorType:
    """Return the type of vectors in an array."""
    return shorts8 if array_type.dtype == types.int16 else words8


def _splat(kind: VectorType) -> Any:
    @intrinsic
    def splat(_context: Any, value: Any) -> Any:
        return kind(types.int64), lambda context, builder, signature, args: _spread(
            builder, kind, args[0]
        )

    return splat


splat, short_splat = _splat(words8), _splat(shorts8)


@intrinsic
def splat_like(_context: Any, vector: Any, value: Any) -> Any:
    """Spread an integer over a vector of the kind of another."""
    return vector(vector, types.int64), lambda context, builder, signature, args: _spread(
        builder, vector, args[1]
    )


@intrinsic
def load_vector(_context: Any, array: Any, row: Any) -> Any:
    kind = kind_of(array)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        loaded = builder.load(_pointer(context, builder, signature.args[0], args[0], args[1], kind))
        loaded.align = kind.bits // 8
        return loaded

    return kind(array, types.int64), generate


@intrinsic
def store_vector(_context: Any, array: Any, row: Any, vector: Any) -> Any:
    kind = kind_of(array)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], args[0], args[1], kind)
        builder.store(args[2], pointer).align = kind.bits // 8
        return context.get_dummy_value()

    return types.void(array, types.int64, kind), generate


@intrinsic
def select(_context: Any, mask: Any, chosen: Any, other: Any) -> Any:
    return chosen(mask, chosen, chosen), lambda context, builder, signature, args: builder.select(
        *args
    )


@intrinsic
def popcounts(_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(vector.machine, [vector.machine])
        name = f"llvm.ctpop.v8i{vector.bits}"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return vector(vector), generate


@intrinsic
def shifted_down(_context: Any, vector: Any, n: Any) -> Any:
    return vector(vector, types.int64), lambda context, builder, signature, args: builder.lshr(
        args[0], _spread(builder, vector, args[1])
    )


@intrinsic
def greatest(_context: Any, vector: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(vector.lane, [vector.machine])
        name = f"llvm.vector.reduce.smax.v8i{vector.bits}"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.sext(builder.call(function, args), _I64)

    return types.int64(vector), generate


@intrinsic
def extract(_context: Any, vector: Any, lane: Any) -> Any:
    return types.int64(vector, types.int64), lambda context, builder, signature, args: builder.sext(
        builder.extract_element(*args), _I64
    )


@intrinsic
def to_bytes(_context: Any, vector: Any) -> Any:
    return types.int64(vector), lambda context, builder, signature, args: builder.bitcast(
        builder.trunc(args[0], _BYTES), _I64
    )


def _from_bytes(kind: VectorType) -> Any:
    @intrinsic
    def from_bytes(_context: Any, word: Any) -> Any:
        return kind(types.int64), lambda context, builder, signature, args: builder.zext(
            builder.bitcast(args[0], _BYTES), kind.machine
        )

    return from_bytes


from_bytes, shorts_from_bytes = _from_bytes(words8), _from_bytes(shorts8)


@intrinsic
def widened(_context: Any, vector: Any) -> Any:
    return words8(shorts8), lambda context, builder, signature, args: builder.sext(
        args[0], words8.machine
    )


@intrinsic
def mask_bits(_context: Any, mask: Any) -> Any:
    return types.int64(mask8), lambda context, builder, signature, args: builder.zext(
        builder.bitcast(args[0], _I8), _I64
    )


@intrinsic
def pick(_context: Any, table: Any, places: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        table, places = args
        where = builder.and_(places, ir.Constant(shorts8.machine, [LANES - 1] * LANES))
        picked = ir.Constant(shorts8.machine, ir.Undefined)
        # LLVM knows this pattern and makes one permutation of it where there is one.
        for lane in map(_constant, range(LANES)):
            element = builder.extract_element(table, builder.extract_element(where, lane))
            picked = builder.insert_element(picked, element, lane)
        return picked

    return shorts8(shorts8, shorts8), generate


@intrinsic
def invert(_context: Any, vector: Any) -> Any:
    return vector(vector), lambda context, builder, signature, args: builder.not_(args[0])


def binary(kind: VectorType, result: VectorType, instruction: Callable[..., Any]) -> Any:
    """Return the operation on two vectors of a kind that an instruction of the builder does."""

    @intrinsic
    def machine(_context: Any, x: Any, y: Any) -> Any:
        return result(kind, kind), lambda context, builder, signature, args: instruction(
            builder, *args
        )

    return machine
