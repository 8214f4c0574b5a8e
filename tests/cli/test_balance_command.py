"""`balance` from outside."""

import json
import shlex
from pathlib import Path

import polars as pl
import pytest

import red7sim
from red7sim.cli.app import run

SMALL = {
    "cards": ("--games", "200"),
    "rules": ("--games", "100", "--deals", "20"),
    "agency": ("--games", "100", "--deals", "20", "--playouts", "2"),
    "folding": ("--player", "banker:samples=1", "--games", "4"),
}
FILES = {
    "cards": {"effects.parquet", "uses.parquet", "effects.svg", "effects.png"},
    "rules": {
        "rules.parquet", "transitions.parquet", "restrictions.parquet", "transitions.svg",
        "transitions.png", "restrictions.svg", "restrictions.png",
    },
    "agency": {
        "turns.parquet", "lengths.parquet", "seats.parquet", "figures.parquet", "choices.svg",
        "choices.png", "lengths.svg", "lengths.png",
    },
    "folding": {
        "shares.parquet", "points.parquet", "ends.parquet", "shares.svg", "shares.png", "ends.svg",
        "ends.png",
    },
}  # fmt: skip


def call(capsys, *arguments: object) -> tuple[int, str, str]:
    status = run([*map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def answer(capsys, *arguments: object) -> dict:
    status, out, _ = call(capsys, *arguments, "--json", "--quiet")
    assert status == 0
    return json.loads(out)


@pytest.mark.parametrize("name", SMALL)
def test_the_command_makes_it_again_and_fills_a_folder(capsys, name: str, tmp_path: Path) -> None:
    given = (*SMALL[name], "--seed", 3, "--confidence", "0.9", "--set", "hand_size=6")
    first = answer(capsys, "balance", name, *given, "--out", tmp_path)
    assert first["command"] == f"balance-{name}"
    assert {path.name for path in tmp_path.iterdir()} == FILES[name] | {"study.json"}
    for table, rows in first["tables"].items():
        assert pl.read_parquet(tmp_path / f"{table}.parquet").to_dicts() == rows
    assert answer(capsys, *shlex.split(first["again"])[1:]) == first


@pytest.mark.parametrize("name", SMALL)
def test_it_prints_tables_of_100_columns(capsys, name: str) -> None:
    status, out, err = call(capsys, "balance", name, *SMALL[name])
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100
    for word in ("seed 0", "Again:", "banker" if name == "folding" else "leads"):
        assert word in out


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", [name for name in SMALL if name != "folding"])
def test_advanced_rules_with_actions_fit_the_page_too(capsys, name: str, players: int) -> None:
    status, out, _ = call(
        capsys, "balance", name, *SMALL[name], "--rules", "advanced", "--actions", "--players",
        players, "--quiet",
    )  # fmt: skip
    assert status == 0
    assert max(map(len, out.splitlines())) <= 100


def test_the_library_says_the_same(capsys) -> None:
    for name, study in (
        ("cards", red7sim.balance_cards(games=200)),
        ("rules", red7sim.balance_rules(games=100, deals=20)),
        ("agency", red7sim.balance_agency(games=100, deals=20, playouts=2)),
        ("folding", red7sim.balance_folding(player="banker:samples=1", games=4)),
    ):
        said = answer(capsys, "balance", name, *SMALL[name])
        assert {key: said[key] for key in study.as_json()} == study.as_json()


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["--players", "x"], "'x'"),
        (["--players", "5"], "players: 5"),
        (["--rules", "expert"], "'expert'"),
        (["--player", "nobody"], "'nobody'"),
        (["--games", "0"], "games: 0"),
        (["--confidence", "2"], "confidence: 2"),
        (["--threads", "0"], "--threads"),
        (["--set", "hand_size=99"], "hand_size"),
        (["--printing", "ru"], "--actions"),
    ],
)
def test_wrong_studies_are_one_line(capsys, name: str, arguments, culprit: str) -> None:
    status, out, err = call(capsys, "balance", name, *arguments, "--quiet")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert culprit in err


def test_what_single_studies_refuse_is_one_line(capsys) -> None:
    for arguments, culprit in (
        (["cards", "--set", "start_bonus=0,1"], "start_bonus"),
        (["agency", "--playouts", "1"], "playouts: 1"),
        (["folding", "--minimum", "50"], "round_minimum: 50"),
        (["folding", "--minimum", "a"], "--minimum 'a'"),
        (["folding", "--set", "round_minimum=3"], "round_minimum"),
        (["folding", "--end", "round"], "end: 'round'"),
        (["folding", "--player", "leads"], "'leads' never folds"),
        (["folding", "--player", "banker+no-fold"], "'banker+no-fold' never folds"),
        (["folding", "--actions"], "'banker' does not play with actions"),
    ):
        status, out, err = call(capsys, "balance", *arguments, "--quiet")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert culprit in err


def test_help_lists_the_studies(capsys) -> None:
    status, out, _ = call(capsys, "balance", "--help")
    assert status == 0
    assert all(name in out for name in SMALL)
