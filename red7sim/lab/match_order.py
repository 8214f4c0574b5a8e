"""What is asked of a match: checked before anything is played."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from red7sim.lab.match import (
    Match,
    MatchOutcome,
    Measure,
    SequentialTest,
    find_measure,
    play_match,
    summarize_match,
    usual_measure,
)
from red7sim.lab.runs import RunError, checked_range
from red7sim.lab.sprt import Sprt

USUAL_DEALS: Final = 100_000
"""Deals that are played where nobody says how many."""


@dataclass(frozen=True)
class MatchOrder:
    """A match to be played, once, over a range of deals.

    Attributes
    ----------
    judged
        What is judged.
    deals
        How many; with a test at most.
    test
        A fresh one on the judged measure, which may stop the match.
    """

    match: Match
    judged: Measure
    deals: int
    first_index: int
    threads: int | None
    test: SequentialTest | None

    def play(self, progress: Callable[[int], None] | None = None) -> MatchOutcome:
        """Play it; `progress` is called with the number of deals of each piece that is done."""
        return play_match(
            self.match, self.deals, self.first_index, self.threads, progress, self.test
        )

    def summary(self, outcome: MatchOutcome, confidence: float) -> dict[str, Any]:
        """Return what the match says, as in the JSON form of `red7sim match`."""
        return summarize_match(outcome, confidence, self.judged.name, self.test)


def order_match(
    match: Match,
    measure: str | None,
    games: int | None,
    first_index: int,
    threads: int | None,
    sprt: Sprt | None,
    max_games: int | None,
) -> MatchOrder:
    """Return the order of `red7sim match`, checked before anything is played.

    Parameters
    ----------
    measure
        What is judged; None for `usual_measure`.
    games
        Deals; None for USUAL_DEALS.
    sprt, max_games
        A test on the judged measure, and the deals at which it ends undecided.

    Raises
    ------
    RunError
        There is no such measure, a number is out of range, or numbers do not go together.
    """
    if (sprt is None) != (max_games is None):
        raise RunError("sprt and max_games need each other")
    if games is not None and max_games is not None:
        raise RunError("games does not go with sprt; max_games is the limit")
    deals = next((n for n in (max_games, games) if n is not None), USUAL_DEALS)
    if measure is None:
        measure = usual_measure(match)
    judged = find_measure(measure, len(match.a.players))
    name = "max_games" if sprt else "games"
    deals, first_index = checked_range(deals, first_index, threads, name)
    test = SequentialTest(match, judged, sprt) if sprt else None
    return MatchOrder(match, judged, deals, first_index, threads, test)
