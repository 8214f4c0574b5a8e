"""The study `tournament` as a picture."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from red7sim.lab.studies.study import Study
from red7sim.show.figures import COLOURS, REFERENCE, Picture, new_figure, styled
from red7sim.show.tables.tournament import findings


def pictures(study: Study) -> list[Picture]:
    """Return the picture: who wins how often against whom, and the ratings."""
    names = study.tables["ratings"]["player"].to_list()
    with styled():
        side = 0.75 * len(names) + 1.2
        figure = new_figure(2 * side + 2.2, side, study.title, study.caption)
        left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
        _matrix(left, study, names)
        _ratings(right, study, names)
    alt = (
        "Left, a matrix with the share of the games that the player of a row wins against that of "
        "a column, best ones first; right, the ratings with their intervals. "
        + " ".join(findings(study))
    )
    return [Picture("tournament", study.title, alt, figure)]


def _matrix(axes: Axes, study: Study, names: list[str]) -> None:
    shares, fair = np.full((len(names), len(names)), np.nan), 0.5
    for row in study.tables["shares"].to_dicts():
        fair = row["fair"]
        rival = row["rivals"].rpartition(" x ")[2]
        if rival in names:
            shares[names.index(row["player"]), names.index(rival)] = row["share"]
    reach = max(1e-9, float(np.nanmax(np.abs(shares - fair), initial=0)))
    axes.imshow(shares, cmap="PuOr_r", vmin=fair - reach, vmax=fair + reach)
    for (i, j), share in np.ndenumerate(shares):
        if not np.isnan(share):
            dark = abs(share - fair) > 0.5 * reach
            axes.text(
                j, i, f"{100 * share:.1f}", ha="center", va="center",
                color="white" if dark else "black",
            )  # fmt: skip
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.grid(visible=False)
    axes.set_title(f"games won, % (fair {100 * fair:.1f})")
    axes.set_xlabel("against" if fair == 0.5 else "among the others")


def _ratings(axes: Any, study: Study, names: list[str]) -> None:
    ratings = study.tables["ratings"]
    axes.axvline(0, color=REFERENCE, linestyle="--", linewidth=1)
    axes.errorbar(
        ratings["rating"],
        range(len(names)),
        xerr=[ratings["rating"] - ratings["low"], ratings["high"] - ratings["rating"]],
        fmt="o",
        color=COLOURS[0],
        capsize=2,
    )
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_title("rating")
    axes.set_xlabel("Elo points around the mean")
