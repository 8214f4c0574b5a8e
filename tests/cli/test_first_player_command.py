"""`first-player` from outside, and what all studies share on the command line."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import red7sim
from red7sim.cli.app import run
from red7sim.cli.rule_options import RuleOptions
from red7sim.game.ruleset import preset

SMALL = ("--players", "2,3", "--rules", "basic", "--player", "leads", "--games", "300")


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def answer(capsys, *arguments: str) -> dict:
    status, out, _ = call(capsys, *arguments, "--json", "--quiet")
    assert status == 0
    return json.loads(out)


def test_the_library_says_the_same(capsys) -> None:
    said = answer(capsys, "first-player", *SMALL, "--seed", "5", "--set", "hand_size=5")
    study = red7sim.first_player(
        "basic", "leads", (2, 3), settings={"hand_size": 5}, games=300, seed=5
    )
    assert [*said][:3] == ["format", "command", "version"]
    assert {name: said[name] for name in study.as_json()} == study.as_json()


def test_the_command_makes_it_again(capsys) -> None:
    first = answer(
        capsys, "first-player", *SMALL, "--actions", "--printing", "ru", "--end", "wins:2",
        "--deals", "9", "--confidence", "0.9",
    )  # fmt: skip
    again = answer(capsys, *shlex.split(first["again"])[1:])
    assert again == first


def test_it_prints_tables_of_100_columns(capsys) -> None:
    status, out, err = call(capsys, "first-player", *SMALL, "--rules", "basic,advanced")
    assert status == 0
    assert not err or err.startswith("compiling kernels")
    assert err.count("\n") <= 1
    assert max(map(len, out.splitlines())) <= 100
    for word in ("Shares of the games", "Points per round", "by the rules", "seed 0", "Again:"):
        assert word in " ".join(out.split())


def test_the_folder_holds_tables_and_pictures(capsys, tmp_path: Path) -> None:
    said = answer(capsys, "first-player", *SMALL, "--rules", "advanced", "--out", tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "study.json", "seats.parquet", "rounds.parquet", "points.parquet",
        "seats.svg", "seats.png", "rounds.svg", "rounds.png",
    }  # fmt: skip
    assert pl.read_parquet(tmp_path / "seats.parquet").to_dicts() == said["tables"]["seats"]
    status, out, _ = call(capsys, "simulate", "--games", "5", "--out", tmp_path / "study.json")
    assert (status, out) == (3, "")


def test_without_matplotlib_the_tables_are_written(capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, _, err = call(capsys, "first-player", *SMALL, "--out", tmp_path)
    assert status == 0
    assert err.count("\n") == 1
    assert "red7sim[plots]" in err
    assert (tmp_path / "seats.parquet").exists()


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["--players", "2,x"], "'2,x'"),
        (["--players", "5"], "players: 5"),
        (["--rules", "basic,expert"], "'expert'"),
        (["--player", "nobody"], "'nobody'"),
        (["--games", "0"], "games: 0"),
        (["--confidence", "2"], "confidence: 2"),
        (["--threads", "0"], "--threads"),
        (["--seed", "-1"], "seed: -1"),
        (["--printing", "ru"], "--actions"),
        (["--actions", "--printing", "9"], "'9'"),
        (["--set", "hand_size=99"], "hand_size"),
    ],
)
def test_wrong_studies_are_one_line(capsys, arguments, culprit) -> None:
    status, out, err = call(capsys, "first-player", *arguments, "--quiet")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert culprit in err


def test_an_impossible_folder_is_refused_before_anything_is_played(capsys) -> None:
    status, out, err = call(capsys, "first-player", "--quiet", "--out", "/dev/null/x")
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert "/dev/null/x" in err


def test_rule_options_are_changes_of_a_preset(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('hand_size = 6\nend = "points"\n')
    for options in (
        RuleOptions(),
        RuleOptions("advanced", actions=True),
        RuleOptions(actions=True, printing="1.1", end="wins:2"),
        RuleOptions(rules_file=file, settings=["draw=auto", "hand_size=5"]),
    ):
        for players in (2, 3, 4):
            changed = preset(options.base, players).changed(options.changes())
            assert changed == options.ruleset(players)


def test_an_interrupted_study_keeps_nothing_and_says_so(capsys, tmp_path, monkeypatch) -> None:
    claimed: list[bool] = []

    def interrupted(*_: object, planned: Callable[[int], None], **__: object) -> None:
        planned(1)
        claimed.append(folder.is_dir())
        raise KeyboardInterrupt

    monkeypatch.setattr("red7sim.lab.studies.first_player.first_player", interrupted)
    for folder in (tmp_path, tmp_path / "new" / "study"):
        status, out, err = call(capsys, "first-player", *SMALL, "--quiet", "--out", folder)
        assert (status, out) == (130, "")
        assert "nothing was kept, start again" in err
        assert not [*tmp_path.iterdir()]
    assert claimed == [True, True]
