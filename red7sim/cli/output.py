"""Printing: data to standard output, progress and messages to standard error."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH = 100
"""Output fits this many columns, on narrower terminals theirs."""


def console(*, error: bool = False) -> Console:
    """Return a console for standard output or standard error, at most WIDTH columns wide."""
    made = Console(stderr=error, highlight=False, soft_wrap=False)
    if not made.is_terminal or made.width > WIDTH:
        made.width = WIDTH
    return made


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")


def message(text: str, *, quiet: bool = False) -> None:
    """Print a line to standard error unless quiet."""
    if not quiet:
        print(text, file=sys.stderr, flush=True)


def tell_compiling(*, quiet: bool) -> None:
    """Announce that kernels are being compiled, once that begins; kept ones need no compiling."""
    from red7sim.jit.cache import CACHE_VARIABLE, before_compiling, cache_folder

    if cache_folder() is None:
        message(
            f"compiling kernels (10 to 30 s), anew each time: set {CACHE_VARIABLE} to a folder "
            "that can be written",
            quiet=quiet,
        )
    else:
        text = "compiling kernels (10 to 30 s); once for each kind of run, then they are kept"
        before_compiling(lambda: message(text, quiet=quiet))


def print_table(headers: list[str], rows: list[list[str]], texts: int = 1) -> None:
    """Print a table: the first `texts` columns hold text (the last of them may wrap), the others
    numbers, which go to the right and stay whole.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, header in enumerate(headers):
        is_text = i < texts
        wraps = is_text and i == texts - 1
        table.add_column(
            header, justify="left" if is_text else "right", no_wrap=not wraps, overflow="fold"
        )
    for row in rows:
        table.add_row(*map(Text, row))
    console().print(table)


@contextmanager
def progress_bar(total: int, unit: str, *, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """Show a bar with rate and time left on standard error while the block runs.

    Yields the function to call with the number of units just done; None where nothing is shown,
    that is when quiet or when standard error is no terminal.
    """
    out = console(error=True)
    if quiet or not out.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(bar_width=30),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=out, transient=True) as progress:
        task = progress.add_task("", total=total, rate="")

        def advance(done: int) -> None:
            progress.advance(task, done)
            speed = progress.tasks[0].speed
            if speed:
                progress.update(task, rate=f"{speed:,.0f} {unit}/s")

        yield advance
