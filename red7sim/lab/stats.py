"""Counts in, estimates out: rates and shares with their errors and intervals.

Tests and errors of another kind have modules of their own beside this one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import expm1, isnan, pi, sqrt, tan
from statistics import NormalDist
from typing import Final

from red7sim.game.refused import not_allowed, real_in
from red7sim.play.tally import GAME_SQUARES, GAMES, ROUNDS, SQUARES, SUM, TIMES_ROUNDS, Tally


@dataclass(frozen=True)
class Estimate:
    """A value with its standard error; the error is NaN where it cannot be known.

    `degrees` are the degrees of freedom of the error; where there are none it counts as known.
    """

    value: float
    error: float
    degrees: int | None = None

    def score(self, confidence: float) -> float:
        """Return how many errors an interval reaches to either side at a confidence level: by
        Student's t where there are degrees of freedom, else by the normal z.
        """
        if self.degrees is None:
            return z_score(confidence)
        return t_score(confidence, self.degrees)

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the interval value -+ score * error at a confidence level."""
        reach = self.score(confidence) * self.error
        return self.value - reach, self.value + reach


def known(number: float) -> float | None:
    """Return a number for tables and JSON: None, which they have for what is not known, for NaN."""
    return None if isnan(number) else number


def figure_columns(figures: Mapping[str, Estimate]) -> dict[str, float | None]:
    """Return estimates as columns of a table: NAME and its standard error, NAME_se, of each."""
    return {
        column: known(number)
        for name, figure in figures.items()
        for column, number in ((name, figure.value), (f"{name}_se", figure.error))
    }


MOST_CONFIDENCE: Final = 1 - 1e-9
"""So that quantiles can be told, also of an error that is split among many questions."""


def checked_confidence(confidence: float) -> float:
    """Return a confidence level; InputError refuses what is none."""
    level = real_in("confidence", confidence, 0, 1)
    if level > MOST_CONFIDENCE:
        raise not_allowed("confidence", confidence, f"between 0 and {MOST_CONFIDENCE}")
    return level


def as_percent(level: float) -> str:
    """Return a confidence or an error in per cent, as exactly as it is meant: `95 %`."""
    return f"{round(100 * level, 10):.12g} %"


def z_score(confidence: float) -> float:
    """Return the two-sided normal quantile: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def t_score(confidence: float, degrees: int) -> float:
    """Return the two-sided quantile of Student's t: 2.262 for 0.95 and 9 degrees of freedom.

    By Hill's algorithm 396 (Comm. ACM 13, 1970), to five digits and more.
    """
    n, tails = degrees, 1 - confidence
    if n == 1:
        return 1 / tan(tails * pi / 2)
    if n == 2:
        return sqrt(2 / (tails * (2 - tails)) - 2)
    a = 1 / (n - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * n
    y = (d * tails) ** (2 / n)
    if y > 0.05 + a:
        x = -z_score(confidence)
        y = x * x
        if n < 5:
            c += 0.3 * (n - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = expm1(a * y * y)
    else:
        y = (
            (1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1
        ) * (n + 1) / (n + 2) + 1 / y
    return sqrt(n * y)


def wilson(successes: float, trials: float, confidence: float) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion (Wilson, JASA 22, 1927).

    `successes` may be fractional: a shared win counts a part. The interval holds the share itself,
    and reaches 0 without a success, 1 without a failure. Without trials it is (0, 1).
    """
    return wilson_with_design_effect(successes / trials if trials else 0.0, trials, 1.0, confidence)


def wilson_with_design_effect(
    share: float, trials: float, design_effect: float, confidence: float
) -> tuple[float, float]:
    """Return Wilson's interval of a share of trials that hang together.

    The design effect is the variance of the share over that of independent trials; so many times
    fewer trials are counted (Dean and Pagano, J. Survey Stat. Methodol. 3, 2015). Without trials
    nothing is known: the interval is (0, 1).
    """
    if trials == 0:
        return 0.0, 1.0
    return _score_interval(share, trials / design_effect, z_score(confidence))


def _score_interval(share: float, trials: float, score: float) -> tuple[float, float]:
    z2 = score**2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    reach = sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    # Ends that are the share itself, 0 or 1, are missed by rounding errors.
    return max(0.0, min(share, centre - reach)), min(1.0, max(share, centre + reach))


def joint_confidence(confidence: float, family: int) -> float:
    """Return the confidence of each of `family` intervals that shall hold together, by Bonferroni's
    split of the error.
    """
    return 1 - (1 - confidence) / family


def joint_confidence_of_shares(confidence: float, shares: int) -> float:
    """Return the confidence of each of the intervals of shares that sum to one, which shall hold
    together.

    It makes Wilson intervals those of Goodman (Technometrics 7, 1965). Two such shares are one
    number, so nothing is split.
    """
    return confidence if shares == 2 else joint_confidence(confidence, shares)


@dataclass(frozen=True)
class Share:
    """A share with its interval, and with the one that holds jointly for all shares of a family."""

    value: float
    low: float
    high: float
    joint_low: float
    joint_high: float


def wilson_share(wins: float, trials: int, confidence: float, joint: float) -> Share:
    """Return a share of independent trials: Wilson's intervals at a confidence, and at that which
    holds jointly.
    """
    return Share(
        wins / trials if trials else float("nan"),
        *wilson(wins, trials, confidence),
        *wilson(wins, trials, joint),
    )


def mean_share(share: Estimate, units: int, confidence: float, joint: float) -> Share:
    """Return a share that is a mean over `units` games or deals, by their variance.

    Its intervals are those of Wilson for as many independent games as have this standard error,
    with Student's t in the place of z; so they hold for rare wins too, where the share -+ t * error
    does not. One unit says nothing about the variance: then an interval is (0, 1). Units that are
    all alike say little: others may be up to Wilson's bound for none in so many, with any share.
    """
    return Share(
        share.value,
        *_mean_interval(share, units, confidence),
        *_mean_interval(share, units, joint),
    )


def _mean_interval(share: Estimate, units: int, confidence: float) -> tuple[float, float]:
    if isnan(share.error):
        return 0.0, 1.0
    if share.error == 0:
        alike = 1 - wilson(0, units, confidence)[1]
        return share.value * alike, 1 - (1 - share.value) * alike
    trials = share.value * (1 - share.value) / share.error**2
    return _score_interval(share.value, trials, share.score(confidence))


def difference_interval(difference: Estimate, units: int, confidence: float) -> tuple[float, float]:
    """Return the interval of a difference of two shares, a mean over `units` deals.

    Half of it, moved up by a half, lies in 0 .. 1, and has the interval of `mean_share`.
    """
    moved = Estimate((1 + difference.value) / 2, difference.error / 2, difference.degrees)
    low, high = _mean_interval(moved, units, confidence)
    return 2 * low - 1, 2 * high - 1


def variance_ratio(tally: Tally, measure: int, arms: int) -> float:
    """Return what pairing did to the variance of a mean: paired over unpaired games.

    Below 1 pairing helped: at a ratio of 0.25, a quarter of the games give the same precision.
    The unpaired variance is that of as many games, each on a deal of its own and of an arm drawn
    at random. NaN where the games do not vary or there are fewer than two deals.
    """
    deals = int(tally[SUM, GAMES])
    total, games = int(tally[SUM, measure]), deals * arms
    if deals < 2:
        return float("nan")
    between_deals = (deals * int(tally[SQUARES, measure]) - total * total) / (deals - 1)
    between_games = (games * int(tally[GAME_SQUARES, measure]) - total * total) / (games - 1)
    # Both estimate the variance of the sum over all games.
    return between_deals / between_games if between_games else float("nan")


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
    return Estimate(mean / unit, sqrt(variance / games) / unit, games - 1)


def per_round(tally: Tally, measure: int) -> Estimate:
    """Return a measure a round as a ratio estimate: sum over games by rounds over games.

    The standard error is that of `ratio_error`, with the game as the sampling unit.
    """
    games, rounds = int(tally[SUM, GAMES]), int(tally[SUM, ROUNDS])
    if rounds == 0:
        return Estimate(float("nan"), float("nan"))
    ratio = int(tally[SUM, measure]) / rounds
    if games == 1:
        return Estimate(ratio, float("nan"))
    return Estimate(
        ratio,
        ratio_error(
            games,
            int(tally[SUM, ROUNDS]),
            int(tally[SQUARES, ROUNDS]),
            int(tally[SUM, measure]),
            int(tally[SQUARES, measure]),
            int(tally[TIMES_ROUNDS, measure]),
        ),
        games - 1,
    )


def ratio_error(n: int, y: int, y2: int, x: int, x2: int, xy: int) -> float:
    """Return the standard error of the ratio x / y of sums over n > 1 units.

    `x2`, `y2` and `xy` are the sums of squares and of products. It is the usual linearised one
    (Cochran, "Sampling Techniques", 3rd ed. 1977, section 6.3).
    """
    # Whole numbers up to the division, so that nothing cancels.
    residual = y**2 * x2 - 2 * y * x * xy + x**2 * y2
    return sqrt(residual / y**2 / (n - 1) * n) / y
