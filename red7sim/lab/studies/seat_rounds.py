"""The rounds of scored games by their number, their seats and their points.

Plays the games of a run with their rounds recorded, and counts them at once, so that memory does
not grow with the number of games.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from red7sim.game.switches import MAX_PLAYERS
from red7sim.lab.rows import Recorded, RecordingTable
from red7sim.lab.runs import Run
from red7sim.lab.scores import add_with_lead
from red7sim.play.tally import GAMES, SUM, Tally

MAX_ROUND: Final = 16
"""Later rounds are not told apart by number."""

# Columns behind those of an ordinary tally.
SEAT_POINTS = GAMES + 1  # points of the rounds won from a seat of the round
SEAT_LEAD = SEAT_POINTS + MAX_PLAYERS  # players x that, less the points of all seats
NUMBERED_WINS = SEAT_LEAD + MAX_PLAYERS  # sums alone: rounds won by round number and seat
N_COLUMNS = NUMBERED_WINS + MAX_ROUND * MAX_PLAYERS


@dataclass(frozen=True)
class SeatRounds:
    """A run without pairing whose rounds are counted by number and seat; it plays the same games.

    Its tally is that of the run with more columns; the seats are those of each round.
    """

    run: Run

    @property
    def seed(self) -> int:
        """Seed of all chance."""
        return self.run.seed

    def empty_tally(self) -> Tally:
        """Return a tally of no games: int64 of shape (3, N_COLUMNS)."""
        return np.zeros((len(self.run.empty_tally()), N_COLUMNS), dtype=np.int64)

    def table(self) -> "SeatRoundsTable":
        """Return a new table to play at, for one thread."""
        return SeatRoundsTable(Recorded(self.run).table(), self.run.rules.players)


@dataclass(frozen=True)
class SeatRoundsTable:
    """A table that counts the rounds played on it by number and seat."""

    table: RecordingTable
    players: int

    def play_block(self, seed: int, first_game: int, games: int, tally: Tally) -> None:
        """Play a range and add it to the tally."""
        rows = self.table.play_block(seed, first_game, games, tally[:, :SEAT_POINTS])
        seat = (rows["winner"].astype(np.int64) - rows["start"]) % self.players
        game = rows["game"].astype(np.int64) - first_game
        rounds = np.bincount(game, minlength=games)
        cells = games * self.players
        points = np.bincount(game * self.players + seat, rows["points"], minlength=cells)
        by_seat = points.reshape(games, self.players).astype(np.int64)
        add_with_lead(tally, SEAT_POINTS, by_seat, rounds)
        number = rows["round"].astype(np.int64)
        told = number < MAX_ROUND
        tally[SUM, NUMBERED_WINS:] += np.bincount(
            (number * MAX_PLAYERS + seat)[told], minlength=MAX_ROUND * MAX_PLAYERS
        )
