"""`red7sim cluster local`: a scheduler with workers on this machine, to try --cluster on."""

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing.resource_tracker import ensure_running
from signal import SIGINT, SIGTERM
from socket import socketpair
from typing import Annotated

from red7sim.cli.cluster_options import require_dask
from red7sim.cli.options import number_option
from red7sim.cli.output import message
from red7sim.cli.refusals import UsageError

MAX_WORKERS = 1024


def local(
    workers: Annotated[
        int | None,
        number_option("--workers", "Worker processes, each with one thread.", "one per processor"),
    ] = None,
) -> None:
    """Start a scheduler with workers on this machine; Ctrl-C stops them.

    It can be reached from this machine only.
    """
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise UsageError(f"--workers {workers} is not allowed; allowed: 1..{MAX_WORKERS}")
    require_dask()
    from red7sim.lab.cluster import local_cluster
    from red7sim.lab.pieces import available_threads

    count = workers or available_threads()
    with _told_to_end() as wait, ExitStack() as running:
        with _unheard():
            address = running.enter_context(local_cluster(count))
        print(f"A scheduler with {count} workers: {address}")
        print(f"Let them play: red7sim simulate --cluster {address}", flush=True)
        message("Ctrl-C ends them.")
        wait()


@contextmanager
def _told_to_end() -> Iterator[Callable[[], object]]:
    """Catch Ctrl-C and SIGTERM, and yield the function that waits for one of them."""
    ear, mouth = socketpair()
    mouth.setblocking(False)
    # Whichever thread gets a signal, a byte is written.
    before = signal.set_wakeup_fd(mouth.fileno())
    handlers = {number: signal.signal(number, _heed) for number in (SIGINT, SIGTERM)}
    try:
        yield partial(ear.recv, 1)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before)
        ear.close()
        mouth.close()


def _heed(_signal: int, _frame: object) -> None:
    """Do nothing: the byte that is written for the signal does it."""


@contextmanager
def _unheard() -> Iterator[None]:
    """Block Ctrl-C for threads and processes that are started inside: a terminal sends it to all,
    and only this thread shall heed it.
    """
    ensure_running()  # or else it is started by the thread that starts workers, and unblocks
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
