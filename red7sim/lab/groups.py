"""Errors from groups: whatever is computed from sums, its error is the spread between the groups.

Games, or deals, are put into groups by their index, so that the groups' sums are independent and
alike: 32 after each other where games are counted in words of bits (red7sim.play.details), in turn
where there are few deals (red7sim.lab.studies.balance_folding). The delete-one-group jackknife
needs nothing else, and takes into account that what happens in one game hangs together.
"""

from collections.abc import Callable
from math import isnan, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from red7sim.lab.stats import Estimate, wilson_with_design_effect

FEWEST_GROUPS: Final = 8
"""With fewer groups an error is not known."""

Sums = NDArray[Any]


def jackknife(sums: Sums, figure: Callable[[Sums], Any]) -> Estimate:
    """Return a figure of sums with its error (Tukey, Ann. Math. Statist. 29, 1958, p. 614).

    Parameters
    ----------
    sums
        Of shape (groups, k): k sums of each group; groups without a game left out.
    figure
        Computes the figure from sums of shape (k, ...), for all the last axes at once; NaN where
        there is none.
    """
    whole = sums.sum(axis=0)
    groups = len(sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(figure(whole))
        if groups < FEWEST_GROUPS:
            return Estimate(value, float("nan"))
        without = figure((whole - sums).T)
    spread = float(((without - without.mean()) ** 2).sum())
    return Estimate(value, sqrt(spread * (groups - 1) / groups), groups - 1)


def ratio(over: NDArray[Any], under: NDArray[Any]) -> Estimate:
    """Return the ratio of two totals with its error; both of shape (groups,)."""
    return jackknife(np.stack([over, under], axis=1), lambda sums: sums[0] / sums[1])


def share_interval(share: Estimate, trials: int, confidence: float) -> tuple[float, float]:
    """Return Wilson's interval of a share of trials that hang together in games.

    The design effect is at least 1, and 1 where the error is not known.
    """
    independent = share.value * (1 - share.value) / max(1, trials)
    design_effect = 1.0
    if not isnan(share.error) and independent > 0:
        design_effect = max(1.0, share.error**2 / independent)
    return wilson_with_design_effect(share.value, trials, design_effect, confidence)
