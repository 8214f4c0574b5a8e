"""The study `sweep` as sentences and tables."""

from typing import Any

import polars as pl

from red7sim.lab.studies.study import Study
from red7sim.lab.studies.variants import BASELINE
from red7sim.show.cells import Sheet, cells, interval, number
from red7sim.show.refused import left_out, refused_sheets

FIRST_SEAT = "seat:0"


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    first = study.tables["variants"].filter(measure=FIRST_SEAT)
    own = first.filter(variant=BASELINE).row(0, named=True)
    switches = first.columns[1 : first.columns.index("measure")]
    baseline = " ".join(f"{name}={own[name]}" for name in switches)
    said = [
        f"With the baseline ({baseline}), the starting player wins {number(own['value'])} of the "
        "games."
    ]
    others = first.filter(pl.col("variant") != BASELINE)
    if others.height:
        shown = others.filter(
            (pl.col("difference_low") > 0) | (pl.col("difference_high") < 0)
        ).height
        low, high = (others.sort("value").row(i, named=True) for i in (0, -1))
        said += [
            f"Among the other variants this is lowest with {low['variant']}: "
            f"{number(low['value'])}; highest with {high['variant']}: {number(high['value'])}.",
            f"{shown} of {others.height} variants change it significantly, each tested on its own.",
        ]
    return [*filter(None, [*said, left_out(study)])]


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    return [_seats(study), _lengths(study), *refused_sheets(study)]


def _seats(study: Study) -> Sheet:
    table = study.tables["variants"]
    shares = table.filter(pl.col("measure").str.starts_with("seat:"))
    seats = shares["measure"].unique(maintain_order=True).to_list()
    rows = []
    for variant in shares["variant"].unique(maintain_order=True).to_list():
        of = {row["measure"]: row for row in shares.filter(variant=variant).to_dicts()}
        first = of[FIRST_SEAT]
        rows.append(
            cells(
                variant,
                *(number(of[seat]["value"]) for seat in seats),
                interval(first["low"], first["high"]),
                number(first["difference_value"], "+.4f"),
                interval(first["difference_low"], first["difference_high"], "+.4f"),
            )
        )
    headers = ("variant", *(seat.replace(":", " ") for seat in seats))
    return Sheet(
        "variants",
        "Shares of the games by seat in turn order",
        (*headers, "seat 0 interval", "change", "interval"),
        tuple(rows),
        note="The change is that of seat 0 against the baseline on common deals.",
    )


def _lengths(study: Study) -> Sheet:
    table = study.tables["variants"]
    one_round = (table.filter(measure="rounds")["value"] == 1).all()
    names = {"turns_per_round": "turns/round", "points_per_round": "points/round"}
    a_game = ["draws"] if one_round else ["draws", "points", "turns", "rounds"]
    rows = []
    for variant in table["variant"].unique(maintain_order=True).to_list():
        of: dict[str, Any] = {r["measure"]: r for r in table.filter(variant=variant).to_dicts()}
        turns = of["turns"]
        rows.append(
            cells(
                variant,
                *(number(of[name]["value"], ".3f") for name in (*names, *a_game)),
                interval(turns["difference_low"], turns["difference_high"], "+.3f"),
            )
        )
    return Sheet(
        "lengths",
        "Lengths and points",
        ("variant", *names.values(), *a_game, "change of turns"),
        tuple(rows),
        note="Means are per game unless marked otherwise, as is the change of turns against the "
        "baseline.",
    )
