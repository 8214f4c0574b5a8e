"""Calls of compiled functions by their addresses.

Numba can take functions as arguments, but looks up type and address of each at every call from
Python: half a millisecond for the players of a table. An array of addresses costs nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher


def addresses_of(functions: Sequence[Any], signature: Any) -> Any:
    """Return the addresses of functions compiled for a signature, as an array of uint64; with numba
    switched off the functions themselves, as a tuple.

    They hold as long as the compiled functions exist.
    """
    if not all(isinstance(function, Dispatcher) for function in functions):
        return tuple(functions)
    return np.array([_address(function, signature) for function in functions], dtype=np.uint64)


def _address(function: Any, signature: Any) -> int:
    compiled = function.get_compile_result(signature)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def call_of(signature: Any) -> Callable[..., Any]:
    """Return what an intrinsic generates whose arguments are an address and those of a function of
    this signature: its call.
    """

    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        convention = context.call_conv
        kind = convention.get_function_type(signature.return_type, signature.args)
        function = builder.inttoptr(args[0], kind.as_pointer())
        _, result = convention.call_function(
            builder, function, signature.return_type, signature.args, args[1:]
        )
        return result

    return generate
