"""`red7sim tune`: the house rules that are fairest to the seats."""

from functools import partial
from typing import Annotated

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import PairingOption, PlayerOption, PlayersOption, number_option
from red7sim.cli.output import message
from red7sim.cli.rule_options import RuleOptions, make_run
from red7sim.cli.spread import spread_options
from red7sim.cli.study_options import OverOption, over_of
from red7sim.cli.study_output import StudyOptions, play_study


@on_cluster
@spread_options
def tune(
    rules: RuleOptions,
    over: OverOption = None,
    player: PlayerOption = None,
    players: PlayersOption = None,
    max_games: Annotated[
        int,
        number_option(
            "--max-games", "The most games of a variant; with --pairing, deals.", 100_000
        ),
    ] = 100_000,
    pairing: PairingOption = "none",
    *,
    options: StudyOptions,
) -> None:
    """Search the house rules for those that are fairest to the seats.

    All variants play the same deals, and those proven less fair than another are eliminated, until
    one is left or all deals have been played. Without --over, the search covers who starts, a start
    bonus, the first canvas and the hand size.
    """
    from red7sim.lab.studies.tune import NAME, Look
    from red7sim.lab.studies.tune import tune as study_of

    base = make_run(rules, player, players, options.seed, pairing)
    varied = over_of(over) if over else None

    def on_look(look: Look) -> None:
        message(f"{look.deals:,} deals: {look.variants} variants left", quiet=options.quiet)

    make = partial(
        study_of,
        base,
        varied,
        max_games=max_games,
        on_look=on_look,
    )
    play_study(options, NAME, make)
