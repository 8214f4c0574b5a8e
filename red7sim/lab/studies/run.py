"""A run as a study: what `simulate` says about it, for pages."""

from typing import Any, Final

import polars as pl

from red7sim.lab.dataset import Dataset, DatasetError
from red7sim.lab.runs import Outcome
from red7sim.lab.solving import PerfectRun
from red7sim.lab.stats import as_percent
from red7sim.lab.studies.study import Study, command_line
from red7sim.lab.studies.variants import run_sentence, run_words
from red7sim.lab.summary import DEFAULT_CONFIDENCE, summarize
from red7sim.lab.tables import summary_rows

NAME: Final = "run"
_KINDS: Final = {
    "wilson": "Wilson, joint ones Goodman",
    "game": "Wilson's, by the variance between games, joint ones with the error split",
    "paired": "Wilson's, by the variance between deals, joint ones with the error split",
}

Row = dict[str, Any]
_SHARES: Final = {
    "name": pl.String,
    "player": pl.String,
    "wins": pl.Float64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "joint_low": pl.Float64,
    "joint_high": pl.Float64,
}
_MEANS: Final = {"name": pl.String, "value": pl.Float64, "standard_error": pl.Float64}
_SCHEMAS: Final = {
    "seats": _SHARES,
    "round_seats": _SHARES,
    "line_up": _SHARES,
    "means": _MEANS,
    "final_rule": _MEANS,
    "ended": {"name": pl.String, "value": pl.Float64},
}


def run_study(outcome: Outcome, confidence: float = DEFAULT_CONFIDENCE) -> Study:
    """Return what a run says as a study.

    Its tables are those of `red7sim.lab.tables.summary_rows`: `seats`, `round_seats`, `line_up`,
    `means`, `final_rule` and `ended`.
    """
    run = outcome.run
    summary = summarize(outcome, confidence)
    rows = summary_rows(summary)
    units = f"{outcome.games:,} deals, " if run.paired else ""
    numbers: dict[str, float] = {"games": outcome.games, "confidence": confidence}
    if outcome.first_index:
        numbers["first_index"] = outcome.first_index
    return Study(
        name=NAME,
        title="Who wins, how long it takes, and by which rules",
        caption=(
            f"{run_sentence(run)}; {units}{summary['games']:,} games, "
            f"{summary['rounds']:,} rounds. Intervals are {as_percent(confidence)}: "
            f"{_KINDS[summary['interval']]}."
        ),
        command=command_line("simulate", run_words(run), **numbers),
        parameters={"run": run.as_json(), "games": outcome.games, "confidence": confidence}
        | {"first_index": outcome.first_index},
        tables={name: _table(rows, name, schema) for name, schema in _SCHEMAS.items()},
    )


def dataset_study(
    dataset: Dataset, confidence: float = DEFAULT_CONFIDENCE
) -> tuple[Study, dict[str, Any]]:
    """Return what a dataset says as a study, and the provenance of its first file.

    Raises
    ------
    DatasetError
        It holds nothing, deals that were solved instead of played, or games that no one command
        plays.
    """
    run = dataset.run
    if run is None:
        raise DatasetError(f"{dataset.folder} holds no dataset and no study")
    if isinstance(run, PerfectRun):
        raise DatasetError(
            f"{dataset.folder} holds solved deals; allowed: a dataset of games, or a study"
        )
    ranges = dataset.ledger.ranges()
    if len(ranges) != 1:
        raise DatasetError(
            f"{dataset.folder} holds {len(ranges)} separate ranges of games; allowed: one"
        )
    [records] = [*dataset.provenances.values()][:1]
    return run_study(dataset.outcome(elapsed=0.0, played=0), confidence), records[0]


def _table(rows: list[Row], name: str, schema: dict[str, Any]) -> pl.DataFrame:
    found = [{key: row.get(key) for key in schema} for row in rows if row["table"] == name]
    return pl.DataFrame(found, schema)
