"""Counts in, estimates out. Every rate, interval and test of the package is computed here."""

from dataclasses import dataclass
from math import isnan, sqrt
from statistics import NormalDist

from red7sim.play.tally import GAME_SQUARES, GAMES, ROUNDS, SQUARES, SUM, TIMES_ROUNDS, Tally


@dataclass(frozen=True)
class Estimate:
    """A value with its standard error; the error is NaN where it cannot be known.

    `degrees` are the degrees of freedom of an error that is itself estimated from few groups.
    """

    value: float
    error: float
    degrees: int | None = None

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the interval value -+ z * error at a confidence level, by Student's t instead of
        the normal z where there are degrees of freedom.
        """
        z = z_score(confidence)
        reach = (z if self.degrees is None else t_score(z, self.degrees)) * self.error
        return self.value - reach, self.value + reach


def check_confidence(confidence: float) -> None:
    """Refuse (ValueError) what is no confidence level."""
    if not 0 < confidence < 1:
        raise ValueError(
            f"confidence: {confidence:g} is not allowed; allowed: between 0 and 1, like 0.95"
        )


def z_score(confidence: float) -> float:
    """Return the two-sided normal quantile: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def t_score(z: float, degrees: int) -> float:
    """Return the quantile of Student's t that belongs to the normal quantile z.

    By Fisher's expansion (Abramowitz and Stegun 1964, 26.7.5): within 1 % from 7 degrees of freedom
    on, up to a confidence of 99.9 %.
    """
    z2 = z * z
    terms = (
        (z2 + 1) / 4,
        ((5 * z2 + 16) * z2 + 3) / 96,
        (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
        ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160,
    )
    factor = 1.0
    for power, term in enumerate(terms, start=1):
        factor += term / float(degrees) ** power
    return z * factor


def wilson(successes: float, trials: float, confidence: float) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion (Wilson, JASA 22, 1927).

    Both may be fractional: a shared win counts a part, and trials that hang together count less.
    Without trials nothing is known: the interval is (0, 1).
    """
    if trials == 0:
        return 0.0, 1.0
    z2 = z_score(confidence) ** 2
    rate = successes / trials
    centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    reach = sqrt(z2 * (rate * (1 - rate) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def joint_confidence(confidence: float, family: int) -> float:
    """Return the confidence of each of `family` intervals that shall hold together.

    This is Bonferroni's split of the error, which makes Wilson intervals those of Goodman
    (Technometrics 7, 1965). Two shares that sum to one are one number, so nothing is split.
    """
    return confidence if family <= 2 else 1 - (1 - confidence) / family


@dataclass(frozen=True)
class Share:
    """A share with its interval, and with the one that holds jointly for all shares of a family."""

    value: float
    low: float
    high: float
    joint_low: float
    joint_high: float


def wilson_share(wins: float, trials: int, confidence: float, family: int) -> Share:
    """Return a share of independent trials: Wilson's interval, and Goodman's for the family."""
    return Share(
        wins / trials if trials else float("nan"),
        *wilson(wins, trials, confidence),
        *wilson(wins, trials, joint_confidence(confidence, family)),
    )


def mean_share(share: Estimate, units: int, confidence: float, family: int) -> Share:
    """Return a share that is a mean over `units` games or deals, by their variance.

    One unit says nothing about the variance: then an interval is (0, 1). Neither do units that
    were all lost or all won: then it is Wilson's.
    """
    return Share(
        share.value,
        *_mean_interval(share, units, confidence),
        *_mean_interval(share, units, joint_confidence(confidence, family)),
    )


def _mean_interval(share: Estimate, units: int, confidence: float) -> tuple[float, float]:
    if isnan(share.error):
        return 0.0, 1.0
    if share.error == 0 and share.value in (0, 1):
        return wilson(share.value * units, units, confidence)
    low, high = share.interval(confidence)
    return max(0.0, low), min(1.0, high)


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
    return Estimate(mean / unit, sqrt(variance / games) / unit)


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
    )


def ratio_error(n: int, y: int, y2: int, x: int, x2: int, xy: int) -> float:
    """Return the standard error of the ratio x / y of sums over n > 1 units.

    `x2`, `y2` and `xy` are the sums of squares and of products. It is the usual linearised one
    (Cochran, "Sampling Techniques", 3rd ed. 1977, section 6.3).
    """
    # Whole numbers up to the division, so that nothing cancels.
    residual = y**2 * x2 - 2 * y * x * xy + x**2 * y2
    return sqrt(residual / y**2 / (n - 1) * n) / y
