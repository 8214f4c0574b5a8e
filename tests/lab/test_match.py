import math
from functools import cache

import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.match import (
    Match,
    Measure,
    SequentialTest,
    compare,
    measures_of,
    play_match,
    summarize_match,
)
from red7sim.lab.runs import Run, RunError, play
from red7sim.lab.sprt import Sprt
from red7sim.play.tally import GAMES, N_MEASURES, POINTS, POSITION_WINS, SHARE_UNIT, SUM

DEALS = 300


def duel(design: str = "none", seed: int = 5) -> Match:
    rules = preset("advanced", 2)
    return Match(
        Run(rules, ("leads", "random"), seed, design),
        Run(rules, ("greedy", "random"), seed, design),
    )


@cache
def single_deals(run: Run) -> np.ndarray:
    """The measures of each deal, by playing deal after deal as runs of their own."""
    return np.stack([play(run, 1, first_index=i).tally[SUM, :GAMES] for i in range(DEALS)])


@pytest.mark.parametrize("design", ["none", "rotate", "force-start"])
@pytest.mark.parametrize("measure", [m.name for m in measures_of(2)])
def test_a_comparison_is_that_of_the_single_deals(design: str, measure: str) -> None:
    match = duel(design)
    [chosen] = [m for m in measures_of(2) if m.name == measure]
    found = compare(match, play_match(match, DEALS).tally, chosen)
    unit = chosen.unit * match.games_a_deal
    a, b = (single_deals(run)[:, chosen.index] / unit for run in (match.a, match.b))
    d = a - b
    assert found.a == pytest.approx(a.mean())
    assert found.b == pytest.approx(b.mean())
    assert found.difference.value == pytest.approx(d.mean(), abs=1e-12)
    assert found.difference.error == pytest.approx(d.std(ddof=1) / math.sqrt(DEALS), abs=1e-12)
    apart = a.var(ddof=1) + b.var(ddof=1)
    if apart:
        assert found.variance_ratio == pytest.approx(d.var(ddof=1) / apart)
    else:
        assert math.isnan(found.variance_ratio)


def test_deals_that_are_not_common_are_noticed(monkeypatch) -> None:
    """A planted fault: side B plays the deals of another seed."""
    match = duel()
    expected = play_match(match, DEALS).tally
    table = match.table()
    tally = match.empty_tally()
    record = type(table.b).record_deals
    monkeypatch.setattr(
        type(table.b),
        "record_deals",
        lambda side, seed, *rest: record(side, seed + (side is table.b), *rest),
    )
    table.play_block(match.seed, 0, DEALS, tally)
    assert (tally != expected).any()


def test_a_run_against_itself_differs_in_nothing() -> None:
    run = Run(preset("basic", 3), ("leads", "random", "greedy"), 1)
    match = Match(run, run)
    summary = summarize_match(play_match(match, 100), 0.95, "seat:0")
    assert all(row["difference"] == 0 == row["difference_se"] for row in summary["measures"])


def test_any_number_of_threads_counts_the_same() -> None:
    tallies = [play_match(duel(), 2000, threads=n).tally for n in (1, 2, 5)]
    assert all((tally == tallies[0]).all() for tally in tallies)


def test_refuses_sides_that_do_not_share_their_deals() -> None:
    run = Run(preset("basic", 2), ("leads", "random"), 1)
    for other, culprit in (
        (Run(run.rules, run.players, 2), "seed: 1 against 2"),
        (Run(run.rules, run.players, 1, "rotate"), "pairing: none against rotate"),
        (Run(preset("basic", 3), ("leads",) * 3, 1), "2 players against 3"),
    ):
        with pytest.raises(RunError, match=culprit):
            Match(run, other)


def test_nothing_and_one_deal_say_so_without_a_crash() -> None:
    match = duel()
    measure = Measure("points", POINTS, 1)
    assert math.isnan(compare(match, match.empty_tally(), measure).difference.value)
    one = summarize_match(play_match(match, 1), 0.95, "points")
    assert one["difference_se"] is None
    assert one["low"] is None


def test_the_log_likelihood_ratio_as_written_down() -> None:
    """Normal likelihoods, each maximised over the variance, by a direct search."""
    x = np.random.default_rng(3).normal(0.3, 2.0, 4000)
    sprt = Sprt(0.0, 0.25)

    def best(mean: float) -> float:
        variances = np.linspace(3, 5, 20001)
        return float(
            max(-len(x) / 2 * np.log(variances) - ((x - mean) ** 2).sum() / (2 * variances))
        )

    expected = best(sprt.alternative) - best(sprt.null)
    assert sprt.log_ratio(len(x), x.mean(), x.var()) == pytest.approx(expected, abs=0.01)


def test_bounds_of_wald() -> None:
    assert Sprt(0, 1, 0.05, 0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(18)))


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [((0.1, 0.1), "0.1 and 0.1"), ((0, 1, 0), "alpha: 0"), ((0, 1, 0.1, 0.5), "beta: 0.5")],
)
def test_refuses_tests_that_cannot_be(arguments, culprit: str) -> None:
    with pytest.raises(ValueError, match=culprit):
        Sprt(*arguments)


def test_a_test_stops_at_a_block_that_depends_on_the_match_alone() -> None:
    match = duel()
    measure = Measure("position:0", POSITION_WINS, SHARE_UNIT)
    outcomes = []
    for threads in (1, 3):
        test = SequentialTest(match, measure, Sprt(0.0, 0.05))
        outcomes.append(play_match(match, 200_000, threads=threads, test=test))
        assert test.decision == "alternative"
        assert test.log_ratio >= test.sprt.bounds[1]
        low, high = test.interval(0.95)
        difference = compare(match, test.tally, measure).difference.value
        assert low < difference < high
    assert outcomes[0].deals == outcomes[1].deals == 16384
    assert (outcomes[0].tally == outcomes[1].tally).all()
    summary = summarize_match(outcomes[0], 0.95, "position:0", test)
    assert summary["interval"] == "confidence-sequence"
    assert summary["low"] < summary["fixed_low"] < summary["fixed_high"] < summary["high"]


def test_equal_sides_accept_the_null_and_small_matches_nothing() -> None:
    run = Run(preset("basic", 2), ("random", "random"), 1)
    match = Match(run, run)
    seat = measures_of(2)[0]
    test = SequentialTest(match, seat, Sprt(0.0, 0.02))
    play_match(match, 10**6, test=test)
    assert test.decision == "null"
    test = SequentialTest(match, seat, Sprt(0.0, 0.02))
    play_match(match, 10, test=test)
    assert test.decision is None
    test = SequentialTest(match, Measure("points", POINTS, 1), Sprt(0.0, 0.02))
    play_match(match, 10, test=test)
    assert test.interval(0.95) is None
    assert test.tally.shape == (5, N_MEASURES + 1)
