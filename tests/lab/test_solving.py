"""Runs of perfect play: what they are, and what they cannot be."""

import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import RunError
from red7sim.lab.solving import PerfectRun, read_run


def test_a_run_of_perfect_play_is_read_back() -> None:
    run = PerfectRun(preset("basic", 2), seed=3)
    assert read_run(run.as_json()) == run


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"players": ("leads", "nonsense")}, r"players: \('leads', 'nonsense'\) is not allowed"),
        ({"design": "rotate"}, "design: 'rotate' is not allowed"),
    ],
)
def test_nobody_plays_and_nothing_is_paired_where_deals_are_solved(change, culprit) -> None:
    with pytest.raises(RunError, match=culprit):
        PerfectRun(preset("basic", 2), **change)
