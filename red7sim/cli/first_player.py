"""`red7sim first-player`: what the seat is worth."""

from functools import partial
from typing import Annotated

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import number_option
from red7sim.cli.rule_options import CrossedRuleOptions
from red7sim.cli.spread import spread_options
from red7sim.cli.study_options import NumbersOption, SelfPlayOption, number_list
from red7sim.cli.study_output import StudyOptions, play_study


@on_cluster
@spread_options
def first_player(
    rules: CrossedRuleOptions,
    player: SelfPlayOption = None,
    players: NumbersOption = "2,3,4",
    games: Annotated[
        int, number_option("--games", "Games of each run by the rules.", 1_000_000)
    ] = 1_000_000,
    deals: Annotated[
        int | None,
        number_option(
            "--deals",
            "Deals with a forced start, on each of which every position starts once, and games "
            "whose rounds are counted one by one; by default a twentieth of the games.",
        ),
    ] = None,
    solved: Annotated[
        int | None,
        number_option(
            "--solved",
            "Deals to solve for the rows of perfect play with open hands, which exist for two "
            "players and rules that leave nothing to chance; by default a hundredth of the games, "
            "0 for none.",
        ),
    ] = None,
    *,
    options: StudyOptions,
) -> None:
    """Measure what a seat is worth: in shares of the games, from round to round, and in points.

    Numbers of players, rules and players are crossed. Each player plays against itself, once by
    the rules and once with a forced start, where every position starts once on each deal.
    """
    from red7sim.lab.studies.first_player import NAME, PLAYER
    from red7sim.lab.studies.first_player import first_player as study_of

    names, settings = player or PLAYER, rules.changes()
    numbers = number_list("--players", players)
    make = partial(
        study_of,
        rules.bases,
        names,
        numbers,
        settings=settings,
        games=games,
        deals=deals,
        solved=solved,
        seed=options.seed,
    )
    play_study(options, NAME, make)
