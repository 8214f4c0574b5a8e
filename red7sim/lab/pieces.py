"""Index ranges cut into pieces, and the crew that plays them.

A piece is a pure function of what is played and an index range, and counts add; so it changes no
count who plays, how much at a time, and how many at once. That is why the crew is ambient: threads
of this process, unless a `with hired(...)` block says otherwise.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Protocol

from red7sim.lab.ledger import BLOCK_GAMES, Piece
from red7sim.play.record import Rounds, checksum
from red7sim.play.tally import Tally

Cut = tuple[int, int]
"""An index range: the first index and the end."""

FIRST_TASK: Final = 64
"""Games of the first tasks, before anything is known about their time."""

TASK_BYTES: Final = 1 << 23
"""What the answer to a task takes at most, about."""

_THREAD_SECONDS: Final = 0.05


class Table(Protocol):
    """Plays ranges of games, or of deals, and counts them; it serves one thread at a time."""

    def play_block(self, seed: int, first_game: int, games: int, tally: Tally, /) -> Rounds | None:
        """Play a range and add it to the tally; return the records of its rounds, if any."""


class Playable(Protocol):
    """What can be played in pieces: a run, or runs against each other."""

    @property
    def seed(self) -> int:
        """Seed of all chance."""

    def empty_tally(self) -> Tally:
        """Return a tally of nothing."""

    def table(self) -> Table:
        """Return a new table to play at, for one thread."""


@dataclass(frozen=True)
class Task:
    """Adjacent index ranges, each in one block, to be played one after the other.

    Attributes
    ----------
    summed
        Whether the counts are wanted all together, and not apart by range.
    """

    cuts: Sequence[Cut]
    summed: bool


@dataclass(frozen=True)
class Answer:
    """The pieces of a task, and the seconds that it took to play them."""

    pieces: list[Piece]
    seconds: float


class Crew(Protocol):
    """Plays tasks of one run, several at once.

    Attributes
    ----------
    places
        How many tasks are played at once; it may change.
    task_seconds
        How long a task should take.
    task_games
        How many games a task has at most.
    """

    @property
    def places(self) -> int: ...  # noqa: D102

    @property
    def task_seconds(self) -> float: ...  # noqa: D102

    @property
    def task_games(self) -> int: ...  # noqa: D102

    def submit(self, task: Task) -> Callable[[], Answer]:
        """Have a task played; the function returned waits for the answer."""

    def close(self) -> None:
        """Let go of tasks that have not begun, and end."""


_hire: ContextVar[Callable[[Playable], Crew] | None] = ContextVar("hire", default=None)


@contextmanager
def hired(hire: Callable[[Playable], Crew]) -> Iterator[None]:
    """Inside the block everything is played by the crews that `hire` returns.

    That holds for the context that has entered it: for its thread, and for what copies the context
    inside the block, as tasks of asyncio do; not for other threads, also those started inside.
    """
    token = _hire.set(hire)
    try:
        yield
    finally:
        _hire.reset(token)


def is_hired() -> bool:
    """Tell whether another crew plays than threads of this process."""
    return _hire.get() is not None


def available_threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def prepare(run: Playable) -> None:
    """Compile everything that a run needs, or load it from the cache of an earlier process."""
    run.table()


def play_piece(run: Playable, first: int, end: int, table: Table | None = None) -> Piece:
    """Play the games `first` .. `end - 1`, all of one block, in this thread; at a table of the run
    that no other thread uses, or else at a new one.
    """
    tally = run.empty_tally()
    rows = (table or run.table()).play_block(run.seed, first, end - first, tally)
    return Piece(first, end - first, tally, 0 if rows is None else int(checksum(rows)), rows)


def play_task(run: Playable, task: Task, table: Table) -> Answer:
    """Play a task in this thread, at a table of the run that no other thread uses."""
    start = time.perf_counter()
    if task.summed:
        tally = run.empty_tally()
        for first, end in task.cuts:
            table.play_block(run.seed, first, end - first, tally)
        first, end = task.cuts[0][0], task.cuts[-1][1]
        pieces = [Piece(first, end - first, tally)]
    else:
        pieces = [play_piece(run, *cut, table) for cut in task.cuts]
    return Answer(pieces, time.perf_counter() - start)


def play_pieces(
    run: Playable,
    ranges: Sequence[Cut],
    threads: int | None = None,
    block_games: int = BLOCK_GAMES,
    progress: Callable[[int], None] | None = None,
    *,
    summed: bool = False,
) -> Generator[Piece]:
    """Yield index ranges of a run in pieces, in their order, as they are played.

    Parameters as for `red7sim.lab.runs.play`. Pieces do not cross blocks unless they may come
    `summed`; then they have no rounds. Close the iterator to stop early.
    """
    prepare(run)
    hire = _hire.get()
    crew = hire(run) if hire else _Threads(run, threads or available_threads(), block_games)
    pace = _Pace(crew)
    waiting: deque[Callable[[], Answer]] = deque()
    with closing(crew):
        for first, end in ranges:
            for cut in _tasks(first, end, block_games, pace):
                cuts = [*_at_blocks(*cut, block_games)]
                waiting.append(crew.submit(Task(cuts, summed)))
                if len(waiting) > 2 * crew.places:
                    yield from _next(waiting, pace, progress)
        while waiting:
            yield from _next(waiting, pace, progress)


def play_total(
    run: Playable,
    first: int,
    end: int,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    block_games: int = BLOCK_GAMES,
) -> Tally:
    """Play the games `first` .. `end - 1` of a run and return their counts.

    Parameters as for `red7sim.lab.runs.play`.
    """
    total = run.empty_tally()
    played = play_pieces(run, [(first, end)], threads, block_games, progress, summed=True)
    with closing(played) as pieces:
        for piece in pieces:
            total += piece.tally
    return total


def scaled(progress: Callable[[int], None] | None, factor: int) -> Callable[[int], None] | None:
    """Return a progress callback, if there is one, that counts `factor` games for each unit."""
    return None if progress is None else lambda units: progress(units * factor)


class _Threads:
    """A crew of threads. Each has a table of its own, so that its tasks share their memory."""

    task_seconds = _THREAD_SECONDS

    def __init__(self, run: Playable, threads: int, block_games: int) -> None:
        self.places = threads
        self.task_games = block_games
        self._run = run
        self._own = threading.local()
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="red7sim")

    def submit(self, task: Task) -> Callable[[], Answer]:
        return self._executor.submit(self._play, task).result

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)

    def _play(self, task: Task) -> Answer:
        if not hasattr(self._own, "table"):
            self._own.table = self._run.table()
        return play_task(self._run, task, self._own.table)


class _Pace:
    """Chooses the size of the next task by the time and the room that the last ones took."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._size = FIRST_TASK

    def size(self, left: int, block_games: int) -> int:
        """Return how many of the games that are left the next task should have.

        Towards the end tasks become as small as a block, so that all places end together.
        """
        share = max(block_games, left // (2 * self._crew.places))
        return min(self._size, self._crew.task_games, share, left)

    def learn(self, answer: Answer) -> None:
        games = sum(piece.games for piece in answer.pieces)
        room = sum(_bytes_of(piece) for piece in answer.pieces)
        by_time = int(games * self._crew.task_seconds / max(answer.seconds, 1e-6))
        by_room = games * TASK_BYTES // room
        self._size = max(1, min(by_time, by_room, 4 * self._size))


def _bytes_of(piece: Piece) -> int:
    return piece.tally.nbytes + (0 if piece.rows is None else piece.rows.nbytes)


def _tasks(first: int, end: int, block_games: int, pace: _Pace) -> Iterator[Cut]:
    """Cut a range into tasks; one that reaches the end of a block ends with a block."""
    while first < end:
        stop = first + pace.size(end - first, block_games)
        edge = stop - stop % block_games
        if first < edge:
            stop = edge
        yield first, stop
        first = stop


def _at_blocks(first: int, end: int, block_games: int) -> Iterator[Cut]:
    while first < end:
        stop = min(end, first - first % block_games + block_games)
        yield first, stop
        first = stop


def _next(
    waiting: deque[Callable[[], Answer]], pace: _Pace, progress: Callable[[int], None] | None
) -> Iterator[Piece]:
    answer = waiting.popleft()()
    pace.learn(answer)
    for piece in answer.pieces:
        if progress:
            progress(piece.games)
        yield piece
