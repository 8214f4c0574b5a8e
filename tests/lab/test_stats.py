import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint

from red7sim.lab import stats
from red7sim.lab.stats import Estimate
from red7sim.lab.studies.fair_share import OPEN, PAYS, against_fair
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
    reach = student.ppf(1 - 0.025 / 2, 40) * 0.02
    assert of_two["joint_low"] == pytest.approx(0.05 - reach, rel=1e-5)
    assert of_two["joint_high"] == pytest.approx(0.05 + reach, rel=1e-5)
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
