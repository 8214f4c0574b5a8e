"""The study `balance-rules` as sentences and tables."""

import polars as pl

from red7sim.game.cards import COLOURS
from red7sim.lab.studies.balance_rules import RANKS
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.verdicts import COSTS
from red7sim.show.cells import SIGNS, Sheet, cells, interval, number, with_error
from red7sim.show.letters import lettered


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    rules, restrictions = study.tables["rules"], study.tables["restrictions"]
    said = []
    for figure, sentence in (
        ("ended", "Most rounds end on {} ({}), fewest on {} ({})."),
        ("points", "A round that ends on {} brings {} points, one on {} {}."),
        (
            "won",
            "A player who changes the rule to {} wins the round with probability {}; to {}, {}.",
        ),
    ):
        known = rules.drop_nulls(f"{figure}_se").sort(figure)
        if known.height > 1:
            least, most = known.row(0, named=True), known.row(-1, named=True)
            form = ".2f" if figure == "points" else ".4f"
            texts = [most["rule"], number(most[figure], form)]
            said.append(sentence.format(*texts, least["rule"], number(least[figure], form)))
    by_colour = restrictions.filter(pl.col("restriction").str.starts_with("no-rule"))
    found = by_colour.filter(verdict=COSTS).sort("difference")
    if found.height:
        dear = found.row(0, named=True)
        said.append(
            f"For {found.height} of 7 colours, never making them the rule measurably costs games; "
            f"{_colour(dear)} costs most, at {_points(dear)} percentage points."
        )
    else:
        said.append("Never making a colour the rule does not measurably cost games for any colour.")
    return said


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    return [
        _rules(study.tables["rules"]),
        _restrictions(study.tables["restrictions"]),
        _transitions(study.tables["transitions"]),
    ]


def _colour(row: dict[str, str]) -> str:
    return row["restriction"].partition(":")[2]


def _points(row: dict[str, float]) -> str:
    return number(-100 * row["difference"], ".1f")


def _rules(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            lettered(row["rule"]),
            *(with_error(row[name], row[f"{name}_se"], 4) for name in ("shown", "ended")),
            with_error(row["points"], row["points_se"]),
            with_error(row["changes"], row["changes_se"], 3),
            with_error(row["won"], row["won_se"], 3),
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "rules",
        "The rules, by the colour of the canvas",
        ("", "turns under it", "rounds ended", "points", "changes to it", "won"),
        tuple(rows),
        note="Shares of the turns and of the rounds; points in a round that ends on it; changes to "
        "it per round, and the share of them whose maker wins the round; each with its standard "
        "error.",
    )


def _restrictions(table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            row["restriction"],
            number(row["share"]),
            number(row["difference"], "+.4f"),
            interval(row["low"], row["high"], "+.4f"),
            interval(row["joint_low"], row["joint_high"], "+.4f"),
            SIGNS[row["verdict"]],
        )
        for row in table.iter_rows(named=True)
    ]
    return Sheet(
        "restrictions",
        "What a restriction costs",
        ("", "share", "difference", "interval", "jointly", ""),
        tuple(rows),
        note="Shares of the games that one restricted player wins, and their difference from the "
        "fair share. - and + mark differences whose joint interval excludes 0.",
    )


def _transitions(table: pl.DataFrame) -> Sheet:
    names = [COLOURS[rank] for rank in RANKS]
    shares = {(row["before"], row["after"]): row["share"] for row in table.iter_rows(named=True)}
    rows = [
        cells(lettered(before), *(number(shares[before, after], ".3f") for after in names))
        for before in names
    ]
    return Sheet(
        "transitions",
        "From rule to rule: shares of the discards made under a colour",
        ("from", *(lettered(name) for name in names)),
        tuple(rows),
    )
