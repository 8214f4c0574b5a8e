"""The study `balance-cards` as a picture: effects of cards, colours and numbers in two maps."""

from typing import Any

import polars as pl

from red7sim.game.cards import COLOURS, LETTERS
from red7sim.lab.studies.balance_cards import CARD, COLOUR, NUMBER
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.verdicts import OPEN
from red7sim.show.figures import Picture, new_figure, styled
from red7sim.show.maps import Map, draw_map
from red7sim.show.tables.balance_cards import findings

_PLACES = {"hand": "In the opening hand", "start": "As start card"}
_NAMES = COLOURS[::-1]


def pictures(study: Study) -> list[Picture]:
    """Return the picture: effects in percentage points, in brackets if not significant."""
    effects = study.tables["effects"]
    with styled():
        caption = f"{study.caption} Effects in brackets are not significant."
        figure = new_figure(9.6, 4.4, study.title, caption)
        panels = figure.subplots(1, 2)
        for axes, (place, title) in zip(panels, _PLACES.items(), strict=True):
            axes.set_title(f"{title}: percentage points of the chance to win")
            draw_map(axes, _map_of(effects.filter(place=place)))
    alt = (
        "Two maps of the effects of the 49 cards, colours in rows from red to violet and numbers "
        "in columns from 1 to 7, with those of the colours and the numbers beside them; effects "
        "that are not significant are in brackets. " + " ".join(findings(study))
    )
    return [Picture("effects", study.title, alt, figure)]


def _map_of(effects: pl.DataFrame) -> Map:
    rows: dict[tuple[str, str], dict[str, Any]] = {
        (row["kind"], row["factor"]): row for row in effects.iter_rows(named=True)
    }
    numbers = [str(number) for number in range(1, 8)]
    letters = {name: LETTERS[COLOURS.index(name)] for name in _NAMES}
    lines = [
        [rows[CARD, f"{letters[name]}{number}"] for number in numbers] + [rows[COLOUR, name]]
        for name in _NAMES
    ]
    lines.append([rows[NUMBER, number] for number in numbers])
    values = [
        [None if row["effect"] is None else 100 * row["effect"] for row in line] for line in lines
    ]
    texts = [
        ["" if v is None else f"{v:+.1f}" if row["verdict"] != OPEN else f"({v:+.1f})"
         for v, row in zip(value_line, line, strict=True)]
        for value_line, line in zip(values, lines, strict=True)
    ]  # fmt: skip
    return Map(
        values=values,
        texts=texts,
        lines=[*_NAMES, "number"],
        columns=[*numbers, "colour"],
        around=0.0,
        apart=True,
    )
