"""The answers of runs and matches for scripts and notebooks, as polars frames."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from red7sim.lab.runs import RunError
from red7sim.lab.tables import frame, summary_rows


@dataclass(frozen=True)
class Result:
    """What a run says.

    Attributes
    ----------
    summary
        Everything, as in the JSON form of `red7sim simulate`.
    """

    summary: dict[str, Any]
    _rounds: Callable[[], pl.LazyFrame] | None = None

    def rounds(self) -> pl.LazyFrame:
        """Return one row for each round (`red7sim.lab.columns.round_columns`), to be collected.

        Raises
        ------
        ValueError
            The rounds were not asked for, or their files are refused.
        """
        if self._rounds is None:
            raise RunError("the rounds of this run were not kept; ask for them by rows=True")
        return self._rounds()

    def seats(self) -> pl.DataFrame:
        """Return the shares of the games by seat in turn order, with their intervals."""
        return frame(self.summary["seats"])

    def round_seats(self) -> pl.DataFrame:
        """Return the shares of the rounds by seat, each round by its own turn order."""
        return frame(self.summary["round_seats"])

    def line_up(self) -> pl.DataFrame:
        """Return the shares of the games by table position, in a paired design by entry."""
        return frame(self.summary["line_up"])

    def means(self) -> pl.DataFrame:
        """Return the means of a round and of a game, with their standard errors."""
        return self._table("means")

    def final_rules(self) -> pl.DataFrame:
        """Return the shares of the rounds by the canvas they ended on."""
        return self._table("final_rule")

    def tables(self) -> pl.DataFrame:
        """Return all tables as one, as `--export` writes it."""
        return frame(summary_rows(self.summary))

    def _table(self, name: str) -> pl.DataFrame:
        rows = [row for row in summary_rows(self.summary) if row["table"] == name]
        return frame(rows).drop("table")


@dataclass(frozen=True)
class MatchResult:
    """What a match says; `summary` is the JSON form of `red7sim match`."""

    summary: dict[str, Any]

    def measures(self) -> pl.DataFrame:
        """Return every measure of both sides, with the difference and its interval."""
        return frame(self.summary["measures"])
