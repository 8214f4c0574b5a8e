"""`red7sim balance`: cards, rules, agency and folding."""

from functools import partial
from typing import Annotated

import typer

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import number_option
from red7sim.cli.rule_options import CrossedRuleOptions, RuleOptions, ScoredRuleOptions
from red7sim.cli.spread import spread_options
from red7sim.cli.study_options import NumbersOption, SelfPlayOption, number_list
from red7sim.cli.study_output import StudyOptions, play_study

OnePlayerOption = Annotated[
    str, typer.Option("--player", metavar="NAME", help="The player in all seats.")
]
TableOption = Annotated[int, number_option("--players", "Number of players, 2 to 4.")]


@on_cluster
@spread_options
def cards(
    rules: RuleOptions,
    player: OnePlayerOption = "leads",
    players: TableOption = 2,
    games: Annotated[
        int,
        number_option("--games", "Games to play; effects come from their first rounds.", 200_000),
    ] = 200_000,
    *,
    options: StudyOptions,
) -> None:
    """Measure what every card, colour and number is worth in the opening hand and as start card.

    Cards are dealt at random, so how often their holders win shows what each of them is worth.
    """
    from red7sim.lab.studies.balance_cards import NAME, balance_cards

    make = partial(
        balance_cards,
        rules.base,
        player,
        players,
        settings=rules.changes(),
        games=games,
        seed=options.seed,
    )
    play_study(options, NAME, make)


@on_cluster
@spread_options
def rules(
    rules: RuleOptions,
    player: OnePlayerOption = "leads",
    players: TableOption = 2,
    games: Annotated[
        int, number_option("--games", "Games to play without a restriction.", 200_000)
    ] = 200_000,
    deals: Annotated[
        int,
        number_option(
            "--deals",
            "Deals for each restriction; the restricted player sits in every position once.",
            20_000,
        ),
    ] = 20_000,
    *,
    options: StudyOptions,
) -> None:
    """Measure what the seven rules do in play, and what it costs to do without one of them.

    A player that never makes a colour the rule, never discards or never plays to the palette meets
    itself without that restriction.
    """
    from red7sim.lab.studies.balance_rules import NAME, balance_rules

    settings = rules.changes()
    make = partial(
        balance_rules,
        rules.base,
        player,
        players,
        settings=settings,
        games=games,
        deals=deals,
        seed=options.seed,
    )
    play_study(options, NAME, make)


@on_cluster
@spread_options
def agency(
    rules: CrossedRuleOptions,
    player: SelfPlayOption = None,
    players: NumbersOption = "2",
    games: Annotated[int, number_option("--games", "Games of each run.", 50_000)] = 50_000,
    deals: Annotated[
        int, number_option("--deals", "Deals in each run that are replayed many times.", 4_096)
    ] = 4_096,
    playouts: Annotated[
        int, number_option("--playouts", "How many times each deal is played.")
    ] = 20,
    *,
    options: StudyOptions,
) -> None:
    """Measure how much is left to the players: choices by turn, early ends, the luck of the deal.

    Numbers of players, rules and players are crossed. Deals are replayed many times with other
    choices, which shows how much of the outcome is decided by the deal.
    """
    from red7sim.lab.studies.balance_agency import NAME, PLAYER, balance_agency

    names, settings = player or PLAYER, rules.changes()
    numbers = number_list("--players", players)
    make = partial(
        balance_agency,
        rules.bases,
        names,
        numbers,
        settings=settings,
        games=games,
        deals=deals,
        playouts=playouts,
        seed=options.seed,
    )
    play_study(options, NAME, make)


@on_cluster
@spread_options
def folding(
    rules: ScoredRuleOptions,
    player: SelfPlayOption = None,
    players: NumbersOption = "2,3",
    minimum: Annotated[
        str,
        typer.Option(
            "--minimum",
            metavar="LIST",
            help="Values of round_minimum, the fewest points that a round is worth, to compare.",
        ),
    ] = "0,12",
    games: Annotated[
        int,
        number_option(
            "--games",
            "Deals for each line-up; the player who sits alone takes every position once.",
        ),
    ] = 300,
    *,
    options: StudyOptions,
) -> None:
    """Measure what folding is worth while turns survive: how often it is done, and at what price.

    In scored games a fold ends a round early, so that the rival scores little. A player that may
    fold meets itself without that right, on the same deals.
    """
    from red7sim.lab.studies.balance_folding import (
        NAME,
        PLAYER,
        balance_folding,
    )

    names, settings = player or [PLAYER], rules.changes()
    numbers, minimums = number_list("--players", players), number_list("--minimum", minimum)
    make = partial(
        balance_folding,
        rules.base,
        names,
        numbers,
        minimum=minimums,
        settings=settings,
        games=games,
        seed=options.seed,
    )
    play_study(options, NAME, make)
