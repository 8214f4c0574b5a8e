"""Runs whose details are counted (red7sim.play.details)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.lab.pieces import play_total
from red7sim.lab.runs import Run, RunError
from red7sim.play.detailed import Counts, DetailedTable, empty_counts, seat_detailed, split_counts
from red7sim.play.details import DETAILS, ENDS, Details
from red7sim.play.tally import Tally


@dataclass(frozen=True)
class Detailed:
    """A run whose details are counted; it plays the same games.

    Raises
    ------
    RunError
        The run has pairing.
    """

    run: Run

    def __post_init__(self) -> None:
        if self.run.paired:
            raise RunError("details are counted without pairing")

    @property
    def seed(self) -> int:
        """Seed of all chance."""
        return self.run.seed

    def empty_tally(self) -> Counts:
        """Return the counts of no games."""
        return empty_counts()

    def table(self) -> DetailedTable:
        """Return a new table to play at, for one thread."""
        return seat_detailed(self.run.rules, self.run.players)


def play_in_detail(
    run: Run,
    games: int,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[Tally, Details]:
    """Play games 0 .. `games` - 1 of a run without pairing.

    Returns
    -------
    Its tally, and the DETAILS records of the groups that have games.
    """
    counts = play_total(Detailed(run), 0, games, threads, progress)
    tally, details = split_counts(counts)
    return tally, details[details["games"] > 0]


def totals(details: Details) -> dict[str, NDArray[Any]]:
    """Return the sums over all groups by the name of the field."""
    return {name: np.sum(details[name], axis=0) for name in DETAILS.names or ()}


def rounds_of(details: Details) -> NDArray[np.int64]:
    """Return the number of rounds of each group: shape (groups,)."""
    rounds: NDArray[np.int64] = details["finals"][:, :, ENDS].sum(axis=1)
    return rounds
