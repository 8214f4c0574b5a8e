"""Kernels on disk: loaded if they are whole, compiled anew if they are not."""

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest

from red7sim.jit import cache
from red7sim.jit.cache import keep_compiled
from red7sim.jit.settings import kernel

pytestmark = pytest.mark.compiled


def cubed(number: int) -> int:
    return number * number * number


def loaded(folder: Path) -> bool:
    """Use the kernel as a new process would; tell whether it was loaded, and not compiled."""
    fresh = numba.njit(cubed)
    keep_compiled(fresh, folder)
    assert fresh(3) == 27
    hits, misses = (sum(counts.values()) for counts in (fresh._cache_hits, fresh._cache_misses))
    assert hits + misses == 1
    return hits == 1


def files(folder: Path, ending: str) -> list[Path]:
    found = [*folder.rglob(f"*.{ending}")]
    assert found
    return found


def printed(script: str, folder: Path) -> str:
    """Run a script in a process that keeps its kernels in the folder; return what it prints."""
    answer = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {cache.CACHE_VARIABLE: str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return answer.stdout.strip()


def test_the_second_process_loads_what_the_first_has_compiled(tmp_path: Path) -> None:
    assert [loaded(tmp_path) for _ in range(3)] == [False, True, True]


def test_who_asked_is_told_once_before_anything_is_compiled(tmp_path: Path) -> None:
    told: list[str] = []
    cache.before_compiling(lambda: told.append("compiling"))
    loaded(tmp_path)
    loaded(tmp_path / "elsewhere")
    assert told == ["compiling"]
    cache.before_compiling(lambda: told.append("again"))
    loaded(tmp_path)
    assert told == ["compiling"]
    cache._KernelCache.tell = None


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(place: int) -> object:
    return lambda c: c[:place] + bytes([c[place] ^ 4]) + c[place + 1 :]


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "change",
    [lambda _: b"", lambda _: b"junk", cut, lambda c: c + b"\0", *map(flipped, (5, 99, -40, -1))],
)
def test_a_file_that_is_not_whole_is_compiled_anew(tmp_path: Path, ending: str, change) -> None:
    loaded(tmp_path)
    for path in files(tmp_path, ending):
        path.write_bytes(change(path.read_bytes()))
    assert [loaded(tmp_path) for _ in range(2)] == [False, True]


def test_a_missing_file_is_compiled_anew(tmp_path: Path) -> None:
    loaded(tmp_path)
    for path in files(tmp_path, "nbc"):
        path.unlink()
    assert [loaded(tmp_path) for _ in range(2)] == [False, True]


def test_a_full_disk_costs_no_more_than_the_next_compilation(tmp_path: Path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    assert [loaded(tmp_path) for _ in range(2)] == [False, False]
    monkeypatch.undo()
    assert not [*tmp_path.rglob("*.tmp.*")]
    assert [loaded(tmp_path) for _ in range(2)] == [False, True]


def test_the_settings_of_a_users_own_kernels_stay(tmp_path: Path) -> None:
    before = cache.numba_config.CACHE_DIR
    keep_compiled(numba.njit(cubed), tmp_path)
    assert before == cache.numba_config.CACHE_DIR


def test_the_settings_stay_when_two_threads_begin_at_once(tmp_path: Path, monkeypatch) -> None:
    make, begun = cache._KernelCache.__init__, threading.Event()

    def make_slowly(self: cache._KernelCache, function: Callable[[int], int]) -> None:
        make(self, function)
        begun.set()
        time.sleep(0.1)

    monkeypatch.setattr(cache._KernelCache, "__init__", make_slowly)
    before = cache.numba_config.CACHE_DIR
    with ThreadPoolExecutor(2) as threads:
        threads.submit(keep_compiled, numba.njit(cubed), tmp_path)
        begun.wait()
        threads.submit(keep_compiled, numba.njit(cubed), tmp_path)
    assert before == cache.numba_config.CACHE_DIR


def test_a_kernel_with_a_signature_is_compiled_at_once_and_for_it_alone() -> None:
    compiled = kernel(cubed, numba.int64(numba.int64))
    assert len(compiled.signatures) == 1
    with pytest.raises(TypeError):
        compiled("three")


def test_where_no_folder_can_be_written_kernels_are_not_kept(monkeypatch) -> None:
    monkeypatch.setenv(cache.CACHE_VARIABLE, "/proc/none")
    cache.cache_folder.cache_clear()
    try:
        assert cache.cache_folder() is None
        assert kernel(cubed)(3) == 27
    finally:
        cache.cache_folder.cache_clear()


def test_other_options_of_the_compiler_have_another_folder(monkeypatch) -> None:
    cache.cache_folder.cache_clear()
    plain = cache.cache_folder()
    other = not cache.numba_config.BOUNDSCHECK
    monkeypatch.setattr(cache.numba_config, "BOUNDSCHECK", other)
    cache.cache_folder.cache_clear()
    try:
        assert cache.cache_folder() != plain
    finally:
        cache.cache_folder.cache_clear()


RECORDS_FIRST = """
import numpy as np
from red7sim.game.turns import set_palette
from red7sim.game.view import VIEW
view = np.zeros(1, VIEW).view(np.recarray)[0]
set_palette(view, 1, 5)
assert view.palettes[1] == 5
(hits,) = set_palette._cache_hits.values() or (0,)
print(hits)
"""


def test_a_kernel_from_the_cache_may_be_the_first_thing_that_a_process_uses(tmp_path: Path) -> None:
    for hits in ("0", "1"):
        assert printed(RECORDS_FIRST, tmp_path) == hits


KNOWN_TYPES = """
from numba.core.typing.typeof import typeof_impl
from red7sim import make_run, match
before = len(typeof_impl.registry)
run = make_run("basic", "leads+no-rule:blue", 2)
match(run, run, games=1)
print(len(typeof_impl.registry) - before)
"""


def test_numba_learns_no_type_while_kernels_from_the_cache_play(tmp_path: Path) -> None:
    """Learning one in a thread breaks the look-up of types in the others, now and then."""
    for _ in ("compiled", "loaded"):
        assert printed(KNOWN_TYPES, tmp_path) == "0"


def test_kernels_that_nobody_uses_are_forgotten(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path))
    now = time.time()
    for name, days in (("0" * 16 + "-abcd", 29), ("1" * 16 + "-abcd", 31), ("of the user", 99)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "kernel.nbc").touch()
        os.utime(folder, (now, now - days * 24 * 3600))
    mine = cache.cache_folder.__wrapped__()
    assert mine is not None
    kept = {mine.name, "0" * 16 + "-abcd", "of the user"}
    assert {folder.name for folder in tmp_path.iterdir()} == kept
    os.utime(mine, (now, now - 31 * 24 * 3600))
    assert cache.cache_folder.__wrapped__() == mine
    assert mine.stat().st_mtime >= now - 1
