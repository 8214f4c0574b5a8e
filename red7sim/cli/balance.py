"""`red7sim balance`: cards, rules, agency and folding."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import UsageError, whole_number
from red7sim.cli.rule_options import CrossedRuleOptions, RuleOptions, ScoredRuleOptions
from red7sim.cli.spread import spread_options
from red7sim.cli.study_options import NumbersOption, SelfPlayOption, number_list
from red7sim.cli.study_output import StudyOptions, claim_out, deliver, playing

if TYPE_CHECKING:
    from red7sim.lab.studies.cross import Cell

OnePlayerOption = Annotated[
    str, typer.Option("--player", metavar="NAME", help="Who plays, in all seats.")
]
TableOption = Annotated[
    int,
    typer.Option("--players", metavar="N", parser=whole_number, help="Number of players, 2 to 4."),
]


@on_cluster
@spread_options
def cards(
    rules: RuleOptions,
    player: OnePlayerOption = "leads",
    players: TableOption = 2,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole_number,
            help="Games to play; effects are those in their first rounds.",
            show_default="200_000",
        ),
    ] = 200_000,
    *,
    options: StudyOptions,
) -> None:
    """Measure what every card, colour and number is worth in the opening hand and as start card.

    Who is dealt a card is random, so that the winners among its holders tell its effect.
    """
    from red7sim.lab.studies.balance_cards import NAME, balance_cards

    since = time.perf_counter()
    claim_out(options.out, NAME)
    with playing(games, quiet=options.quiet) as progress:
        study = balance_cards(
            rules.base,
            player,
            players,
            settings=rules.changes(),
            games=games,
            seed=options.seed,
            confidence=options.confidence,
            threads=options.thread_count,
            progress=progress,
        )
    deliver(study, options, since)


@on_cluster
@spread_options
def rules(
    rules: RuleOptions,
    player: OnePlayerOption = "leads",
    players: TableOption = 2,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole_number,
            help="Games to play without a restriction.",
            show_default="200_000",
        ),
    ] = 200_000,
    deals: Annotated[
        int,
        typer.Option(
            "--deals",
            metavar="N",
            parser=whole_number,
            help="Deals for each restriction; the restricted player sits once in every position.",
            show_default="20_000",
        ),
    ] = 20_000,
    *,
    options: StudyOptions,
) -> None:
    """Measure what the seven rules do in play, and what it costs to do without one of them.

    A player who never makes a colour the rule, never discards or never plays to the palette meets
    himself without the restriction.
    """
    from red7sim.lab.studies.balance_rules import NAME, balance_rules, games_to_play

    since = time.perf_counter()
    settings = rules.changes()
    [cell] = _cells([players], [rules.base], [player], settings)
    claim_out(options.out, NAME)
    with playing(games_to_play(cell, games, deals), quiet=options.quiet) as progress:
        study = balance_rules(
            rules.base,
            player,
            players,
            settings=settings,
            games=games,
            deals=deals,
            seed=options.seed,
            confidence=options.confidence,
            threads=options.thread_count,
            progress=progress,
        )
    deliver(study, options, since)


@on_cluster
@spread_options
def agency(
    rules: CrossedRuleOptions,
    player: SelfPlayOption = None,
    players: NumbersOption = "2",
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole_number,
            help="Games of each run.",
            show_default="50_000",
        ),
    ] = 50_000,
    deals: Annotated[
        int,
        typer.Option(
            "--deals",
            metavar="N",
            parser=whole_number,
            help="Deals of each run that are played again and again.",
            show_default="4_096",
        ),
    ] = 4_096,
    playouts: Annotated[
        int,
        typer.Option(
            "--playouts", metavar="N", parser=whole_number, help="How often each deal is played."
        ),
    ] = 20,
    *,
    options: StudyOptions,
) -> None:
    """Measure how much is left to the players: choices by turn, early ends, the luck of the deal.

    Numbers of players, rules and players are crossed. Deals are played again and again with other
    choices, which tells how much of who wins is in the deal.
    """
    from red7sim.lab.studies.balance_agency import NAME, PLAYER, balance_agency, games_to_play

    since = time.perf_counter()
    names, settings = player or PLAYER, rules.changes()
    numbers = number_list("--players", players)
    cells = _cells(numbers, rules.bases, names, settings)
    claim_out(options.out, NAME)
    with playing(games_to_play(cells, games, deals, playouts), quiet=options.quiet) as progress:
        study = balance_agency(
            rules.bases,
            names,
            numbers,
            settings=settings,
            games=games,
            deals=deals,
            playouts=playouts,
            seed=options.seed,
            confidence=options.confidence,
            threads=options.thread_count,
            progress=progress,
        )
    deliver(study, options, since)


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
            help="Values of round_minimum to compare: points that a round brings at least.",
        ),
    ] = "0,12",
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole_number,
            help="Deals of each line-up; on each the one player sits once in every position.",
        ),
    ] = 300,
    *,
    options: StudyOptions,
) -> None:
    """Measure what it is worth to fold while turns survive: how often it is done, at what price.

    In scored games a fold ends a round early, so that the rival scores little. A player who may
    fold meets himself without that right, on the same deals.
    """
    from red7sim.lab.studies.balance_folding import (
        NAME,
        PLAYER,
        balance_folding,
        games_to_play,
    )

    since = time.perf_counter()
    names, settings = player or [PLAYER], rules.changes()
    numbers, minimums = number_list("--players", players), number_list("--minimum", minimum)
    cells = _cells(numbers, [rules.base], names, settings)
    claim_out(options.out, NAME)
    with playing(games_to_play(cells, minimums, games), quiet=options.quiet) as progress:
        study = balance_folding(
            rules.base,
            names,
            numbers,
            minimum=minimums,
            settings=settings,
            games=games,
            seed=options.seed,
            confidence=options.confidence,
            threads=options.thread_count,
            progress=progress,
        )
    deliver(study, options, since)


def _cells(
    players: Sequence[int],
    bases: Sequence[str],
    names: Sequence[str],
    settings: Mapping[str, Any],
) -> "list[Cell]":
    from red7sim.game.ruleset import RulesetError
    from red7sim.lab.studies.cross import Cross

    try:
        return Cross.of(players, bases, names, settings).cells()
    except RulesetError as error:
        raise UsageError(str(error)) from None
