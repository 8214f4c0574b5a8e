"""The study `tournament` as pictures."""

from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from red7sim.lab.studies.study import Study
from red7sim.show.figures import COLOURS, REFERENCE, Picture, new_figure, reach_of, styled
from red7sim.show.maps import DIVERGING
from red7sim.show.tables.tournament import POINTS, findings


def pictures(study: Study) -> list[Picture]:
    """Return the pictures: who wins how often against whom, and the ratings; of scored games, by
    how many points.
    """
    found = [_games(study)]
    return [*found, *([_points(study)] if POINTS in study.tables else [])]


def _games(study: Study) -> Picture:
    names, shares = _names(study), study.tables["shares"]
    fair = _fair(study)
    with styled():
        left, right, figure = _panels(study, study.title, names)
        _matrix(left, _cells(shares, "share", names), names, fair, ".1f", 100)
        left.set_title(f"games won, % (fair {100 * fair:.1f})")
        left.set_xlabel(_against(fair))
        _ratings(right, study, names)
    alt = (
        "Left, a matrix with the share of the games that the player of a row wins against that of "
        "a column, best ones first; right, the ratings with their intervals. "
        + " ".join(findings(study))
    )
    return Picture("tournament", study.title, alt, figure)


def _points(study: Study) -> Picture:
    title = "Points of players against each other"
    names, points = _names(study), study.tables[POINTS]
    with styled():
        left, right, figure = _panels(study, title, names)
        rounds = _cells(points, "points_per_round", names)
        _matrix(left, rounds, names, float(np.nanmean(rounds)), ".2f")
        left.set_title("points a round")
        _matrix(right, _cells(points, "lead", names), names, 0.0, "+.1f")
        right.set_title("lead over the others, points a game")
        for axes in (left, right):
            axes.set_xlabel(_against(_fair(study)))
    alt = (
        "Two matrices, the player of a row against that of a column, best ones first: his points a "
        "round, and by how much more a game his points are than the mean of the others. "
        + " ".join(findings(study))
    )
    return Picture(POINTS, title, alt, figure)


def _panels(study: Study, title: str, names: list[str]) -> tuple[Axes, Axes, Figure]:
    side = 0.75 * len(names) + 1.2
    figure = new_figure(2 * side + 2.2, side, title, study.caption)
    left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
    return left, right, figure


def _names(study: Study) -> list[str]:
    names: list[str] = study.tables["ratings"]["player"].to_list()
    return names


def _fair(study: Study) -> float:
    return float(study.tables["shares"]["fair"][0])


def _against(fair: float) -> str:
    return "against" if fair == 0.5 else "among the others"


def _cells(table: pl.DataFrame, column: str, names: list[str]) -> NDArray[np.float64]:
    """Return a figure by player and rival; NaN where they have not met alone."""
    found = np.full((len(names), len(names)), np.nan)
    for row in table.to_dicts():
        rival = row["rivals"].rpartition(" x ")[2]
        if rival in names:
            found[names.index(row["player"]), names.index(rival)] = row[column]
    return found


def _matrix(
    axes: Axes,
    values: NDArray[np.float64],
    names: list[str],
    around: float,
    form: str,
    scale: int = 1,
) -> None:
    """Draw a matrix in colours that diverge from a value, and print its values times a scale."""
    reach = max(1e-9, float(np.nanmax(np.abs(values - around), initial=0)))
    axes.imshow(values, cmap=DIVERGING, vmin=around - reach, vmax=around + reach)
    for (i, j), value in np.ndenumerate(values):
        if not np.isnan(value):
            dark = abs(value - around) > 0.5 * reach
            ink = "white" if dark else "black"
            axes.text(j, i, f"{scale * value:{form}}", ha="center", va="center", color=ink)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.grid(visible=False)


def _ratings(axes: Any, study: Study, names: list[str]) -> None:
    ratings = study.tables["ratings"]
    axes.axvline(0, color=REFERENCE, linestyle="--", linewidth=1)
    axes.errorbar(
        ratings["rating"],
        range(len(names)),
        xerr=reach_of(*ratings["rating", "low", "high"]),
        fmt="o",
        color=COLOURS[0],
        capsize=2,
    )
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_title("rating")
    axes.set_xlabel("Elo points around the mean")
