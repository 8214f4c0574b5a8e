"""Runs played into datasets, and datasets joined."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from red7sim.lab.dataset import (
    Dataset,
    DatasetError,
    combined_rows,
    read,
    require_same,
)
from red7sim.lab.ledger import OverlapError, union
from red7sim.lab.pieces import play_piece, prepare
from red7sim.lab.rows import Recorded
from red7sim.lab.runs import Outcome, Run, checked_range, play_missing
from red7sim.lab.stopping import PrecisionTarget
from red7sim.lab.writer import open_writer
from red7sim.play.tally import GAMES, SUM


def collect(
    folder: Path,
    run: Run,
    games: int,
    first_index: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    target: PrecisionTarget | None = None,
    rounds: bool = False,
    command: str = "simulate",
) -> tuple[Outcome, Dataset]:
    """Play what the dataset of a folder misses of an index range, and return all that it holds.

    Parameters as for `red7sim.lab.runs.play`; the outcome counts every game of the dataset. With
    a target the run stops when it is met, and the outcome counts the games of the range that were
    looked at until then. With `rounds` the dataset keeps every round too. The provenance of its
    files names the command.

    Raises
    ------
    RunError
        A number is out of range.
    FileError
        The folder cannot be written, or it holds something else than this run.
    """
    games, first_index = checked_range(games, first_index, threads)
    wanted = [(first_index, first_index + games)]
    with open_writer(folder, run, rounds, command) as writer:
        held = games - sum(end - first for first, end in writer.ledger.gaps(*wanted[0]))
        if progress and held:
            progress(held)
        look = target.look if target else None
        playable = Recorded(run) if rounds else run
        if held < games:
            prepare(playable)
        start = time.perf_counter()
        played = play_missing(playable, wanted, writer.ledger, writer.add, threads, progress, look)
    elapsed = time.perf_counter() - start
    if target is None:
        return writer.dataset.outcome(elapsed, played), writer.dataset
    looked_at = int(target.tally[SUM, GAMES])
    return Outcome(run, first_index, looked_at, target.tally, elapsed, played), writer.dataset


def combine(folders: Sequence[Path], target: Path) -> tuple[Outcome, Dataset]:
    """Join the datasets of several folders, all of one run, into the one of a target folder.

    Pieces that occur several times must be equal and count once. The target may hold a part of
    the run already; the other folders are only read.

    Raises
    ------
    FileError
        A folder holds no dataset, the runs differ, or counts of the same games do.
    """
    start = time.perf_counter()
    datasets = [read(folder) for folder in folders]
    runs = [dataset.run for dataset in datasets]
    run = runs[0] if runs else None
    for folder, other in zip(folders, runs, strict=True):
        if run is None or other is None:
            raise DatasetError(f"{folder} holds no dataset")
        require_same(run, other, str(folders[0]), str(folder))
    if run is None:
        raise DatasetError("no dataset to combine; allowed: one or more")
    rounds = datasets[0].rounds
    for folder, dataset in zip(folders, datasets, strict=True):
        if dataset.rounds != rounds:
            raise DatasetError(
                f"{folders[0]} and {folder} do not combine: one with rows, one without"
            )
    with open_writer(target, run, rounds, "combine") as writer:
        count = partial(play_piece, Recorded(run) if rounds else run)
        try:
            ledgers = [*(dataset.ledger for dataset in datasets), writer.ledger]
            joined = union(ledgers, count)
        except OverlapError as error:
            raise DatasetError(f"these datasets do not combine: {error}") from None
        if rounds:  # before their counts, as always
            for rows in combined_rows([*datasets, writer.dataset], joined, run):
                writer.replace_rows(rows, joined)
        writer.replace(joined)
    return writer.dataset.outcome(time.perf_counter() - start, 0), writer.dataset
