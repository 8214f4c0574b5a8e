"""What is asked of a run: checked before anything is played, then played, counted and kept."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from red7sim.lab.runs import Outcome, Run, RunError, checked_range, play
from red7sim.lab.stopping import PrecisionTarget, games_at_most, play_to_target
from red7sim.lab.summary import summarize

if TYPE_CHECKING:
    import polars as pl

    from red7sim.lab.dataset import Dataset


@dataclass(frozen=True)
class Played:
    """What was counted, and where it is kept.

    Attributes
    ----------
    target
        With its looks, where the run was to stop at one.
    dataset
        What the counts are kept in, if they are.
    rounds
        What returns a frame of the rounds, if they are kept.
    """

    outcome: Outcome
    target: PrecisionTarget | None = None
    dataset: "Dataset | None" = None
    rounds: "Callable[[], pl.LazyFrame] | None" = None

    def summary(self, confidence: float) -> dict[str, Any]:
        """Return what a run of games says, as in the JSON form of `red7sim simulate`."""
        return summarize(self.outcome, confidence, self.target) | self.where

    @property
    def where(self) -> dict[str, Any]:
        """What the JSON forms say of where the counts are kept: `dataset`, if they are."""
        if self.dataset is None:
            return {}
        return {"dataset": self.dataset.describe() | {"played": self.outcome.played}}


@dataclass(frozen=True)
class Order:
    """An index range of a run to be played, once.

    Attributes
    ----------
    games
        How many; with a target at most. What refusals call them is `name`.
    threads
        How many play at once; None for all processors.
    target
        A fresh one, at which to stop.
    folder
        Dataset to keep the counts in, and to go on from.
    rows
        Whether every round is kept: there, or without a folder in memory.
    command
        What the files of the dataset name as their command.

    Raises
    ------
    RunError
        A number is out of range, or rows of a run with a target are to be kept in memory.
    """

    run: Run
    games: int
    first_index: int = 0
    threads: int | None = None
    target: PrecisionTarget | None = None
    folder: Path | None = None
    rows: bool = False
    name: str = "games"
    command: str = "simulate"

    def __post_init__(self) -> None:
        games, first = checked_range(self.games, self.first_index, self.threads, self.name)
        object.__setattr__(self, "games", games)
        object.__setattr__(self, "first_index", first)
        if self.rows and self.target is not None and self.folder is None:
            raise RunError("rows of a run with a target can be kept on disk only; pass `out` too")

    def play(self, progress: Callable[[int], None] | None = None) -> Played:
        """Play what is not in the folder already, and count all of it.

        Parameters
        ----------
        progress
            Called with the number of games of each piece that is done.

        Raises
        ------
        FileError
            The folder cannot be written, or it holds something else than this run.
        """
        run, target = self.run, self.target
        wanted = self.games, self.first_index, self.threads
        if self.folder is not None:
            from red7sim.lab.collect import collect

            outcome, dataset = collect(
                self.folder, run, *wanted, progress, target, self.rows, self.command
            )
            return Played(outcome, target, dataset, dataset.reader)
        if self.rows:
            from red7sim.lab.rows import play_recorded

            outcome, frame = play_recorded(run, *wanted, progress)
            return Played(outcome, rounds=frame.lazy)
        if target is not None:
            return Played(play_to_target(run, target, *wanted, progress), target)
        return Played(play(run, *wanted, progress=progress))


def order_games(
    run: Run,
    games: int | None,
    first_index: int,
    threads: int | None,
    confidence: float,
    half_width: float | None = None,
    max_games: int | None = None,
    folder: Path | None = None,
    rows: bool = False,
) -> Order:
    """Return the order of `red7sim simulate`.

    Parameters
    ----------
    games
        None for as many as are usual.
    half_width, max_games
        Stop once every share is known to this much on either side, after `max_games` in any case.
    confidence
        That of the confidence sequences which say so.

    Raises
    ------
    RunError
        A number is out of range, or numbers do not go together.
    """
    cap = games_at_most(games, run.usual_games, half_width, max_games)
    target = None if half_width is None else PrecisionTarget(run, half_width, confidence)
    name = "games" if target is None else "max_games"
    return Order(run, cap, first_index, threads, target, folder, rows, name)


def order_deals(
    run: Run,
    deals: int,
    first_index: int,
    threads: int | None,
    folder: Path | None = None,
) -> Order:
    """Return the order of `red7sim solve`, of a run of perfect play.

    Raises
    ------
    RunError
        A number is out of range.
    """
    return Order(run, deals, first_index, threads, folder=folder, name="deals", command="solve")
