"""`red7sim first-player`: what the seat is worth."""

import time
from typing import Annotated

import typer

from red7sim.cli.options import (
    JsonOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    UsageError,
    thread_count,
    whole_number,
)
from red7sim.cli.rule_options import CrossedRuleOptions, takes_rules
from red7sim.cli.study_options import (
    ConfidenceOption,
    NumbersOption,
    SelfPlayOption,
    number_list,
)
from red7sim.cli.study_output import OutOption, claim_out, deliver, playing


@takes_rules
def first_player(
    rules: CrossedRuleOptions,
    player: SelfPlayOption = None,
    players: NumbersOption = "2,3,4",
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole_number,
            help="Games of each run by the rules.",
            show_default="1_000_000",
        ),
    ] = 1_000_000,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            metavar="N",
            parser=whole_number,
            help="Deals on each of which every position starts once, and games whose rounds are "
            "told apart; by default a twentieth of the games.",
        ),
    ] = None,
    solved: Annotated[
        int | None,
        typer.Option(
            "--solved",
            metavar="N",
            parser=whole_number,
            help="Deals to solve for the rows of perfect play with open hands, which two players "
            "with rules that leave nothing to chance have; by default a hundredth of the games, "
            "0 for none.",
        ),
    ] = None,
    seed: SeedOption = 0,
    confidence: ConfidenceOption = 0.95,
    threads: ThreadsOption = "auto",
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Measure what the seat is worth: shares of the games, from round to round, and in points.

    Numbers of players, rules and players are crossed. Each player plays against itself, once by
    the rules and once with a forced start, where every position starts once on each deal.
    """
    from red7sim.game.ruleset import RulesetError
    from red7sim.lab.studies.cross import Cross
    from red7sim.lab.studies.first_player import NAME, PLAYER, Sizes
    from red7sim.lab.studies.first_player import first_player as study_of

    since = time.perf_counter()
    count = thread_count(threads)
    names, settings = player or PLAYER, rules.changes()
    numbers = number_list("--players", players)
    try:
        cells = Cross.of(numbers, rules.bases, names, settings).cells()
    except RulesetError as error:
        raise UsageError(str(error)) from None
    claim_out(out, NAME)
    total = Sizes.of(cells, games, deals, solved).in_all(cells)
    with playing(total, quiet=quiet) as progress:
        study = study_of(
            rules.bases,
            names,
            numbers,
            settings=settings,
            games=games,
            deals=deals,
            solved=solved,
            seed=seed,
            confidence=confidence,
            threads=count,
            progress=progress,
        )
    deliver(study, out, since, as_json=as_json, quiet=quiet)
