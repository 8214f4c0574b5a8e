"""A run: what is played, cut into pieces, played by any number of threads, counted.

A piece of a run is a pure function of the run and an index range, and counts add; so the number of
threads, the sizes of the pieces and the order in which they finish change nothing.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from red7sim.game.ruleset import MAX_PLAYERS, MIN_PLAYERS, Ruleset
from red7sim.jit.rng import STREAM_VERSION
from red7sim.play.policy import find_player
from red7sim.play.table import seat
from red7sim.play.tally import Tally, empty_tally

BLOCK_GAMES = 1 << 14
"""Pieces never cross a multiple of this many games."""

MAX_SEED = 2**64 - 1
MAX_INDEX = 2**62
"""Game indices stay below this."""

_FIRST_PIECE = 64
_PIECE_SECONDS = 0.05


class RunError(ValueError):
    """A run that cannot be played as asked; the message names the culprit and what is allowed."""


@dataclass(frozen=True)
class Run:
    """What is played: a ruleset, a line-up by table position, and a seed.

    Raises
    ------
    RunError
        The line-up does not fit the ruleset, or the seed is out of range.
    PlayerError
        A player is unknown.
    """

    rules: Ruleset
    players: tuple[str, ...]
    seed: int = 0

    def __post_init__(self) -> None:
        if len(self.players) != self.rules.players:
            raise RunError(
                f"{len(self.players)} players in the line-up, "
                f"{self.rules.players} in the ruleset; allowed: the same number, "
                f"{MIN_PLAYERS}..{MAX_PLAYERS}"
            )
        if not 0 <= self.seed <= MAX_SEED:
            raise RunError(f"seed: {self.seed} is not allowed; allowed: 0..2^64-1")
        for name in self.players:
            find_player(name)

    def as_json(self) -> dict[str, Any]:
        """Return the identity of the run: everything that its games depend on."""
        return {
            "rules": self.rules.as_json(),
            "players": list(self.players),
            "seed": self.seed,
            "stream_version": STREAM_VERSION,
        }

    @cached_property
    def run_id(self) -> str:
        """SHA-256 (64 hex digits) of the identity in canonical JSON, without the index range."""
        text = json.dumps(self.as_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Outcome:
    """Counts of an index range of a run, and the seconds that it took."""

    run: Run
    first_index: int
    games: int
    tally: Tally
    elapsed: float


def available_threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play(
    run: Run,
    games: int,
    first_index: int = 0,
    threads: int | None = None,
    block_games: int = BLOCK_GAMES,
    progress: Callable[[int], None] | None = None,
) -> Outcome:
    """Play games `first_index` .. `first_index + games - 1` of a run and count them.

    Parameters
    ----------
    threads
        Threads that play at once; by default one for each available processor.
    block_games
        Pieces do not cross multiples of it; it changes no count.
    progress
        Called in the calling thread with the number of games of each piece that is done.

    Raises
    ------
    RunError
        A number is out of range.
    """
    threads = available_threads() if threads is None else threads
    for name, value, low in (
        ("games", games, 1),
        ("first_index", first_index, 0),
        ("threads", threads, 1),
        ("block_games", block_games, 1),
    ):
        if not low <= value <= MAX_INDEX:
            raise RunError(f"{name}: {value} is not allowed; allowed: {low}..2^62")
    if first_index + games > MAX_INDEX:
        raise RunError(
            f"games: {games} from first_index {first_index} on is not allowed; "
            "allowed: indices below 2^62"
        )
    prepare(run)
    start = time.perf_counter()
    pace = _Pace()
    total = empty_tally()
    pieces = _pieces(first_index, first_index + games, block_games, pace)
    with ThreadPoolExecutor(threads, thread_name_prefix="red7sim") as executor:
        waiting: set[Future[tuple[Tally, int]]] = set()
        try:
            for first, size in pieces:
                waiting.add(executor.submit(_play_piece, run, first, size, pace))
                if len(waiting) > 2 * threads:
                    waiting = _collect(waiting, total, progress)
            while waiting:
                waiting = _collect(waiting, total, progress)
        except BaseException:
            executor.shutdown(cancel_futures=True)
            raise
    return Outcome(run, first_index, games, total, time.perf_counter() - start)


def prepare(run: Run) -> None:
    """Compile everything that a run needs, or load it from the cache of an earlier process."""
    seat(run.rules, run.players)


class _Pace:
    """Chooses the size of the next piece so that a piece takes about _PIECE_SECONDS."""

    def __init__(self) -> None:
        self.size = _FIRST_PIECE

    def learn(self, games: int, seconds: float) -> None:
        wanted = int(games * _PIECE_SECONDS / max(seconds, 1e-6))
        self.size = max(1, min(wanted, 4 * self.size))


def _pieces(first: int, end: int, block_games: int, pace: _Pace) -> Iterator[tuple[int, int]]:
    while first < end:
        block_end = first - first % block_games + block_games
        size = min(pace.size, block_end - first, end - first)
        yield first, size
        first += size


def _play_piece(run: Run, first: int, games: int, pace: _Pace) -> tuple[Tally, int]:
    tally = empty_tally()
    start = time.perf_counter()
    seat(run.rules, run.players).play_block(run.seed, first, games, tally)
    pace.learn(games, time.perf_counter() - start)
    return tally, games


def _collect(
    waiting: set[Future[tuple[Tally, int]]], total: Tally, progress: Callable[[int], None] | None
) -> set[Future[tuple[Tally, int]]]:
    done, rest = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        tally, games = future.result()
        total += tally
        if progress:
            progress(games)
    return rest
