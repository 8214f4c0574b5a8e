"""Weights of deals: their distribution, and that they do not depend on the pieces."""

from math import exp, factorial

import numpy as np

from red7sim.jit.rng import PURPOSE_BOOTSTRAP, stream_block
from red7sim.play.bootstrap import fill_weights

SEED = np.uint64(7)


def weights(first: int, deals: int, replicates: int = 16) -> np.ndarray:
    found = np.empty((deals, replicates))
    fill_weights(SEED, first, found)
    return found


def test_weights_are_poisson_of_mean_one() -> None:
    """Chi-square with 5 degrees of freedom below 20.5: a right program fails once in a thousand."""
    counts = np.bincount(np.minimum(weights(0, 20_000), 5).astype(int).ravel(), minlength=6)
    shares = np.array([exp(-1) / factorial(k) for k in range(5)])
    expected = np.append(shares, 1 - shares.sum()) * counts.sum()
    assert ((counts - expected) ** 2 / expected).sum() < 20.5


def test_weights_belong_to_deals() -> None:
    whole = weights(100, 50)
    assert (weights(120, 30) == whole[20:]).all()
    assert not (whole[1:] == whole[:-1]).all(axis=1).any()


def test_weights_follow_the_stream() -> None:
    """Each 16 bits of a block, lowest first, are one weight by the cumulated distribution."""
    words = [int(word) for word in stream_block(SEED, 5, 0, PURPOSE_BOOTSTRAP, 0, 1)]
    parts = [word >> 16 * j & 0xFFFF for word in words for j in range(4)]
    cumulated = np.cumsum([exp(-1) / factorial(k) for k in range(8)])
    expected = [int((np.round(65536 * cumulated) <= part).sum()) for part in parts]
    assert weights(5, 1)[0, 8:].tolist() == expected
