"""Many questions at once: false discoveries among the answers that stand out."""

from collections.abc import Sequence
from math import erfc, sqrt


def two_sided(z: float) -> float:
    """Return the probability that a standard normal is at least as far from 0 as z."""
    return erfc(abs(z) / sqrt(2))


def q_values(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the least false discovery rate at which each hypothesis would be rejected.

    Rejecting all with q <= f, the share of wrong rejections among the rejections is f at most, on
    average over studies (Benjamini and Hochberg, JRSS B 57, 1995). That is proven for independent
    and positively dependent tests. Cards of a hand compete for its places, so their effects depend
    on each other negatively, if little; tests/verification simulates the rate for them. Hypotheses
    that could not be tested are None, here and there.
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    found: list[float | None] = [None] * len(p_values)
    least = 1.0
    for rank in range(len(known), 0, -1):
        p, i = known[rank - 1]
        least = min(least, p * len(known) / rank)
        found[i] = least
    return found
