"""The study `balance-folding` as sentences and tables."""

from typing import Any

import polars as pl

from red7sim.lab.studies.balance_folding import (
    FOLDED,
    FORCED_OUT,
    MAY,
    MAY_NOT,
    OUTCOMES,
    SWITCH,
)
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.verdicts import COSTS, OPEN, PAYS
from red7sim.show.cells import SIGNS, Sheet, cells, interval, number, percent, with_error

_VERDICTS = {
    PAYS: "so folding pays",
    COSTS: "so folding costs games",
    OPEN: "so it is open whether folding pays",
}

RUN = ["players", "rules", "player", SWITCH]
_SHOWN = ["player", "players", SWITCH]

Row = dict[str, Any]


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    shares, ends = study.tables["shares"], study.tables["ends"]
    said = []
    for run, rows in shares.group_by(RUN, maintain_order=True):
        [alone] = rows.filter(alone=MAY).to_dicts()
        said.append(
            f"{_named(run)}: {alone['player']} alone wins {number(alone['share'])} of the games "
            f"against rivals who may not fold, where {number(alone['fair'])} would be fair, "
            f"{_VERDICTS[alone['verdict']]}."
        )
        of_run = ends.filter(**dict(zip(RUN, run, strict=True)), rivals=MAY_NOT)
        found = {row["end"]: row for row in of_run.to_dicts()}
        folded, forced = found[FOLDED], found[FORCED_OUT]
        said.append(
            f"It folds in {percent(folded['share'])} of the rounds, which gives the winner "
            f"{_points(folded)} points; it is forced out in {percent(forced['share'])}, which "
            f"gives {_points(forced)}."
        )
    return said


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    tables = study.tables
    return [_shares(tables["shares"]), _points_won(tables["points"]), _ends(tables["ends"])]


def _named(run: tuple[object, ...]) -> str:
    players, rules, _, least = run
    return f"{players} players, {rules} rules, {SWITCH} {least}"


def _points(row: Row) -> str:
    return with_error(row["points"], row["points_se"])


def _shares(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row[name] for name in _SHOWN),
            row["alone"],
            number(row["share"]),
            number(row["difference"], "+.4f"),
            interval(row["joint_low"], row["joint_high"], "+.4f"),
            SIGNS[row["verdict"]],
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "shares",
        "Shares of the games that one player wins against rivals of the other kind",
        ("player", "N", "min", "alone", "share", "difference", "jointly", ""),
        tuple(rows),
        texts=1,
        note=f"N players, {SWITCH} min; the difference is that from the fair share. - and + "
        "mark those whose joint interval excludes 0.",
    )


def _points_won(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row[name] for name in _SHOWN),
            row["alone"],
            *(
                with_error(row[name], row[f"{name}_se"])
                for name in ("points", "points_per_round", "lead")
            ),
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "points",
        "Points of that player",
        ("player", "N", "min", "alone", "a game", "a round", "lead"),
        tuple(rows),
        texts=1,
        note="The lead is how many more points per game this player scores than the others do on "
        "average; standard errors are in brackets.",
    )


def _ends(table: pl.DataFrame) -> Sheet:
    rows = []
    for run, ends in table.group_by([*_SHOWN, "rivals"], maintain_order=True):
        found = {row["end"]: row for row in ends.to_dicts()}
        rows.append(
            cells(
                *run,
                *(with_error(found[e]["share"], found[e]["share_se"], 3) for e in OUTCOMES[1:]),
                *(with_error(found[e]["points"], found[e]["points_se"], 1) for e in OUTCOMES),
            )
        )
    return Sheet(
        "ends",
        "How rounds end for a player who may fold",
        (
            *("player", "N", "min", "rivals", "folded", "forced out"),
            *("won:", "folded:", "forced:"),
        ),
        tuple(rows),
        texts=1,
        note="Shares of the rounds in which the player folds although a turn survives, and in "
        "which he is forced out; then the points that the winner takes when the player "
        "has won, folded, or been forced out.",
    )
