"""The study `first-player` as sentences and tables."""

import polars as pl

from red7sim.lab.studies.first_player import BY_THE_RULES, FORCED
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.verdicts import OPEN
from red7sim.show.cells import SIGNS, Sheet, cells, interval, number

_CELL = ["players", "rules", "player"]
_STARTS = {BY_THE_RULES: "rules", FORCED: "forced"}


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    seats = study.tables["seats"]
    said = []
    for players in seats["players"].unique(maintain_order=True).to_list():
        by_the_rules, forced = (
            [_span(group.filter(seat=seat)) for seat in (0, players - 1)]
            for start in (BY_THE_RULES, FORCED)
            for group in [seats.filter(players=players, start=start)]
        )
        said.append(
            f"With {players} players and the start set by the rules, the starting player wins "
            f"{by_the_rules[0]} of the games and the last player {by_the_rules[1]}, where "
            f"{1 / players:.4f} would be fair; with a forced start they win {forced[0]} and "
            f"{forced[1]}."
        )
    said.append("A forced start shows the seat alone: by the rules, the cards decide who starts.")
    known = seats.filter(pl.col("verdict") != OPEN).height
    said.append(
        f"{known} of {seats.height} seats differ significantly from the fair share, judged jointly "
        "with the other seats of the same run."
    )
    return said


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    found = [_seats(study.tables["seats"])]
    if study.tables["points"].height:
        found += [_points(study.tables["points"]), _rounds(study.tables["rounds"])]
    return found


def _span(shares: pl.DataFrame) -> str:
    found = sorted(shares["share"].to_list())
    low, high = number(found[0]), number(found[-1])
    return low if low == high else f"{low} to {high}"


def _seats(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["players"], row["rules"], row["player"], _STARTS[row["start"]], row["seat"]),
            *(number(row["share"]), interval(row["low"], row["high"])),
            *(interval(row["joint_low"], row["joint_high"]), SIGNS[row["verdict"]]),
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "seats",
        "Shares of the games by seat in turn order",
        ("N", "rules", "player", "start", "seat", "share", "interval", "jointly", "fair?"),
        tuple(rows),
        texts=4,
        note="+ and - mark seats whose joint interval lies above or below the fair share 1/N.",
    )


def _points(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["players"], row["rules"], row["player"], row["seat"]),
            *(number(row["points"], ".3f"), number(row["worth"], "+.3f")),
            interval(row["low"], row["high"], "+.3f"),
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "points",
        "Points per round by seat in the round",
        ("N", "rules", "player", "seat", "points", "worth", "interval"),
        tuple(rows),
        texts=3,
        note="Worth is how many more points per round a seat earns than the mean of all seats.",
    )


def _rounds(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(*key, *_filled([number(share, ".4f") for share in group["share"]], 4), rounds)
        for key, group in table.group_by([*_CELL, "round"], maintain_order=True)
        for rounds in [group["rounds"][0]]
    ]
    return Sheet(
        "rounds",
        "Shares of the rounds by number of the round and seat in the round",
        ("N", "rules", "player", "round", *(f"seat {seat}" for seat in range(4)), "rounds"),
        tuple(rows),
        texts=3,
        note="Among games that get that far; every round has its own turn order.",
        detail=True,
    )


def _filled(texts: list[str], n: int) -> list[str]:
    return texts + [""] * (n - len(texts))
