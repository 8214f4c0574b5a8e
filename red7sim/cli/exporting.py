"""Tables of an answer, written to a file by the ending of its name."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from red7sim.cli.options import path_option
from red7sim.cli.refusals import UsageError, refused_files

if TYPE_CHECKING:
    import polars as pl

EXPORT_ENDINGS = (".csv", ".json", ".parquet")

ExportOption = Annotated[
    Path | None,
    path_option(
        "--export",
        "FILE",
        "Also write every table to a file, as CSV, JSON or Parquet by its ending.",
    ),
]


def check_export(path: Path | None) -> None:
    """Refuse a file that cannot be exported to, before anything is played for it."""
    if path is None:
        return
    if path.suffix.lower() not in EXPORT_ENDINGS:
        raise UsageError(
            f"--export {str(path)!r} is not allowed; allowed: a name that ends in "
            f"{', '.join(EXPORT_ENDINGS)}"
        )
    from red7sim.lab.files import require_place

    with refused_files():
        require_place(path)


def export(content: "list[dict[str, Any]] | Mapping[str, pl.DataFrame]", path: Path | None) -> None:
    """Write rows, or tables by their names, to a file that `check_export` has passed, if there is
    one.
    """
    if path is None:
        return
    from red7sim.lab.tables import frame, stacked, write_table

    with refused_files():
        write_table(stacked(content) if isinstance(content, Mapping) else frame(content), path)
