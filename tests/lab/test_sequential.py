import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7sim.lab.sequential import ConfidenceSequence

CONFIDENCE = 0.95


def sequence_of(sample: np.ndarray, cuts: list[int], half_width: float = 0.05):
    sequence = ConfidenceSequence((), 0.5, half_width)
    for part in np.split(sample, sorted(cuts)):
        sequence.add(len(part), part.sum(), (part**2).sum())
    return sequence


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=200),
    st.lists(st.integers(1, 199), max_size=5),
    st.floats(0.5, 0.999),
)
def test_interval_excludes_and_within_agree(sample, cuts, confidence) -> None:
    sequence = sequence_of(np.array(sample), cuts)
    low, high = sequence.interval(confidence)
    assert 0 <= low <= np.mean(sample) + 1e-12
    assert np.mean(sample) - 1e-12 <= high <= 1
    for mean in np.linspace(0, 1, 21):
        if abs(mean - low) > 1e-9 and abs(mean - high) > 1e-9:
            outside = mean < low or mean > high
            assert sequence.excludes(mean, confidence) == outside or mean in (0, 1)
    if low > 0 and high < 1:
        assert sequence.within((high - low) / 2 * 1.000001, confidence)
        assert not sequence.within((high - low) / 2 * 0.999999, confidence)


def test_the_supermartingale_as_written_down() -> None:
    """The mixture against a direct evaluation of the formula, observation by observation."""
    sample = np.random.default_rng(5).beta(2, 3, 300)
    sequence = ConfidenceSequence((), 0.4, 0.03)
    total = variation = 0.0
    for i, x in enumerate(sample):
        guess = (total + 0.4) / (i + 1)
        variation += (x - guess) ** 2
        total += x
        sequence.add(1, x, x * x)
    rates = np.minimum(0.9, 0.03 / 0.24 * 2 ** (np.arange(-12, 13) / 2))
    weights = 1 / (1 + np.arange(-12, 13) ** 2)
    for mean in (0.3, 0.4, 0.5):
        s = abs(total - mean * len(sample))
        mixture = np.average(
            np.exp(rates * s + (np.log(1 - rates) + rates) * variation), weights=weights
        )
        assert sequence.excludes(mean, CONFIDENCE) == (mixture >= 2 / (1 - CONFIDENCE))


def test_before_the_first_observation_nothing_is_known() -> None:
    sequence = ConfidenceSequence((2,), 0.5, 0.01)
    low, high = sequence.interval(CONFIDENCE)
    assert low.tolist() == [0, 0]
    assert high.tolist() == [1, 1]
    assert not sequence.within(0.4, CONFIDENCE).any()


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_lost_or_all_won(value: float) -> None:
    low, high = sequence_of(np.full(1000, value), [1, 10, 100]).interval(CONFIDENCE)
    assert (low if value == 0 else high) == value
    assert 0 < high - low < 0.1


def test_at_its_half_width_it_is_three_standard_errors_wide() -> None:
    sequence = ConfidenceSequence((), 0.5, 0.002)
    sequence.add(16384, 8192.0, 8192.0)
    n = 16384
    while not sequence.within(0.002, CONFIDENCE):
        sequence.add(16384, 8192.0, 8192.0)
        n += 16384
    assert 0.002 / (0.5 / n**0.5) < 3.1
