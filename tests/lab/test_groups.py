"""Errors from groups, against loops, linearised errors and scipy."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from red7sim.lab.groups import FEWEST_GROUPS, jackknife, ratio, share_interval
from red7sim.lab.stats import Estimate, t_score, wilson

sums = st.lists(
    st.tuples(st.integers(0, 1000), st.integers(1, 1000)), min_size=FEWEST_GROUPS, max_size=64
)


@given(sums)
def test_the_jackknife_leaves_out_each_group_once(sample) -> None:
    groups = np.array(sample)
    found = jackknife(groups, lambda s: s[0] / s[1] ** 2)
    without = []
    for i in range(len(groups)):
        a, b = np.delete(groups, i, axis=0).sum(axis=0)
        without.append(a / b**2)
    n = len(groups)
    error = math.sqrt((n - 1) / n * sum((x - np.mean(without)) ** 2 for x in without))
    a, b = groups.sum(axis=0)
    assert found.value == pytest.approx(a / b**2)
    assert found.error == pytest.approx(error, rel=1e-6, abs=1e-12)
    assert found.degrees == n - 1


def test_the_error_of_a_mean_is_the_usual_one() -> None:
    x = np.random.default_rng(1).integers(0, 50, 64)
    found = ratio(x, np.full(64, 10))
    assert found.error == pytest.approx(x.std(ddof=1) / math.sqrt(64) / 10)


def test_the_error_of_a_ratio_is_near_the_linearised_one() -> None:
    random = np.random.default_rng(2)
    y = random.integers(900, 1100, 64)
    x = random.binomial(y, 0.3)
    found = ratio(x, y)
    residuals = x - found.value * y
    linear = math.sqrt((residuals**2).sum() * 64 / 63) / y.sum()
    assert found.error == pytest.approx(linear, rel=0.02)


def test_few_groups_have_no_error_and_nothing_no_value() -> None:
    few = ratio(np.arange(FEWEST_GROUPS - 1), np.ones(FEWEST_GROUPS - 1))
    assert few.value == pytest.approx((FEWEST_GROUPS - 2) / 2)
    assert math.isnan(few.error)
    assert math.isnan(ratio(np.zeros(20), np.zeros(20)).value)


@given(st.integers(1, 10**9), st.floats(0.001, 0.99999))
def test_quantiles_of_t_are_those_of_scipy(degrees: int, confidence: float) -> None:
    expected = scipy.stats.t.ppf(0.5 + confidence / 2, degrees)
    assert t_score(confidence, degrees) == pytest.approx(expected, rel=1e-5)
    low, high = Estimate(1.0, 0.5, degrees).interval(confidence)
    assert (low, high) == pytest.approx((1 - expected / 2, 1 + expected / 2), rel=1e-4, abs=1e-5)


def test_trials_that_hang_together_count_less() -> None:
    independent = math.sqrt(0.2 * 0.8 / 500)
    for error, trials in (
        (independent, 500),
        (independent / 2, 500),
        (float("nan"), 500),
        (2 * independent, 125),
    ):
        found = share_interval(Estimate(0.2, error), 500, 0.95)
        assert found == pytest.approx(wilson(0.2 * trials, trials, 0.95))
    assert share_interval(Estimate(0.0, 0.0), 500, 0.95) == wilson(0, 500, 0.95)
    assert share_interval(Estimate(float("nan"), float("nan")), 0, 0.95) == (0, 1)
