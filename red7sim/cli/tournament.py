"""`red7sim tournament`: players against each other."""

from functools import partial
from typing import Annotated

import typer

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import number_option
from red7sim.cli.rule_options import RuleOptions
from red7sim.cli.spread import spread_options
from red7sim.cli.study_output import StudyOptions, play_study


@on_cluster
@spread_options
def tournament(
    rules: RuleOptions,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="NAME", help="A player that takes part; repeat the option for each."
        ),
    ] = None,
    players: Annotated[int, number_option("--players", "Players at a table, 2 to 4.")] = 2,
    games: Annotated[
        int,
        number_option(
            "--games",
            "Deals; every line-up plays each of them once in every rotation of its seats.",
            10_000,
        ),
    ] = 10_000,
    *,
    options: StudyOptions,
) -> None:
    """Let players meet each other on common deals, and rate them.

    At tables of two, every pair plays. At larger tables, each player sits alone against a table of
    each other player; every line-up of distinct players plays too.
    """
    from red7sim.lab.studies.tournament import NAME, PLAYER
    from red7sim.lab.studies.tournament import tournament as study_of

    settings = rules.changes()
    names = player or PLAYER
    make = partial(
        study_of,
        rules.base,
        names,
        players,
        settings=settings,
        games=games,
        seed=options.seed,
    )
    play_study(options, NAME, make)
