"""The study `skill` as a picture."""

import polars as pl

from red7sim.lab.studies.study import Study
from red7sim.show.figures import (
    COLOURS,
    MARKERS,
    REFERENCE,
    Picture,
    new_figure,
    reach_of,
    styled,
)
from red7sim.show.tables.skill import findings

_FEWEST = 30
"""Positions of a turn that a point needs, so that single lucky ones do not stand out."""


def pictures(study: Study) -> list[Picture]:
    """Return the picture: regret by number of the turn, a line a player."""
    names = study.tables["players"]["player"].to_list()
    chance = study.tables["turns"].filter(pl.col("judged") >= _FEWEST)
    with styled():
        figure = new_figure(7.0, 3.8, study.title, study.caption)
        axes = figure.subplots()
        axes.plot(
            chance["turn"], chance["chance"], color=REFERENCE, linestyle="--", label="blind choice"
        )
        for place, name in enumerate(names):
            rows = study.tables["regrets"].filter(
                (pl.col("player") == name) & (pl.col("judged") >= _FEWEST)
            )
            axes.errorbar(
                # Side by side, so that no interval hides another.
                rows["turn"] + 0.08 * (place - (len(names) - 1) / 2),
                rows["regret"],
                yerr=reach_of(*rows["regret", "low", "high"]),
                color=COLOURS[place % len(COLOURS)],
                marker=MARKERS[place % len(MARKERS)],
                markersize=5,
                capsize=2,
                linewidth=1,
                label=name,
            )
        axes.set_ylim(bottom=0)
        if chance.height:
            axes.set_xticks(chance["turn"].to_list())
        axes.set_xlabel("number of the turn in its round")
        axes.set_ylabel("won positions thrown away")
        axes.legend(loc="upper right")  # where all lines are low
    alt = (
        "Share of won positions that each player throws away, by number of the turn, with "
        "intervals, and of who chooses blindly as a dashed line. " + " ".join(findings(study))
    )
    return [Picture("regret", study.title, alt, figure)]
