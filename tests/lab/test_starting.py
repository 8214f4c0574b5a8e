"""Runs that begin from deals are told apart by what the deals say."""

from typing import Any

import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.starting import StartedRun, run_from_deals
from red7sim.play.starts import StartError

DEAL = {
    "type": "deal",
    "hands": [["R7"], ["R6"]],
    "palettes": [["O3"], ["O4"]],
    "canvas": "red",
    "start": 1,
}


def run_of(**change: Any) -> StartedRun:
    return run_from_deals([DEAL | change], preset("basic", 2), ("leads", "leads"))


def test_values_of_numpy_are_those_of_python() -> None:
    assert run_of(start=np.int64(1), hands=np.array([["R7"], ["R6"]])) == run_of()
    assert run_of(start=np.int64(0)).run_id == run_of(start=0).run_id != run_of().run_id


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"start": np.int64(2)}, "start of a deal"),
        ({"round": object()}, "round of a deal"),
        ({"hands": [{"R7"}, {"R6"}]}, "holds what JSON does not: a set"),
    ],
)
def test_deals_are_refused_for_what_they_say(change: dict[str, Any], culprit: str) -> None:
    with pytest.raises(StartError, match=culprit):
        run_of(**change)
