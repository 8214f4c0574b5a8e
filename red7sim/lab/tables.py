"""Answers as one tidy table, and tables as files for other programs."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from red7sim.lab.files import replace_file
from red7sim.lab.summary import MEANS

Row = dict[str, Any]


def is_of_games(summary: Row) -> bool:
    """Tell whether a summary is that of games; otherwise it is of solved deals."""
    return "seats" in summary


def summary_rows(summary: Row) -> list[Row]:
    """Return every table of the summary of a run as rows of one.

    `table` says which (seats, round_seats, line_up, means, final_rule, ended), `name` which row of
    it; `value` is the share or the mean, and cells that a table does not have are absent. Solved
    deals have one row, which is their summary without rules and dataset.
    """
    if not is_of_games(summary):
        return [{name: c for name, c in summary.items() if not isinstance(c, Mapping)}]
    rows: list[Row] = []
    for table, key in (("seats", "seat"), ("round_seats", "seat"), ("line_up", "position")):
        for row in summary[table]:
            cells = {k: v for k, v in row.items() if k not in (key, "win_rate")}
            rows.append(
                {"table": table, "name": f"{key} {row[key]}", "value": row["win_rate"]} | cells
            )
    for name in MEANS:
        error = summary[f"{name}_se"]
        rows.append(
            {"table": "means", "name": name, "value": summary[name], "standard_error": error}
        )
    for colour, share in summary["final_rule"].items():
        error = summary["final_rule_se"][colour]
        rows.append(
            {"table": "final_rule", "name": colour, "value": share, "standard_error": error}
        )
    for reason, share in summary["ended"].items():
        rows.append({"table": "ended", "name": reason, "value": share})
    return rows


def frame(rows: list[Row]) -> pl.DataFrame:
    """Return rows as a polars frame; a column has the union of the types that occur in it, and is
    one of unknown numbers where none does.
    """
    table = pl.DataFrame(rows, infer_schema_length=None)
    return table.cast(dict.fromkeys(table.select(pl.col(pl.Null)).columns, pl.Float64))


def stacked(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return tables as one: `table` says which, and cells that a table does not have are absent."""
    named = [table.select(pl.lit(name).alias("table"), pl.all()) for name, table in tables.items()]
    return pl.concat(named, how="diagonal_relaxed")


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a frame to a file: CSV, JSON (an array of objects) or else Parquet, by its ending.

    Raises
    ------
    FileError
        The file cannot be written.
    """
    content = io.BytesIO()
    match path.suffix.lower():
        case ".csv":
            table.write_csv(content)
        case ".json":
            table.write_json(content)
        case _:
            table.write_parquet(content)
    replace_file(path, content.getbuffer())
