"""Options of studies: what they cross, and what they vary."""

from typing import Annotated

import typer

from red7sim.cli.options import whole_number
from red7sim.cli.refusals import UsageError

SelfPlayOption = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        metavar="NAME",
        help="The player in all seats; repeat the option to cross several players.",
    ),
]
NumbersOption = Annotated[
    str,
    typer.Option("--players", metavar="LIST", help="Numbers of players to cross, 2 to 4."),
]
OverOption = Annotated[
    list[str] | None,
    typer.Option(
        "--over",
        metavar="SWITCH=VALUES",
        help="Vary a switch: hand_size=5..9, draw=auto,never, or start_bonus=0/0,1 for values with "
        "commas. Repeat the option to cross switches. Combinations that the rules refuse are left "
        "out; --json and --out list them, with the reasons.",
    ),
]


def number_list(option: str, text: str) -> list[int]:
    """Return the whole numbers of an option, which stand between commas."""
    try:
        return [whole_number(word.strip()) for word in text.split(",")]
    except typer.BadParameter:
        raise UsageError(
            f"{option} {text!r} is not allowed; allowed: whole numbers separated by commas"
        ) from None


def over_of(texts: list[str] | None) -> dict[str, str]:
    """Return the switches of --over with the text of their values."""
    found: dict[str, str] = {}
    for text in texts or []:
        name, separator, values = text.partition("=")
        name = name.strip()
        if not separator or not name:
            raise UsageError(f"--over {text!r} is not SWITCH=VALUES")
        if name in found:
            raise UsageError(f"--over {name} is given twice; allowed: once, with all its values")
        found[name] = values
    return found
