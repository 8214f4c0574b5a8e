"""How often the sequential test errs, in matches whose truth is known.

20,000 matches estimate an error of 5 % with a standard error of 0.15 %; Wald's bounds promise that
neither error is above 5 % by more than the overshoot allows, which only lowers them.
"""

import numpy as np
import pytest

from red7sim.lab.sprt import Sprt

pytestmark = pytest.mark.verification

MATCHES = 20_000
BLOCK = 1000
LOOKS = 200
SPRT = Sprt(0.0, 0.02)


def decisions(mean: float, tie: float) -> tuple[float, float, float]:
    """How many matches accept the null, accept the alternative, and stay undecided.

    A pair of games differs by -1, 0 or 1, with the probability `tie` of 0.
    """
    rng = np.random.default_rng(6)
    win = (1 - tie + mean) / 2
    total = np.zeros(MATCHES)
    squares = np.zeros(MATCHES)
    verdict = np.zeros(MATCHES, dtype=int)
    low, high = SPRT.bounds
    for look in range(1, LOOKS + 1):
        won, _, lost = rng.multinomial(BLOCK, [win, tie, 1 - tie - win], MATCHES).T
        total += won - lost
        squares += won + lost
        n = look * BLOCK
        ratio = SPRT.log_ratio(n, total / n, squares / n - (total / n) ** 2)
        verdict = np.where(verdict == 0, (ratio >= high) * 1 - (ratio <= low) * 1, verdict)
    return tuple(float((verdict == which).mean()) for which in (-1, 1, 0))


@pytest.mark.parametrize("tie", [0.0, 0.5, 0.9])
def test_errors_are_as_stated(tie: float) -> None:
    null, wrong, open_ = decisions(SPRT.null, tie)
    assert wrong <= 0.057
    assert null > 0.94
    assert open_ < 0.01
    wrong, alternative, open_ = decisions(SPRT.alternative, tie)
    assert wrong <= 0.057
    assert alternative > 0.94
    assert open_ < 0.01


def test_a_difference_beyond_the_hypotheses_decides_more_surely() -> None:
    assert decisions(-0.01, 0.5)[1] < 0.01
    assert decisions(0.03, 0.5)[0] < 0.01
