"""`red7sim tune`: the house rules that are fairest to the seats."""

import time
from typing import Annotated

import typer

from red7sim.cli.options import (
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
from red7sim.cli.output import message
from red7sim.cli.rule_options import RuleOptions, make_run, takes_rules
from red7sim.cli.study_options import ConfidenceOption, PairingOption
from red7sim.cli.study_output import OutOption, claim_out, deliver, playing
from red7sim.cli.sweep import OverOption, name_refused, over_of


@takes_rules
def tune(
    rules: RuleOptions,
    over: OverOption = None,
    player: PlayerOption = None,
    players: PlayersOption = None,
    max_games: Annotated[
        int,
        typer.Option(
            "--max-games",
            metavar="N",
            parser=whole_number,
            help="Games of a variant at most; deals, with --pairing.",
            show_default="100_000",
        ),
    ] = 100_000,
    seed: SeedOption = 0,
    pairing: PairingOption = "none",
    confidence: ConfidenceOption = 0.95,
    threads: ThreadsOption = "auto",
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Search the house rules for those that are fairest to the seats.

    All variants play the same deals, and those that are proven less fair than another are
    eliminated, until one is left or the deals are played. Without --over the search goes over who
    starts, a start bonus, the first canvas and the hand size.
    """
    from red7sim.lab.studies.tune import NAME, Look, games_at_most
    from red7sim.lab.studies.tune import tune as study_of

    since = time.perf_counter()
    count = thread_count(threads)
    base = make_run(rules, player, players, seed, pairing)
    varied = over_of(over) if over else None
    try:
        total = games_at_most(base, varied, max_games)
    except ValueError as error:
        raise UsageError(str(error)) from None
    claim_out(out, NAME)

    def watch(look: Look) -> None:
        message(f"{look.deals:,} deals: {look.variants} variants left", quiet=quiet)

    with playing(total, quiet=quiet) as progress:
        study = study_of(
            base,
            varied,
            max_games=max_games,
            confidence=confidence,
            threads=count,
            progress=progress,
            watch=watch,
        )
    name_refused(study.tables["refused"]["variant"].to_list(), quiet=quiet)
    deliver(study, out, since, as_json=as_json, quiet=quiet)
