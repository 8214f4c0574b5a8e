"""Early stopping: where a run stops depends on the run alone."""

from pathlib import Path

import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.collect import collect
from red7sim.lab.ledger import BLOCK_GAMES
from red7sim.lab.runs import Run, RunError, play
from red7sim.lab.stopping import PrecisionTarget, play_to_target
from red7sim.lab.summary import summarize
from red7sim.play.tally import SEAT_WINS, SHARE_UNIT, SUM

CAP = 20 * BLOCK_GAMES


@pytest.fixture(scope="module")
def run() -> Run:
    return Run(preset("basic", 2), ("random", "random"), seed=11)


def target_of(run: Run) -> PrecisionTarget:
    return PrecisionTarget(run, 0.006, 0.95)


@pytest.fixture(scope="module")
def stopped(run: Run):
    target = target_of(run)
    outcome = play_to_target(run, target, CAP, threads=1)
    assert target.met
    assert BLOCK_GAMES < outcome.games < CAP
    return outcome


def test_it_stops_at_a_block_and_counts_what_it_looked_at(run: Run, stopped) -> None:
    assert stopped.games % BLOCK_GAMES == 0
    assert (stopped.tally == play(run, stopped.games).tally).all()


@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_stops_at_the_same_block(run: Run, stopped, threads: int) -> None:
    outcome = play_to_target(run, target_of(run), CAP, threads=threads)
    assert (outcome.tally == stopped.tally).all()


@pytest.mark.parametrize("before", [0, 1000, 3 * BLOCK_GAMES + 5, CAP])
def test_what_is_on_disk_does_not_move_the_stop(run, stopped, tmp_path: Path, before) -> None:
    if before:
        collect(tmp_path, run, before)
    outcome, kept = collect(tmp_path, run, CAP, target=target_of(run))
    assert (outcome.tally == stopped.tally).all()
    assert kept.ledger.games == max(before, stopped.games)
    again, _ = collect(tmp_path, run, CAP, target=target_of(run))
    assert again.played == 0
    assert (again.tally == stopped.tally).all()


def test_a_limit_inside_a_block_that_is_there_is_looked_at(run: Run, tmp_path: Path) -> None:
    collect(tmp_path, run, BLOCK_GAMES)
    target = PrecisionTarget(run, 0.0001, 0.95)
    outcome, _ = collect(tmp_path, run, 1000, target=target)
    assert not target.met
    assert (outcome.tally == play(run, 1000).tally).all()


@pytest.mark.parametrize("design", ["rotate", "force-start"])
def test_deals_are_the_observations_of_a_paired_run(design: str) -> None:
    run = Run(preset("basic", 2), ("random", "leads"), 1, design)
    target = PrecisionTarget(run, 0.01, 0.95)
    outcome = play_to_target(run, target, CAP)
    assert target.met
    for seat in range(2):
        low, high = target.interval(SEAT_WINS + seat, 0.95)
        share = outcome.tally[SUM, SEAT_WINS + seat] / (2 * SHARE_UNIT * outcome.games)
        assert low < share < high
        assert high - low <= 0.02


def test_the_summary_shows_both_intervals_and_says_which_holds(run: Run) -> None:
    target = target_of(run)
    summary = summarize(play_to_target(run, target, CAP), 0.95, target)
    assert summary["interval"] == "confidence-sequence"
    assert summary["fixed_interval"] == "wilson, not valid under repeated looks"
    assert summary["target_met"]
    for row in summary["seats"] + summary["line_up"] + summary["round_seats"]:
        assert row["low"] < row["fixed_low"] < row["win_rate"] < row["fixed_high"] < row["high"]
        assert row["high"] - row["low"] <= 2 * 0.006


def test_rounds_of_longer_games_have_no_sequence() -> None:
    run = Run(preset("advanced", 2), ("leads", "random"))
    target = target_of(run)
    summary = summarize(play_to_target(run, target, 200), 0.95, target)
    assert not summary["target_met"]
    assert all(row["low"] is None for row in summary["round_seats"])
    assert all(0 <= row["low"] < row["high"] <= 1 for row in summary["seats"])


@pytest.mark.parametrize("half_width", [0.0, -0.1, 0.5, float("nan")])
def test_refuses_half_widths_that_cannot_be(run: Run, half_width: float) -> None:
    with pytest.raises(RunError, match="target_half_width"):
        PrecisionTarget(run, half_width, 0.95)
