"""The one way in which this package compiles kernels."""

import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba.core.errors import NumbaExperimentalFeatureWarning

from red7sim.jit.cache import cache_folder, keep_compiled

# Players are called through first-class functions; numba calls that feature experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def kernel(
    function: Callable[..., Any], signature: Any = None, *, cached: bool = True, **options: Any
) -> Any:
    """Compile a function: cached on disk, without the GIL; a division by zero does not raise.

    Compiled at once for a numba `signature`, otherwise on the first call.
    """
    compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if compiled is function:  # numba is told by NUMBA_DISABLE_JIT to compile nothing
        return function
    folder = cache_folder() if cached else None
    if folder is not None:
        keep_compiled(compiled, folder)
    if signature is not None:
        compiled.compile(signature)
        compiled.disable_compile()
    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """Like `kernel`, for the few small functions where a benchmark shows that inlining pays."""
    return kernel(function, inline="always")
