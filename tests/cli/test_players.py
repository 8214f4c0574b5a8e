"""Players, their parameters and their restrictions from outside."""

import json

from red7sim.cli.app import run


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_players_lists_parameters_and_modifiers(capsys) -> None:
    status, out, _ = call(capsys, "players")
    assert status == 0
    assert all(word in out for word in ("leads (default)", "no-rule:COLOUR", "no-fold"))
    assert max(map(len, out.splitlines())) <= 100
    answer = json.loads(call(capsys, "players", "--json")[1])
    assert {row["modifier"] for row in answer["modifiers"]} > {"no-play", "no-action:N"}
    leads = next(row for row in answer["players"] if row["name"] == "leads")
    assert (leads["folds_by_choice"], leads["parameters"]) == (False, [])


def test_restricted_players_play_in_runs_matches_and_replays(capsys) -> None:
    players = ("--player", "leads+no-rule:blue+no-rule:red", "--player", "random+no-play")
    status, out, _ = call(capsys, "simulate", "--games", "50", *players, "--json")
    assert status == 0
    assert json.loads(out)["players"] == ["leads+no-rule:red+no-rule:blue", "random+no-play"]
    status, out, _ = call(capsys, "replay", "--count", "5", *players)
    assert status == 0
    moves = [line for line in out.splitlines() if line.startswith("  player 1  [")]
    assert moves
    assert not any("play " in line for line in moves)
    sides = ("leads,leads+no-rule:blue", "leads+no-rule:blue,leads hand_size=5")
    status, out, _ = call(capsys, "match", *sides, "--games", "50", "--json")
    assert status == 0
    assert json.loads(out)["deals"] == 50


def test_players_that_are_refused_are_named(capsys) -> None:
    status, out, err = call(capsys, "simulate", "--player", "leads+no-rule:bleu")
    assert (status, out) == (2, "")
    assert err.startswith("red7sim: player 'leads': no-rule 'bleu' is not allowed; allowed: red,")
    status, out, err = call(capsys, "match", "leads+no-action:7", "leads", "--games", "5")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "needs the Action rule" in err
