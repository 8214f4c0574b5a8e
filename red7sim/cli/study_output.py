"""Studies printed, and written to folders with their pictures."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from red7sim.cli.options import (
    JsonOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    path_option,
    thread_count,
)
from red7sim.cli.output import WIDTH, message, print_json, print_table, progress_bar, tell_compiling
from red7sim.cli.study_options import (
    ConfidenceOption,
    ExportOption,
    check_export,
    export,
    refused_files,
    refused_values,
)

if TYPE_CHECKING:
    from red7sim.lab.provenance import Clock
    from red7sim.lab.studies.study import Study


@dataclass(frozen=True)
class StudyOptions:
    """The options that every study has; what is refused raises UsageError or ContentError."""

    seed: SeedOption = 0
    confidence: ConfidenceOption = 0.95
    threads: ThreadsOption = "auto"
    out: Annotated[
        Path | None,
        path_option(
            "--out",
            "DIR",
            "Write the tables as Parquet and the pictures as SVG and PNG into a folder.",
        ),
    ] = None
    export_to: ExportOption = None
    as_json: JsonOption = False
    quiet: QuietOption = False

    def __post_init__(self) -> None:
        # What is wrong is refused before anything is claimed or played.
        thread_count(self.threads)
        check_export(self.export_to)

    @property
    def thread_count(self) -> int | None:
        """The number of --threads, None for auto."""
        return thread_count(self.threads)


def play_study(options: StudyOptions, name: str, games: int, make: Callable[..., "Study"]) -> None:
    """Make a study, write it to its folder, if there is one, and print it.

    `name` is the study's, `games` the number of games whose progress is shown; `make` takes
    `confidence`, `threads` and `progress`. Refused values become usage errors.
    """
    from red7sim.lab.provenance import Clock

    clock = Clock()
    if options.out is not None:
        _claim(options.out, name)  # before anything is played for it
    tell_compiling(quiet=options.quiet)
    with refused_values(), progress_bar(games, "games", quiet=options.quiet) as progress:
        study = make(confidence=options.confidence, threads=options.thread_count, progress=progress)
    if "refused" in study.tables and len(refused := study.tables["refused"]):
        variants = ", ".join(refused["variant"])
        message(f"refused by the rules and left out: {variants}", quiet=options.quiet)
    if options.out is not None:
        _write(study, options.out, clock, quiet=options.quiet)
    export(study.tables, options.export_to)
    if options.as_json:
        from red7sim import __version__
        from red7sim.lab.summary import FORMAT

        head = {"format": FORMAT, "command": study.name, "version": __version__}
        print_json(head | study.as_json())
    else:
        print_study(study, clock.times()["elapsed_time"])


def print_study(study: "Study", seconds: float) -> None:
    """Print what a study says: its findings, its tables and its caption."""
    from red7sim.show.views import findings_of, sheets_of

    print(f"{study.title}\n")
    for finding in findings_of(study):
        print(textwrap.fill(finding, WIDTH))
    sheets = sheets_of(study)
    for sheet in sheets:
        if sheet.detail:
            continue
        print(f"\n{sheet.title}\n")
        print_table([*sheet.headers], [[*row] for row in sheet.rows], texts=sheet.texts)
        if sheet.note:
            print("\n" + textwrap.fill(sheet.note, WIDTH))
    details = [sheet.name for sheet in sheets if sheet.detail]
    print("\n" + textwrap.fill(study.caption, WIDTH))
    if details:
        print(f"Not printed, in --json and --out: {', '.join(details)}.")
    # Wrapped as a shell reads it.
    again = textwrap.wrap(
        study.command, WIDTH - 2, subsequent_indent="  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    print(f"{seconds:.2f} s. Again:\n" + " \\\n".join(again))


def _claim(out: Path, name: str) -> None:
    from red7sim.lab.studies.kept import claim_folder

    with refused_files():
        claim_folder(out, name)


def _write(study: "Study", out: Path, clock: "Clock", *, quiet: bool) -> None:
    from red7sim.lab.provenance import provenance
    from red7sim.lab.studies.kept import write_pictures, write_study
    from red7sim.show.views import MissingExtraError, pictures_of

    with refused_files():
        # The games are safe before anything is drawn.
        write_study(study, out, provenance({"command": study.command}, clock))
        try:
            pictures = pictures_of(study)
        except MissingExtraError as error:
            message(f"red7sim: {error}", quiet=quiet)
            pictures = []
        write_pictures(out, dict(file for p in pictures for file in p.files().items()))
