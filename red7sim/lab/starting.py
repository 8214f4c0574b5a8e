"""Runs of single rounds that begin from given starts: a position, or the deals of a log."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from red7sim.game.notation import Position, position_text
from red7sim.game.ruleset import Ruleset
from red7sim.lab.runs import Run, RunError
from red7sim.lab.stats import wilson
from red7sim.play.started import StartsTable, seat_at
from red7sim.play.starts import StartError, Starts, script_of, start_at, starts_of
from red7sim.play.tally import POSITION_WINS, SHARE_UNIT, SUM, empty_tally

ONE_ROUND: Final = {"end": "round"}
"""The change that makes a ruleset one for a single round."""

_POSITION: Final = "position "
_DEALS: Final = "deals "


@dataclass(frozen=True)
class StartedRun(Run):
    """What is played: one round a game, game i from start i modulo the number of starts.

    Attributes
    ----------
    starts
        Where the rounds begin.
    origin
        What tells the starts in the identity of the run: the text of a position, or a hash of
        deals.

    Raises
    ------
    RunError
        The number of players is not that of the starts, the rules go on after a round, or the run
        is refused as any other.
    """

    starts: Starts = field(kw_only=True, compare=False)
    origin: str = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.players) != self.starts.players:
            raise RunError(
                f"{len(self.players)} players in the line-up, {self.starts.players} at the start; "
                "allowed: the same number"
            )
        if self.paired or not self.rules.one_round:
            raise RunError("from a given start one round is played, without pairing")

    @property
    def usual_games(self) -> int:
        """Games to play where nobody says how many: of deals, each once."""
        return len(self.starts) if self.origin.startswith(_DEALS) else super().usual_games

    @property
    def remarks(self) -> dict[str, str]:
        """What every answer says of how the games begin: `origin`, and a `note` in a sentence."""
        note = (
            "Every game is one round from the same position."
            if len(self.starts) == 1
            else f"Game i is one round from deal i modulo {len(self.starts):,}; more games than "
            "deals tell of these deals alone."
        )
        return {"origin": self.origin, "note": note}

    def table(self) -> StartsTable:
        """Return a new table to play at, for one thread."""
        return seat_at(self.starts, self.rules, self.players)

    def as_json(self) -> dict[str, Any]:
        """Return the identity of the run: everything that its games depend on."""
        return super().as_json() | {"origin": self.origin}


def run_from_position(
    position: Position, rules: Ruleset, players: tuple[str, ...], seed: int = 0
) -> StartedRun:
    """Return a run whose games begin from a position; the player to move has position 0."""
    starts, origin = start_at(position), f"{_POSITION}{position_text(position)}"
    return StartedRun(rules.changed(ONE_ROUND), players, seed, starts=starts, origin=origin)


def players_of(deals: Sequence[dict[str, Any]]) -> int | None:
    """Return the number of players of a log's deals; None where no deal tells it."""
    hands = deals[0].get("hands") if deals else None
    return len(hands) or None if isinstance(hands, Sequence) else None


def run_from_deals(
    deals: Sequence[dict[str, Any]], rules: Ruleset, players: tuple[str, ...], seed: int = 0
) -> StartedRun:
    """Return a run whose games begin from deals as `red7sim replay` logs them.

    Raises
    ------
    StartError
        A deal is refused.
    """
    starts = starts_of(deals)
    try:
        text = json.dumps([*deals], sort_keys=True, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError) as error:
        raise StartError(f"a deal holds what JSON does not: {error}") from None
    origin = f"{_DEALS}{hashlib.sha256(text.encode()).hexdigest()}"
    return StartedRun(rules.changed(ONE_ROUND), players, seed, starts=starts, origin=origin)


def _plain(value: Any) -> Any:
    """Return a number or an array of numpy as JSON has it."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__}")


def playout_rates(
    position: Position,
    turns: Iterable[dict[str, Any]],
    rules: Ruleset,
    player: str,
    games: int,
    seed: int,
    confidence: float,
) -> list[dict[str, float]]:
    """Return how often the mover of a position wins the round after each of his turns.

    Each turn is played out in `games` games by `player` on all seats. The games of all turns share
    what the position leaves open, so their rates compare better than their intervals say.

    Returns
    -------
    Rows of `win_rate` and its Wilson interval `low` .. `high`.
    """
    starts, one_round = start_at(position), rules.changed(ONE_ROUND)
    players = (player,) * starts.players
    rows = []
    for turn in turns:
        tally = empty_tally()
        seat_at(starts, one_round, players, script_of(turn)).play_block(seed, 0, games, tally)
        wins = int(tally[SUM, POSITION_WINS]) / SHARE_UNIT
        low, high = wilson(wins, games, confidence)
        rows.append({"win_rate": wins / games, "low": low, "high": high})
    return rows
