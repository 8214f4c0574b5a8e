"""`red7sim report`: studies and datasets as one page."""

from pathlib import Path
from typing import Annotated

import typer

from red7sim.cli.options import ConfidenceOption, QuietOption, path_option, require_confidence
from red7sim.cli.output import message
from red7sim.cli.refusals import ContentError
from red7sim.game.refused import InputError


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders that --out of a study or of 'simulate' has written, in their order.",
        ),
    ],
    out: Annotated[Path, path_option("--out", "FILE.html", "The page to write.")] = Path(
        "report.html"
    ),
    title: Annotated[
        str, typer.Option("--title", metavar="TEXT", help="The title of the page.")
    ] = "Red7 in numbers",
    confidence: ConfidenceOption = 0.95,
    quiet: QuietOption = False,
) -> None:
    """Make one HTML page of studies and datasets: what they say, tables, pictures, provenance.

    The page holds everything itself and opens without a network. --confidence is for datasets;
    a study has its own.
    """
    require_confidence(confidence)
    from red7sim.lab.files import require_place
    from red7sim.show.report import write_report
    from red7sim.show.views import MissingExtraError

    try:
        require_place(out)
        write_report(folders, out, title, confidence)
    except (MissingExtraError, InputError) as error:
        raise ContentError(str(error)) from None
    message(f"wrote {out}", quiet=quiet)
