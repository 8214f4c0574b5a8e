"""`red7sim sweep`: what switches of the rules do."""

from functools import partial
from typing import Annotated

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import PairingOption, PlayerOption, PlayersOption, number_option
from red7sim.cli.rule_options import RuleOptions, make_run
from red7sim.cli.spread import spread_options
from red7sim.cli.study_options import OverOption, over_of
from red7sim.cli.study_output import StudyOptions, play_study


@on_cluster
@spread_options
def sweep(
    rules: RuleOptions,
    over: OverOption = None,
    player: PlayerOption = None,
    players: PlayersOption = None,
    games: Annotated[
        int, number_option("--games", "Games of each variant; with --pairing, deals.", 100_000)
    ] = 100_000,
    pairing: PairingOption = "none",
    *,
    options: StudyOptions,
) -> None:
    """Vary switches of the rules and compare the seats, the lengths and the points.

    Every variant plays the same deals, so that differences from the baseline, the rules without
    --over, are as precise as possible.
    """
    from red7sim.lab.studies.sweep import NAME
    from red7sim.lab.studies.sweep import sweep as study_of

    base = make_run(rules, player, players, options.seed, pairing)
    varied = over_of(over)
    make = partial(study_of, base, varied, games=games)
    play_study(options, NAME, make)
