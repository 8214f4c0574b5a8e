"""Runs of perfect play: the deals of a seed solved with open hands, and what they say.

Such a run is cut, kept and continued like any other. In its identity the line-up is PERFECT alone,
which no played run can have: there the player `perfect` must say that he sees all cards.
"""

from dataclasses import dataclass
from typing import Any, Final

from red7sim.game.refused import not_allowed
from red7sim.game.ruleset import RulesetError
from red7sim.lab.runs import Outcome, Run, RunError, checked_seed
from red7sim.lab.stats import wilson
from red7sim.play.design import NO_PAIRING
from red7sim.play.open_hands import SolverTable, solver_table
from red7sim.play.solver import require_solvable
from red7sim.play.tally import SEAT_WINS, SHARE_UNIT, SUM

PERFECT: Final = "perfect"


@dataclass(frozen=True)
class PerfectRun(Run):
    """What is solved: the deals of a seed under a ruleset for two players.

    Raises
    ------
    RunError
        The rules leave something to chance, the seed is out of range, or there are other players
        or a design.
    """

    players: tuple[str, ...] = (PERFECT, PERFECT)

    def __post_init__(self) -> None:
        for name, allowed in {"players": (PERFECT, PERFECT), "design": NO_PAIRING}.items():
            if (value := getattr(self, name)) != allowed:
                raise not_allowed(name, value, f"{allowed!r}, where deals are solved", RunError)
        object.__setattr__(self, "seed", checked_seed(self.seed))
        try:
            require_solvable(self.rules)
        except RulesetError as error:
            raise RunError(str(error)) from None

    def table(self) -> SolverTable:
        """Return new memory to solve in, for one thread."""
        return solver_table(self.rules)


def read_run(identity: dict[str, Any]) -> Run:
    """Return the run of an identity, solved or played; see `Run.from_json`."""
    solved = identity.get("players") == [PERFECT, PERFECT]
    return (PerfectRun if solved else Run).from_json(identity)


def summarize_solved(outcome: Outcome, confidence: float) -> dict[str, Any]:
    """Return how often the first player wins, with Wilson's interval, as in the JSON form."""
    wins = int(outcome.tally[SUM, SEAT_WINS]) // SHARE_UNIT
    low, high = wilson(wins, outcome.games, confidence)
    return {
        "run_id": outcome.run.run_id,
        "rules": outcome.run.rules.as_json(),
        "seed": outcome.run.seed,
        "first_index": outcome.first_index,
        "deals": outcome.games,
        "first_wins": wins,
        "rate": wins / outcome.games,
        "low": low,
        "high": high,
        "confidence": confidence,
        "elapsed_s": outcome.elapsed,
        "deals_per_s": outcome.played / outcome.elapsed if outcome.played else None,
    }
