"""Counts in, estimates out. Every rate, interval and test of the package is computed here."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from red7sim.play.tally import GAMES, ROUNDS, SQUARES, SUM, TIMES_ROUNDS, Tally


@dataclass(frozen=True)
class Estimate:
    """A value with its standard error; the error is NaN where it cannot be known."""

    value: float
    error: float

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the normal interval value -+ z * error at a confidence level."""
        reach = z_score(confidence) * self.error
        return self.value - reach, self.value + reach


def z_score(confidence: float) -> float:
    """Return the two-sided normal quantile: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(successes: float, trials: int, confidence: float) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion (Wilson, JASA 22, 1927).

    `successes` may be fractional (a shared win counts a part). Without trials nothing is known:
    the interval is (0, 1).
    """
    if trials == 0:
        return 0.0, 1.0
    z2 = z_score(confidence) ** 2
    rate = successes / trials
    centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    reach = sqrt(z2 * (rate * (1 - rate) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def per_game(tally: Tally, measure: int, unit: int = 1) -> Estimate:
    """Return the mean of a measure a game, in multiples of `unit`, the game being the unit."""
    games = int(tally[SUM, GAMES])
    total, squares = int(tally[SUM, measure]), int(tally[SQUARES, measure])
    if games == 0:
        return Estimate(float("nan"), float("nan"))
    mean = total / games
    if games == 1:
        return Estimate(mean / unit, float("nan"))
    # Whole numbers up to the division, so that nothing cancels.
    variance = (games * squares - total * total) / (games * (games - 1))
    return Estimate(mean / unit, sqrt(variance / games) / unit)


def per_round(tally: Tally, measure: int) -> Estimate:
    """Return a measure a round as a ratio estimate: sum over games by rounds over games.

    The standard error is the usual linearised one with the game as the sampling unit (Cochran,
    "Sampling Techniques", 3rd ed. 1977, section 6.3).
    """
    games, rounds = int(tally[SUM, GAMES]), int(tally[SUM, ROUNDS])
    if rounds == 0:
        return Estimate(float("nan"), float("nan"))
    ratio = int(tally[SUM, measure]) / rounds
    if games == 1:
        return Estimate(ratio, float("nan"))
    residual = (
        int(tally[SQUARES, measure])
        - 2 * ratio * int(tally[TIMES_ROUNDS, measure])
        + ratio**2 * int(tally[SQUARES, ROUNDS])
    )
    variance = max(0.0, residual) / (games - 1)
    return Estimate(ratio, sqrt(variance * games) / rounds)
