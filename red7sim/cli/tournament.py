"""`red7sim tournament`: players against each other."""

import time
from typing import Annotated

import typer

from red7sim.cli.options import (
    JsonOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    thread_count,
    whole_number,
)
from red7sim.cli.rule_options import RuleOptions, takes_rules
from red7sim.cli.study_options import ConfidenceOption
from red7sim.cli.study_output import OutOption, claim_out, deliver, playing


@takes_rules
def tournament(
    rules: RuleOptions,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="NAME", help="Who takes part; give it for two players or more."
        ),
    ] = None,
    players: Annotated[
        int,
        typer.Option(
            "--players", metavar="N", parser=whole_number, help="Players at a table, 2 to 4."
        ),
    ] = 2,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole_number,
            help="Deals; every line-up plays each of them once from every rotation of its seats.",
            show_default="10_000",
        ),
    ] = 10_000,
    seed: SeedOption = 0,
    confidence: ConfidenceOption = 0.95,
    threads: ThreadsOption = "auto",
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let players meet each other on common deals, and rate them.

    Two at a table play every pair. At larger tables each plays alone among equals of every other
    one, and all different ones that fit a table play too.
    """
    from red7sim.lab.studies.tournament import NAME, PLAYER
    from red7sim.lab.studies.tournament import tournament as study_of

    since = time.perf_counter()
    count = thread_count(threads)
    settings = rules.changes()
    claim_out(out, NAME)
    with playing(games, quiet=quiet) as progress:
        study = study_of(
            player or PLAYER,
            players,
            rules.base,
            settings=settings,
            games=games,
            seed=seed,
            confidence=confidence,
            threads=count,
            progress=progress,
        )
    deliver(study, out, since, as_json=as_json, quiet=quiet)
