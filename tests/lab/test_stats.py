import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint

from red7sim.lab import stats
from red7sim.lab.stats import Estimate
from red7sim.lab.studies.fair_share import against_fair
from red7sim.lab.studies.verdicts import OPEN, PAYS
from red7sim.play.tally import N_MEASURES, ROUNDS, TURNS, add_game, empty_tally

confidences = st.floats(0.5, 0.999)


@given(st.integers(1, 10**9), st.floats(0, 1), confidences)
def test_wilson_agrees_with_statsmodels(trials: int, share: float, confidence: float) -> None:
    wins = share * trials
    expected = proportion_confint(wins, trials, 1 - confidence, method="wilson")
    assert stats.wilson(wins, trials, confidence) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("wins", "trials"), [(0, 0), (0, 1), (1, 1), (0, 10**9), (10**9, 10**9)])
def test_wilson_stays_within_zero_and_one(wins: int, trials: int) -> None:
    low, high = stats.wilson(wins, trials, 0.95)
    assert 0 <= low <= high <= 1
    assert low < high


@given(st.integers(1, 10**9), st.floats(0, 1), st.floats(1, 10), confidences)
def test_wilson_holds_its_share_and_ends_at_zero_and_one(trials, share, effect, confidence) -> None:
    low, high = stats.wilson_with_design_effect(share, trials, effect, confidence)
    assert 0 <= low <= share <= high <= 1
    assert stats.wilson_with_design_effect(0.0, trials, effect, confidence)[0] == 0
    assert stats.wilson_with_design_effect(1.0, trials, effect, confidence)[1] == 1
    assert stats.wilson(0, trials, confidence)[0] == 0
    assert stats.wilson(trials, trials, confidence)[1] == 1


@given(st.floats(0.001, 0.999), st.floats(1e-6, 0.2), st.integers(1, 10**6), confidences)
def test_the_ends_of_a_mean_share_are_as_many_of_their_own_errors_away(
    value: float, error: float, degrees: int, confidence: float
) -> None:
    """An end is a share under which the one found is just not surprising, the games being as many
    as give the error that was found.
    """
    share = stats.mean_share(Estimate(value, error, degrees), degrees + 1, confidence, confidence)
    games = value * (1 - value) / error**2
    for end in (share.low, share.high):
        surprise = abs(end - value) / math.sqrt(end * (1 - end) / games)
        assert surprise == pytest.approx(student.ppf(0.5 + confidence / 2, degrees), rel=1e-3)


# A mean of a million deals is -1 or 1, or at least a millionth away from it.
@given(
    st.sampled_from([-1.0, 1.0]) | st.floats(-1 + 1e-6, 1 - 1e-6),
    st.just(0) | st.floats(1e-9, 1),
    st.integers(1, 10**6),
)
def test_a_difference_of_shares_stays_between_minus_one_and_one(value, spread, degrees) -> None:
    error = spread * math.sqrt((1 - value**2) / degrees)  # at most that of deals that are all -+1
    found = stats.difference_interval(Estimate(value, error, degrees), degrees + 1, 0.95)
    mirrored = stats.difference_interval(Estimate(-value, error, degrees), degrees + 1, 0.95)
    assert -1 <= found[0] <= value + 1e-12
    assert value - 1e-12 <= found[1] <= 1
    assert found == pytest.approx((-mirrored[1], -mirrored[0]), abs=1e-9)


def test_a_precise_difference_of_shares_has_the_interval_of_a_mean() -> None:
    difference = Estimate(-0.07, 0.004, 9999)
    found = stats.difference_interval(difference, 10_000, 0.95)
    assert found == pytest.approx(difference.interval(0.95), abs=1e-5)


def test_deals_that_all_differ_alike_leave_room_for_others() -> None:
    low, high = stats.difference_interval(Estimate(0.0, 0.0, 4), 5, 0.95)
    _, others = stats.wilson(0, 5, 0.95)
    assert (low, high) == pytest.approx((-others, others))
    assert stats.difference_interval(Estimate(0.0, math.nan), 1, 0.95) == (-1, 1)


@given(st.floats(0, 1), st.integers(2, 10**6))
def test_units_that_are_all_alike_leave_room_for_others(value: float, units: int) -> None:
    share = stats.mean_share(Estimate(value, 0.0, units - 1), units, 0.95, 0.99)
    _, others = stats.wilson(0, units, 0.95)
    assert share.low == pytest.approx(value * (1 - others))
    assert share.high == pytest.approx(value + (1 - value) * others)
    assert share.joint_low <= share.low <= value <= share.high <= share.joint_high


@pytest.mark.parametrize("value", [0, 1])
def test_units_that_are_all_lost_or_won_have_the_interval_of_wilson(value: int) -> None:
    share = stats.mean_share(Estimate(value, 0.0, 8), 9, 0.95, 0.95)
    assert (share.low, share.high) == pytest.approx(stats.wilson(9 * value, 9, 0.95))


def test_one_unit_says_nothing() -> None:
    share = stats.mean_share(Estimate(0.5, math.nan), 1, 0.95, 0.95)
    assert (share.low, share.high) == (0, 1)


def test_each_of_two_shares_against_the_fair_one_is_a_question() -> None:
    shown = against_fair(Estimate(0.55, 0.02, 40), 41, 2, 0.95, 1)
    assert (shown["joint_low"], shown["verdict"]) == (shown["low"], PAYS)
    of_two = against_fair(Estimate(0.55, 0.02, 40), 41, 2, 0.95, 2)
    joint = stats.mean_share(Estimate(0.55, 0.02, 40), 41, 0.95, 1 - 0.025)
    assert of_two["joint_low"] == pytest.approx(joint.joint_low - 0.5)
    assert of_two["joint_high"] == pytest.approx(joint.joint_high - 0.5)
    assert (of_two["low"], of_two["high"]) == (shown["low"], shown["high"])
    assert against_fair(Estimate(0.543, 0.02, 40), 41, 2, 0.95, 1)["verdict"] == PAYS
    assert against_fair(Estimate(0.543, 0.02, 40), 41, 2, 0.95, 2)["verdict"] == OPEN


def test_two_questions_are_two_but_two_shares_of_one_are_one() -> None:
    assert stats.joint_confidence(0.95, 2) == pytest.approx(0.975)
    assert stats.joint_confidence_of_shares(0.95, 2) == 0.95
    for n in (3, 4):
        joint = stats.joint_confidence_of_shares(0.95, n)
        assert joint == stats.joint_confidence(0.95, n) == pytest.approx(1 - 0.05 / n)


def tally_of(rounds: list[int], turns: list[int]):
    tally = empty_tally()
    for r, t in zip(rounds, turns, strict=True):
        measures = np.zeros(N_MEASURES, dtype=np.int64)
        measures[ROUNDS], measures[TURNS] = r, t
        add_game(tally, measures)
    return tally


games = st.lists(st.tuples(st.integers(1, 20), st.integers(0, 400)), min_size=2, max_size=50)


@given(games)
def test_per_game_is_mean_and_standard_error(sample) -> None:
    rounds, turns = map(list, zip(*sample, strict=True))
    estimate = stats.per_game(tally_of(rounds, turns), TURNS, unit=12)
    scaled = np.array(turns) / 12
    assert estimate.value == pytest.approx(scaled.mean())
    assert estimate.error == pytest.approx(scaled.std(ddof=1) / math.sqrt(len(turns)), abs=1e-9)


@given(games)
def test_per_round_is_the_ratio_with_its_linearised_error(sample) -> None:
    rounds, turns = (np.array(x, dtype=float) for x in zip(*sample, strict=True))
    estimate = stats.per_round(tally_of([*map(int, rounds)], [*map(int, turns)]), TURNS)
    ratio = turns.sum() / rounds.sum()
    residuals = turns - ratio * rounds
    n = len(turns)
    error = math.sqrt((residuals**2).sum() / (n - 1) / n) / rounds.mean()
    assert estimate.value == pytest.approx(ratio)
    assert estimate.error == pytest.approx(error, rel=1e-6, abs=1e-6)


def test_nothing_and_one_game_say_so_without_a_crash() -> None:
    for estimate in (stats.per_game(empty_tally(), TURNS), stats.per_round(empty_tally(), TURNS)):
        assert math.isnan(estimate.value)
    one = tally_of([2], [9])
    assert stats.per_game(one, TURNS).value == 9
    assert stats.per_round(one, TURNS).value == 4.5
    assert math.isnan(stats.per_game(one, TURNS).error)
    assert math.isnan(stats.per_round(one, TURNS).error)


def test_normal_interval() -> None:
    low, high = stats.Estimate(0.5, 0.1).interval(0.95)
    assert (low, high) == pytest.approx((0.304, 0.696), abs=1e-3)
