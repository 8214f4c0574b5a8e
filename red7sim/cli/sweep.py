"""`red7sim sweep`: what switches of the rules do."""

import time
from typing import Annotated

import typer

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import PlayerOption, PlayersOption, UsageError, whole_number
from red7sim.cli.output import message
from red7sim.cli.rule_options import RuleOptions, make_run
from red7sim.cli.spread import spread_options
from red7sim.cli.study_options import PairingOption
from red7sim.cli.study_output import StudyOptions, claim_out, deliver, playing

OverOption = Annotated[
    list[str] | None,
    typer.Option(
        "--over",
        metavar="SWITCH=VALUES",
        help="Vary a switch: hand_size=5..9, draw=auto,never, or start_bonus=0/0,1 for values with "
        "commas. Repeat it to cross switches. Combinations that the rules refuse are left out and "
        "named.",
    ),
]


@on_cluster
@spread_options
def sweep(
    rules: RuleOptions,
    over: OverOption = None,
    player: PlayerOption = None,
    players: PlayersOption = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole_number,
            help="Games of each variant; deals, with --pairing.",
            show_default="100_000",
        ),
    ] = 100_000,
    pairing: PairingOption = "none",
    *,
    options: StudyOptions,
) -> None:
    """Vary switches of the rules and compare the seats, the lengths and the points.

    Every variant plays the same deals, so that differences to the baseline, the rules without
    --over, are as precise as they can be.
    """
    from red7sim.lab.studies.sweep import NAME, games_to_play
    from red7sim.lab.studies.sweep import sweep as study_of

    since = time.perf_counter()
    base = make_run(rules, player, players, options.seed, pairing)
    varied = over_of(over)
    try:
        total = games_to_play(base, varied, games)
    except ValueError as error:
        raise UsageError(str(error)) from None
    claim_out(options.out, NAME)
    with playing(total, quiet=options.quiet) as progress:
        study = study_of(
            base,
            varied,
            games=games,
            confidence=options.confidence,
            threads=options.thread_count,
            progress=progress,
        )
    name_refused(study.tables["refused"]["variant"].to_list(), quiet=options.quiet)
    deliver(study, options, since)


def over_of(texts: list[str] | None) -> dict[str, str]:
    """Return the switches of --over with the text of their values."""
    found: dict[str, str] = {}
    for text in texts or []:
        name, separator, values = text.partition("=")
        name = name.strip()
        if not separator or not name:
            raise UsageError(f"--over {text!r} is not SWITCH=VALUES")
        if name in found:
            raise UsageError(f"--over {name} is given twice; allowed: once, with all its values")
        found[name] = values
    return found


def name_refused(variants: list[str], *, quiet: bool) -> None:
    """Say in one line which variants the rules refuse."""
    if variants:
        message(f"refused by the rules and left out: {', '.join(variants)}", quiet=quiet)
