"""The study `balance-agency` as pictures: choices by turn, and how long rounds are."""

from collections.abc import Iterator
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from red7sim.lab.studies.study import Study
from red7sim.show.figures import COLOURS, MARKERS, Picture, add_legend, new_figure, styled
from red7sim.show.tables.balance_agency import findings

_SHOWN = 1 / 200
"""Turns that are asked in fewer of the rounds say too little to be drawn."""

Panel = tuple[Axes, pl.DataFrame, dict[str, Any]]


def pictures(study: Study) -> list[Picture]:
    """Return the pictures."""
    return [_choices(study), _lengths(study)]


def _choices(study: Study) -> Picture:
    title = "Choices by number of the turn in its round"
    table = study.tables["turns"].with_columns(few=pl.col("none") + pl.col("forced"))
    often = pl.col("asked") >= _SHOWN * pl.col("asked").max()
    with styled():
        figure, lines = _grid(study, title, ("choices", "few"))
        for axes, here, style in _series(table, lines["choices"]):
            shown = here.filter(often)
            axes.errorbar(
                shown["turn"],
                shown["choices"],
                shown["choices_se"].fill_null(float("nan")),
                **style,
            )
            axes.set_ylabel("surviving turns,\n-+ standard error")
        for axes, here, style in _series(table, lines["few"]):
            shown = here.filter(often)
            axes.plot(shown["turn"], 100 * shown["few"], **style)
            axes.set_ylim(-4, 104)
            axes.set_ylabel("turns with one or none, %")
            axes.set_xlabel("turn number (reached by at least 1 in 200 rounds)")
        add_legend(figure, figure.axes[0])
    alt = (
        "Two lines of panels by number of the turn in its round, one curve a player: the mean "
        "number of surviving turns, which falls, and the share of turns with one or none, which "
        "rises. " + " ".join(findings(study))
    )
    return Picture("choices", title, alt, figure)


def _lengths(study: Study) -> Picture:
    title = "How many turns a round has"
    with styled():
        figure, lines = _grid(study, title, ("lengths",))
        for axes, here, style in _series(study.tables["lengths"], lines["lengths"]):
            axes.plot(here["turns"], 100 * here["share"], **style)
            axes.set_ylim(bottom=0)
            axes.set_ylabel("share of the rounds, %")
            axes.set_xlabel("turns asked")
        add_legend(figure, figure.axes[0])
    alt = (
        "Shares of the rounds by the number of turns asked, one curve a player. The table "
        "'lengths' has the numbers."
    )
    return Picture("lengths", title, alt, figure)


def _grid(
    study: Study, title: str, kinds: tuple[str, ...]
) -> tuple[Figure, dict[str, dict[tuple[int, str], Axes]]]:
    """Return a figure with a line of panels for each kind and number of players."""
    table = study.tables["turns"]
    columns = table["rules"].unique(maintain_order=True).to_list()
    numbers = table["players"].unique(maintain_order=True).to_list()
    lines = [(players, kind) for players in numbers for kind in kinds]
    figure = new_figure(
        4.8 * max(2, len(columns)),
        0.3 + 2.1 * len(lines),
        title,
        study.caption,
        table["player"].unique(maintain_order=True).to_list(),
    )
    grid = figure.subplots(len(lines), len(columns), squeeze=False)
    panels: dict[str, dict[tuple[int, str], Axes]] = {kind: {} for kind in kinds}
    for i, (players, kind) in enumerate(lines):
        for j, rules in enumerate(columns):
            panels[kind][players, rules] = grid[i][j]
            grid[i][j].set_title(f"{players} players, {rules} rules")
            grid[i][j].xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure, panels


def _series(table: pl.DataFrame, panels: dict[tuple[int, str], Axes]) -> Iterator[Panel]:
    """Yield the curves of some panels: axes, rows of the table, style."""
    names = table["player"].unique(maintain_order=True).to_list()
    for (players, rules), axes in panels.items():
        for i, name in enumerate(names):
            style: dict[str, Any] = {"markersize": 4, "linewidth": 1, "label": name}
            style |= {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)]}
            yield axes, table.filter(players=players, rules=rules, player=name), style
