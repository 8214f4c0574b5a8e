"""`red7sim report`: studies and datasets as one page."""

from pathlib import Path
from typing import Annotated

import typer

from red7sim.cli.options import ContentError, QuietOption
from red7sim.cli.output import message
from red7sim.cli.study_options import ConfidenceOption, refused_files, require_confidence


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders that --out of a study or of 'simulate' has written, in their order.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE.html", help="The page to write.")
    ] = Path("report.html"),
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
    from red7sim.lab.dataset import read
    from red7sim.lab.files import replace_file
    from red7sim.lab.studies.kept import is_study, read_study
    from red7sim.lab.studies.run import dataset_study
    from red7sim.show.report import report_page
    from red7sim.show.views import MissingExtraError

    if not out.parent.is_dir():
        raise ContentError(f"{out}: there is no folder {out.parent}")
    with refused_files():
        studies = [
            read_study(folder) if is_study(folder) else dataset_study(read(folder), confidence)
            for folder in folders
        ]
        try:
            page = report_page(title, studies)
        except (MissingExtraError, ValueError) as error:
            raise ContentError(str(error)) from None
        replace_file(out, page.encode())
    message(f"wrote {out}", quiet=quiet)
