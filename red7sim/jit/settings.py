"""The one way in which this package compiles kernels.

Kernels are cached on disk between processes. Numba decides whether a cached kernel is still
good by looking at the file that defines it, not at the files that it calls; so the cache folder
is named after a hash of every source file of the wings that hold kernels, and an edit anywhere
in them starts afresh.
"""

import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numba.core.config as numba_config
from numba.core.errors import NumbaExperimentalFeatureWarning

# Players are called through first-class functions; numba calls that feature experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

CACHE_VARIABLE = "RED7SIM_CACHE_DIR"
KERNEL_WINGS = ("jit", "game", "play")
"""The wings of the package that may define kernels."""


@cache
def source_hash() -> str:
    """Return 16 hex digits that change with any source file of the wings that hold kernels."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(numba.__version__.encode())
    for wing in KERNEL_WINGS:
        for path in sorted((package / wing).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder that holds the caches of all versions of the package."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "red7sim"


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled kernels, created; None where none can be written."""
    try:
        folder = cache_root() / source_hash()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        return None


def is_cached() -> bool:
    """Tell whether an earlier process has left compiled kernels for these sources."""
    folder = cache_folder()
    return folder is not None and any(folder.rglob("*.nbi"))


def kernel(
    function: Callable[..., Any], signature: Any = None, *, cached: bool = True, **options: Any
) -> Any:
    """Compile a function: cached on disk, without the GIL, without exceptions.

    Compiled at once for a numba `signature`, otherwise on the first call.
    """
    folder = cache_folder() if cached else None
    before = numba_config.CACHE_DIR
    # Read when a function is decorated; restored so that a user's own kernels stay theirs.
    numba_config.CACHE_DIR = str(folder) if folder else before
    try:
        return numba.njit(
            signature, cache=folder is not None, nogil=True, error_model="numpy", **options
        )(function)
    finally:
        numba_config.CACHE_DIR = before


def inlined(function: Callable[..., Any]) -> Any:
    """Like `kernel`, for the few small functions where a benchmark shows that inlining pays."""
    return kernel(function, inline="always")
