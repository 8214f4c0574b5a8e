"""Commands that begin from a given position or from deals."""

import json
from pathlib import Path

import pytest

from red7sim.cli.app import run

HIDDEN = "R Y5B1G6G4/R1O3 G3V6I1O1/?2"


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_simulate_from_a_position(capsys) -> None:
    status, out, _ = call(capsys, "simulate", "--from", HIDDEN, "--games", "500", "--json")
    answer = json.loads(out)
    assert (status, answer["games"], answer["rounds"]) == (0, 500, 500)
    assert answer["origin"].startswith("position R ")
    assert sum(row["wins"] for row in answer["seats"]) == 500
    status, out, _ = call(capsys, "simulate", "--from", HIDDEN, "--games", "500")
    assert "Every game is one round from the same position." in out


def test_simulate_from_the_deals_of_a_log(capsys, tmp_path: Path) -> None:
    options = ("--players", "3", "--player", "random", "--seed", "9", "--json")
    _, log, _ = call(capsys, "replay", "--count", "40", *options)
    path = tmp_path / "log.jsonl"
    path.write_text(log)
    _, out, _ = call(capsys, "simulate", "--deals", str(path), *options)
    _, expected, _ = call(capsys, "simulate", "--games", "40", *options)
    answer, direct = json.loads(out), json.loads(expected)
    for name in ("games", "seats", "line_up", "turns_per_round", "points_per_round", "final_rule"):
        assert answer[name] == direct[name]
    assert answer["run_id"] != direct["run_id"]


@pytest.mark.parametrize(
    ("arguments", "status", "culprit"),
    [
        (["--from", "R Y5/R1"], 3, "1 players"),
        (["--from", HIDDEN, "--players", "3"], 2, "3 players"),
        (["--from", HIDDEN, "--deals", "log"], 2, "--from and --deals"),
        (["--from", HIDDEN, "--pairing", "rotate"], 2, "--pairing"),
        (["--from", HIDDEN, "--out", "folder"], 2, "--out"),
        (["--deals", "no/such/file"], 3, "no/such/file"),
        (["--deals", str(Path(__file__))], 3, "line 1"),
        (["--from", HIDDEN, "--player", "nobody"], 2, "nobody"),
    ],
)
def test_what_is_refused(capsys, arguments: list[str], status: int, culprit: str) -> None:
    found, out, err = call(capsys, "simulate", "--games", "10", *arguments)
    assert (found, out, err.count("\n")) == (status, "", 1)
    assert culprit in err


def test_a_log_without_deals_is_refused(capsys, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"type": "game"}\n\n')
    status, out, err = call(capsys, "simulate", "--deals", str(path))
    assert (status, out) == (3, "")
    assert "no deals" in err


def test_analyze_a_hidden_hand(capsys) -> None:
    _, out, _ = call(capsys, "analyze", HIDDEN, "--json")
    answer = json.loads(out)
    assert answer["value"] is None
    assert answer["hands"] == {"consistent": 741, "solved": 741, "exact": True}
    assert all(0 <= turn["hands_won"] <= 1 for turn in answer["turns"])
    _, out, _ = call(capsys, "analyze", HIDDEN, "--json", "--samples", "50")
    answer = json.loads(out)
    assert answer["hands"] == {"consistent": 741, "solved": 50, "exact": False}
    for turn in answer["turns"]:
        assert turn["hands_won_low"] <= turn["hands_won"] <= turn["hands_won_high"]


@pytest.mark.parametrize("rules", [[], ["--rules", "advanced"], ["--actions"]])
def test_analyze_with_playouts(capsys, rules: list[str]) -> None:
    text = "R Y5B1G6G4/R1O3V5 G3V6I1O1/?3 V7/?2"
    options = ["--playouts", "40", "--player", "random", *rules]
    status, out, _ = call(capsys, "analyze", text, *options, "--json")
    answer = json.loads(out)
    assert (status, answer["playouts"], answer["player"]) == (0, 40, "random")
    assert answer["turns"]
    for turn in answer["turns"]:
        assert turn["low"] <= turn["win_rate"] <= turn["high"]
    status, out, _ = call(capsys, "analyze", text, *options)
    assert "rounds won" in out
    assert max(map(len, out.splitlines())) <= 100


def test_options_of_analyze_are_checked_first(capsys) -> None:
    for options, culprit in (
        (["--samples", "0"], "samples: 0"),
        (["--playouts", "-1"], "playouts: -1"),
        (["--player", "leads"], "--player needs --playouts"),
        (["--playouts", "1", "--player", "nobody"], "nobody"),
        (["--confidence", "1"], "confidence"),
    ):
        status, out, err = call(capsys, "analyze", HIDDEN, *options)
        assert (status, out) == (2, "")
        assert culprit in err


def test_a_position_without_turns_has_nothing_to_play_out(capsys) -> None:
    status, out, _ = call(capsys, "analyze", "R Y5/ R7/?1", "--playouts", "10")
    assert status == 0
    assert "player 0 is out" in out
