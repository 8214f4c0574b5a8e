"""`red7sim combine`: join datasets of one run."""

from pathlib import Path
from typing import Annotated

import typer

from red7sim.cli.exporting import ExportOption, check_export, export
from red7sim.cli.options import ConfidenceOption, JsonOption, path_option, require_confidence
from red7sim.cli.output import print_json
from red7sim.cli.refusals import refused_files
from red7sim.cli.summary_text import print_solved, print_summary


def combine(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...", help="Folders written by 'simulate --out' or 'solve --out'."
        ),
    ],
    out: Annotated[
        Path,
        path_option("--out", "DIR", "The folder for the joined dataset."),
    ],
    confidence: ConfidenceOption = 0.95,
    export_to: ExportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Join datasets of one run into one, the same as an uninterrupted run would have written.

    They must belong to one run, but may hold any ranges of it; games that several of them hold must
    agree and count once.
    """
    require_confidence(confidence)
    check_export(export_to)
    from red7sim import __version__
    from red7sim.lab.simulating import combine as combine_datasets
    from red7sim.lab.summary import FORMAT
    from red7sim.lab.tables import is_of_games, summary_rows

    with refused_files():
        summary = combine_datasets(folders, out, confidence=confidence).summary
    export(summary_rows(summary), export_to)
    if as_json:
        print_json({"format": FORMAT, "command": "combine", "version": __version__} | summary)
    else:
        (print_summary if is_of_games(summary) else print_solved)(summary)
