"""Settings for all tests: hypothesis without a deadline, and the bridge to the slow twin."""

import os
import signal
from collections.abc import Generator
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("red7sim", deadline=None, max_examples=200, print_blob=True)
settings.load_profile("red7sim")
settings.register_profile(
    "fuzz", settings.get_profile("red7sim"), max_examples=100_000, suppress_health_check=HealthCheck
)

# Files that take minutes; in parallel runs nobody should begin one of them last.
LONGEST = ("test_engine.py", "test_vector_engine.py", "test_printed_examples.py", "test_options.py")


UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Kernels are plain Python, some hundred times slower."""

PATIENCE = 10
"""Seconds of the processor that a test may take in plain Python before it is left out."""

if UNCOMPILED:
    settings.register_profile(
        "few", settings.get_profile("red7sim"), max_examples=3, suppress_health_check=HealthCheck
    )
    settings.load_profile("few")


def pytest_configure(config: pytest.Config) -> None:
    """Let numbers wrap in plain Python, as they do in kernels; numpy warns of it."""
    if UNCOMPILED:
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered:RuntimeWarning")
        # Where a garbage collection is under way when the patience ends; it ends again soon.
        config.addinivalue_line("filterwarnings", "ignore::pytest.PytestUnraisableExceptionWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files; leave out what is about compiling when nothing is compiled."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
    for item in items:
        if UNCOMPILED and item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip(reason="nothing is compiled"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Leave out the tests of a fixture that takes too long in plain Python."""
    return (yield from _patiently())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Leave out a test that takes too long in plain Python."""
    return (yield from _patiently())


def _patiently() -> Generator[None, object, object]:
    if UNCOMPILED:
        signal.signal(signal.SIGPROF, _give_up)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE, 1)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _give_up(_signal: int, _frame: object) -> NoReturn:
    pytest.skip(f"takes more than {PATIENCE} s in plain Python")
