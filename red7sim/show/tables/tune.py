"""The study `tune` as sentences and tables."""

import polars as pl

from red7sim.lab.stats import as_percent
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.tune import CHOICE_GAMES, ELIMINATED, SURVIVES
from red7sim.lab.studies.variants import BASELINE
from red7sim.lab.summary import MEANS
from red7sim.show.cells import Sheet, cells, interval, number, with_error
from red7sim.show.refused import left_out, refused_sheets


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    table = study.tables["variants"]
    left = table.filter(state=SURVIVES)
    best = left.row(0, named=True)
    percent = as_percent(study.parameters["confidence"])
    left_of = f"After {max(table['deals']):,} deals {left.height} of {table.height} variants"
    said = [
        f"{left_of} are left; with {percent} confidence the fairest of all is among them."
        if left.height > 1
        else f"{left_of} is left; with {percent} confidence it is the fairest of all.",
        f"Nearest to fair is {best['variant']}: no seat is more than "
        f"{number(best['unfairness'])} from its fair share, by the estimate, and with {percent} "
        f"confidence between {number(best['unfairness_low'])} and "
        f"{number(best['unfairness_high'])}.",
    ]
    own = table.filter(variant=BASELINE).row(0, named=True)
    if own["state"] == ELIMINATED:
        said.append(
            f"The baseline is not the fairest, with {number(own['unfairness'])}: after "
            f"{own['deals']:,} deals {own['beaten_by']} was proven to be fairer."
        )
    elif left.height > 1:
        said.append("The baseline may be the fairest.")
    return [*filter(None, [*said, left_out(study)])]


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    table = study.tables["variants"]
    looks = _looks(study.tables["looks"])
    return [
        *(_unfairness(table), _trade_offs(table), _proofs(table), looks),
        *refused_sheets(study),
    ]


def _seats(table: pl.DataFrame) -> list[str]:
    return [name for name in table.columns if name.startswith("seat_")]


def _unfairness(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["variant"], row["state"], row["deals"], number(row["unfairness"])),
            interval(row["unfairness_low"], row["unfairness_high"]),
            *(number(row[seat]) for seat in _seats(table)),
        )
        for row in table.iter_rows(named=True)
    ]
    seats = [name.replace("_", " ") for name in _seats(table)]
    return Sheet(
        "variants",
        "Unfairness: the largest deviation of a seat from its fair share",
        ("variant", "state", "deals", "unfairness", "interval", *seats),
        tuple(rows),
        note="Shares are those of the games, by seat in turn order.",
    )


def _trade_offs(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["variant"], row["state"], *(number(row[name], ".2f") for name in MEANS)),
            with_error(row["choices_per_turn"], row["choices_per_turn_se"]),
            number(row["forced_turns"], ".3f"),
        )
        for row in table.iter_rows(named=True)
    ]
    headers = [*(name.partition("_")[0] for name in MEANS), "choices", "forced"]
    return Sheet(
        "trade_offs",
        "What else changes",
        ("variant", "state", *headers),
        tuple(rows),
        note="Turns, points and draws per round, rounds per game; surviving turns to choose from "
        "per turn, with standard error, and the share of turns with exactly one, in at most "
        f"{CHOICE_GAMES:,} games.",
    )


def _proofs(table: pl.DataFrame) -> Sheet:
    gone = table.filter(state=ELIMINATED)
    rows = tuple(cells(*row) for row in gone.select("variant", "beaten_by", "deals").iter_rows())
    headers = ("variant", "proven to be fairer", "after deals")
    return Sheet("proofs", "What is proven", headers, rows, texts=2, detail=True)


def _looks(table: pl.DataFrame) -> Sheet:
    rows = tuple(cells(*row) for row in table.iter_rows())
    return Sheet("looks", "Looks", ("deals", "variants left"), rows, texts=0, detail=True)
