"""A sequential test between two hypotheses on a mean: the generalised SPRT.

Wald's sequential probability ratio test stops as soon as the likelihood ratio of two hypotheses is
large or small enough. Where the distribution is not known but for its mean, the likelihoods are
maximised over the rest; here the mean of many deals is taken for normal with unknown variance (Li,
Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses",
Sequential Analysis 33, 2014). Engine matches in chess use the same test on pairs of games.
"""

from dataclasses import dataclass
from math import inf, log
from typing import Any

import numpy as np

from red7sim.game.refused import InputError, real_in


@dataclass(frozen=True)
class Sprt:
    """Hypotheses on a mean, and how often the test may err.

    Attributes
    ----------
    null, alternative
        The two means, null < alternative.
    alpha
        Probability of accepting the alternative where the null is true, at most about.
    beta
        Probability of accepting the null where the alternative is true, at most about.

    Raises
    ------
    InputError
        The means are not in order, or an error is not between 0 and 1/2.
    """

    null: float
    alternative: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("null", "alternative"):
            mean = real_in(name, getattr(self, name), -inf, inf)
            object.__setattr__(self, name, mean)
        if not self.null < self.alternative:
            raise InputError(
                f"hypotheses {self.null:g} and {self.alternative:g} are not allowed; allowed: "
                "the first below the second"
            )
        for name in ("alpha", "beta"):
            error = real_in(name, getattr(self, name), 0, 0.5)
            object.__setattr__(self, name, error)

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the null and the alternative are accepted (Wald)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_ratio(self, n: int, mean: Any, variance: Any) -> Any:
        """Return the log-likelihood ratio, alternative over null.

        `mean` and `variance` (with the divisor n) of `n` observations may be arrays of equal
        shape. A variance of 1 / n is added, so that a sample without any says little while it is
        small.
        """
        spread = variance + 1 / n
        null = spread + (mean - self.null) ** 2
        alternative = spread + (mean - self.alternative) ** 2
        return n / 2 * np.log(null / alternative)
