"""Variants that the rules refuse, as a sentence and a table of the studies that vary rules."""

import polars as pl

from red7sim.game.wording import listing
from red7sim.lab.studies.study import Study
from red7sim.show.cells import Sheet

NAME = "refused"

_NAMED = 3
"""How many variants a sentence names; the table has all."""


def left_out(study: Study) -> str:
    """Return which variants the rules refuse, in a sentence; empty where there is none."""
    labels = _refused(study)["variant"].to_list()
    if not labels:
        return ""
    others = [f"{len(labels) - _NAMED} more"] if len(labels) > _NAMED else []
    return f"Refused by the rules and left out: {listing(labels[:_NAMED] + others)}."


def refused_sheets(study: Study) -> list[Sheet]:
    """Return the table of what is refused and why, if anything is."""
    rows = tuple(_refused(study).iter_rows())
    title, headers = "Refused by the rules", ("variant", "reason")
    return [Sheet(NAME, title, headers, rows, 2, detail=True)] if rows else []


def _refused(study: Study) -> pl.DataFrame:
    return study.tables.get(NAME, pl.DataFrame(schema=["variant", "reason"]))
