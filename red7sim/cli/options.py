"""Options that several commands share, and what they mean together."""

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from red7sim.cli.refusals import UsageError, refused_values


def path_option(name: str, metavar: str, meaning: str) -> Any:
    """Return an option that is a path; an empty one, as from an unset variable, is refused."""
    return typer.Option(name, metavar=metavar, parser=_path_of, help=meaning)


def _path_of(text: str | Path) -> Path:
    if not str(text) or "\0" in str(text):
        raise typer.BadParameter(f"{str(text)!r} is not the name of a file or folder")
    return Path(text)


def whole_number(text: str | int) -> int:
    """Return the whole number of an option, written with or without underscores (1_000_000)."""
    if not re.fullmatch(r"[+-]?[0-9]+(_[0-9]+)*", str(text)):
        raise typer.BadParameter(f"{text!r} is not a whole number")
    return int(text)


def number_option(
    name: str, meaning: str, default: int | str | None = None, metavar: str = "N"
) -> Any:
    """Return an option that is a whole number; a large default is shown as it may be written."""
    shown = f"{default:_}" if isinstance(default, int) else default or True
    return typer.Option(
        name, metavar=metavar, parser=whole_number, help=meaning, show_default=shown
    )


def flag(name: str, meaning: str) -> Any:
    """Return an option that is given or not, and whose help shows no value."""
    return typer.Option(name, metavar="", help=meaning)


PlayerOption = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        metavar="NAME",
        help="Who plays; leads by default. One name plays at every table position; repeat the "
        "option to name a player for each. 'red7sim players' lists them; MODULE:NAME is a "
        "player of your own; importing MODULE runs its code.",
    ),
]
PlayersOption = Annotated[int | None, number_option("--players", "Number of players, 2 to 4.")]
SeedOption = Annotated[int, number_option("--seed", "Seed of all random choices.", metavar="S")]
ThreadsOption = Annotated[
    str,
    typer.Option(
        "--threads", metavar="N|auto", help="Threads to play on; they never change the results."
    ),
]
PairingOption = Annotated[
    str,
    typer.Option(
        "--pairing",
        metavar="none|rotate|all|force-start",
        help="Play several games on each deal: the line-up rotated over the seats, or in every "
        "order, or once with each starting player. Games and indices then count deals.",
    ),
]
ConfidenceOption = Annotated[
    float,
    typer.Option("--confidence", metavar="C", help="Confidence of the intervals, between 0 and 1."),
]
QuietOption = Annotated[
    bool, flag("--quiet", "Show no progress and no messages on standard error.")
]
JsonOption = Annotated[bool, flag("--json", "Print JSON instead of text.")]


def line_up(names: list[str] | None, players: int | None) -> tuple[str, ...]:
    """Return the line-up that --player and --players ask for together."""
    from red7sim.lab.runs import fill_line_up
    from red7sim.play.policy import DEFAULT_PLAYER

    with refused_values():
        return fill_line_up(names or [DEFAULT_PLAYER], players)


def thread_count(text: str) -> int | None:
    """Return the number of --threads, None for auto."""
    from red7sim.lab.runs import MAX_THREADS

    if text == "auto":
        return None
    try:
        threads = whole_number(text)
    except typer.BadParameter:
        threads = 0
    if not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"--threads {text!r} is not allowed; allowed: auto or 1..{MAX_THREADS}")
    return threads


def require_confidence(confidence: float) -> None:
    """Raise UsageError if a confidence is not one."""
    from red7sim.lab.stats import checked_confidence

    with refused_values():
        checked_confidence(confidence)
