"""`skill` from outside."""

import json
import shlex

import pytest

import red7sim
from red7sim.cli.app import run

SMALL = ("--player", "random", "--player", "leads", "--games", "60", "--seed", "5")


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run(["skill", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_library_says_the_same_and_the_command_makes_it_again(capsys) -> None:
    status, out, _ = call(capsys, *SMALL, "--json", "--quiet")
    said = json.loads(out)
    study = red7sim.skill(("random", "leads"), games=60, seed=5)
    assert status == 0
    assert {name: said[name] for name in study.as_json()} == study.as_json()
    _, again, _ = call(capsys, *shlex.split(said["again"])[2:], "--json", "--quiet")
    assert json.loads(again) == said


def test_it_prints_tables_that_fit(capsys, tmp_path) -> None:
    status, out, _ = call(capsys, *SMALL, "--out", str(tmp_path), "--quiet")
    assert status == 0
    assert "Regret" in out
    assert max(map(len, out.splitlines())) <= 100
    names = {path.name for path in tmp_path.iterdir()}
    assert {"players.parquet", "turns.parquet", "regrets.parquet", "regret.svg"} <= names


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["--rules", "advanced"], "advanced"),
        (["--actions"], "actions"),
        (["--player", "perfect"], "perfect:hands=open"),
        (["--player", "leads+no-discard"], "restriction"),
        (["--games", "0"], "games"),
        (["--set", "draw=auto"], "draw"),
    ],
)
def test_what_is_refused(capsys, arguments: list[str], culprit: str) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert culprit in err
