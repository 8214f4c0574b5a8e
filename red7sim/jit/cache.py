"""Compiled kernels on disk, kept between processes: taken if they are whole, or else made anew.

Numba decides whether a cached kernel is still good by looking at the file that defines it, not at
the files that it calls, and not at how it was told to compile; so the cache folder is named after a
hash of every source file of the wings that hold kernels, and of numba's options. Numba trusts what
it finds there; so each file ends with the SHA-256 of what stands before it, and one that does not
is no kernel.
"""

import hashlib
import io
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numba
import numba.core.config as numba_config

# Adds to numba's table of types. Left alone, a kernel from the cache imports it on its first call
# with a function, in whichever thread that is, while others read that table.
import numba.experimental.function_type
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime import rtsys

CACHE_VARIABLE = "RED7SIM_CACHE_DIR"
KERNEL_WINGS = ("jit", "game", "play")
"""The wings of the package that may define kernels."""

_OPTIONS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX")
"""Settings of numba that make other machine code of the same sources."""

_DIGEST_BYTES = 32

_cache_dir = threading.Lock()
"""Held while numba's setting of the cache folder is another one than the user's."""

_FOLDER = re.compile("[0-9a-f]{16}-[0-9a-f]{4}")
_KEPT_SECONDS = 30 * 24 * 3600


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
        options = repr([getattr(numba_config, name, None) for name in _OPTIONS])
        name = f"{source_hash()}-{hashlib.sha256(options.encode()).hexdigest()[:4]}"
        folder = cache_root() / name
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)
            if new:
                _forget_unused(folder)
            return folder
    except (OSError, RuntimeError):
        return None


def _forget_unused(used: Path) -> None:
    """Remove kernels beside those just asked for that no process has asked for in a long time."""
    oldest = used.stat().st_mtime - _KEPT_SECONDS
    for folder in used.parent.iterdir():
        with suppress(OSError):  # another process may be quicker
            if _FOLDER.fullmatch(folder.name) and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)


def before_compiling(tell: Callable[[], None]) -> None:
    """Have a function called once: before a kernel is compiled that is not in the cache folder."""
    _KernelCache.tell = tell


def keep_compiled(dispatcher: Any, folder: Path) -> None:
    """Have a kernel that is not compiled yet taken from a cache folder, and kept there."""
    with _cache_dir:
        before = numba_config.CACHE_DIR
        # Read when a cache is made; restored so that a user's own kernels stay theirs.
        numba_config.CACHE_DIR = str(folder)
        try:
            dispatcher._cache = _KernelCache(dispatcher.py_func)
        finally:
            numba_config.CACHE_DIR = before


class _KernelCache(FunctionCache):
    """The kernels of one function, all its signatures; without it they are compiled each time."""

    tell: ClassVar[Callable[[], None] | None] = None

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file.__class__ = _WholeFiles

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return a kernel, None if it has to be compiled."""
        # Not by the base class, which begins by loading all that numba can compile: a seventh of
        # the start of a process. What is compiled needs nothing of it but the runtime.
        rtsys.initialize(target)
        found = self._load_overload(signature, target)
        if found is None and (tell := _KernelCache.tell) is not None:
            _KernelCache.tell = None
            tell()
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a kernel, unless the disk refuses it."""
        with suppress(OSError):
            super().save_overload(signature, compiled)


class _WholeFiles(IndexDataCacheFile):
    """The files of a cache; those that are not whole count as absent."""

    def _load_index(self) -> dict[Any, str]:
        return super()._load_index() if _is_whole(self._index_path) else {}

    def load(self, key: Any) -> Any:
        try:
            name = self._load_index().get(key)
            return self._load_data(name) if name and _is_whole(self._data_path(name)) else None
        except OSError:  # gone since it was looked at
            return None

    @contextmanager
    def _open_for_write(self, path: str) -> Iterator[io.BytesIO]:
        written = io.BytesIO()
        yield written
        content = written.getvalue()
        with super()._open_for_write(path) as file:
            file.write(content + hashlib.sha256(content).digest())


def _is_whole(path: str) -> bool:
    try:
        content = Path(path).read_bytes()
    except OSError:
        return False
    end = len(content) - _DIGEST_BYTES
    return hashlib.sha256(content[:end]).digest() == content[end:]
