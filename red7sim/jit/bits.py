"""Bit operations on sets, which are int64 masks.

Every function has a plain-Python meaning, used when numba is switched off and by the tests, and
beside it the machine operation that a kernel gets. Masks are non-negative.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core import config as numba_config
from numba.core.codegen import get_host_cpu_features
from numba.extending import intrinsic, overload

from red7sim.jit.settings import kernel

_I64 = ir.IntType(64)


def popcount(mask: int) -> int:
    """Return the number of set bits."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """Return the index of the lowest set bit; 64 for an empty mask."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1 if mask else 64


def highest(mask: int) -> int:
    """Return the index of the highest set bit; -1 for an empty mask."""
    return int(mask).bit_length() - 1


def nth(n: int, mask: int) -> int:
    """Return the index of the n-th set bit (n = 0 is the lowest); there must be one."""
    mask = int(mask)
    for _ in range(int(n)):
        mask &= mask - 1
    return lowest(mask)


def nth_bit(n: int, mask: int) -> int:
    """Return the n-th set bit (n = 0 is the lowest) as a mask; there must be one."""
    return 1 << nth(n, mask)


def drop_lowest(mask: int) -> int:
    """Return the mask without its lowest set bit: the step of every walk over a mask."""
    return mask & (mask - 1)


@intrinsic
def _ctpop(_context: Any, _mask: Any) -> Any:
    return types.int64(types.int64), lambda c, b, s, args: b.ctpop(args[0])


@intrinsic
def _cttz(_context: Any, _mask: Any) -> Any:
    return types.int64(types.int64), lambda c, b, s, args: b.cttz(
        args[0], ir.Constant(ir.IntType(1), 0)
    )


@intrinsic
def _ctlz(_context: Any, _mask: Any) -> Any:
    return types.int64(types.int64), lambda c, b, s, args: b.ctlz(
        args[0], ir.Constant(ir.IntType(1), 0)
    )


# SELECT_IN_BYTE[byte * 8 + n]: index of the n-th set bit of a byte.
_SELECT_IN_BYTE = np.array(
    [nth(n, byte) if n < byte.bit_count() else 0 for byte in range(256) for n in range(8)],
    dtype=np.int64,
)


@kernel
def find_in_bytes(number, ends):
    """Find a number in eight bins: return the bin, and which number of the bin it is.

    `ends` holds the numbers' ends as bytes, bin 0 lowest: bin i has those from end i-1 up to, not
    including, end i. Ends do not fall and are below 128, `number` is below the last one.
    """
    # A byte of `behind` is 0x80 where the bin ends at or before the number; never the last one.
    flags = 0x0080808080808080
    behind = (number * 0x0001010101010101 | flags) - (ends & 0x00FFFFFFFFFFFFFF) & flags
    place = popcount(behind)
    return place, number - (ends << 8 >> 8 * place & 0xFF)


@kernel
def _nth_portable(n, mask):
    """Select by byte: prefix sums of the bytes' counts, then a table."""
    counts = mask - ((mask >> 1) & 0x5555555555555555)
    counts = (counts & 0x3333333333333333) + ((counts >> 2) & 0x3333333333333333)
    counts = (counts + (counts >> 4)) & 0x0F0F0F0F0F0F0F0F
    sums = counts * 0x0101010101010101
    byte, rest = find_in_bytes(n, sums)
    return 8 * byte + _SELECT_IN_BYTE[(mask >> 8 * byte & 0xFF) << 3 | rest]


@intrinsic
def _pdep(_context: Any, _n: Any, _mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_I64, [_I64, _I64]), "llvm.x86.bmi.pdep.64"
        )
        bit = builder.shl(ir.Constant(_I64, 1), args[0])
        return builder.call(function, [bit, args[1]])

    return types.int64(types.int64, types.int64), generate


def has_pdep() -> bool:
    """Tell whether the processor that numba compiles for has the BMI2 instruction `pdep`."""
    chosen = numba_config.CPU_FEATURES
    features = get_host_cpu_features() if chosen is None else chosen
    return "+bmi2" in features.split(",")


@overload(popcount)
def _popcount(mask):
    return lambda mask: _ctpop(mask)


@overload(lowest)
def _lowest(mask):
    return lambda mask: _cttz(mask)


@overload(highest)
def _highest(mask):
    return lambda mask: 63 - _ctlz(mask)


@overload(nth)
def _nth(n, mask):
    if has_pdep():
        return lambda n, mask: _cttz(_pdep(n, mask))
    return lambda n, mask: _nth_portable(n, mask)


@overload(nth_bit)
def _nth_bit(n, mask):
    if has_pdep():
        return lambda n, mask: _pdep(n, mask)
    return lambda n, mask: 1 << _nth_portable(n, mask)


@overload(drop_lowest)
def _drop_lowest(mask):
    return lambda mask: mask & (mask - 1)
