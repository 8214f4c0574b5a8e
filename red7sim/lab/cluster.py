"""Runs played by the workers of a Dask scheduler, on this machine or on others.

A worker gets a run and index ranges, and sends counts. It plays only with the software that asks
for it, which every task names; players from outside are found by the worker itself, and the
fingerprint in their name (red7sim.play.outside) tells whether he has the same ones. A task that is
played again, because its worker has died, counts the same and is taken once.
"""

import asyncio
import logging
import pickle
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from importlib.metadata import version
from typing import Any, Final

from red7sim.game.refused import InputError
from red7sim.jit.cache import source_hash
from red7sim.jit.rng import STREAM_VERSION
from red7sim.lab.pieces import Answer, Playable, Task, hired, play_task
from red7sim.play.policy import PlayerError

try:
    import dask
    from distributed import Client, Future, KilledWorker, LocalCluster, Security
    from distributed.client import ClosedClientError
    from distributed.comm.core import connect
    from distributed.versions import VersionMismatchWarning
except ImportError as error:
    raise ImportError(
        "a cluster needs dask.distributed; install it with: pip install 'red7sim[cluster]'"
    ) from error

TASK_SECONDS: Final = 1.0
ANSWERS_A_SECOND: Final = 100
"""What one client takes in; where there are more workers, tasks take longer."""

MAX_RUN_BYTES: Final = 1 << 20
"""The largest run that is sent with every task."""

CONNECT_SECONDS: Final = 10
LOOK_SECONDS: Final = 10
"""How often it is looked whether there still are workers, while an answer keeps waiting."""

_ADDRESS: Final = re.compile(r"((tcp|tls)://)?([^\s:/]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})")

Software = dict[str, str]


class ClusterError(Exception):
    """Something about a cluster; the message says what."""


class UnreachableError(ClusterError):
    """There is no cluster to play on at the address, or not this run."""


class AddressError(UnreachableError, InputError):
    """What is given is no address."""


class MismatchError(ClusterError):
    """A scheduler or worker has another software, or cannot find a player."""


class LostError(ClusterError):
    """The scheduler or all workers have gone away, or one task has ended too many workers."""


class WorkerError(LostError):
    """A worker has met an error while it played; the message says which."""


@cache
def software() -> Software:
    """Return what has to be the same at both ends, by name."""
    return {
        "red7sim": version("red7sim"),
        "stream version": str(STREAM_VERSION),
        "kernel sources": source_hash(),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "distributed": version("distributed"),
    }


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Inside the block what its context asks for is played by the workers of a Dask scheduler.

        with cluster("tcp://192.168.1.5:8786"):
            red7sim.simulate("advanced", games=10**9).seats()

    Counts are those of any other machine. The context is that of `red7sim.lab.pieces.hired`.

    Raises
    ------
    UnreachableError
        Nothing answers at the address within CONNECT_SECONDS, or there are no workers.
    MismatchError
        Scheduler or workers have another version of red7sim, Python or dask.distributed; or, from
        inside the block, other players from outside.
    LostError
        From inside the block: the scheduler or the workers have gone away.
    """
    # What it says of lost connections, errors say in one line.
    with _muted("distributed.client"), closing(_connect(address)) as client:
        _require_same_software(client)
        with hired(partial(_Workers, client, address)):
            yield


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """Run a scheduler with workers of one thread on this machine, and yield its address."""
    # Dask's look at itself, fifty times a second in every process, took 10 % of a processor.
    with dask.config.set(
        {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}
    ):
        local = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # any free port
            memory_limit=0,
        )
    try:
        yield local.scheduler_address
    finally:
        with _muted("distributed.nanny"):  # workers that are slow to end are killed
            local.close()


def _connect(address: str) -> Client:
    found = _ADDRESS.fullmatch(str(address))
    if found is None or int(found[4]) >= 1 << 16:
        raise AddressError(
            f"cluster {address!r} is not an address; allowed: HOST:PORT, tcp://HOST:PORT or "
            "tls://HOST:PORT"
        )
    try:
        # Dask's client would wait for ever where something accepts that is no scheduler.
        with ThreadPoolExecutor(1) as executor:
            executor.submit(asyncio.run, _greet(address)).result()
        with warnings.catch_warnings():  # other versions are refused
            warnings.simplefilter("ignore", VersionMismatchWarning)
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception:  # whatever something else than a scheduler answers
        raise UnreachableError(
            f"no Dask scheduler answers at {address} within {CONNECT_SECONDS} s"
        ) from None
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        client.close()
        raise UnreachableError(f"the scheduler at {address} has no workers") from None
    return client


async def _greet(address: str) -> None:
    """Open a connection to a scheduler and close it."""
    security = Security().get_connection_args("client")
    opening = connect(address, timeout=CONNECT_SECONDS, **security)
    comm = await asyncio.wait_for(opening, CONNECT_SECONDS)
    await comm.close()


@contextmanager
def _muted(name: str) -> Iterator[None]:
    """Silence a log of Dask's."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _teller() -> Callable[[], Software | None]:
    """Return a function that tells the software of the process where it is called.

    It travels by value, so that a process with another red7sim can answer, or one without.
    """

    def tell() -> Software | None:
        from importlib import import_module  # noqa: PLC0415

        try:
            told: Software = import_module("red7sim.lab.cluster").software()
        except (ImportError, AttributeError):
            return None
        return told

    return tell


def _require_same_software(client: Client) -> None:
    try:
        found = {"the scheduler": client.run_on_scheduler(_teller())}
        found |= {f"worker {name}": told for name, told in client.run(_teller()).items()}
    except Exception as error:  # whatever another Python makes of the question
        raise MismatchError(f"the cluster does not tell its software: {error}") from None
    for who, theirs in found.items():
        _require_same(who, theirs, software())


def _require_same(who: str, theirs: Software | None, asked: Software) -> None:
    if theirs is None:
        raise MismatchError(
            f"{who} has no red7sim that can be asked; allowed: red7sim {asked['red7sim']} with its "
            "extra cluster"
        )
    others = [name for name in asked if theirs.get(name) != asked[name]]
    if others:
        raise MismatchError(
            f"{who} has {', '.join(f'{name} {theirs.get(name)}' for name in others)}, and "
            f"{', '.join(f'{name} {asked[name]}' for name in others)} is asked for; "
            "allowed: the same"
        )


class _Workers:
    """A crew of all threads of all workers that a scheduler has."""

    task_games = 1 << 40  # time and room set the size

    def __init__(self, client: Client, address: str, run: Playable) -> None:
        self._client = client
        self._address = address
        self._sent = pickle.dumps(run)
        if len(self._sent) > MAX_RUN_BYTES:
            raise UnreachableError(
                f"a run of {len(self._sent):,} bytes is not sent to a cluster; allowed: "
                f"{MAX_RUN_BYTES:,}, which means fewer deals"
            )
        self._open: set[Future[Any]] = set()
        self._answers = 0
        self._count_places()

    @property
    def task_seconds(self) -> float:
        return max(TASK_SECONDS, self.places / ANSWERS_A_SECOND)

    def submit(self, task: Task) -> Callable[[], Answer]:
        with self._connected():
            future = self._client.submit(play_sent, self._sent, task, software(), pure=False)
        self._open.add(future)
        return partial(self._wait, future)

    def close(self) -> None:
        with suppress(Exception):  # whoever has gone away needs no letting go
            self._client.cancel([*self._open])

    def _wait(self, future: Future[Any]) -> Answer:
        answer: Answer | None = None
        while answer is None:
            with suppress(TimeoutError), self._connected():
                answer = future.result(timeout=LOOK_SECONDS)
            if answer is None or self._answers % self.places == 0:
                self._count_places()
        self._open.remove(future)
        self._answers += 1
        return answer

    def _count_places(self) -> None:
        with self._connected():
            self.places: int = sum(self._client.nthreads().values())
        if self.places == 0:
            raise LostError(f"the scheduler at {self._address} has lost all its workers")

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Turn what Dask raises, when somebody has gone away, into LostError."""
        try:
            yield
        except TimeoutError:
            raise
        except (CancelledError, ClosedClientError, OSError):
            raise LostError(f"the scheduler at {self._address} is gone") from None
        except KilledWorker as error:
            raise LostError(f"one task has ended {error.allowed_failures + 1} workers") from None
        except (ImportError, AttributeError) as error:
            raise MismatchError(f"a worker cannot read what it is sent: {error}") from None


_desk = threading.local()
"""Of a thread of a worker: the run that it plays, and its table."""


def play_sent(sent: bytes, task: Task, asked: Software) -> Answer:
    """Play a task of a pickled run, in a worker.

    Raises
    ------
    MismatchError
        This is not the software asked for, or a player is not the same or not to be found here.
    WorkerError
        The task cannot be played.
    """
    _require_same("a worker", software(), asked)
    if getattr(_desk, "sent", None) != sent:
        _desk.sent = None
        _desk.run = pickle.loads(sent)
        try:
            _desk.table = _desk.run.table()
        except PlayerError as error:
            raise MismatchError(
                f"a worker finds players by itself, and has not found one of these: {error}"
            ) from None
        _desk.sent = sent
    try:
        return play_task(_desk.run, task, _desk.table)
    except Exception as error:
        # By its own name, lest it be taken for one of the connection.
        raise WorkerError(f"a worker has failed: {type(error).__name__}: {error}") from error
