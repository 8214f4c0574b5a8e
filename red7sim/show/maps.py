"""Maps: tables drawn as coloured cells, with the value printed in each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.patches import Rectangle

from red7sim.game.cards import COLOURS
from red7sim.show.figures import GAME_COLOURS
from red7sim.show.letters import lettered

DIVERGING: Final = "PuOr_r"
"""From violet over white to orange, told apart by the colour-blind."""

SEQUENTIAL: Final = "Blues"

Colour = tuple[float, float, float, float] | str

_GAP: Final = 0.25
"""Between the cells and the margins, in cells."""
_EMPTY: Final = "#EEEEEE"
_DARK: Final = 0.5
"""Cells darker than this luminance have white text."""


@dataclass(frozen=True)
class Map:
    """A table to draw.

    Attributes
    ----------
    values
        By line and column; None is drawn empty, and the last line may be shorter.
    texts
        What is printed in the cells.
    lines, columns
        Their names; colours of the game get their letter and a mark in their colour.
    around
        The value that is neutral, for the diverging colours; None for sequential ones from 0.
    apart
        Whether the last line and column are margins, which stand apart.
    """

    values: Sequence[Sequence[float | None]]
    texts: Sequence[Sequence[str]]
    lines: Sequence[str]
    columns: Sequence[str]
    around: float | None = None
    apart: bool = False


def draw_map(axes: Axes, table: Map) -> None:
    """Draw a map into some axes."""
    colour_of = _scale(table)
    x_of = _places(len(table.columns), apart=table.apart)
    y_of = _places(len(table.lines), apart=table.apart)
    for y, values, texts in zip(y_of, table.values, table.texts, strict=True):
        for x, value, text in zip(x_of, values, texts, strict=False):
            colour = _EMPTY if value is None else colour_of(value)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
            axes.text(x, y, text, ha="center", va="center", fontsize=7, color=_ink(colour))
    axes.set_xlim(-0.5, x_of[-1] + 0.5)
    axes.set_ylim(y_of[-1] + 0.5, -0.5)
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.set_xticks(x_of, [_label(name) for name in table.columns])
    axes.set_yticks(y_of, [_label(name) for name in table.lines])
    axes.xaxis.tick_top()
    for spine in axes.spines.values():
        spine.set_visible(False)
    for ticks, names in (
        (axes.get_xticklabels(), table.columns),
        (axes.get_yticklabels(), table.lines),
    ):
        for tick, name in zip(ticks, names, strict=True):
            if name in GAME_COLOURS:
                tick.set_color(GAME_COLOURS[name])
                tick.set_fontweight("bold")


def _places(cells: int, *, apart: bool) -> list[float]:
    return [i + (_GAP if apart and i == cells - 1 else 0) for i in range(cells)]


def _label(name: str) -> str:
    return lettered(name, "\n") if name in COLOURS else name


def _scale(table: Map) -> Callable[[float], Colour]:
    """Return the colour of a value."""
    known = [value for line in table.values for value in line if value is not None]
    if table.around is None:
        top = max([*known, 1e-9])
        return lambda value: mpl.colormaps[SEQUENTIAL](0.85 * value / top)
    reach = max([*(abs(value - table.around) for value in known), 1e-9])
    norm = TwoSlopeNorm(table.around, table.around - reach, table.around + reach)
    return lambda value: mpl.colormaps[DIVERGING](0.08 + 0.84 * float(norm(value)))


def _ink(colour: Colour) -> str:
    """Return the colour of a text that can be read on another one."""
    red, green, blue = mpl.colors.to_rgb(colour)
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < _DARK else "black"
