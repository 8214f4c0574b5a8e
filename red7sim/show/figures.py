"""Pictures: their style, their size, and their files, which are the same for the same numbers."""

import io
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from red7sim.lab.files import replace_file

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Colours of series, told apart by the colour-blind (Okabe and Ito, "Color universal design")."""

MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X")
"""Markers that go with COLOURS, so that no series is known by its colour alone."""

GAME_COLOURS: Final = {
    "red": "#C8362B",
    "orange": "#E07B1A",
    "yellow": "#D9B310",
    "green": "#2E8B3D",
    "blue": "#2470B8",
    "indigo": "#3F3D99",
    "violet": "#8A3FA0",
}
"""The seven colours of the game, dark enough for a white page; their letters stand with them."""

REFERENCE: Final = "#666666"
"""Lines to compare with, such as the fair share."""

_STYLE: Final[dict[Any, Any]] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "grid.color": "#DDDDDD",
    "legend.frameon": False,
    "svg.hashsalt": "red7sim",
}
_CAPTION_COLUMNS_PER_INCH: Final = 16
_LINE_INCHES: Final = 0.155
_LEGEND_TOP: Final = 0.33
_DPI: Final = 150


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with its name and what it shows, in sentences, for those who do not see it."""

    name: str
    title: str
    alt: str
    figure: Figure

    def __post_init__(self) -> None:
        # The solver behind the layout may differ in the last bit from time to time.
        with styled():
            self.figure.draw_without_rendering()
            self.figure.set_layout_engine("none")
            for axes in self.figure.axes:
                bounds = axes.get_position(original=True).bounds
                axes.set_position(tuple(round(number, 6) for number in bounds))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Return what a notebook shows: the picture, and what it shows in words."""
        return {"image/png": self.png(), "text/plain": self.alt}

    def svg(self) -> bytes:
        """Return the picture as an SVG file, the same bytes for the same picture."""
        return self._file("svg", metadata={"Date": None})

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        return self._file("png", dpi=_DPI, metadata={"Software": None})

    def files(self) -> dict[str, bytes]:
        """Return the picture as files by their names, NAME.svg and NAME.png."""
        return {f"{self.name}.svg": self.svg(), f"{self.name}.png": self.png()}

    def write(self, folder: Path) -> None:
        """Write the files into a folder.

        Raises
        ------
        FileError
            A file cannot be written.
        """
        for name, content in self.files().items():
            replace_file(folder / name, content)

    def _file(self, kind: str, **options: Any) -> bytes:
        content = io.BytesIO()
        with styled():
            self.figure.savefig(content, format=kind, **options)
        return content.getvalue()


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of all pictures, whatever the settings of the user are."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


def new_figure(
    width: float, height: float, title: str, caption: str, legend: Sequence[str] = ()
) -> Figure:
    """Return a figure of a size in inches for the axes.

    Room is added for the title and for the legend that `add_legend` puts above them, where its
    labels are given, and for the caption below.
    """
    lines = textwrap.wrap(caption, int(width * _CAPTION_COLUMNS_PER_INCH))
    rows = -(-len(legend) // _legend_columns(width, legend)) if legend else 0
    top, bottom = _LEGEND_TOP + 0.08 + 0.19 * rows, 0.15 + _LINE_INCHES * len(lines)
    whole = height + top + bottom
    figure = Figure(figsize=(width, whole), layout="constrained")
    FigureCanvasAgg(figure)
    layout: Any = figure.get_layout_engine()
    layout.set(rect=(0, bottom / whole, 1, height / whole), h_pad=0.08, w_pad=0.08)
    figure.text(0.5, 1 - 0.1 / whole, title, ha="center", va="top", fontsize=12, weight="bold")
    figure.text(
        0.1 / width, 0.08 / whole, "\n".join(lines), va="bottom", fontsize=7.5, color="#333333"
    )
    return figure


def reach_of(values: pl.Series, low: pl.Series, high: pl.Series) -> list[pl.Series]:
    """Return how far intervals reach below and above their values; NaN, which draws no bar, where
    they are not known.
    """
    return [side.fill_null(float("nan")) for side in (values - low, high - values)]


def add_legend(figure: Figure, axes: Axes) -> None:
    """Put the legend of some axes between the title of a figure and its panels.

    `new_figure` must have been told its labels.
    """
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="upper center",
        bbox_to_anchor=(0.5, 1 - _LEGEND_TOP / figure.get_figheight()),
        borderaxespad=0,
        ncols=_legend_columns(figure.get_figwidth(), labels),
        labelspacing=0.3,
    ).set_in_layout(False)


def _legend_columns(width: float, labels: Sequence[str]) -> int:
    """Return how many columns of a legend fit a width in inches."""
    return max(1, min(len(labels), int(width / (0.65 + 0.072 * max(map(len, labels))))))
