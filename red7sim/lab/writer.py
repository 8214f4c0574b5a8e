"""Adding to a dataset on disk: one process at a time, every file whole at every moment."""

import fcntl
import io
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from red7sim.lab.columns import Column, count_columns, round_columns
from red7sim.lab.dataset import (
    COUNTS,
    DATASET_FORMAT,
    KEY,
    LOCK,
    ROWS,
    SEGMENT_GAMES,
    Dataset,
    DatasetError,
    counts_name,
    data_files,
    read,
    read_segment,
    require_same,
    require_segments,
    row_segments,
    rows_name,
    segment_of,
)
from red7sim.lab.files import TEMPORARY, FileError, refused, remove_file, replace_file
from red7sim.lab.ledger import CHECKSUM_MODULUS, Ledger, Piece
from red7sim.lab.provenance import Clock, provenance
from red7sim.lab.rows import RowFiles, segment_games
from red7sim.lab.runs import Run
from red7sim.lab.sealed import described, sealed
from red7sim.play.tally import GAMES

FLUSH_SECONDS: Final = 5.0
"""Work that a killed process loses at most, about."""


class Writer:
    """Adds pieces to the dataset in a folder, alone; use it by `open_writer`."""

    def __init__(self, dataset: Dataset, run: Run, command: str) -> None:
        self._dataset = dataset
        self._run = run
        self._command = command
        self._unsaved: set[int] = set()
        self._began = Clock()
        self._flushed = time.perf_counter()
        self._rows = RowFiles(run, self._write_rows) if dataset.rounds else None
        if self._rows:
            self._take_up_rows(self._rows)

    @property
    def dataset(self) -> Dataset:
        """The dataset with all that was added, saved or not yet."""
        return self._dataset

    @property
    def ledger(self) -> Ledger:
        """What the dataset counts."""
        return self._dataset.ledger

    def add(self, piece: Piece) -> None:
        """Add a piece; it is on disk after some FLUSH_SECONDS, or when the writer is closed.

        Raises
        ------
        FileError
            The disk refuses it.
        OverlapError
            It shares games with another piece and is not the same.
        """
        # An interrupt may come between any two lines. Rounds without counts do no harm, counts
        # without rounds would.
        if self._rows and piece.rows is not None:
            self._rows.add(piece.rows)
        self.ledger.add(piece)
        self._unsaved.add(piece.first // SEGMENT_GAMES)
        if self._rows and piece.rows is not None:
            self._rows.write_if_complete(piece.first, self.ledger)
        if time.perf_counter() - self._flushed > FLUSH_SECONDS:
            self.flush()

    def replace(self, ledger: Ledger) -> None:
        """Make the dataset count what a ledger does that holds all its games and more."""
        self._unsaved |= {
            piece.first // SEGMENT_GAMES
            for piece in ledger.pieces()
            if self.ledger.find(piece.first, piece.end) is None
        }
        self._dataset.ledger = ledger

    def replace_rows(self, rows: pl.DataFrame, ledger: Ledger) -> None:
        """Make these rounds all of their segment; `ledger` is to replace that of the dataset."""
        if self._rows:
            self._rows.replace(rows)
            self._rows.write_if_complete(int(rows["game"][0]), ledger)

    def flush(self) -> None:
        """Write everything that is not yet on disk."""
        if self._rows:
            self._rows.flush()
        for segment in sorted(self._unsaved):
            self._write_counts(segment)
            self._unsaved.discard(segment)
        self._flushed = time.perf_counter()

    def close(self) -> None:
        """Stop writing; what is not flushed is lost."""
        if self._rows:
            self._rows.close()

    def _take_up_rows(self, rows: RowFiles) -> None:
        """Take up the files whose segments are not complete; drop rounds that are not counted."""
        size = segment_games(self._run)
        counted = {*row_segments(self.ledger, self._run)}
        require_segments(self._dataset, sorted(counted))
        for path in data_files(self._dataset.folder, ROWS):
            segment = segment_of(path.name)
            if segment not in counted:
                remove_file(path)
            elif self.ledger.gaps(segment * size, (segment + 1) * size):
                head, held = read_segment(self._dataset, segment)
                self._dataset.provenances[path.name] = head["provenance"]
                rows.take_up(held)

    def _write_counts(self, segment: int) -> None:
        first = segment * SEGMENT_GAMES
        pieces = [*self.ledger.pieces(first, first + SEGMENT_GAMES)]
        columns = count_columns(len(self._run.empty_tally()), self._dataset.rounds)
        lines = [[p.first, p.games, *p.tally[:, :GAMES].ravel()] for p in pieces]
        if self._dataset.rounds:
            lines = [[*line, _signed(p.checksum)] for line, p in zip(lines, pieces, strict=True)]
        frame = pl.DataFrame(
            np.array(lines, dtype=np.int64),
            schema=[column.name for column in columns],
            orient="row",
        )
        self._write_file(counts_name(segment), frame, columns)

    def _write_rows(self, segment: int, frame: pl.DataFrame) -> None:
        columns = round_columns(self._run.rules.players, len(self._run.arms))
        self._write_file(rows_name(segment), frame, columns)

    def _write_file(self, name: str, frame: pl.DataFrame, columns: list[Column]) -> None:
        members = {
            "run": self._run.as_json(),
            "run_id": self._run.run_id,
            "rounds": self._dataset.rounds,
            "provenance": [
                *self._dataset.provenances.get(name, []),
                provenance({"command": self._command, "run": self._run.as_json()}, self._began),
            ],
            "columns": [asdict(column) for column in columns],
        }
        content = io.BytesIO()
        text = json.dumps(described(DATASET_FORMAT, members))
        frame.write_parquet(content, compression_level=1, statistics=False, metadata={KEY: text})
        replace_file(self._dataset.folder / name, sealed(content.getvalue()))


@contextmanager
def open_writer(
    folder: Path, run: Run, rounds: bool = False, command: str = "simulate"
) -> Iterator[Writer]:
    """Open a folder to add to its dataset, with rounds or without; create it where it is absent.

    What was added is on disk when the block ends, also when it ends by an exception. The files say
    that `command` has written them.

    Raises
    ------
    FileError
        The folder cannot be written, another process writes there, or it holds something else
        than this run.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        data_files(folder, COUNTS)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise refused(folder, error) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DatasetError(f"{folder} is being written by another process") from None
        except OSError as error:  # as of file systems without locks
            raise refused(folder, error) from None
        for leftover in folder.glob(TEMPORARY + "*"):
            remove_file(leftover)
        dataset = read(folder)
        if dataset.run is not None:
            require_same(run, dataset.run, "the run asked for", str(folder))
            if dataset.rounds != rounds:
                kept, asked = ("with", "without") if dataset.rounds else ("without", "with")
                raise DatasetError(f"{folder} was written {kept} rows; allowed: not {asked} them")
        dataset.run, dataset.rounds = run, rounds
        writer = Writer(dataset, run, command)
        try:
            yield writer
            writer.flush()
        except FileError:
            raise  # the disk has refused; what is there stays
        except BaseException:
            writer.flush()
            raise
        finally:
            writer.close()
    finally:
        os.close(lock)


def _signed(checksum: int) -> int:
    return checksum - CHECKSUM_MODULUS if checksum >= CHECKSUM_MODULUS // 2 else checksum
