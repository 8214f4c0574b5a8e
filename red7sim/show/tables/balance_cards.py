"""The study `balance-cards` as sentences and tables."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from red7sim.lab.studies.balance_cards import CARD, COLOUR, NUMBER, USES
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.verdicts import HURTS, OPEN
from red7sim.show.cells import UNKNOWN, Sheet, interval, number
from red7sim.show.letters import lettered

Row = dict[str, Any]

_TITLES = {COLOUR: "Colours", NUMBER: "Numbers", CARD: "Cards"}
_NOTE = (
    "Hand and start: the effect of one more card of the kind in the opening hand, or in the "
    "palette as dealt, on the chance to win the round, in percentage points; * marks effects that "
    "are significant at the false discovery rate given in the caption. Played, discarded, drawn "
    "and scored: times per round."
)


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    effects = study.tables["effects"]
    said = []
    for place, where in (("hand", "in the opening hand"), ("start", "as the start card")):
        rows = effects.filter(pl.col("verdict") != OPEN, kind=CARD, place=place).sort("effect")
        if rows.height:
            worst, best = rows.row(0, named=True), rows.row(-1, named=True)
            said.append(
                f"Among the cards with a significant effect, the best {where} is {_of(best)}, the "
                f"worst {_of(worst)}, in percentage points of the chance to win."
            )
    found = effects.filter(pl.col("verdict") != OPEN)
    hurting = found.filter(verdict=HURTS).height
    said.append(
        f"{found.height} of {effects.height} effects are significant: {found.height - hurting} "
        f"raise the chance to win and {hurting} lower it."
    )
    return said


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read: colours and numbers, then cards."""
    rows = list(joined(study))
    return [_sheet(kind, rows) for kind in (COLOUR, NUMBER, CARD)]


def joined(study: Study) -> Iterator[Row]:
    """Yield for each factor its uses and, by place, its effects."""
    effects = {
        (row["place"], row["kind"], row["factor"]): row
        for row in study.tables["effects"].iter_rows(named=True)
    }
    for row in study.tables["uses"].iter_rows(named=True):
        places = {place: effects[place, row["kind"], row["factor"]] for place in ("hand", "start")}
        yield row | places


def marked(row: Row) -> str:
    """Return an effect in percentage points, with a star where it is found."""
    if row["effect"] is None:
        return UNKNOWN
    return f"{100 * row['effect']:+.1f}{'' if row['verdict'] == OPEN else '*'}"


def label(kind: str, factor: str) -> str:
    """Return the name of a factor; colours carry their letter."""
    return lettered(factor) if kind == COLOUR else factor


def _of(row: Row) -> str:
    return f"{row['factor']} with {interval_text(row)}"


def interval_text(row: Row) -> str:
    """Return an effect with its joint interval in percentage points."""
    low, high = 100 * row["joint_low"], 100 * row["joint_high"]
    return f"{number(100 * row['effect'], '+.1f')} ({interval(low, high, '+.1f')} jointly)"


def _sheet(kind: str, rows: list[Row]) -> Sheet:
    cells = []
    for row in rows:
        if row["kind"] == kind:
            line = [label(kind, row["factor"])]
            for place in ("hand", "start"):
                effect = row[place]
                low, high = 100 * effect["joint_low"], 100 * effect["joint_high"]
                line += [marked(effect), interval(low, high, "+.1f")]
            cells.append((*line, *(number(row[use], ".3f") for use in USES)))
    return Sheet(
        kind,
        _TITLES[kind],
        ("", "hand", "jointly", "start", "jointly", *USES),
        tuple(cells),
        note=_NOTE if kind == COLOUR else "",
    )
