"""Runs on disk: a folder of Parquet files that can be continued, read and checked.

    counts-<n>.parquet   pieces (red7sim.lab.ledger) of the n-th SEGMENT_GAMES games of the run
    .lock                locked by the process that writes

Every file carries in its metadata, under the key `red7sim`, the identity of the run, a digest of
its contents, the provenance of every process that has written it, and its columns. A file is
written by a temporary name, flushed and renamed, and always replaces an older state of itself by
one with more games in it. So whatever happens to the process, each file is whole, and what is
missing is played again: the same command leads to the same contents.
"""

import fcntl
import hashlib
import io
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from red7sim.lab.columns import MEASURES, count_columns
from red7sim.lab.files import TEMPORARY, FileError, refused, replace_file
from red7sim.lab.ledger import BLOCK_GAMES, Ledger, OverlapError, Piece
from red7sim.lab.provenance import provenance
from red7sim.lab.runs import Outcome, Run, RunError
from red7sim.play.tally import GAMES, SUM

DATASET_FORMAT: Final = 1
"""Version of the files; raised when they change."""

SEGMENT_GAMES: Final = 4096 * BLOCK_GAMES
FLUSH_SECONDS: Final = 5.0
"""Work that a killed process loses at most, about."""

_KEY: Final = "red7sim"
_LOCK: Final = ".lock"
_COUNTS: Final = re.compile(r"counts-([0-9]{12})\.parquet")


class DatasetError(FileError):
    """A dataset that cannot be read, written or continued; the message says which and why."""


@dataclass
class Dataset:
    """The contents of a folder: a run, its counts, and who wrote them.

    Attributes
    ----------
    run
        None where the folder is empty or absent.
    provenances
        By file name: records of the processes that have written it, the oldest first.
    """

    folder: Path
    run: Run | None
    ledger: Ledger
    provenances: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """SHA-256 (64 hex digits) of the identity of the run and of all counts.

        It is the same however often the run was interrupted and from whichever parts it was
        combined; environment, times and resources are left out.
        """
        identity = self.run.as_json() if self.run else None
        return _digest(identity, self.ledger.pieces())

    def outcome(self, elapsed: float, played: int) -> Outcome:
        """Return the counts of everything that the dataset holds."""
        assert self.run is not None
        tally = self.ledger.add_to(self.run.empty_tally())
        first = next(self.ledger.pieces()).first
        return Outcome(self.run, first, self.ledger.games, tally, elapsed, played)

    def describe(self) -> dict[str, Any]:
        """Return what the JSON forms say about a dataset; ranges are (first, end)."""
        return {
            "path": str(self.folder),
            "hash": self.hash,
            "ranges": [list(held) for held in self.ledger.ranges()],
        }


def read(folder: Path) -> Dataset:
    """Return the dataset in a folder; an empty or absent folder is an empty dataset.

    Raises
    ------
    FileError
        A file is foreign, damaged, cannot be read, or is of another run than the others.
    """
    dataset = Dataset(folder, None, Ledger())
    for path in _files(folder):
        counts, head = _read_file(path)
        try:
            run = Run.from_json(head["run"])
        except RunError as error:
            raise DatasetError(f"{path}: {error}") from None
        if dataset.run is None:
            dataset.run = run
        require_same(dataset.run, run, str(folder), str(path))
        if counts.columns != [column.name for column in count_columns(len(run.empty_tally()))]:
            raise _damaged(path, "its columns are not those of its run")
        pieces = [*_pieces_of(counts, run)]
        if _digest(head["run"], iter(pieces)) != head["digest"]:
            raise _damaged(path, "its counts do not fit their digest")
        try:
            for piece in pieces:
                dataset.ledger.add(piece)
        except OverlapError as error:
            raise DatasetError(f"{path}: {error}") from None
        dataset.provenances[path.name] = head["provenance"]
    return dataset


class Writer:
    """Adds pieces to the dataset in a folder, alone; use it by `open_writer`."""

    def __init__(self, dataset: Dataset, run: Run) -> None:
        self._dataset = dataset
        self._run = run
        self._unsaved: set[int] = set()
        self._start = self._flushed = time.perf_counter()

    @property
    def ledger(self) -> Ledger:
        """What the dataset holds, saved or not yet."""
        return self._dataset.ledger

    @property
    def dataset(self) -> Dataset:
        """The dataset with all that was added."""
        return self._dataset

    def add(self, piece: Piece) -> None:
        """Add a piece; it is on disk after some FLUSH_SECONDS, or when the writer is closed.

        Raises
        ------
        FileError
            The disk refuses it.
        OverlapError
            It shares games with another piece and is not the same.
        """
        self.ledger.add(piece)
        self._unsaved.add(piece.first // SEGMENT_GAMES)
        if time.perf_counter() - self._flushed > FLUSH_SECONDS:
            self.flush()

    def replace(self, ledger: Ledger) -> None:
        """Make the dataset a ledger that holds all its games and more."""
        self._unsaved |= {
            piece.first // SEGMENT_GAMES
            for piece in ledger.pieces()
            if self.ledger.find(piece.first, piece.end) is None
        }
        self._dataset.ledger = ledger

    def flush(self) -> None:
        """Write everything that is not yet on disk."""
        for segment in sorted(self._unsaved):
            self._write(segment)
            self._unsaved.discard(segment)
        self._flushed = time.perf_counter()

    def _write(self, segment: int) -> None:
        name = f"counts-{segment:012}.parquet"
        first = segment * SEGMENT_GAMES
        pieces = [*self.ledger.pieces(first, first + SEGMENT_GAMES)]
        columns = count_columns(len(self._run.empty_tally()))
        table = np.array(
            [[p.first, p.games, *p.tally[:, :GAMES].ravel()] for p in pieces], dtype=np.int64
        )
        frame = pl.DataFrame(table, schema=[column.name for column in columns], orient="row")
        head = {
            "format": DATASET_FORMAT,
            "run": self._run.as_json(),
            "run_id": self._run.run_id,
            "digest": _digest(self._run.as_json(), iter(pieces)),
            "provenance": [
                *self._dataset.provenances.get(name, []),
                provenance({"command": "simulate", "run": self._run.as_json()}, self._start),
            ],
            "columns": [asdict(column) for column in columns],
        }
        content = io.BytesIO()
        frame.write_parquet(content, metadata={_KEY: json.dumps(head)})
        replace_file(self._dataset.folder / name, content.getbuffer())


@contextmanager
def open_writer(folder: Path, run: Run) -> Iterator[Writer]:
    """Open a folder to add to its dataset; create it where it is absent.

    What was added is on disk when the block ends, also when it ends by an exception.

    Raises
    ------
    FileError
        The folder cannot be written, another process writes there, or it holds something else
        than this run.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _files(folder)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise refused(folder, error) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DatasetError(f"{folder} is being written by another process") from None
        for leftover in folder.glob(TEMPORARY + "*"):
            leftover.unlink()
        dataset = read(folder)
        if dataset.run is not None:
            require_same(run, dataset.run, "the run asked for", str(folder))
        dataset.run = run
        writer = Writer(dataset, run)
        try:
            yield writer
        except FileError:
            raise  # the disk has refused; what is there stays
        except BaseException:
            writer.flush()
            raise
        writer.flush()
    finally:
        os.close(lock)


def difference(one: Any, other: Any, name: str = "") -> str | None:
    """Return where two identities differ first, as `field: value against value`; None if equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            inner = f"{name}.{key}" if name else key
            found = difference(one.get(key), other.get(key), inner)
            if found:
                return found
        return None
    return None if one == other else f"{name}: {json.dumps(one)} against {json.dumps(other)}"


def require_same(run: Run, other: Run, place: str, other_place: str) -> None:
    """Refuse (DatasetError) two runs that are not one, naming where they are and differ."""
    found = difference(run.as_json(), other.as_json())
    if found:
        raise DatasetError(f"{place} and {other_place} are different runs, {found}")


def _files(folder: Path) -> list[Path]:
    """Return the data files of a folder in order; refuse what does not belong there."""
    try:
        names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise refused(folder, error) from None
    for name in names:
        if not (_COUNTS.fullmatch(name) or name == _LOCK or name.startswith(TEMPORARY)):
            raise DatasetError(
                f"{folder} holds {name!r}, which is no part of a dataset; allowed: a new or empty "
                "folder, or one that holds a dataset alone"
            )
    return [folder / name for name in names if _COUNTS.fullmatch(name)]


def _read_file(path: Path) -> tuple[pl.DataFrame, dict[str, Any]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise refused(path, error) from None
    try:
        text = pl.read_parquet_metadata(io.BytesIO(content)).get(_KEY)
        frame = pl.read_parquet(io.BytesIO(content))
    except pl.exceptions.PolarsError as error:
        raise _damaged(path, str(error)) from None
    if text is None:
        raise DatasetError(f"{path} is not a file of red7sim; move it elsewhere")
    head = json.loads(text)
    if head["format"] != DATASET_FORMAT:
        raise DatasetError(
            f"{path} is of format {head['format']}; this program reads format {DATASET_FORMAT}"
        )
    return frame, head


def _pieces_of(counts: pl.DataFrame, run: Run) -> Iterator[Piece]:
    empty = run.empty_tally()
    for first, games, *sums in counts.iter_rows():
        tally = empty.copy()
        tally[:, :GAMES] = np.array(sums, dtype=np.int64).reshape(len(empty), len(MEASURES))
        tally[SUM, GAMES] = games
        yield Piece(first, games, tally)


def _digest(identity: dict[str, Any] | None, pieces: Iterator[Piece]) -> str:
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode())
    for piece in pieces:
        digest.update(np.array([piece.first, piece.games], dtype="<i8").tobytes())
        digest.update(piece.tally.astype("<i8").tobytes())
    return digest.hexdigest()


def _damaged(path: Path, why: str) -> DatasetError:
    return DatasetError(f"{path} is damaged ({why}); remove it to have its games played again")
