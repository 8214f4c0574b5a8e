"""What a position offers: leaders, turns, and what they are worth."""

from dataclasses import dataclass
from typing import Any, Final

from red7sim.game.notation import Position
from red7sim.game.refused import whole_in
from red7sim.game.ruleset import Ruleset
from red7sim.lab.runs import checked_seed
from red7sim.lab.starting import playout_rates
from red7sim.lab.stats import checked_confidence
from red7sim.lab.summary import DEFAULT_CONFIDENCE
from red7sim.lab.worlds import solve_worlds
from red7sim.play.open_hands import Solver, is_solvable, is_solvable_in_worlds
from red7sim.play.policy import DEFAULT_PLAYER
from red7sim.play.position import leaders, leading_set, surviving_turns
from red7sim.play.spec import parse_player

MAX_EFFORT: Final = 10_000_000
"""The most samples or playouts of a position."""


@dataclass(frozen=True)
class Effort:
    """What is done for a position beyond the search.

    Attributes
    ----------
    samples
        Hands of a rival to solve where his hand is unknown.
    playouts
        Rounds to play after each turn.
    player
        Who plays them, on all seats; kept in the canonical form.
    seed
        Seed of the samples and the playouts.
    confidence
        Confidence of the intervals.

    Raises
    ------
    InputError
        A number is out of range, or the player is refused.
    """

    samples: int = 1_000
    playouts: int = 0
    player: str = DEFAULT_PLAYER
    seed: int = 0
    confidence: float = DEFAULT_CONFIDENCE

    def __post_init__(self) -> None:
        checked = {
            "samples": whole_in("samples", self.samples, 1, MAX_EFFORT),
            "playouts": whole_in("playouts", self.playouts, 0, MAX_EFFORT),
            "player": parse_player(self.player).text,
            "seed": checked_seed(self.seed),
            "confidence": checked_confidence(self.confidence),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)


def analyze_position(position: Position, ruleset: Ruleset, effort: Effort) -> dict[str, Any]:
    """Return what a position offers, as in the JSON form of `red7sim analyze`.

    `leaders` and `sets` say who would be winning under each rule, and with which cards; `turns` are
    the surviving turns of the mover. Where open hands can be solved, `value` and `line` are those
    of perfect play, and each turn has a `value`; where the rival's hand alone is unknown, each turn
    has the share `hands_won` (red7sim.lab.worlds). With playouts each turn has a `win_rate`
    (red7sim.lab.starting).
    """
    leading = leaders(position, ruleset)
    turns = surviving_turns(position, ruleset)
    solution = Solver(ruleset).solve(position) if is_solvable(ruleset, position) else None
    if solution is not None:
        turns = _joined(turns, [{"value": value} for value in solution.turn_values])
    worlds = None
    if turns and is_solvable_in_worlds(ruleset, position):
        worlds = solve_worlds(
            position, turns, ruleset, effort.samples, effort.seed, effort.confidence
        )
        turns = _joined(turns, worlds.rows)
    if turns and effort.playouts:
        rates = playout_rates(
            position, turns, ruleset, effort.player, effort.playouts, effort.seed, effort.confidence
        )
        turns = _joined(turns, rates)
    return {
        "leaders": leading,
        "sets": {
            colour: None if player is None else leading_set(position, ruleset, colour, player)
            for colour, player in leading.items()
        },
        "turns": turns,
        "value": solution and solution.value,
        "line": solution and solution.line,
        **({"hands": worlds.as_json()} if worlds else {}),
        **({"playouts": effort.playouts, "player": effort.player} if effort.playouts else {}),
    }


def _joined(turns: list[dict[str, Any]] | None, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [turn | row for turn, row in zip(turns or [], rows, strict=True)]
