"""Studies printed, and written to folders with their pictures."""

import textwrap
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from red7sim.cli.exporting import ExportOption, check_export, export
from red7sim.cli.options import (
    ConfidenceOption,
    JsonOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    path_option,
    thread_count,
)
from red7sim.cli.output import WIDTH, message, print_json, print_table, progress_bar, tell_compiling
from red7sim.cli.refusals import refused_files, refused_values

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
            "Write the tables as Parquet and the pictures as SVG and PNG to a folder.",
        ),
    ] = None
    export_to: ExportOption = None
    as_json: JsonOption = False
    quiet: QuietOption = False

    def __post_init__(self) -> None:
        # What is wrong is refused before anything is played.
        thread_count(self.threads)
        check_export(self.export_to)

    @property
    def thread_count(self) -> int | None:
        """The number of --threads, None for auto."""
        return thread_count(self.threads)


def play_study(options: StudyOptions, name: str, make: Callable[..., "Study"]) -> None:
    """Make a study, write it to its folder, if there is one, and print it.

    `name` is the study's; `make` takes `confidence`, `threads`, `progress` and `planned`. Refused
    values become usage errors.
    """
    from red7sim.lab.provenance import Clock
    from red7sim.lab.studies.kept import claimed_folder
    from red7sim.show.refused import left_out

    clock = Clock()
    bars: list[Callable[[int], None]] = []
    with refused_values(), refused_files(), ExitStack() as claimed:
        shown = ExitStack()

        def begin(games: int) -> None:
            if options.out is not None:
                claimed.enter_context(claimed_folder(options.out, name))
            tell_compiling(quiet=options.quiet)
            bar = shown.enter_context(progress_bar(games, "games", quiet=options.quiet))
            bars.extend(filter(None, [bar]))

        def advance(games: int) -> None:
            for bar in bars:
                bar(games)

        with shown:
            study = make(
                confidence=options.confidence,
                threads=options.thread_count,
                progress=advance,
                planned=begin,
            )
        if refused := left_out(study):
            message(refused, quiet=options.quiet)
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


def _write(study: "Study", out: Path, clock: "Clock", *, quiet: bool) -> None:
    from red7sim.lab.provenance import provenance
    from red7sim.lab.studies.kept import write_study
    from red7sim.show.views import MissingExtraError, keep_pictures

    # The games are safe before anything is drawn.
    write_study(study, out, provenance({"command": study.command}, clock))
    try:
        keep_pictures(study, out)
    except MissingExtraError as error:
        message(f"red7sim: {error}", quiet=quiet)
