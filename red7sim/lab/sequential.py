"""Statistics that may be looked at again and again: a confidence sequence.

A fixed-n interval holds at one number of games that was chosen beforehand. Whoever looks after
every block and stops when he likes what he sees will be wrong far more often than it says. A
confidence sequence holds at all looks together: with its confidence, the true mean is inside it at
every moment, however the moment to stop is chosen.
"""

from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_RATES_EACH_SIDE: Final = 12
_RATE_STEP: Final = 2**0.5
_MAX_RATE: Final = 0.9
_BISECTIONS: Final = 60

Floats = NDArray[np.float64]


class ConfidenceSequence:
    """Confidence sequences for the means of bounded observations, by empirical Bernstein.

    For observations x_i in [0, 1] with the conditional mean m, predictable guesses g_i of them,
    S = sum(x_i - m), V = sum((x_i - g_i)^2) and any rate r in [0, 1),

        exp(r S - (-log(1 - r) - r) V)

    is a supermartingale that starts at 1 (Fan, Grama and Liu, "Exponential inequalities for
    martingales with applications", EJP 20, 2015; Howard, Ramdas, McAuliffe and Sekhon,
    "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49,
    2021, theorem 4), and so is a mixture over rates. By Ville's inequality it ever reaches
    2 / error with a probability of at most error / 2, and so does the one for -S. There is no
    assumption on the distribution and no large-sample approximation.

    Parameters
    ----------
    shape
        Shape of the arrays of means, each of which has a sequence of its own.
    guess
        A guess of the means.
    half_width
        The half width at which the sequences shall be narrowest, compared with others.

    The last two do not matter for validity.
    """

    def __init__(self, shape: tuple[int, ...], guess: float, half_width: float) -> None:
        # The rate that suits the moment when a mean of this variance is known that well.
        best = half_width / max(guess * (1 - guess), half_width)
        steps = np.arange(-_RATES_EACH_SIDE, _RATES_EACH_SIDE + 1)
        weights = 1 / (1 + steps**2)
        self._rates = np.minimum(_MAX_RATE, best * _RATE_STEP**steps)
        self._costs = -np.log1p(-self._rates) - self._rates
        self._log_weights = np.log(weights / weights.sum())
        self._guess = guess
        self._n = 0
        self._sum = np.zeros(shape)
        self._variation = np.zeros(shape)

    def add(self, n: int, total: Floats, squares: Floats) -> None:
        """Add `n` observations of each mean, by their sums and their sums of squares."""
        # The guess for all of them is the mean of those before, so it is predictable.
        guess = (self._sum + self._guess) / (self._n + 1)
        self._variation += np.maximum(0.0, squares - 2 * guess * total + n * guess**2)
        self._sum += total
        self._n += n

    def within(self, half_width: float, confidence: float) -> NDArray[np.bool_]:
        """Tell which intervals reach at most that far to either side of the mean."""
        return np.asarray(self._log_mixture(np.asarray(half_width * self._n)) >= _bar(confidence))

    def excludes(self, mean: Floats | float, confidence: float) -> NDArray[np.bool_]:
        """Tell which intervals do not contain a mean at this moment."""
        deviation = np.asarray(abs(self._sum - mean * self._n))
        return np.asarray(self._log_mixture(deviation) >= _bar(confidence))

    def interval(self, confidence: float) -> tuple[Floats, Floats]:
        """Return the lower and upper ends at this moment; 0 and 1 before the first observation."""
        if self._n == 0:
            return np.zeros_like(self._sum), np.ones_like(self._sum)
        bar = _bar(confidence)
        # The mixture rises in |S|, and |S| is at most n: close in on where it meets the bar.
        low, high = np.zeros_like(self._sum), np.full_like(self._sum, float(self._n))
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            below = self._log_mixture(middle) < bar
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        mean, reach = self._sum / self._n, high / self._n
        return np.maximum(0.0, mean - reach), np.minimum(1.0, mean + reach)

    def _log_mixture(self, deviation: Floats) -> Any:
        """Return the logarithm of the mixture at a deviation S of the sum from its mean."""
        exponents = (
            self._log_weights
            + self._rates * deviation[..., None]
            - self._costs * self._variation[..., None]
        )
        largest = exponents.max(axis=-1)
        return largest + np.log(np.exp(exponents - largest[..., None]).sum(axis=-1))


def _bar(confidence: float) -> float:
    return log(2 / (1 - confidence))
