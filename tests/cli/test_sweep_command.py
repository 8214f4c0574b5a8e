import json
import shlex

import pytest

import red7sim
from red7sim.cli.app import run


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_library_says_the_same_and_the_command_makes_it_again(capsys) -> None:
    arguments = (
        "sweep", "--over", "start_bonus=0/0,1", "--over", "hand_size=5..6", "--players", "3",
        "--player", "leads", "--actions", "--games", "60", "--seed", "8", "--pairing",
        "force-start", "--quiet", "--json",
    )  # fmt: skip
    status, out, _ = call(capsys, *arguments)
    assert status == 0
    said = json.loads(out)
    study = red7sim.sweep(
        {"start_bonus": [(), (0, 1)], "hand_size": [5, 6]}, "basic", "leads", 3,
        settings={"actions": True}, games=60, seed=8, pairing="force-start",
    )  # fmt: skip
    assert {name: said[name] for name in study.as_json()} == study.as_json()
    _, again, _ = call(capsys, *shlex.split(said["again"])[1:], "--json", "--quiet")
    assert json.loads(again) == said


def test_it_prints_100_columns_and_names_what_is_refused(capsys) -> None:
    status, out, err = call(
        capsys, "sweep", "--players", "4", "--over", "hand_size=9..12", "--over",
        "start=left_of_highest,lowest_card", "--over", "start_bonus=0/0,0,0,1", "--games", "30",
        "--end", "points",
    )  # fmt: skip
    assert status == 0
    assert max(map(len, out.splitlines())) <= 100
    # The first command that needs a kernel says so, whichever that is.
    [told] = [line for line in err.splitlines() if not line.startswith("compiling kernels")]
    assert "left out: hand_size=11 start=left_of_highest" in told


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ([], "nothing is varied"),
        (["--over", "hand_size"], "'hand_size' is not SWITCH=VALUES"),
        (["--over", "hand_size=5", "--over", "hand_size=6"], "given twice"),
        (["--over", "hands=5"], "unknown switch 'hands'"),
        (["--over", "hand_size=11"], "but the baseline can be played; hand_size: 11"),
        (["--over", "hand_size=5", "--games", "0"], "games: 0"),
        (["--over", "hand_size=5", "--confidence", "0"], "confidence: 0"),
    ],
)
def test_wrong_sweeps_are_one_line(capsys, arguments, culprit) -> None:
    status, out, err = call(capsys, "sweep", *arguments, "--quiet")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert culprit in err
