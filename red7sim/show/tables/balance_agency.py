"""The study `balance-agency` as sentences and tables."""

from typing import Any

import polars as pl

from red7sim.lab.studies.balance_agency import FIGURES
from red7sim.lab.studies.study import Study
from red7sim.play.details import TURN_BINS
from red7sim.show.cells import Sheet, cells, interval, number, percent

Row = dict[str, Any]

RUN = ["players", "rules", "player"]


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    said = []
    for (players, rules, player), figures in study.tables["figures"].group_by(
        RUN, maintain_order=True
    ):
        value = {row["figure"]: row["value"] for row in figures.iter_rows(named=True)}
        luck = value["luck_of_deal"]
        chance = (
            "its choices involve no chance, so the deal alone decides who wins the round."
            if luck == 1
            else f"the deal accounts for {percent(luck)} of the variance in who wins the round."
        )
        choices, forced = number(value["choices_per_turn"], ".1f"), percent(value["forced_turns"])
        said.append(
            f"{player}, {players} players, {rules} rules: {choices} choices per turn, {forced} "
            f"of the turns forced; {chance}"
        )
    return said


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    tables = study.tables
    return [
        _figures(tables["figures"]),
        _seats(tables["seats"]),
        _turns(tables["turns"]),
        _lengths(tables["lengths"]),
    ]


def _figures(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["players"], row["rules"], row["player"], row["figure"]),
            *(number(row["value"]), interval(row["low"], row["high"])),
        )
        for row in table.iter_rows(named=True)
    ]
    note = "; ".join(f"{name}: {words}" for name, words in FIGURES.items())
    return Sheet(
        "figures",
        "Choices, changes of the lead, luck",
        ("N", "rules", "player", "figure", "value", "interval"),
        tuple(rows),
        texts=4,
        note=f"{note}.",
    )


def _seats(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["players"], row["rules"], row["player"], f"seat {row['seat']}"),
            *(row["out_early"], number(row["share"], ".5f")),
            interval(row["low"], row["high"], ".5f"),
            interval(row["joint_low"], row["joint_high"], ".5f"),
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "seats",
        "Players out before they survived a turn, by seat in the round",
        ("N", "rules", "player", "", "rounds", "share", "interval", "jointly"),
        tuple(rows),
        texts=4,
    )


def _turns(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["players"], row["rules"], row["player"], row["turn"], row["asked"]),
            *(number(row["choices"], ".2f"), number(row["choices_se"], ".2f")),
            *(number(row["none"], ".3f"), number(row["forced"], ".3f")),
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "turns",
        "Choices by number of the turn in its round",
        ("N", "rules", "player", "turn", "asked", "choices", "error", "none", "one"),
        tuple(rows),
        texts=3,
        note=f"Turn {TURN_BINS} includes all later ones.",
        detail=True,
    )


def _lengths(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["players"], row["rules"], row["player"], row["turns"], row["rounds"]),
            number(row["share"]),
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "lengths",
        "Rounds by number of turns",
        ("N", "rules", "player", "turns", "rounds", "share"),
        tuple(rows),
        texts=3,
        note=f"The row of {TURN_BINS - 1} turns includes all longer rounds.",
        detail=True,
    )
