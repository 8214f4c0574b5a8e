"""The study `first-player` as pictures."""

from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from red7sim.lab.studies.first_player import BY_THE_RULES, FORCED
from red7sim.lab.studies.study import Study
from red7sim.show.figures import (
    COLOURS,
    MARKERS,
    REFERENCE,
    Picture,
    add_legend,
    new_figure,
    reach_of,
    styled,
)
from red7sim.show.tables.first_player import findings

_REACHED = 1 / 20
"""Rounds that fewer of the games come to say too little to be drawn."""


def pictures(study: Study) -> list[Picture]:
    """Return the pictures: shares of the seats, and from round to round where there are several."""
    found = [_seat_picture(study)]
    if study.tables["rounds"].height:
        found.append(_round_picture(study))
    return found


def _seat_picture(study: Study) -> Picture:
    table = study.tables["seats"]
    columns = table["rules"].unique(maintain_order=True).to_list()
    lines = table["players"].unique(maintain_order=True).to_list()
    player_names = table["player"].unique(maintain_order=True).to_list()
    played = {*table.select("player", "start").iter_rows()}
    series = [
        (name, start)
        for name in player_names
        for start in (BY_THE_RULES, FORCED)
        if (name, start) in played
    ]
    with styled():
        figure = new_figure(
            4.2 * max(2, len(columns)),
            0.6 + 2.1 * len(lines),
            study.title,
            study.caption,
            [f"{name}, {start}" for name, start in series],
        )
        grid = figure.subplots(len(lines), len(columns), squeeze=False, sharey="row")
        for axes, (players, rules) in _panels(grid, lines, columns):
            _panel(
                axes,
                f"{players} players, {rules} rules",
                table["fair"].filter(table["players"] == players)[0],
            )
            for i, (name, start) in enumerate(series):
                shown = table.filter(players=players, rules=rules, player=name, start=start)
                shift = 0.6 * ((i + 0.5) / len(series) - 0.5)
                colour = COLOURS[player_names.index(name) % len(COLOURS)]
                axes.errorbar(
                    shown["seat"] + shift,
                    shown["share"],
                    reach_of(*shown["share", "joint_low", "joint_high"]),
                    fmt=MARKERS[player_names.index(name) % len(MARKERS)],
                    color=colour,
                    markerfacecolor=colour if start == BY_THE_RULES else "white",
                    markersize=5,
                    capsize=2,
                    label=f"{name}, {start}",
                )
            axes.set_xticks(range(players), [f"seat {seat}" for seat in range(players)])
            axes.set_xlim(-0.5, players - 0.5)
        for line in grid:
            line[0].set_ylabel("share of the games")
        add_legend(figure, grid[0][0])
    alt = (
        f"Shares of the games by seat with joint intervals, in panels by number of players "
        f"({', '.join(map(str, lines))}) and rules ({', '.join(columns)}); a dashed line is the "
        "fair share. " + " ".join(findings(study))
    )
    return Picture("seats", "Shares of the games by seat", alt, figure)


def _round_picture(study: Study) -> Picture:
    table = study.tables["rounds"]
    columns = table.select("rules", "player").unique(maintain_order=True).rows()
    lines = table["players"].unique(maintain_order=True).to_list()
    with styled():
        figure = new_figure(
            4.2 * max(2, len(columns)),
            0.6 + 2.1 * len(lines),
            "The seat from round to round",
            study.caption,
            [f"seat {seat}" for seat in range(max(lines))],
        )
        grid = figure.subplots(len(lines), len(columns), squeeze=False, sharey="row")
        for axes, (players, (rules, name)) in _panels(grid, lines, columns):
            here = table.filter(players=players, rules=rules, player=name)
            here = here.filter(pl.col("rounds") >= _REACHED * pl.col("rounds").max())
            _panel(axes, f"{players} players, {rules} rules, {name}", 1 / players)
            for seat in range(players):
                shown = here.filter(seat=seat)
                shift = 0.3 * ((seat + 0.5) / players - 0.5)
                axes.errorbar(
                    shown["round"] + shift, shown["share"],
                    reach_of(*shown["share", "joint_low", "joint_high"]),
                    fmt=f"-{MARKERS[seat]}", color=COLOURS[seat], markersize=4, linewidth=1,
                    capsize=2, label=f"seat {seat}",
                )  # fmt: skip
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        for line in grid:
            low, high = line[0].get_ylim()  # that of all panels of the line
            line[0].set_ylim(max(0.0, low), min(1.0, high))
            line[0].set_ylabel("share of the rounds")
        for axes in grid[-1]:
            axes.set_xlabel("round number (reached by at least 1 in 20 games)")
        add_legend(figure, grid[lines.index(table["players"].max())][0])
    alt = (
        "Shares of the rounds by seat in the round against the number of the round, with joint "
        "intervals that widen as fewer games get that far; a dashed line is the fair share. The "
        "table 'rounds' has the numbers."
    )
    return Picture("rounds", "The seat from round to round", alt, figure)


def _panels(grid: Any, lines: list[Any], columns: list[Any]) -> list[tuple[Axes, tuple[Any, Any]]]:
    return [
        (grid[i][j], (line, column))
        for i, line in enumerate(lines)
        for j, column in enumerate(columns)
    ]


def _panel(axes: Axes, title: str, fair: float) -> None:
    axes.axhline(fair, color=REFERENCE, linestyle="--", linewidth=1, label="_fair")
    axes.set_title(title)
