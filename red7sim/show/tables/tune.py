"""The study `tune` as sentences and tables."""

import polars as pl

from red7sim.lab.studies.study import Study
from red7sim.lab.studies.tune import CHOICE_GAMES, ELIMINATED, MEANS, SURVIVES
from red7sim.lab.studies.variants import BASELINE
from red7sim.show.cells import Sheet, cells, interval, number, with_error


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    table = study.tables["variants"]
    left = table.filter(state=SURVIVES)
    best = left.row(0, named=True)
    percent = f"{100 * study.parameters['confidence']:g} %"
    left_of = f"After {max(table['deals']):,} deals {left.height} of {table.height} variants"
    said = [
        f"{left_of} are left; with {percent} confidence the fairest of all is among them."
        if left.height > 1
        else f"{left_of} is left; with {percent} confidence it is the fairest of all.",
        f"Nearest to fair is {best['variant']}: no seat is more than "
        f"{number(best['unfairness'])} from its fair share, by the estimate; between "
        f"{number(best['unfairness_low'])} and {number(best['unfairness_high'])} is certain.",
    ]
    own = table.filter(variant=BASELINE).row(0, named=True)
    if own["state"] == ELIMINATED:
        said.append(
            f"The baseline is not the fairest, with {number(own['unfairness'])}: after "
            f"{own['deals']:,} deals {own['beaten_by']} was proven to be fairer."
        )
    elif left.height > 1:
        said.append("The baseline may be the fairest.")
    refused = study.tables["refused"]["variant"].to_list()
    if refused:
        said.append(f"Refused by the rules and left out: {', '.join(refused)}.")
    return said


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    table = study.tables["variants"]
    found = [_unfairness(table), _trade_offs(table), _proofs(table), _looks(study.tables["looks"])]
    refused = study.tables["refused"]
    if refused.height:
        rows = tuple(refused.iter_rows())
        found.append(
            Sheet("refused", "Refused by the rules", ("variant", "reason"), rows, 2, detail=True)
        )
    return found


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
        note="The shares are those of the games by seat in turn order.",
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
    headers = ("turns", "points", "draws", "rounds", "choices", "forced")
    return Sheet(
        "trade_offs",
        "What else changes",
        ("variant", "state", *headers),
        tuple(rows),
        note="Turns, points and draws a round, rounds a game; the surviving turns to choose from a "
        f"turn, with standard error, and the share of turns with just one, in {CHOICE_GAMES:,} "
        "games at most.",
    )


def _proofs(table: pl.DataFrame) -> Sheet:
    gone = table.filter(state=ELIMINATED)
    rows = tuple(cells(*row) for row in gone.select("variant", "beaten_by", "deals").iter_rows())
    headers = ("variant", "proven to be fairer", "after deals")
    return Sheet("proofs", "What is proven", headers, rows, texts=2, detail=True)


def _looks(table: pl.DataFrame) -> Sheet:
    rows = tuple(cells(*row) for row in table.iter_rows())
    return Sheet("looks", "Looks", ("deals", "variants left"), rows, texts=0, detail=True)
