"""`red7sim simulate`: play many games and say who wins."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.exporting import ExportOption, check_export, export
from red7sim.cli.options import (
    ConfidenceOption,
    JsonOption,
    PairingOption,
    PlayerOption,
    PlayersOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    flag,
    number_option,
    path_option,
    require_confidence,
    thread_count,
)
from red7sim.cli.output import message, print_json, progress_bar, tell_compiling
from red7sim.cli.refusals import EXIT_NOT_MET, UsageError, refused_files, refused_values
from red7sim.cli.rule_options import RuleOptions, make_run
from red7sim.cli.spread import spread_options
from red7sim.cli.start_options import DealsOption, FromOption, started_run
from red7sim.cli.summary_text import print_summary

if TYPE_CHECKING:
    from red7sim.lab.runs import Run


@on_cluster
@spread_options
def simulate(
    rules: RuleOptions,
    player: PlayerOption = None,
    players: PlayersOption = None,
    games: Annotated[
        int | None,
        number_option("--games", "Games to play.", "1_000_000; with --deals, each deal once"),
    ] = None,
    target_half_width: Annotated[
        float | None,
        typer.Option(
            "--target-half-width",
            metavar="W",
            help="Stop once every share is known to within W on either side, by a confidence "
            "sequence; needs --max-games.",
        ),
    ] = None,
    max_games: Annotated[
        int | None,
        number_option(
            "--max-games",
            "The most games to play for --target-half-width; exit status 1 if the target is not "
            "met by then.",
        ),
    ] = None,
    seed: SeedOption = 0,
    first_index: Annotated[
        int,
        number_option(
            "--first-index",
            "Index of the first game; a run can be cut into ranges of games.",
            metavar="I",
        ),
    ] = 0,
    pairing: PairingOption = "none",
    position: FromOption = None,
    deals: DealsOption = None,
    confidence: ConfidenceOption = 0.95,
    threads: ThreadsOption = "auto",
    out: Annotated[
        Path | None,
        path_option(
            "--out",
            "DIR",
            "Keep the counts in a folder; repeating the command plays only what is missing.",
        ),
    ] = None,
    rows: Annotated[
        bool,
        flag("--rows", "Also keep every round in the folder of --out, one row each."),
    ] = False,
    export_to: ExportOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play many games and print how often each seat and each player wins.

    The same seed gives the same games on any number of threads and on any machine.
    """
    if position is None and deals is None:
        run: Run = make_run(rules, player, players, seed, pairing)
    else:
        if out is not None or pairing != "none":
            raise UsageError("--from and --deals go neither with --out nor with --pairing")
        run = started_run(rules, player, players, seed, position, deals)
    require_confidence(confidence)
    check_export(export_to)
    if rows and out is None:
        raise UsageError("--rows needs --out")
    from red7sim import __version__
    from red7sim.lab.orders import order_games
    from red7sim.lab.summary import FORMAT

    count = thread_count(threads)
    with refused_values():
        order = order_games(
            run, games, first_index, count, confidence, target_half_width, max_games, out, rows
        )
    tell_compiling(quiet=quiet)
    unit = "deals" if run.paired else "games"
    with refused_files(), progress_bar(order.games, unit, quiet=quiet) as progress:
        played = order.play(progress)
    summary = played.summary(confidence)
    if out is not None and played.outcome.played == 0:
        message(f"{out} already holds these {unit}; nothing was played", quiet=quiet)
    if export_to is not None:
        from red7sim.lab.tables import summary_rows

        export(summary_rows(summary), export_to)
    if as_json:
        head = {"format": FORMAT, "command": "simulate", "version": __version__}
        print_json(head | summary)
    else:
        print_summary(summary)
    target = played.target
    if target is not None and not target.met:
        message(
            f"the shares are not known to within {target.half_width:g} "
            f"after {order.games:,} {unit}",
            quiet=quiet,
        )
        raise typer.Exit(EXIT_NOT_MET)
