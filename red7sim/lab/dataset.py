"""Runs on disk: a folder of Parquet files that can be continued, read and checked.

    counts-<n>.parquet   pieces (red7sim.lab.ledger) of the n-th SEGMENT_GAMES games of the run
    rows-<n>.parquet     if asked for, the rounds of a segment (red7sim.lab.rows)
    .lock                locked by the process that writes

Every file carries in its metadata, under the key `red7sim`, the identity of the run, the provenance
of every process that has written it, and its columns; and it is sealed (red7sim.lab.sealed). A file
is written by a temporary name, flushed and renamed, and always replaces an older state of itself by
one with more games in it. So whatever happens to the process, each file is whole, and what is
missing is played again: the same command leads to the same contents. Rounds are on disk before the
counts of their games are, and carry no weight without them.
"""

import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from red7sim.lab.columns import MEASURES
from red7sim.lab.files import TEMPORARY, FileError, refused
from red7sim.lab.ledger import BLOCK_GAMES, CHECKSUM_MODULUS, Ledger, OverlapError, Piece
from red7sim.lab.rows import frame_checksum, held_rounds, joined, segment_games
from red7sim.lab.runs import Outcome, Run, RunError
from red7sim.lab.sealed import fault_of
from red7sim.lab.solving import read_run
from red7sim.play.tally import GAMES, SUM

DATASET_FORMAT: Final = 2
"""Version of the files; raised when they change."""

SEGMENT_GAMES: Final = 4096 * BLOCK_GAMES
KEY: Final = "red7sim"
LOCK: Final = ".lock"
COUNTS: Final = re.compile(r"counts-([0-9]{12}|[1-9][0-9]{12,})\.parquet")
ROWS: Final = re.compile(r"rows-([0-9]{12}|[1-9][0-9]{12,})\.parquet")


class DatasetError(FileError):
    """A dataset that cannot be read, written or continued; the message says which and why."""


@dataclass
class Dataset:
    """The contents of a folder: a run, its counts, and who wrote them.

    Attributes
    ----------
    run
        None where the folder is empty or absent.
    rounds
        Whether it has the rounds too.
    provenances
        By file name: records of the processes that have written it, the oldest first.
    """

    folder: Path
    run: Run | None
    ledger: Ledger
    rounds: bool = False
    provenances: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """SHA-256 (64 hex digits) of the identity of the run, all counts, and all rounds.

        Rounds are in it by the checksums of their pieces.

        It is the same however often the run was interrupted and from whichever parts it was
        combined; environment, times and resources are left out.
        """
        identity = self.run.as_json() if self.run else None
        text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode())
        for piece in self.ledger.pieces():
            digest.update(np.array([piece.first, piece.games], dtype="<i8").tobytes())
            digest.update(piece.tally.astype("<i8").tobytes())
            digest.update(np.uint64(piece.checksum).astype("<u8").tobytes())
        return digest.hexdigest()

    @property
    def reader(self) -> Callable[[], pl.LazyFrame] | None:
        """What reads the rounds (`read_rows`); None where there are none."""
        return partial(read_rows, self.folder) if self.rounds else None

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
    for path in data_files(folder, COUNTS):
        head, content = read_file(path)
        run = _run_of(path, head)
        if dataset.run is None:
            dataset.run, dataset.rounds = run, head["rounds"]
        require_same(dataset.run, run, str(folder), str(path))
        try:
            for piece in _pieces_of(pl.read_parquet(content), run):
                dataset.ledger.add(piece)
        except OverlapError as error:
            raise DatasetError(f"{path}: {error}") from None
        dataset.provenances[path.name] = head["provenance"]
    return dataset


def read_rows(folder: Path) -> pl.LazyFrame:
    """Return the rounds of a dataset, to be read as a stream.

    Every file of them is checked before. Rounds that are not counted, as after a kill before the
    counts were written, are left out.

    Raises
    ------
    FileError
        The dataset is refused, has no rounds, or a file of them is missing, damaged or of another
        run.
    """
    dataset = read(folder)
    if dataset.run is None or not dataset.rounds:
        raise DatasetError(f"{folder} holds no rounds; allowed: a folder written with --rows")
    segments = row_segments(dataset.ledger, dataset.run)
    for segment in segments:
        read_segment(dataset, segment, ["game"])
    paths = [folder / rows_name(segment) for segment in segments]
    return held_rounds(pl.scan_parquet(paths, glob=False), dataset.ledger.ranges())


def combined_rows(datasets: Sequence[Dataset], ledger: Ledger, run: Run) -> Iterator[pl.DataFrame]:
    """Yield the rounds of several datasets that a ledger counts, segment by segment, each once.

    Raises
    ------
    FileError
        A file is missing, damaged or of another run, or the rounds are not those that were counted.
    """
    held = [(dataset, {*row_segments(dataset.ledger, run)}) for dataset in datasets]
    size = segment_games(run)
    for segment in row_segments(ledger, run):
        holders = [dataset for dataset, segments in held if segment in segments]
        rows = joined([read_segment(dataset, segment)[1] for dataset in holders])
        pieces = ledger.pieces(segment * size, (segment + 1) * size)
        if frame_checksum(rows, run) != sum(p.checksum for p in pieces) % CHECKSUM_MODULUS:
            path = holders[0].folder / rows_name(segment)
            raise DatasetError(f"{path}: its rounds are not those of its counts")
        yield rows


def row_segments(ledger: Ledger, run: Run) -> list[int]:
    """Return the numbers, in order, of the files with the rounds of the games that are counted."""
    size = segment_games(run)
    return sorted({piece.first // size for piece in ledger.pieces()})


def read_segment(
    dataset: Dataset, segment: int, columns: list[str] | None = None
) -> tuple[dict[str, Any], pl.DataFrame]:
    """Return what a file of rounds says of itself, and those of its rounds that are counted.

    Of the columns some, `game` among them, or all.

    Raises
    ------
    FileError
        It is missing, damaged, of another run, or lacks the rounds of counted games.
    """
    assert dataset.run is not None
    path, size = dataset.folder / rows_name(segment), segment_games(dataset.run)
    ranges = dataset.ledger.ranges(segment * size, (segment + 1) * size)
    require_segments(dataset, [segment])
    head, content = read_file(path)
    require_same(dataset.run, _run_of(path, head), str(dataset.folder), str(path))
    held = held_rounds(pl.read_parquet(content, columns=columns), ranges)
    if held["game"].n_unique() != sum(end - first for first, end in ranges):
        raise _lost(dataset, segment, "lacks rounds of games that are counted")
    return head, held


def require_segments(dataset: Dataset, segments: Sequence[int]) -> None:
    """Refuse (DatasetError) a dataset that has not the files of these rounds."""
    for segment in segments:
        if not (dataset.folder / rows_name(segment)).exists():
            raise _lost(dataset, segment, "is missing, though its games are counted")


def _lost(dataset: Dataset, segment: int, fault: str) -> DatasetError:
    assert dataset.run is not None
    counts = counts_name(segment * segment_games(dataset.run) // SEGMENT_GAMES)
    return DatasetError(
        f"{dataset.folder / rows_name(segment)} {fault}; put it back, or move {counts} elsewhere, "
        "too, to have the games played again"
    )


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


def counts_name(segment: int) -> str:
    """Return the name of the file with the counts of a segment."""
    return f"counts-{segment:012}.parquet"


def rows_name(segment: int) -> str:
    """Return the name of the file with the rounds of a segment."""
    return f"rows-{segment:012}.parquet"


def data_files(folder: Path, kind: re.Pattern[str]) -> list[Path]:
    """Return the files of a kind in a folder, in order; refuse what does not belong there."""
    try:
        names = [path.name for path in folder.iterdir()] if folder.exists() else []
    except OSError as error:
        raise refused(folder, error) from None
    names.sort(key=lambda name: (len(name), name))  # also where numbers have more digits
    for name in names:
        known = COUNTS.fullmatch(name) or ROWS.fullmatch(name)
        if not (known or name == LOCK or name.startswith(TEMPORARY)):
            raise DatasetError(
                f"{folder} holds {name!r}, which is no part of a dataset; allowed: a new or empty "
                "folder, or one that holds a dataset alone"
            )
    return [folder / name for name in names if kind.fullmatch(name)]


def read_file(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return what a file says of itself, and its bytes; refuse what is no file of a dataset."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise refused(path, error) from None
    if fault := fault_of(content, DATASET_FORMAT):
        raise DatasetError(f"{path} {fault}; move it elsewhere to have its games played again")
    head: dict[str, Any] = json.loads(pl.read_parquet_metadata(io.BytesIO(content))[KEY])
    return head, content


def _run_of(path: Path, head: dict[str, Any]) -> Run:
    try:
        return read_run(head["run"])
    except RunError as error:
        raise DatasetError(f"{path}: {error}") from None


def _pieces_of(counts: pl.DataFrame, run: Run) -> Iterator[Piece]:
    empty = run.empty_tally()
    sums_end = len(empty) * len(MEASURES)
    for first, games, *numbers in counts.iter_rows():
        tally = empty.copy()
        sums = np.array(numbers[:sums_end], dtype=np.int64)
        tally[:, :GAMES] = sums.reshape(len(empty), len(MEASURES))
        tally[SUM, GAMES] = games
        yield Piece(first, games, tally, sum(numbers[sums_end:]) % CHECKSUM_MODULUS)


def segment_of(name: str) -> int:
    """Return the number in the name of a data file."""
    return int(name.partition("-")[2].removesuffix(".parquet"))
