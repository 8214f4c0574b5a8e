"""The answers of runs and matches for scripts and notebooks, as polars frames."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from red7sim.lab.runs import RunError
from red7sim.lab.tables import frame, is_of_games, summary_rows


@dataclass(frozen=True)
class Result:
    """What a run says.

    The frames have one row each of what they list, shares as Float64 between 0 and 1. `low` and
    `high` are the ends of an interval, `joint_low` and `joint_high` of one that holds for all rows
    together. A paired design adds `variance_ratio`; a run with a target has confidence sequences,
    and `fixed_low` and `fixed_high` for a fixed number of games.

    Solved deals have a summary and a table alone: the other frames refuse with an InputError.

    Attributes
    ----------
    summary
        Everything, as in the JSON form of `red7sim simulate`; of solved deals of `red7sim solve`.
    """

    summary: dict[str, Any]
    _rounds: Callable[[], pl.LazyFrame] | None = None

    def rounds(self) -> pl.LazyFrame:
        """Return one row for each round (`red7sim.lab.columns.round_columns`), to be collected.

        Raises
        ------
        InputError
            The rounds were not asked for, or their files are refused.
        """
        if self._rounds is None:
            raise RunError("the rounds of this run were not kept; ask for them by rows=True")
        return self._rounds()

    def seats(self) -> pl.DataFrame:
        """Return the shares of the games by seat in turn order: one row a seat.

        Columns are `seat` (0 acts first), `player` (null where players differ), `wins` in games,
        shared wins in parts, their share `win_rate`, and the intervals.
        """
        return self._listed("seats").cast({"player": pl.String})

    def round_seats(self) -> pl.DataFrame:
        """Return the shares of the rounds by seat, each round by its own turn order.

        Columns are those of `seats` without `player`; `wins` counts rounds.
        """
        return self._listed("round_seats")

    def line_up(self) -> pl.DataFrame:
        """Return the shares of the games by table position, in a paired design by entry.

        Columns are those of `seats`, with `position` instead of `seat`.
        """
        return self._listed("line_up")

    def means(self) -> pl.DataFrame:
        """Return the means of a round and of a game: `name`, `value`, `standard_error`."""
        return self._table("means")

    def final_rules(self) -> pl.DataFrame:
        """Return the shares of the rounds by the canvas they ended on, columns as in `means`."""
        return self._table("final_rule")

    def tables(self) -> pl.DataFrame:
        """Return all tables as one, as `--export` writes it."""
        return frame(summary_rows(self.summary))

    def _listed(self, name: str) -> pl.DataFrame:
        self._require_games()
        return frame(self.summary[name])

    def _table(self, name: str) -> pl.DataFrame:
        self._require_games()
        rows = [row for row in summary_rows(self.summary) if row["table"] == name]
        return frame(rows).drop("table")

    def _require_games(self) -> None:
        if not is_of_games(self.summary):
            raise RunError("these are solved deals, not games; allowed: summary and tables()")


@dataclass(frozen=True)
class MatchResult:
    """What a match says.

    Attributes
    ----------
    summary
        Everything, as in the JSON form of `red7sim match`.
    """

    summary: dict[str, Any]

    def measures(self) -> pl.DataFrame:
        """Return every measure of both sides: one row a measure.

        Columns are `measure`, the means `a` and `b` a game, their `difference` with
        `difference_se` and the interval `low` .. `high`, and `variance_ratio`, which is that of
        the difference on common to that on separate deals.
        """
        return frame(self.summary["measures"])
