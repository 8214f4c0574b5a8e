"""A run: what is played, cut into pieces, played by any number of threads, counted.

A piece of a run is a pure function of the run and an index range, and counts add; so the number of
threads and the sizes of the pieces change nothing. In a paired design all indices and numbers of
games count deals.
"""

import hashlib
import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from red7sim.game.ruleset import MAX_PLAYERS, MIN_PLAYERS, Ruleset
from red7sim.jit.rng import STREAM_VERSION
from red7sim.lab.ledger import BLOCK_GAMES, Ledger, Piece
from red7sim.play.design import NO_PAIRING, Arm, DesignError, arms_of
from red7sim.play.outside import refuse_to_import
from red7sim.play.paired import seat_paired
from red7sim.play.record import Rounds, checksum
from red7sim.play.spec import parse_line_up
from red7sim.play.table import seat
from red7sim.play.tally import GAME_SQUARES, Tally, empty_tally

MAX_SEED = 2**64 - 1
MAX_INDEX = 2**62
"""Game indices stay below this."""

_FIRST_PIECE = 64
_PIECE_SECONDS = 0.05


class RunError(ValueError):
    """A run that cannot be played as asked; the message names the culprit and what is allowed."""


@dataclass(frozen=True)
class Run:
    """What is played: a ruleset, a line-up by table position, a seed and a design.

    Players are given in any text form of `red7sim.play.spec`, and kept in the canonical one.

    Raises
    ------
    RunError
        The line-up does not fit the ruleset, the seed is out of range, or the design is unknown.
    PlayerError
        A player is refused.
    """

    rules: Ruleset
    players: tuple[str, ...]
    seed: int = 0
    design: str = NO_PAIRING

    def __post_init__(self) -> None:
        if len(self.players) != self.rules.players:
            raise RunError(
                f"{len(self.players)} players in the line-up, "
                f"{self.rules.players} in the ruleset; allowed: the same number, "
                f"{MIN_PLAYERS}..{MAX_PLAYERS}"
            )
        check_seed(self.seed)
        specs = parse_line_up(self.players, self.rules)
        object.__setattr__(self, "players", tuple(spec.text for spec in specs))
        try:
            arms_of(self.design, len(self.players))
        except DesignError as error:
            raise RunError(str(error)) from None

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """The games of one deal."""
        return arms_of(self.design, len(self.players))

    @property
    def paired(self) -> bool:
        """Whether the deal, and not the game, is the unit of the statistics."""
        return self.design != NO_PAIRING

    def empty_tally(self) -> Tally:
        """Return a tally of no games: int64 of three rows, four in a paired design."""
        tally = empty_tally()
        if not self.paired:
            return tally
        return np.zeros((GAME_SQUARES + 1, tally.shape[1]), dtype=np.int64)

    def table(self) -> "Table":
        """Return a new table to play at, for one thread."""
        if self.paired:
            return seat_paired(self.rules, self.players, self.arms)
        return seat(self.rules, self.players)

    def as_json(self) -> dict[str, Any]:
        """Return the identity of the run: everything that its games depend on."""
        return {
            "rules": self.rules.as_json(),
            "players": list(self.players),
            "seed": self.seed,
            "design": self.design,
            "stream_version": STREAM_VERSION,
        }

    @cached_property
    def run_id(self) -> str:
        """SHA-256 (64 hex digits) of the identity in canonical JSON, without the index range."""
        text = json.dumps(self.as_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @classmethod
    def from_json(cls, identity: dict[str, Any]) -> "Run":
        """Return the run of an identity that `as_json` has written.

        Raises
        ------
        RunError
            The identity cannot be read, or it is of another stream version.
        """
        try:
            players = tuple(identity["players"])
            refuse_to_import(players)
            rules = Ruleset(players=len(players)).changed(identity["rules"])
            run = cls(rules, players, identity["seed"], identity["design"])
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"the identity of a run cannot be read: {error}") from None
        if identity.get("stream_version") != STREAM_VERSION:
            raise RunError(
                f"stream_version {identity.get('stream_version')} is not that of this program, "
                f"{STREAM_VERSION}"
            )
        return run


def fill_line_up(names: Sequence[str], players: int | None) -> tuple[str, ...]:
    """Return a line-up by table position: one name fills `players` positions, by default two.

    Raises
    ------
    RunError
        The number of players is out of range, or that of the names is another one.
    """
    seats = players if players is not None else max(len(names), MIN_PLAYERS)
    if not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        raise RunError(f"players: {seats} is not allowed; allowed: {MIN_PLAYERS}..{MAX_PLAYERS}")
    if len(names) not in (1, seats):
        raise RunError(
            f"players: {seats} does not fit a line-up of {len(names)}; allowed: one or as many"
        )
    return tuple(names) if len(names) == seats else tuple(names) * seats


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
class Outcome:
    """Counts of games of a run, and the seconds that it took.

    Attributes
    ----------
    first_index, games
        The first index and the number of games counted (deals, in a paired design).
    played
        How many of them were played to get here; the others were on disk.
    """

    run: Run
    first_index: int
    games: int
    tally: Tally
    elapsed: float
    played: int


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
    check_range(games, first_index, threads)
    if block_games < 1:
        raise RunError(f"block_games: {block_games} is not allowed; allowed: at least 1")
    start = time.perf_counter()
    total = run.empty_tally()
    ranges = [(first_index, first_index + games)]
    with closing(play_pieces(run, ranges, threads, block_games, progress)) as pieces:
        for piece in pieces:
            total += piece.tally
    return Outcome(run, first_index, games, total, time.perf_counter() - start, games)


def play_pieces(
    run: Playable,
    ranges: Iterable[tuple[int, int]],
    threads: int | None = None,
    block_games: int = BLOCK_GAMES,
    progress: Callable[[int], None] | None = None,
) -> Generator[Piece]:
    """Yield index ranges (first, end) of a run in pieces, in their order, as they are played.

    Parameters as for `play`. Close the iterator to stop early.
    """
    threads = available_threads() if threads is None else threads
    prepare(run)
    pace = _Pace()
    seats = _Seats(run)
    with ThreadPoolExecutor(threads, thread_name_prefix="red7sim") as executor:
        waiting: deque[Future[Piece]] = deque()
        try:
            for first, end in ranges:
                for cut in _pieces(first, end, block_games, pace):
                    waiting.append(executor.submit(_paced_piece, run, *cut, pace, seats))
                    if len(waiting) > 2 * threads:
                        yield _next(waiting, progress)
            while waiting:
                yield _next(waiting, progress)
        finally:
            executor.shutdown(cancel_futures=True)


def play_missing(
    run: Playable,
    ranges: list[tuple[int, int]],
    ledger: Ledger,
    record: Callable[[Piece], None],
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    watch: Callable[[Tally], bool] | None = None,
) -> int:
    """Play what a ledger misses of some index ranges, and return how many games that were.

    Parameters
    ----------
    record
        Called with every new piece, in index order; it must add the piece to `ledger`.
    watch
        Called with the counts of each block of the ranges, in index order, whether they are new
        or not; when it returns True nothing more is played.
    threads, progress
        As for `play`.
    """
    played = 0
    missing = [gap for first, end in ranges for gap in ledger.gaps(first, end)]
    with closing(play_pieces(run, missing, threads, progress=progress)) as pieces:
        if watch is None:
            for piece in pieces:
                record(piece)
                played += piece.games
            return played
        for first, end in _blocks(ranges):
            while ledger.gaps(first, end):
                piece = next(pieces)
                record(piece)
                played += piece.games
            # A part of a longer piece of an earlier run is not known by itself.
            block = ledger.find(first, end) or play_piece(run, first, end)
            if watch(block.tally):
                break
    return played


def _blocks(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for first, end in ranges:
        edges = range(first - first % BLOCK_GAMES + BLOCK_GAMES, end, BLOCK_GAMES)
        yield from pairwise((first, *edges, end))


def check_seed(seed: int) -> None:
    """Refuse (RunError) what is no seed."""
    if not 0 <= seed <= MAX_SEED:
        raise RunError(f"seed: {seed} is not allowed; allowed: 0..2^64-1")


def check_range(games: int, first_index: int, threads: int | None) -> None:
    """Refuse (RunError) an index range or a number of threads that cannot be."""
    for name, value, low in (("games", games, 1), ("first_index", first_index, 0)):
        if not low <= value <= MAX_INDEX:
            raise RunError(f"{name}: {value} is not allowed; allowed: {low}..2^62")
    if threads is not None and threads < 1:
        raise RunError(f"threads: {threads} is not allowed; allowed: at least 1")
    if first_index + games > MAX_INDEX:
        raise RunError(
            f"games: {games} from first_index {first_index} on is not allowed; "
            "allowed: indices below 2^62"
        )


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


class _Seats:
    """A table of a run for each thread that asks for one, so that pieces share their memory."""

    def __init__(self, run: Playable) -> None:
        self._run = run
        self._own = threading.local()

    def table(self) -> Table:
        if not hasattr(self._own, "table"):
            self._own.table = self._run.table()
        table: Table = self._own.table
        return table


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
        yield first, first + size
        first += size


def _paced_piece(run: Playable, first: int, end: int, pace: _Pace, seats: _Seats) -> Piece:
    start = time.perf_counter()
    piece = play_piece(run, first, end, seats.table())
    pace.learn(piece.games, time.perf_counter() - start)
    return piece


def _next(waiting: deque[Future[Piece]], progress: Callable[[int], None] | None) -> Piece:
    piece = waiting.popleft().result()
    if progress:
        progress(piece.games)
    return piece
