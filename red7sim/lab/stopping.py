"""Runs that stop by themselves once their shares are known well enough."""

import time
from collections.abc import Callable

from red7sim.game.refused import real_in
from red7sim.lab.ledger import Ledger
from red7sim.lab.pieces import prepare
from red7sim.lab.runs import Outcome, Run, RunError, checked_range, play_missing
from red7sim.lab.sequential import ConfidenceSequence
from red7sim.play.tally import GAMES, POSITION_WINS, SEAT_WINS, SHARE_UNIT, SQUARES, SUM, Tally


def games_at_most(
    games: int | None, usual: int, half_width: float | None, max_games: int | None
) -> int:
    """Return how many games to play at most, by what was asked for and what is usual.

    Raises
    ------
    RunError
        A half width comes without a limit, or the other way round, or with a number of games.
    """
    if (half_width is None) != (max_games is None):
        raise RunError("target_half_width and max_games need each other")
    if max_games is None:
        return usual if games is None else games
    if games is not None:
        raise RunError("games does not go with target_half_width; max_games is the limit")
    return max_games


class PrecisionTarget:
    """Looks at the counts of a run block by block, until every share is known well enough.

    The shares are those of the seats and, where the players differ, of the line-up. Each has a
    confidence sequence, whose observations are games (deals, in a paired design), so looking
    after every block costs no validity.

    Attributes
    ----------
    tally
        Counts of all blocks that were looked at.
    met
        Whether every confidence sequence reaches at most `half_width` to either side.

    Raises
    ------
    RunError
        The half width is not between 0 and 1/2.
    """

    def __init__(self, run: Run, half_width: float, confidence: float) -> None:
        self.half_width = real_in("target_half_width", half_width, 0, 0.5, RunError)
        self.confidence = confidence
        self.tally = run.empty_tally()
        self.met = False
        players = run.rules.players
        self._unit = SHARE_UNIT * len(run.arms)
        self._measures = [
            first + seat for first in (SEAT_WINS, POSITION_WINS) for seat in range(players)
        ]
        self._judged = len(self._measures) if len(set(run.players)) > 1 else players
        self._shares = ConfidenceSequence((len(self._measures),), 1 / players, self.half_width)

    def look(self, block: Tally) -> bool:
        """Add the counts of the next block, and tell whether the target is met."""
        self.tally += block
        total = block[SUM, self._measures] / self._unit
        squares = block[SQUARES, self._measures] / self._unit**2
        self._shares.add(int(block[SUM, GAMES]), total, squares)
        known = self._shares.within(self.half_width, self.confidence)
        self.met = bool(known[: self._judged].all())
        return self.met

    def interval(self, measure: int, confidence: float) -> tuple[float, float]:
        """Return the confidence sequence of a share, given by its measure, where it stands."""
        low, high = self._shares.interval(confidence)
        i = self._measures.index(measure)
        return float(low[i]), float(high[i])


def play_to_target(
    run: Run,
    target: PrecisionTarget,
    max_games: int,
    first_index: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Outcome:
    """Play a run until the target is met, or for `max_games` games at most.

    Raises
    ------
    RunError
        A number is out of range.
    """
    max_games, first_index = checked_range(max_games, first_index, threads, "max_games")
    prepare(run)
    start = time.perf_counter()
    ledger = Ledger()
    wanted = [(first_index, first_index + max_games)]
    played = play_missing(run, wanted, ledger, ledger.add, threads, progress, target.look)
    games = int(target.tally[SUM, GAMES])
    return Outcome(run, first_index, games, target.tally, time.perf_counter() - start, played)
