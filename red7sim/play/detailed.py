"""Games played with their details counted (red7sim.play.details)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from red7sim.game.ruleset import Ruleset
from red7sim.play.details import DETAILS, Details, empty_details
from red7sim.play.table import Table, seat
from red7sim.play.tally import Tally, empty_tally

Counts = NDArray[np.int64]


def empty_counts() -> Counts:
    """Return the counts of no games: int64, those of a tally and those of all DETAILS in a row."""
    return np.zeros(empty_tally().size + empty_details().nbytes // 8, dtype=np.int64)


def split_counts(counts: Counts) -> tuple[Tally, Details]:
    """Return the tally and the DETAILS records of counts; they share their memory."""
    tally = empty_tally()
    details = counts[tally.size :].view(DETAILS).view(np.recarray)
    return counts[: tally.size].reshape(tally.shape), details


@dataclass(frozen=True)
class DetailedTable:
    """A table whose games are counted in detail. It serves one thread at a time."""

    table: Table

    def play_block(self, seed: int, first_game: int, games: int, counts: Counts) -> None:
        """Play a range of games and add them to counts (`empty_counts`)."""
        self.table.play_block(seed, first_game, games, *split_counts(counts))


def seat_detailed(
    ruleset: Ruleset, players: tuple[str, ...], *, vectors: bool = True
) -> DetailedTable:
    """Return a table with the named players, compiling what is not yet; see `seat`."""
    return DetailedTable(seat(ruleset, players, vectors=vectors, watched="details"))
