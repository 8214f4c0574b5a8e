"""Tables to read: numbers as text, in sheets that the command line and pages print alike."""

from dataclasses import dataclass

from red7sim.lab.studies.verdicts import ABOVE, BELOW, COSTS, OPEN, PAYS

UNKNOWN = "-"
SIGNS = {ABOVE: "+", PAYS: "+", BELOW: "-", COSTS: "-", OPEN: ""}
"""Verdicts of studies as signs."""


@dataclass(frozen=True)
class Sheet:
    """A table to read.

    Attributes
    ----------
    name
        That of the frame which it shows.
    title
        What it shows, in a line.
    headers, rows
        Text, all rows as long as the headers.
    texts
        How many columns, from the left, hold words; the others hold numbers.
    note
        What a reader needs to know, in sentences.
    detail
        Whether it is for those who want all of it: pages show it, the command line only names it.
    """

    name: str
    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    note: str = ""
    detail: bool = False

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headers) for row in self.rows):
            raise ValueError(f"sheet {self.name}: rows must be as long as the headers")


def number(value: float | None, form: str = ".4f", unknown: str = UNKNOWN) -> str:
    """Return a number by a format, or what stands for an unknown one."""
    return unknown if value is None else f"{value:{form}}"


def percent(share: float | None) -> str:
    """Return a share in per cent, for sentences."""
    return "an unknown share" if share is None else f"{100 * share:.1f} %"


def interval(low: float | None, high: float | None, form: str = ".4f") -> str:
    """Return an interval by the format of its ends."""
    if low is None or high is None:
        return UNKNOWN
    return f"{low:{form}} .. {high:{form}}"


def with_error(value: float | None, error: float | None, digits: int = 2) -> str:
    """Return a number with its standard error in brackets."""
    if value is None:
        return UNKNOWN
    return f"{value:.{digits}f} ({number(error, f'.{digits}f')})"


def cells(*values: object) -> tuple[str, ...]:
    """Return a row: whole numbers with separators, other things as they print."""
    return tuple(f"{value:,}" if isinstance(value, int) else str(value) for value in values)
