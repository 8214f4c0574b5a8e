import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from red7sim.lab.multiple import q_values, two_sided


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_q_values_are_those_of_statsmodels(p_values) -> None:
    expected = multipletests(p_values, method="fdr_bh")[1]
    assert q_values(p_values) == pytest.approx(expected)


def test_what_is_not_tested_does_not_count() -> None:
    assert q_values([0.01, None, 0.04]) == [0.02, None, 0.04]
    assert q_values([None]) == [None]
    assert q_values([]) == []


@given(st.floats(-40, 40))
def test_two_sided_is_that_of_scipy(z: float) -> None:
    assert two_sided(z) == pytest.approx(2 * scipy.stats.norm.sf(abs(z)), rel=1e-9)
