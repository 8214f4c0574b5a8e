"""`red7sim sweep`: what switches of the rules do."""

from functools import partial
from typing import Annotated

import typer

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import PlayerOption, PlayersOption, UsageError, number_option
from red7sim.cli.rule_options import RuleOptions, make_run
from red7sim.cli.spread import spread_options
from red7sim.cli.study_options import PairingOption, refused_values
from red7sim.cli.study_output import StudyOptions, play_study

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
        int, number_option("--games", "Games of each variant; deals, with --pairing.", 100_000)
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

    base = make_run(rules, player, players, options.seed, pairing)
    varied = over_of(over)
    with refused_values():
        total = games_to_play(base, varied, games)
    make = partial(study_of, base, varied, games=games)
    play_study(options, NAME, total, make)


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
