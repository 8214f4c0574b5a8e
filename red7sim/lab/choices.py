"""How much turns leave to the players, from the details of games."""

from red7sim.lab.detailed import rounds_of
from red7sim.lab.groups import ratio
from red7sim.lab.stats import Estimate
from red7sim.play.details import ASKED, CHOICES, FORCED, NO_CHOICE, Details


def turn_figures(details: Details) -> dict[str, Estimate]:
    """Return figures of all turns, with errors from the groups of games.

    `choices_per_turn`, the mean number of surviving turns; `forced_turns` and
    `turns_without_choice`, the shares of turns with exactly one and with none; `turns_per_round`
    and `leader_changes`, a round.
    """
    counts = details["turns"].sum(axis=1)
    asked, rounds = counts[:, ASKED], rounds_of(details)
    return {
        "choices_per_turn": ratio(counts[:, CHOICES], asked),
        "forced_turns": ratio(counts[:, FORCED], asked),
        "turns_without_choice": ratio(counts[:, NO_CHOICE], asked),
        "turns_per_round": ratio(asked, rounds),
        "leader_changes": ratio(details["leader_changes"], rounds),
    }
