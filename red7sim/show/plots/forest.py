"""Variants of a ruleset below each other: shares of the seats, and one more measure."""

from dataclasses import dataclass

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from red7sim.show.figures import COLOURS, MARKERS, REFERENCE, add_legend, new_figure, reach_of

_ROW_INCHES = 0.3
_TICKS = 6
"""So few that long numbers do not touch."""


@dataclass(frozen=True)
class Points:
    """One series of a panel: a value a variant, with low and high ends of intervals, if any."""

    label: str
    values: pl.Series
    ends: tuple[pl.Series, pl.Series] | None = None

    def draw(self, axes: Axes, place: int, shift: float) -> None:
        """Draw the series into a panel; variants stand at 0, 1, 2, ... from the top."""
        axes.errorbar(
            self.values,
            [row + shift for row in range(len(self.values))],
            xerr=self.ends and reach_of(self.values, *self.ends),
            fmt=MARKERS[place],
            color=COLOURS[place],
            markersize=5,
            capsize=2,
            label=self.label,
        )


def forest(
    variants: list[str],
    panels: dict[str, list[Points]],
    references: dict[str, float],
    title: str,
    caption: str,
) -> Figure:
    """Return a figure with a row a variant and a panel a measure, by the label of its axis.

    `references` are values to compare with, by the same labels. The first panel gives the legend.
    """
    width = 1.2 + 0.06 * max(map(len, variants)) + 3.6 * len(panels)
    labels = [points.label for points in next(iter(panels.values()), [])]
    legend = labels if len(labels) > 1 else []
    figure = new_figure(width, 0.8 + _ROW_INCHES * len(variants), title, caption, legend)
    grid = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axes, (label, series) in zip(grid, panels.items(), strict=True):
        if label in references:
            axes.axvline(references[label], color=REFERENCE, linestyle="--", linewidth=1)
        for place, points in enumerate(series):
            # The series of a variant side by side, so that none hides another.
            points.draw(axes, place, 0.16 * (place - (len(series) - 1) / 2))
        axes.set_xlabel(label)
        axes.xaxis.set_major_locator(MaxNLocator(_TICKS, steps=[1, 2, 2.5, 5, 10]))
    grid[0].set_yticks(range(len(variants)), variants)
    grid[0].set_ylim(len(variants) - 0.5, -0.5)
    if legend:
        add_legend(figure, grid[0])
    return figure
