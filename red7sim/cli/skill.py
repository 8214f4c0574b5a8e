"""`red7sim skill`: how often won positions are thrown away."""

from functools import partial
from typing import Annotated

import typer

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import number_option
from red7sim.cli.refusals import UsageError
from red7sim.cli.rule_options import RuleOptions
from red7sim.cli.spread import spread_options
from red7sim.cli.study_output import StudyOptions, play_study


@on_cluster
@spread_options
def skill(
    rules: RuleOptions,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="NAME",
            help="A player to judge; repeat the option for several. They also play, in all pairs.",
        ),
    ] = None,
    games: Annotated[
        int, number_option("--games", "Rounds whose decisions are judged.", 10_000)
    ] = 10_000,
    *,
    options: StudyOptions,
) -> None:
    """Judge the decisions of players by perfect play: how often they throw a won position away.

    Two players, one round, rules without chance. In every position each player is asked, and
    judged by what perfect play with open hands makes of its turn. Luck is how much the deal alone
    decides when a player meets itself.
    """
    from red7sim.lab.studies.skill import NAME, PLAYER
    from red7sim.lab.studies.skill import skill as study_of

    if rules.base != "basic":
        raise UsageError(f"--rules {rules.base} cannot be judged; allowed: basic")
    settings = rules.changes()
    names = player or PLAYER
    make = partial(
        study_of,
        names,
        settings=settings,
        games=games,
        seed=options.seed,
    )
    play_study(options, NAME, make)
