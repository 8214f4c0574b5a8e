"""A table of players with everything that a kernel needs to play there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.game.packed import END_ROUND
from red7sim.game.ruleset import Ruleset
from red7sim.game.steps import STEPS
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.view import VIEW
from red7sim.play.batch import BATCH
from red7sim.play.deal import HIDDEN
from red7sim.play.details import GROUPS, MEMORY, Details
from red7sim.play.engine import block_kernel, trace_kernel
from red7sim.play.fleet import Fleet, board, fits
from red7sim.play.policy import OWN
from red7sim.play.record import FIRST_ROOM, Rounds, record_into
from red7sim.play.spec import parse_line_up
from red7sim.play.tally import N_MEASURES, Tally
from red7sim.play.watch import Counting, watching


@dataclass(frozen=True)
class Table:
    """A ruleset, compiled players by position, and memory for one game.

    A table serves one thread at a time; make one for each.
    """

    actions: bool
    rules: NDArray[np.void]
    policies: tuple[Any, ...]
    owns: NDArray[np.void]
    views: NDArray[np.void]
    hiddens: NDArray[np.void]
    measures: NDArray[np.int64]
    memories: NDArray[np.void]
    batches: NDArray[np.void]
    steps: tuple[NDArray[np.void], ...]
    """With actions, memory for the steps of a turn: one array of one STEPS record."""
    fleet: Fleet | None
    """What plays blocks of games where the vector engine plays the ruleset."""

    @property
    def engine(self) -> str:
        """The engine that plays blocks: `vector` or `plain`."""
        return "plain" if self.fleet is None else "vector"

    def kernel(self, watched: str = "nobody") -> Any:
        """Return the kernel that plays blocks of games, compiled if it is not yet, for one of
        `red7sim.play.watch.WATCHES`.
        """
        if self.fleet is not None:
            return self.fleet.kernel(watched=watched)
        return block_kernel(self.actions, watched)

    def play_block(
        self, seed: int, first_game: int, games: int, tally: Tally, details: Details | None = None
    ) -> None:
        """Play a range of games, add them to the tally, and count their details if there are
        DETAILS records for that.
        """
        self._play(seed, first_game, games, tally, details, None)

    def record_block(self, seed: int, first_game: int, games: int, tally: Tally) -> Rounds:
        """Play a range of games, add them to the tally, and return their ROUND records in order."""
        one_round = self.rules["end"][0] == END_ROUND

        def play(rows: Rounds) -> int:
            counts = np.zeros_like(tally)
            used = self._play(seed, first_game, games, counts, None, rows)
            if used >= 0:
                tally[:] += counts
            return used

        rows = record_into(games * (1 if one_round else FIRST_ROOM), play)
        if self.fleet is None or one_round:
            return rows
        return rows[np.argsort(rows["game"], kind="stable")]

    def _play(
        self,
        seed: int,
        first_game: int,
        games: int,
        tally: Tally,
        details: Details | None,
        rounds: Rounds | None,
    ) -> int:
        if self.fleet is not None:
            return self.fleet.play_block(
                self.rules, self.owns, seed, first_game, games,
                tally=tally, details=details, rounds=rounds,
            )  # fmt: skip
        watch = rounds if details is None else Counting(self.memories, self.batches, details)
        played = self.kernel(watching(watch))(
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
            watch,
            *self.steps,
        )
        return int(played)

    def trace_round(self, trace: NDArray[np.int64]) -> int:
        """Play the round that is dealt, write its steps to the trace, and return the winner."""
        return int(
            trace_kernel(self.actions)(
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
    watched: str = "nobody",
) -> Table:
    """Return a table with these players (red7sim.play.spec) in its positions, compiling what blocks
    of games need, watched by one of `red7sim.play.watch.WATCHES`, and is not compiled yet.

    `first_start` is a position that starts the first round, whatever the rules say. Blocks are
    played by the vector engine, unless `vectors` is off, where it knows the rules and no player
    needs the plain one.

    Raises
    ------
    PlayerError
        A player is refused, or breaks the contract, or does not play with actions.
    """
    table = lay_table(ruleset, players, first_start, vectors=vectors)
    table.kernel(watched)
    return table


def lay_table(
    ruleset: Ruleset,
    players: tuple[str, ...],
    first_start: int | None = None,
    *,
    vectors: bool = True,
) -> Table:
    """Like `seat`, without compiling more than the players."""
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
        actions=actions,
        rules=ruleset.packed_with_start(first_start),
        policies=tuple(policies),
        owns=owns,
        views=_records(VIEW, 1),
        hiddens=_records(HIDDEN, 1),
        measures=np.zeros(N_MEASURES, dtype=np.int64),
        memories=_records(MEMORY, 1),
        batches=_records(BATCH, GROUPS),
        steps=(_records(STEPS, 1),) if actions else (),
        fleet=fleet,
    )


def _records(dtype: np.dtype[np.void], n: int) -> NDArray[np.void]:
    return np.zeros(n, dtype).view(np.recarray)
