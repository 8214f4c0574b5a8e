"""Options of the commands that estimate: designs, confidence, files."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from red7sim.cli.options import ContentError, UsageError, path_option, whole_number
from red7sim.game.refused import InputError

if TYPE_CHECKING:
    import polars as pl

    from red7sim.lab.studies.cross import Cell

EXIT_NOT_MET = 1
"""Exit status where the asked condition was not met."""

EXPORT_ENDINGS = (".csv", ".json", ".parquet")

PairingOption = Annotated[
    str,
    typer.Option(
        "--pairing",
        metavar="none|rotate|all|force-start",
        help="Play several games on each deal: the line-up rotated over the seats, or in every "
        "order, or one game from each starting seat. Then games and indices count deals.",
    ),
]
ConfidenceOption = Annotated[
    float,
    typer.Option("--confidence", metavar="C", help="Confidence of the intervals, between 0 and 1."),
]
ExportOption = Annotated[
    Path | None,
    path_option(
        "--export",
        "FILE",
        "Also write every table to a file, as CSV, JSON or Parquet by its ending.",
    ),
]
SelfPlayOption = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        metavar="NAME",
        help="Who plays, in all seats; repeat it to cross several players.",
    ),
]
NumbersOption = Annotated[
    str,
    typer.Option("--players", metavar="LIST", help="Numbers of players to cross, 2 to 4."),
]


def require_confidence(confidence: float) -> None:
    """Raise UsageError where a confidence is none."""
    from red7sim.lab.stats import check_confidence

    with refused_values():
        check_confidence(confidence)


def check_export(path: Path | None) -> None:
    """Refuse a file that cannot be exported to, before anything is played for it."""
    if path is None:
        return
    if path.suffix.lower() not in EXPORT_ENDINGS:
        raise UsageError(
            f"--export {str(path)!r} is not allowed; allowed: a name that ends in "
            f"{', '.join(EXPORT_ENDINGS)}"
        )
    if not path.parent.is_dir():
        raise ContentError(f"{path}: there is no folder {path.parent}")


def export(content: "list[dict[str, Any]] | Mapping[str, pl.DataFrame]", path: Path | None) -> None:
    """Write rows, or tables by their names, to a file that `check_export` has passed, if there is
    one.
    """
    if path is None:
        return
    from red7sim.lab.tables import frame, stacked, write_table

    with refused_files():
        write_table(stacked(content) if isinstance(content, Mapping) else frame(content), path)


@contextmanager
def refused_values() -> Iterator[None]:
    """Turn the refusal of a value by the laboratory into wrong usage."""
    try:
        yield
    except InputError as error:
        raise UsageError(str(error)) from None


@contextmanager
def refused_files() -> Iterator[None]:
    """Turn the refusal of a file by the laboratory into refused content."""
    from red7sim.lab.files import FileError

    try:
        yield
    except FileError as error:
        raise ContentError(str(error)) from None


def crossed_cells(
    players: Sequence[int],
    bases: Sequence[str],
    names: Sequence[str],
    settings: Mapping[str, Any],
) -> "list[Cell]":
    """Return the cells of a study that crosses these; refused values raise UsageError."""
    from red7sim.lab.studies.cross import Cross

    with refused_values():
        return Cross.of(players, bases, names, settings).cells()


def number_list(option: str, text: str) -> list[int]:
    """Return the whole numbers of an option, which stand between commas."""
    try:
        return [whole_number(word.strip()) for word in text.split(",")]
    except typer.BadParameter:
        raise UsageError(
            f"{option} {text!r} is not allowed; allowed: whole numbers with commas between them"
        ) from None
