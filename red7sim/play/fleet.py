"""Games in flight with their players: what the vector engine plays with."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.game.lanes import LANES, MAX_HAND
from red7sim.game.ruleset import Ruleset
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.view import VIEW
from red7sim.jit.addresses import addresses_of
from red7sim.jit.vectors import aligned_records
from red7sim.play.batch import BATCH
from red7sim.play.details import GROUPS, MEMORY, Details
from red7sim.play.flight import FLIGHT
from red7sim.play.policy import CHOOSE, CHOOSE_BLOCK, Player, no_block
from red7sim.play.record import Rounds
from red7sim.play.tally import Tally
from red7sim.play.vector_engine import (
    ASK_SINGLY,
    MAX_IN_FLIGHT,
    WIDENED,
    WORDED,
    vector_kernel,
)
from red7sim.play.watch import Counting, watching

IN_FLIGHT = 12
"""Games held at a time. A little more than half of them are played while the others wait, dealt,
to take the place of a game that ends, so that the work of a step stays the same.
"""


def fits(ruleset: Ruleset) -> bool:
    """Tell whether the vector engine plays a ruleset: no actions, and no hand exceeds the lanes.

    Hands are largest when they are dealt, since whoever draws has just discarded.
    """
    return not ruleset.actions and ruleset.hand_size + max((0, *ruleset.start_bonus)) <= MAX_HAND


@dataclass(frozen=True)
class Fleet:
    """Compiled players and memory for a number of games in flight; serves one thread at a time."""

    policies: Any
    block_policies: Any
    """Addresses of the compiled policies, see `red7sim.jit.addresses`."""
    sides: NDArray[np.int64]
    views: NDArray[np.void]
    flights: NDArray[np.void]
    lanes: NDArray[np.void]
    lists: NDArray[np.uint64]
    sizes: NDArray[np.int64]
    turns: NDArray[np.int64]
    memories: NDArray[np.void]
    batches: NDArray[np.void]

    def kernel(self, *, keeps: bool = False, watched: str = "nobody") -> Any:
        """Return the kernel that plays these players, compiled if it is not yet; see
        `red7sim.play.vector_engine.vector_kernel`.
        """
        return vector_kernel(len(self.policies), keeps, watched)

    def play_block(
        self,
        rules: NDArray[np.void],
        owns: NDArray[np.void],
        seed: int,
        first_game: int,
        games: int,
        *,
        tally: Tally | None = None,
        kept: NDArray[np.int64] | None = None,
        details: Details | None = None,
        rounds: Rounds | None = None,
        arm: int = 0,
        place: int = 0,
    ) -> int:
        """Play a range of games and add them to the tally, or write down the measures of each in a
        row of `kept`; count their details, or write down their rounds.

        `rules` and `owns` are those of kernels, an array of one RULES record and of one OWN record
        a position. The records in `rounds` are in the order of the deals, from `place` on, and say
        `arm`. Returns the place after the last one; -1 if there is no room, and not all is played.
        """
        watch = rounds if details is None else Counting(self.memories, self.batches, details)
        played = self.kernel(keeps=kept is not None, watched=watching(watch))(
            self.views,
            self.flights,
            self.lanes,
            rules,
            owns,
            self.policies,
            self.block_policies,
            self.sides,
            tuple(range(len(self.policies))),
            self.lists,
            self.sizes,
            self.turns,
            np.uint64(seed),
            first_game,
            games,
            tally,
            kept,
            watch,
            arm,
            place,
        )
        return int(played)

    def with_players(self, players: list[Player]) -> "Fleet":
        """Return a fleet for other players, as many, in the same memory."""
        return replace(self, **_crew(players))


def _crew(players: list[Player]) -> dict[str, Any]:
    blocks = [player.compiled_block() for player in players]
    sides = [
        (players.index(player) if block else position | ASK_SINGLY)
        | (0 if block and player.by_squares else WIDENED)
        | (WORDED if player.chance else 0)
        for position, (player, block) in enumerate(zip(players, blocks, strict=True))
    ]
    return {
        "policies": addresses_of([player.compiled() for player in players], CHOOSE),
        "block_policies": addresses_of([block or no_block() for block in blocks], CHOOSE_BLOCK),
        "sides": np.array(sides, dtype=np.int64),
    }


def board(players: list[Player], in_flight: int = IN_FLIGHT) -> Fleet:
    """Return a fleet for players by table position, compiling those that are not yet."""
    assert 0 < in_flight <= MAX_IN_FLIGHT
    return Fleet(
        **_crew(players),
        views=aligned_records(VIEW, in_flight),
        flights=aligned_records(FLIGHT, in_flight),
        lanes=aligned_records(LANES, in_flight * MAX_PLAYERS).reshape(-1, MAX_PLAYERS),
        lists=np.zeros((4 + len(players), in_flight), dtype=np.uint64),
        sizes=np.zeros(len(players), dtype=np.int64),
        turns=np.zeros(in_flight, dtype=np.int64),
        memories=np.zeros(in_flight, dtype=MEMORY).view(np.recarray),
        batches=np.zeros(GROUPS, dtype=BATCH).view(np.recarray),
    )
