"""A table of players with everything that a kernel needs to play there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.game.ruleset import MAX_PLAYERS, Ruleset
from red7sim.game.steps import STEPS
from red7sim.game.view import VIEW
from red7sim.play.deal import HIDDEN
from red7sim.play.engine import block_kernel, trace_kernel
from red7sim.play.policy import OWN
from red7sim.play.spec import parse_line_up
from red7sim.play.tally import N_MEASURES, Tally
from red7sim.play.vector_engine import Fleet, board, fits


@dataclass(frozen=True)
class Table:
    """A ruleset, compiled players by position, and memory for one game.

    A table serves one thread at a time; make one for each.
    """

    block_kernel: Any
    trace_kernel: Callable[[], Any]
    rules: NDArray[np.void]
    policies: tuple[Any, ...]
    owns: NDArray[np.void]
    views: NDArray[np.void]
    hiddens: NDArray[np.void]
    measures: NDArray[np.int64]
    steps: tuple[NDArray[np.void], ...]
    """With actions, memory for the steps of a turn: one array of one STEPS record."""
    fleet: Fleet | None
    """What plays blocks of games where the vector engine plays the ruleset."""

    @property
    def engine(self) -> str:
        """The engine that plays blocks: `vector` or `plain`."""
        return "plain" if self.fleet is None else "vector"

    def play_block(self, seed: int, first_game: int, games: int, tally: Tally) -> None:
        """Play a range of games and add them to the tally."""
        if self.fleet is not None:
            self.fleet.play_block(self.rules, self.owns, seed, first_game, games, tally)
            return
        self.block_kernel(
            self.views,
            self.hiddens,
            self.rules,
            self.owns,
            self.policies,
            np.uint64(seed),
            first_game,
            games,
            self.measures,
            tally,
            *self.steps,
        )

    def trace_round(self, trace: NDArray[np.int64]) -> int:
        """Play the round that is dealt, write its steps to the trace, and return the winner."""
        return int(
            self.trace_kernel()(
                self.views,
                self.hiddens,
                self.rules,
                self.owns,
                self.policies,
                self.measures,
                trace,
                *self.steps,
            )
        )


def seat(
    ruleset: Ruleset,
    players: tuple[str, ...],
    first_start: int | None = None,
    *,
    vectors: bool = True,
) -> Table:
    """Return a table with these players (red7sim.play.spec) in its positions, compiling what is not
    yet.

    `first_start` is a position that starts the first round, whatever the rules say. Blocks are
    played by the vector engine, unless `vectors` is off, where it knows the rules and no player
    needs the plain one.

    Raises
    ------
    PlayerError
        A player is refused, or breaks the contract, or does not play with actions.
    """
    actions = ruleset.actions
    specs = parse_line_up(players, ruleset)
    line_up = [spec.player for spec in specs]
    policies = [player.compiled(actions=actions) for player in line_up]
    # Kernels take four policies; positions beyond the last player are never asked.
    policies += policies[:1] * (MAX_PLAYERS - len(policies))
    plain = not vectors or not fits(ruleset) or any(spec.needs_plain_engine for spec in specs)
    fleet = None if plain else board(line_up)
    owns = _records(OWN, MAX_PLAYERS)
    for spec, own in zip(specs, owns, strict=False):
        spec.write(own)
    return Table(
        block_kernel=None if fleet else block_kernel(actions),
        trace_kernel=lambda: trace_kernel(actions),
        rules=ruleset.packed_with_start(first_start),
        policies=tuple(policies),
        owns=owns,
        views=_records(VIEW, 1),
        hiddens=_records(HIDDEN, 1),
        measures=np.zeros(N_MEASURES, dtype=np.int64),
        steps=(_records(STEPS, 1),) if actions else (),
        fleet=fleet,
    )


def _records(dtype: np.dtype[np.void], n: int) -> NDArray[np.void]:
    return np.zeros(n, dtype).view(np.recarray)
