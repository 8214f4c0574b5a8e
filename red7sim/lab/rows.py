"""The records of rounds as frames and as files.

rows-<n>.parquet     one row for each round of the n-th segment of games, in order of play
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from red7sim.game.cards import COLOURS
from red7sim.lab.columns import Column, round_columns
from red7sim.lab.ledger import BLOCK_GAMES, CHECKSUM_MODULUS, Ledger, Piece
from red7sim.lab.pieces import prepare
from red7sim.lab.runs import Outcome, Run, checked_range, play_missing
from red7sim.play.paired import seat_paired
from red7sim.play.record import (
    OCTETS,
    ROUND,
    SHORTS,
    WORDS,
    Rounds,
    checksum,
    fill_columns,
)
from red7sim.play.table import seat
from red7sim.play.tally import Tally

_ROUNDS_OF_A_FILE: Final = 8 * BLOCK_GAMES
_USUAL_ROUNDS: Final = 6
"""Rounds of a game that may have several, to choose the games of a file."""

_APART: Final = 96
"""Unused room behind each column, so that those of a file, of 2^17 rows, do not begin in the same
set of the processor's cache: filling them takes half the time."""

_WRITERS: Final = 2
"""Threads that write files: while one waits for the disk, the other goes on."""

Rows = TypeVar("Rows", pl.DataFrame, pl.LazyFrame)

_ORDER: Final = ("game", "arm", "round")
_FIELDS: Final = frozenset(ROUND.names or ())


@dataclass(frozen=True)
class Recorded:
    """A run whose rounds are recorded; it plays the same games."""

    run: Run

    @property
    def seed(self) -> int:
        """Seed of all chance."""
        return self.run.seed

    def empty_tally(self) -> Tally:
        """Return a tally of no games."""
        return self.run.empty_tally()

    def table(self) -> "RecordingTable":
        """Return a new table to play at, for one thread."""
        run = self.run
        if run.paired:
            paired = seat_paired(run.rules, run.players, run.arms, watched="rounds")
            return RecordingTable(paired.record_rounds)
        return RecordingTable(seat(run.rules, run.players, watched="rounds").record_block)


@dataclass(frozen=True)
class RecordingTable:
    """A table that records the rounds played on it."""

    record: Callable[[int, int, int, Tally], Rounds]

    def play_block(self, seed: int, first_game: int, games: int, tally: Tally) -> Rounds:
        """Play a range, add it to the tally, and return the records of its rounds in order."""
        return self.record(seed, first_game, games, tally)


def segment_games(run: Run) -> int:
    """Return how many games (deals) share a file: fewer where each has more rounds."""
    rounds = len(run.arms) * (1 if run.rules.one_round else _USUAL_ROUNDS)
    return max(1, _ROUNDS_OF_A_FILE // BLOCK_GAMES // rounds) * BLOCK_GAMES


def frame_of(parts: Sequence[Rounds], run: Run) -> pl.DataFrame:
    """Return records, part after part, as one frame with the columns of `round_columns`."""
    players, n = run.rules.players, sum(map(len, parts))
    sets = [f"{name}_{player}" for name in ("hand", "palette") for player in range(players)]
    room = n + _APART
    words = np.empty((len(WORDS) + len(sets), room), dtype=np.int64)
    shorts = np.empty((len(SHORTS), room), dtype=np.int16)
    octets = np.empty((len(OCTETS), room), dtype=np.int8)
    first = 0
    for part in parts:
        end = first + len(part)
        fill_columns(part, players, words[:, first:end], shorts[:, first:end], octets[:, first:end])
        first = end
    filled: dict[str, NDArray[Any]] = dict(zip((*WORDS, *sets), words, strict=True))
    filled |= dict(zip(SHORTS, shorts, strict=True)) | dict(zip(OCTETS, octets, strict=True))
    columns = round_columns(players, len(run.arms))
    return pl.DataFrame([_series(column, filled[column.name][:n]) for column in columns])


def _series(column: Column, values: NDArray[Any]) -> pl.Series:
    if column.dtype == "Enum":
        colours = pl.Series(column.name, COLOURS, dtype=pl.Enum(COLOURS))
        return colours.gather(values.view(np.uint8))
    return pl.Series(column.name, values)


def records_of(frame: pl.DataFrame, run: Run) -> Rounds:
    """Return the records that a frame was made of."""
    rows = np.zeros(len(frame), dtype=ROUND).view(np.recarray)
    for column in round_columns(run.rules.players, len(run.arms)):
        name, _, place = column.name.partition("_")
        values = frame[column.name]
        if name in ("hand", "palette"):
            rows[f"{name}s"][:, int(place)] = values
        elif column.name in _FIELDS:
            rows[column.name] = values.to_physical() if column.dtype == "Enum" else values
    return rows


def play_recorded(
    run: Run,
    games: int,
    first_index: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[Outcome, pl.DataFrame]:
    """Play a range of a run as `red7sim.lab.runs.play` does, and return its rounds too."""
    games, first_index = checked_range(games, first_index, threads)
    recorded = Recorded(run)
    prepare(recorded)
    start = time.perf_counter()
    ledger = Ledger()
    frames: list[pl.DataFrame] = []

    def keep(piece: Piece) -> None:
        ledger.add(piece)
        if piece.rows is not None:
            frames.append(frame_of([piece.rows], run))

    wanted = [(first_index, first_index + games)]
    play_missing(recorded, wanted, ledger, keep, threads, progress)
    tally = ledger.add_to(run.empty_tally())
    elapsed = time.perf_counter() - start
    return Outcome(run, first_index, games, tally, elapsed, games), pl.concat(frames)


class RowFiles:
    """The files of rounds of a dataset that is being written.

    A file is written once its segment is complete, by threads of their own, and before that
    whenever everything has to be on disk.
    """

    def __init__(self, run: Run, write: Callable[[int, pl.DataFrame], None]) -> None:
        self._run = run
        self._write = write
        self._games = segment_games(run)
        self._parts: dict[int, list[pl.DataFrame | Rounds]] = {}
        self._unsaved: set[int] = set()
        self._executor = ThreadPoolExecutor(_WRITERS, thread_name_prefix="red7sim-rows")
        self._writing: list[Future[None]] = []

    def take_up(self, frame: pl.DataFrame) -> None:
        """Take up the rounds of a file whose segment is not complete."""
        self._parts[frame["game"][0] // self._games] = [frame]

    def replace(self, frame: pl.DataFrame) -> None:
        """Make these rounds all of their segment."""
        self._parts.pop(frame["game"][0] // self._games, None)
        self.add(frame)

    def add(self, part: pl.DataFrame | Rounds) -> None:
        """Add the rounds of a piece."""
        segment = int(part["game"][0]) // self._games
        self._parts.setdefault(segment, []).append(part)
        self._unsaved.add(segment)

    def write_if_complete(self, game: int, ledger: Ledger) -> None:
        """Write the segment of a game, if all its games are in the ledger and their rounds here."""
        segment = game // self._games
        first = segment * self._games
        if not ledger.gaps(first, first + self._games):
            self._submit(segment)
            del self._parts[segment]

    def _submit(self, segment: int) -> None:
        while len(self._writing) > 2 * _WRITERS:  # do not run ahead of the disk
            self._await_first()
        parts = [*self._parts[segment]]
        self._writing.append(self._executor.submit(self._write_parts, segment, parts))
        self._unsaved.discard(segment)

    def _write_parts(self, segment: int, parts: list[pl.DataFrame | Rounds]) -> None:
        parts.sort(key=lambda part: int(part["game"][0]))
        frames = [part for part in parts if isinstance(part, pl.DataFrame)]
        records = [part for part in parts if not isinstance(part, pl.DataFrame)]
        if records:
            frames.append(frame_of(records, self._run))
        whole = pl.concat(frames)
        self._write(segment, whole if len(frames) == 1 else whole.sort("game", maintain_order=True))

    def flush(self) -> None:
        """Return when all rounds added so far are on disk."""
        for segment in sorted(self._unsaved):
            self._submit(segment)
        while self._writing:
            self._await_first()

    def _await_first(self) -> None:
        self._writing[0].result()
        del self._writing[0]

    def close(self) -> None:
        """Stop the threads, without writing."""
        self._executor.shutdown(cancel_futures=True)


def held_rounds(frame: Rows, ranges: list[tuple[int, int]]) -> Rows:
    """Return the rounds of the games of some index ranges (first, end)."""
    held = [pl.col("game").is_between(a, b - 1) for a, b in ranges]
    return frame.filter(pl.any_horizontal(held)) if held else frame.clear()


def joined(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the rounds of several frames in order, each once."""
    order = [name for name in _ORDER if name in frames[0].columns]
    return pl.concat(frames).unique(order, keep="first").sort(order)


def frame_checksum(frame: pl.DataFrame, run: Run) -> int:
    """Return the checksum of the records of a frame."""
    return int(checksum(records_of(frame, run))) % CHECKSUM_MODULUS
