"""`red7sim simulate`: play many games and say who wins."""

from pathlib import Path
from typing import Annotated

import typer

from red7sim.cli.options import (
    ContentError,
    JsonOption,
    PlayerOption,
    PlayersOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    UsageError,
    thread_count,
    whole_number,
)
from red7sim.cli.output import message, print_json, progress_bar
from red7sim.cli.rule_options import RuleOptions, make_run, takes_rules
from red7sim.cli.study_options import (
    ConfidenceOption,
    ExportOption,
    PairingOption,
    check_export,
    checked_confidence,
    dataset_row,
    export,
)
from red7sim.cli.summary_text import print_summary


@takes_rules
def simulate(
    rules: RuleOptions,
    player: PlayerOption = None,
    players: PlayersOption = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", parser=whole_number, help="Games to play.")
    ] = 1_000_000,
    seed: SeedOption = 0,
    first_index: Annotated[
        int,
        typer.Option(
            "--first-index",
            metavar="I",
            parser=whole_number,
            help="Index of the first game; a run can be cut into ranges of games.",
        ),
    ] = 0,
    pairing: PairingOption = "none",
    confidence: ConfidenceOption = 0.95,
    threads: ThreadsOption = "auto",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Keep the counts in a folder; the same command again plays only what is missing.",
        ),
    ] = None,
    export_to: ExportOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play many games and print how often each seat and each player wins.

    The same seed gives the same games on any number of threads and on any machine.
    """
    run = make_run(rules, player, players, seed, pairing)
    checked_confidence(confidence)
    check_export(export_to)
    from red7sim import __version__
    from red7sim.jit.settings import is_cached
    from red7sim.lab.runs import RunError, play, prepare
    from red7sim.lab.summary import FORMAT, summarize

    if not is_cached():
        message("compiling kernels, once for this version (about 15 s) ...", quiet=quiet)
    prepare(run)
    dataset = None
    unit = "deals" if run.paired else "games"
    try:
        with progress_bar(games, unit, quiet=quiet) as progress:
            if out is None:
                outcome = play(run, games, first_index, thread_count(threads), progress=progress)
            else:
                from red7sim.lab.collect import collect
                from red7sim.lab.files import FileError

                try:
                    outcome, dataset = collect(
                        out, run, games, first_index, thread_count(threads), progress
                    )
                except FileError as error:
                    raise ContentError(str(error)) from None
    except RunError as error:
        raise UsageError(str(error)) from None
    summary = summarize(outcome, confidence)
    if dataset is not None:
        summary["dataset"] = dataset_row(dataset, outcome.played)
        if outcome.played == 0:
            message(f"{out} holds these {unit} already; nothing was played", quiet=quiet)
    if export_to is not None:
        from red7sim.lab.tables import summary_rows

        export(summary_rows(summary), export_to)
    if as_json:
        head = {"format": FORMAT, "command": "simulate", "version": __version__}
        print_json(head | summary)
    else:
        print_summary(summary)
