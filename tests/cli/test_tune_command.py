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
    status, out, err = call(
        capsys, "tune", "--over", "start_bonus=0/0,0,3", "--players", "3", "--max-games", "3000",
        "--seed", "8", "--confidence", "0.9", "--quiet", "--json",
    )  # fmt: skip
    assert (status, err) == (0, "")
    said = json.loads(out)
    study = red7sim.tune(
        {"start_bonus": [(), (0, 0, 3)]}, players=3, max_games=3000, seed=8, confidence=0.9
    )
    assert {name: said[name] for name in study.as_json()} == study.as_json()
    _, again, _ = call(capsys, *shlex.split(said["again"])[1:], "--json", "--quiet")
    assert json.loads(again) == said


def test_it_prints_100_columns_and_each_look(capsys) -> None:
    status, out, err = call(capsys, "tune", "--players", "4", "--max-games", "1500")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 100
    looks = [line.split() for line in err.splitlines() if line.endswith("variants left")]
    assert [(deals, *words) for deals, *words, _, _, _ in looks] == [
        ("1,024", "deals:"),
        ("1,500", "deals:"),
    ]


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["--over", "hands=5"], "unknown switch 'hands'"),
        (["--over", "hand_size=7"], "no variant but the baseline"),
        (["--max-games", "0"], "games: 0"),
        (["--confidence", "1"], "confidence: 1"),
    ],
)
def test_wrong_searches_are_one_line(capsys, arguments, culprit) -> None:
    status, out, err = call(capsys, "tune", *arguments, "--quiet")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert culprit in err
