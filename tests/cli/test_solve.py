"""`red7sim solve` and the values of `red7sim analyze` from outside."""

import json
from pathlib import Path

import pytest

from red7sim.cli.app import run

FIELDS = [
    "format", "command", "version", "run_id", "rules", "seed", "first_index", "deals",
    "first_wins", "rate", "low", "high", "confidence", "elapsed_s", "deals_per_s",
]  # fmt: skip


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*arguments])
    out, err = capsys.readouterr()
    return status, out, err


def solve(capsys, *arguments: str) -> dict:
    status, out, _ = call(capsys, "solve", "--json", "--quiet", *arguments)
    assert status == 0
    return json.loads(out)


def test_solve_speaks_the_json_form(capsys) -> None:
    answer = solve(capsys, "--deals", "2_00", "--seed", "5")
    assert [*answer] == FIELDS
    assert (answer["format"], answer["command"], answer["seed"]) == (1, "solve", 5)
    assert (answer["deals"], answer["first_index"]) == (200, 0)
    assert answer["rate"] == answer["first_wins"] / 200
    assert answer["low"] < answer["rate"] < answer["high"]
    narrow = solve(capsys, "--deals", "200", "--seed", "5", "--confidence", "0.5")
    assert answer["low"] < narrow["low"] < narrow["high"] < answer["high"]


def test_threads_and_ranges_change_no_deal(capsys) -> None:
    whole = solve(capsys, "--deals", "300", "--threads", "1")
    assert solve(capsys, "--deals", "300", "--threads", "3")["first_wins"] == whole["first_wins"]
    parts = [
        solve(capsys, "--deals", n, "--first-index", first)["first_wins"]
        for n, first in (("100", "0"), ("200", "100"))
    ]
    assert sum(parts) == whole["first_wins"]


def test_the_counts_are_kept_continued_and_combined(capsys, tmp_path: Path) -> None:
    whole = solve(capsys, "--deals", "300", "--out", str(tmp_path / "whole"))
    first = solve(capsys, "--deals", "100", "--out", str(tmp_path / "parts"))
    assert (first["deals"], first["dataset"]["played"]) == (100, 100)
    again = solve(capsys, "--deals", "300", "--out", str(tmp_path / "parts"))
    assert (again["deals"], again["dataset"]["played"]) == (300, 200)
    assert again["first_wins"] == whole["first_wins"]
    assert again["dataset"]["hash"] == whole["dataset"]["hash"]
    tail = ("--first-index", "300", "--deals", "50", "--out", str(tmp_path / "tail"))
    more = solve(capsys, *tail)["first_wins"]
    folders = [str(tmp_path / name) for name in ("whole", "tail")]
    joined = ("combine", *folders, "--out", str(tmp_path / "all"))
    status, out, _ = call(capsys, *joined, "--json", "--export", str(tmp_path / "all.csv"))
    answer = json.loads(out)
    assert status == 0
    assert (answer["deals"], answer["first_wins"]) == (350, whole["first_wins"] + more)
    assert "first_wins" in (tmp_path / "all.csv").read_text()
    status, out, _ = call(capsys, *joined)
    assert "first player" in out


def test_solved_and_played_runs_do_not_mix(capsys, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    assert call(capsys, "simulate", "--games", "50", "--out", folder, "--quiet")[0] == 0
    status, out, err = call(capsys, "solve", "--deals", "50", "--out", folder, "--quiet")
    assert (status, out) == (3, "")
    assert "different runs" in err
    assert err.count("\n") == 1


def test_solve_prints_a_table(capsys) -> None:
    status, out, _ = call(capsys, "solve", "--deals", "100", "--set", "hand_size=4")
    assert status == 0
    assert "first player" in out
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["--deals", "0"], "deals: 0"),
        (["--deals", "x"], "'x'"),
        (["--seed", "-1"], "seed: -1"),
        (["--first-index", "-1"], "first_index: -1"),
        (["--threads", "0"], "--threads '0'"),
        (["--confidence", "1"], "confidence"),
        (["--rules", "advanced"], "draw: auto"),
        (["--actions"], "actions: yes"),
        (["--set", "end=wins:2"], "end: wins:2"),
        (["--set", "hand_size=99"], "hand_size"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(capsys, arguments, culprit) -> None:
    status, out, err = call(capsys, "solve", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("red7sim: ")
    assert err.count("\n") == 1
    assert culprit in err


@pytest.mark.parametrize(
    ("text", "options", "value"),
    [
        ("R Y5/V1R7O3 B6/R2B3Y7", [], "win"),
        ("R R7/ B6/R2", [], "loss"),
        ("R Y5/V1R7O3 - B6/R2B3Y7", [], "win"),
        ("R Y5/V1R7O3 B1/ B6/R2B3Y7", [], None),
        ("R Y5/V1R7O3 B6/?3", [], None),
        ("R Y5/?3 B6/R2B3Y7", [], None),
        ("R Y5/V1R7O3 B6/R2B3Y7", ["--rules", "advanced"], None),
        ("R Y5/V1R7O3 B6/R2B3Y7", ["--actions"], None),
    ],
)
def test_analyze_gives_the_value_where_nothing_is_left_to_chance(
    capsys, text: str, options: list[str], value: str | None
) -> None:
    status, out, _ = call(capsys, "analyze", text, *options, "--json")
    answer = json.loads(out)
    assert (status, answer["value"]) == (0, value)
    assert (answer["line"] is None) == (value is None)
    for turn in answer["turns"] or []:
        assert ("value" in turn) == (value is not None)
    if value:
        assert any(turn["value"] == "win" for turn in answer["turns"]) == (value == "win")
    _, out, _ = call(capsys, "analyze", text, *options)
    assert (f"is a {value} for player 0" in out) == (value is not None)
