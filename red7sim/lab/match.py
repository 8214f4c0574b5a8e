"""Two line-ups or two rulesets compared on common deals."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any, Final

import numpy as np

from red7sim.game.refused import not_allowed
from red7sim.lab.ledger import Ledger
from red7sim.lab.pieces import prepare
from red7sim.lab.runs import Run, RunError, checked_range, play_missing, require_run
from red7sim.lab.sequential import ConfidenceSequence
from red7sim.lab.sprt import Sprt
from red7sim.lab.stats import Estimate, difference_interval, known
from red7sim.play.paired import PairedTable, seat_paired
from red7sim.play.tally import (
    DRAWS,
    GAMES,
    N_MEASURES,
    POINTS,
    POSITION_WINS,
    ROUNDS,
    SEAT_WINS,
    SHARE_UNIT,
    TURNS,
    Tally,
)

A_SUM, A_SQUARES, B_SUM, B_SQUARES, AB_PRODUCTS = range(5)
"""Rows of the tally of a match: sums over the deals, of both sides and of their product."""

_MEANS: Final = {"rounds": ROUNDS, "turns": TURNS, "draws": DRAWS, "points": POINTS}


@dataclass(frozen=True)
class Measure:
    """A figure of a game: its name, its place among the measures, and its unit there."""

    name: str
    index: int
    unit: int

    @property
    def is_share(self) -> bool:
        """Whether it is a share of the game, between 0 and 1."""
        return self.unit == SHARE_UNIT


def measures_of(players: int) -> list[Measure]:
    """Return everything that a match compares: shares of the game, and means a game."""
    return [
        *(Measure(f"seat:{i}", SEAT_WINS + i, SHARE_UNIT) for i in range(players)),
        *(Measure(f"position:{i}", POSITION_WINS + i, SHARE_UNIT) for i in range(players)),
        *(Measure(name, index, 1) for name, index in _MEANS.items()),
    ]


def find_measure(name: str, players: int) -> Measure:
    """Return a measure by its name.

    Raises
    ------
    RunError
        There is no such measure.
    """
    measures = {measure.name: measure for measure in measures_of(players)}
    if name not in tuple(measures):
        raise not_allowed("measure", name, ", ".join(measures), RunError)
    return measures[name]


@dataclass(frozen=True)
class Match:
    """Two runs on the same deals: equal in seed, design and number of players.

    Raises
    ------
    RunError
        They differ in one of these, or are no runs.
    """

    a: Run
    b: Run

    def __post_init__(self) -> None:
        require_run("a", self.a)
        require_run("b", self.b)
        for name, one, other in (
            ("seed", self.a.seed, self.b.seed),
            ("pairing", self.a.design, self.b.design),
        ):
            if one != other:
                raise RunError(f"{name}: {one} against {other}; allowed: the same on both sides")
        if len(self.a.players) != len(self.b.players):
            raise RunError(
                f"{len(self.a.players)} players against {len(self.b.players)}; "
                "allowed: the same number on both sides"
            )

    @property
    def seed(self) -> int:
        """Seed of the common deals."""
        return self.a.seed

    @property
    def games_a_deal(self) -> int:
        """Games that each side plays on a deal."""
        return len(self.a.arms)

    def empty_tally(self) -> Tally:
        """Return a tally of no deals: int64 of five rows."""
        return np.zeros((AB_PRODUCTS + 1, N_MEASURES + 1), dtype=np.int64)

    def table(self) -> "MatchTable":
        """Return two new tables to play at, for one thread."""
        sides = [seat_paired(run.rules, run.players, run.arms) for run in (self.a, self.b)]
        return MatchTable(*sides)


@dataclass(frozen=True)
class MatchTable:
    """Two tables at which the same deals are played."""

    a: PairedTable
    b: PairedTable

    def play_block(self, seed: int, first_deal: int, deals: int, tally: Tally) -> None:
        """Play a range of deals on both sides and add them to the tally of the match."""
        scratch = np.zeros((4, N_MEASURES + 1), dtype=np.int64)
        a, b = (side.record_deals(seed, first_deal, deals, scratch) for side in (self.a, self.b))
        tally[A_SUM, :GAMES] += a.sum(axis=0)
        tally[A_SQUARES, :GAMES] += (a * a).sum(axis=0)
        tally[B_SUM, :GAMES] += b.sum(axis=0)
        tally[B_SQUARES, :GAMES] += (b * b).sum(axis=0)
        tally[AB_PRODUCTS, :GAMES] += (a * b).sum(axis=0)
        tally[A_SUM, GAMES] += deals


@dataclass(frozen=True)
class Comparison:
    """A measure of both sides a game, their difference A - B, and what common deals bought.

    `variance_ratio` is the variance of the difference over that on separate deals.
    """

    measure: Measure
    deals: int
    a: float
    b: float
    difference: Estimate
    variance_ratio: float

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the interval of the difference; NaN where nothing is known of a mean."""
        if self.measure.is_share:
            return difference_interval(self.difference, self.deals, confidence)
        return self.difference.interval(confidence)


def usual_measure(match: Match) -> str:
    """Return what is judged if nobody says: the share of who is first by seat, or in the line-up
    where line-ups differ.
    """
    return "seat:0" if match.a.players == match.b.players else "position:0"


def compare(match: Match, tally: Tally, measure: Measure) -> Comparison:
    """Return what the tally of a match says about a measure; the deal is the unit."""
    n = int(tally[A_SUM, GAMES])
    unit = measure.unit * match.games_a_deal
    a, a2, b, b2, ab = (int(row[measure.index]) for row in tally)
    if n == 0:
        nan = float("nan")
        return Comparison(measure, n, nan, nan, Estimate(nan, nan), nan)
    means = a / n / unit, b / n / unit
    difference = (a - b) / n / unit
    if n == 1:
        return Comparison(measure, n, *means, Estimate(difference, float("nan")), float("nan"))
    # Whole numbers up to the division, so that nothing cancels.
    paired = n * (a2 - 2 * ab + b2) - (a - b) ** 2
    apart = n * (a2 + b2) - a * a - b * b
    error = sqrt(paired / (n * (n - 1)) / n) / unit
    ratio = paired / apart if apart else float("nan")
    return Comparison(measure, n, *means, Estimate(difference, error, n - 1), ratio)


class SequentialTest:
    """Looks at a match block by block until a test on one difference has decided.

    Attributes
    ----------
    log_ratio
        The log-likelihood ratio after the last block.
    decision
        `null`, `alternative`, or None while the test goes on.
    """

    def __init__(self, match: Match, measure: Measure, sprt: Sprt) -> None:
        self.measure = measure
        self.sprt = sprt
        self.tally = match.empty_tally()
        self.log_ratio = 0.0
        self.decision: str | None = None
        self._match = match
        # A difference of shares is between -1 and 1: half of it, moved to 0 .. 1.
        self._sequence = ConfidenceSequence((), 0.5, (sprt.alternative - sprt.null) / 8)

    def look(self, block: Tally) -> bool:
        """Add the counts of the next block, and tell whether the test has decided."""
        self.tally += block
        n, total, squares = self._differences(self.tally)
        mean = total / n
        variance = max(0.0, squares / n - mean * mean)
        self.log_ratio = float(self.sprt.log_ratio(n, mean, variance))
        low, high = self.sprt.bounds
        if self.log_ratio <= low:
            self.decision = "null"
        elif self.log_ratio >= high:
            self.decision = "alternative"
        if self.measure.is_share:
            n, total, squares = self._differences(block)
            moved = np.asarray((total + n) / 2), np.asarray((squares + 2 * total + n) / 4)
            self._sequence.add(n, *moved)
        return self.decision is not None

    def interval(self, confidence: float) -> tuple[float, float] | None:
        """Return the confidence sequence of the difference; None where it is not of shares."""
        if not self.measure.is_share:
            return None
        low, high = self._sequence.interval(confidence)
        return 2 * float(low) - 1, 2 * float(high) - 1

    def _differences(self, tally: Tally) -> tuple[int, float, float]:
        """Return number, sum and sum of squares of the differences of deals."""
        unit = self.measure.unit * self._match.games_a_deal
        a, a2, b, b2, ab = (int(row[self.measure.index]) for row in tally)
        return int(tally[A_SUM, GAMES]), (a - b) / unit, (a2 - 2 * ab + b2) / unit**2


@dataclass(frozen=True)
class MatchOutcome:
    """Counts of a match, the first index, the number of deals, and the seconds that it took."""

    match: Match
    first_index: int
    deals: int
    tally: Tally
    elapsed: float


def play_match(
    match: Match,
    deals: int,
    first_index: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    test: SequentialTest | None = None,
) -> MatchOutcome:
    """Play a match over a range of deals, or until a test has decided.

    Parameters as for `red7sim.lab.runs.play`; the test looks at the blocks in index order.

    Raises
    ------
    RunError
        A number is out of range.
    """
    name = "max_games" if test else "games"
    deals, first_index = checked_range(deals, first_index, threads, name)
    prepare(match)
    start = time.perf_counter()
    ledger = Ledger()
    wanted = [(first_index, first_index + deals)]
    look = test.look if test else None
    play_missing(match, wanted, ledger, ledger.add, threads, progress, look)
    tally = test.tally if test else ledger.add_to(match.empty_tally())
    played = int(tally[A_SUM, GAMES])
    return MatchOutcome(match, first_index, played, tally, time.perf_counter() - start)


def summarize_match(
    outcome: MatchOutcome, confidence: float, judged: str, test: SequentialTest | None = None
) -> dict[str, Any]:
    """Return what a match says, as in the JSON form: the judged measure, and all others.

    `interval` names the kind of `low` and `high` of the judged difference: `paired`, or
    `confidence-sequence` after a sequential test (null where the measure is no share).
    """
    match = outcome.match
    rows = {}
    for measure in measures_of(len(match.a.players)):
        found = compare(match, outcome.tally, measure)
        low, high = found.interval(confidence)
        rows[measure.name] = {
            "measure": measure.name,
            "a": known(found.a),
            "b": known(found.b),
            "difference": known(found.difference.value),
            "difference_se": known(found.difference.error),
            "low": known(low),
            "high": known(high),
            "variance_ratio": known(found.variance_ratio),
        }
    difference = rows[judged] | {"interval": "paired"}
    if test is not None:
        low_high = test.interval(confidence) or (None, None)
        difference |= {
            "low": low_high[0],
            "high": low_high[1],
            "interval": "confidence-sequence",
            "fixed_low": rows[judged]["low"],
            "fixed_high": rows[judged]["high"],
            "fixed_interval": "paired, not valid under repeated looks",
        }
    games = 2 * match.games_a_deal * outcome.deals
    return {
        "sides": [
            {"side": side, "run_id": run.run_id, "players": list(run.players)}
            | {"rules": run.rules.as_json()}
            for side, run in (("a", match.a), ("b", match.b))
        ],
        "seed": match.seed,
        "design": match.a.design,
        "first_index": outcome.first_index,
        "deals": outcome.deals,
        "games": games,
        "elapsed_s": outcome.elapsed,
        "games_per_s": games / outcome.elapsed,
        **difference,
        "confidence": confidence,
        "measures": [*rows.values()],
        **({"sprt": _sprt_row(test)} if test else {}),
    }


def _sprt_row(test: SequentialTest) -> dict[str, Any]:
    return asdict(test.sprt) | {
        "log_likelihood_ratio": test.log_ratio,
        "bounds": list(test.sprt.bounds),
        "decision": test.decision,
    }
