"""The commands from outside: what they print, where, and with which exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import command_options

from red7sim.cli.app import run
from red7sim.cli.options import whole_number

SIMULATE_FIELDS = [
    "format", "command", "version", "run_id", "rules", "players", "seed", "design", "first_index",
    "games", "rounds", "elapsed_s", "games_per_s", "seats", "round_seats", "line_up",
    "turns_per_round", "turns_per_round_se", "draws_per_round", "draws_per_round_se",
    "points_per_round",
    "points_per_round_se", "rounds_per_game", "rounds_per_game_se", "final_rule", "final_rule_se",
    "ended", "interval", "confidence",
]  # fmt: skip

SHARE_FIELDS = ["wins", "win_rate", "low", "high", "joint_low", "joint_high"]


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*arguments])
    out, err = capsys.readouterr()
    return status, out, err


def simulate(capsys, *arguments: str) -> dict:
    status, out, _ = call(capsys, "simulate", "--json", "--quiet", *arguments)
    assert status == 0
    return json.loads(out)


def test_simulate_speaks_the_json_form(capsys) -> None:
    answer = simulate(capsys, "--games", "2_000", "--player", "random", "--seed", "5")
    assert [*answer] == SIMULATE_FIELDS
    assert (answer["format"], answer["command"], answer["seed"]) == (1, "simulate", 5)
    assert (answer["games"], answer["rounds"], answer["players"]) == (2000, 2000, ["random"] * 2)
    assert [colour[0] for colour in answer["final_rule"]] == [*"roygbiv"]
    assert sum(answer["final_rule"].values()) == pytest.approx(1)
    assert [*answer["seats"][0]] == ["seat", "player", *SHARE_FIELDS]
    assert [*answer["line_up"][0]] == ["position", "player", *SHARE_FIELDS]
    assert {row["player"] for row in answer["seats"]} == {"random"}
    assert sum(row["wins"] for row in answer["seats"]) == 2000
    for row in answer["seats"] + answer["round_seats"] + answer["line_up"]:
        assert 0 <= row["low"] < row["win_rate"] < row["high"] <= 1


def test_defaults_are_basic_rules_two_players_leads_seed_zero(capsys) -> None:
    answer = simulate(capsys, "--games", "10")
    assert answer["players"] == ["leads", "leads"]
    assert (answer["seed"], answer["first_index"]) == (0, 0)
    assert answer["rules"]["end"] == "round"
    assert answer["interval"] == "wilson"


def test_line_ups(capsys) -> None:
    games = ("--games", "10")
    assert simulate(capsys, *games, "--players", "4")["players"] == ["leads"] * 4
    three = simulate(capsys, *games, "--players", "3", "--player", "random")
    assert three["players"] == ["random"] * 3
    mixed = simulate(capsys, *games, "--player", "random", "--player", "leads", "--players", "2")
    assert mixed["players"] == ["random", "leads"]
    assert {row["player"] for row in mixed["seats"]} == {None}


def test_advanced_games_are_judged_by_the_game(capsys) -> None:
    answer = simulate(capsys, "--rules", "advanced", "--players", "4", "--games", "500")
    assert answer["rules"]["end"] == "points:30"
    assert answer["interval"] == "game"
    assert answer["rounds_per_game"] == answer["rounds"] / 500
    assert sum(answer["ended"].values()) == pytest.approx(1)
    assert sum(row["wins"] for row in answer["line_up"]) == pytest.approx(500)


def test_set_wins_over_the_other_rule_options(capsys) -> None:
    answer = simulate(
        capsys, "--games", "5", "--rules", "advanced", "--end", "wins:2", "--set", "end=wins:3",
        "--set", "hand_size=5",
    )  # fmt: skip
    assert (answer["rules"]["end"], answer["rules"]["hand_size"]) == ("wins:3", 5)


def test_one_game_says_so_without_a_crash(capsys) -> None:
    answer = simulate(capsys, "--games", "1", "--rules", "advanced")
    assert answer["turns_per_round_se"] is None
    assert answer["seats"][0]["low"] == 0
    assert answer["seats"][0]["high"] == 1
    status, out, _ = call(capsys, "simulate", "--games", "1", "--rules", "advanced")
    assert status == 0
    assert "unknown" in out


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["simulate", "--out", ""], "--out"),
        (["simulate", "--player", "nobody"], "'nobody'"),
        (["simulate", "--players", "1"], "players: 1"),
        (["simulate", "--players", "5"], "players: 5"),
        (["simulate", "--players", "x"], "'x'"),
        (["simulate", "--players", "3", "--player", "leads", "--player", "leads"], "players: 3"),
        (["simulate", *["--player", "leads"] * 5], "players: 5"),
        (["simulate", "--games", "0"], "games: 0"),
        (["simulate", "--games", "-3"], "games: -3"),
        (["simulate", "--games", "1e6"], "'1e6'"),
        (["simulate", "--games", "1__0"], "'1__0'"),
        (["simulate", "--seed", "-1"], "seed: -1"),
        (["simulate", "--seed", str(2**64)], "seed: 18446744073709551616"),
        (["simulate", "--threads", "0"], "--threads '0'"),
        (["simulate", "--threads", "many"], "--threads 'many'"),
        (["simulate", "--first-index", "-1"], "first_index: -1"),
        (["simulate", "--rules", "expert"], "'expert'"),
        (["simulate", "--end", "points:0"], "points:0"),
        (["simulate", "--set", "hand_size=11"], "hand_size"),
        (["simulate", "--set", "colour=red"], "'colour'"),
        (["simulate", "--set", "colour"], "'colour'"),
        (["simulate", "--set", "hand_size=10", "--set", "palette_size=3", "--players", "4"], "52"),
        (["simulate", "--nonsense"], "--nonsense"),
        (["simulate", "--set", "handsize=5"], "did you mean hand_size? allowed: "),
        (["simulate", "--player", "lead"], "did you mean leads? allowed: "),
        (["sweep", "--over", "hand_size=5-9"], "hand_size=5-9 is no range; allowed: 5..9"),
        (["match", "leads", "random", "--player", "greedy"], "--player does not go with sides"),
        (["replay", "--game", "-1"], "game: -1"),
        (["replay", "--count", "0"], "count: 0"),
        (["analyze", "R R1/ R2/", "--rules", "x"], "'x'"),
        (["analyze"], "POSITION"),
        (["frobnicate"], "frobnicate"),
        (["simulate", "--printing", "1.1"], "--printing"),
        (["simulate", "--actions", "--printing", "1.3"], "'1.3'"),
        (["rules", "--players", "9"], "players: 9"),
        (["rules", "--json", "--export"], "--export does not go with --json"),
    ],
)  # fmt: skip
def test_wrong_usage_is_one_line_and_status_2(capsys, arguments, culprit) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("red7sim: ")
    assert err.count("\n") == 1
    assert culprit in err


NEEDED = {
    "simulate --max-games": ["--target-half-width", "0.1"],
    "match --max-games": ["--sprt", "0,0.1"],
    "match": ["leads", "random"],
    "analyze": ["R R1/ R2/"],
    "check-player": ["leads"],
    "sweep": ["--over", "hand_size=5,6"],
    "tournament": ["--player", "leads", "--player", "random"],
}


WHOLE_NUMBERS = [
    (command, option.opts[0])
    for command, options in command_options().items()
    for option in options
    if option.type_descriptor.parameter_info.parser is whole_number
]


@pytest.mark.parametrize(("command", "option"), WHOLE_NUMBERS)
def test_every_number_has_an_end_and_is_refused_by_its_name(capsys, command, option) -> None:
    others = NEEDED.get(command, []) + NEEDED.get(f"{command} {option}", [])
    status, out, err = call(capsys, *command.split(), *others, option, "9" * 25)
    assert (status, out) == (2, "")
    assert option in err or option.removeprefix("--").replace("-", "_") in err
    assert "9" * 25 in err
    assert err.count("\n") == 1


def test_replay_speaks_the_json_lines_form(capsys) -> None:
    status, out, _ = call(capsys, "replay", "--json", "--game", "17", "--count", "2", "--seed", "5")
    events = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [e["game"] for e in events if e["type"] == "game"] == [17, 18]
    assert [*events[0]] == ["format", "type", "game", "seed", "rules", "players"]
    assert all(e["format"] == 1 for e in events)
    assert [e["reason"] for e in events if e["type"] == "game_end"] == ["round", "round"]


def test_replay_prints_a_readable_game(capsys) -> None:
    status, out, _ = call(capsys, "replay", "--rules", "advanced", "--players", "4")
    assert status == 0
    assert "starts" in out
    assert "OUT" in out
    assert "won the game" in out
    assert max(map(len, out.splitlines())) <= 100


def test_analyze_speaks_the_json_form(capsys) -> None:
    text = "R Y5B1G6G4/R1O3 G3V6I1O1/B2I7"
    status, out, _ = call(capsys, "analyze", text, "--json")
    answer = json.loads(out)
    assert status == 0
    assert answer["position"] == text
    assert answer["leaders"]["red"] == 0
    assert answer["leaders"]["violet"] == 1
    turns = {(turn["play"], turn["discard"]): turn["value"] for turn in answer["turns"]}
    expected = {("R1", "O3"), ("R1", None), ("O3", "R1"), ("O3", None), (None, "R1")}
    assert {*turns} == expected
    assert answer["value"] == "loss"
    assert {*turns.values()} == {"loss"}
    assert [turn["player"] for turn in answer["line"]] == [0, 1]


def test_analyze_answers_good_lines_beside_bad_ones(capsys, monkeypatch) -> None:
    lines = "# comment\n\nR R1/?2 B1/\nR R9/ B1/\nG R1/ V1/R2\n"
    monkeypatch.setattr("sys.stdin", iter(lines.splitlines(keepends=True)))
    status, out, err = call(capsys, "analyze", "-", "--json")
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 3
    assert [answer["position"] for answer in answers] == ["R R1/?2 B1/", "R R9/ B1/", "G R1/ V1/R2"]
    assert ["error" in answer for answer in answers] == [False, True, False]
    assert answers[0]["turns"] is None
    assert answers[2]["turns"] == []
    assert answers[2]["leaders"]["green"] is None
    assert err.count("\n") == 1
    assert "'R9'" in err


TWO, THREE = "R R1/O1 R2/O2", "R R1/O1 R2/O2 R3/O3"


def test_analyze_answers_positions_that_rules_and_player_fit(
    capsys, monkeypatch, tmp_path: Path
) -> None:
    rule_file = tmp_path / "rules.toml"
    rule_file.write_text("start_bonus = [0, 0, 1]\n")
    for options, fitting in (
        (["--set", "start_bonus=0,0,1"], THREE),
        (["--rules-file", str(rule_file)], THREE),
        (["--playouts", "2", "--player", "pimc:samples=1"], TWO),
    ):
        for lines in ((TWO, THREE), (THREE, TWO)):
            monkeypatch.setattr("sys.stdin", iter(f"{line}\n" for line in lines))
            status, out, err = call(capsys, "analyze", "-", "--json", *options)
            answers = {answer["position"]: answer for answer in map(json.loads, out.splitlines())}
            assert (status, tuple(answers)) == (3, lines)
            assert [line for line in lines if "error" not in answers[line]] == [fitting]
            assert err.strip().count("\n") == 0


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        (["--set", "start_bonus=0,0,1", "--playouts", "1", "--player", "nobody"], "'nobody'"),
        (["--set", "start_bonus=0,0,0,0,1"], "start_bonus"),
        (["--set", "start_bonus=0,0,1", "--playouts", "1", "--player", "pimc"], "pimc"),
        (["--set", "hand_sizes=3"], "hand_sizes"),
    ],
)
def test_analyze_refuses_what_fits_no_position_before_it_answers(
    capsys, options: list[str], culprit: str
) -> None:
    status, out, err = call(capsys, "analyze", THREE, *options)
    assert (status, out) == (2, "")
    assert culprit in err


def test_analyze_refuses_a_wrong_position_with_status_3_and_no_output(capsys) -> None:
    status, out, err = call(capsys, "analyze", "R R1/R2 R2/")
    assert (status, out) == (3, "")
    assert "R2 in two places" in err


@pytest.mark.parametrize("arguments", [["players"], ["rules"], ["rules", "--rules", "advanced"]])
def test_lists_fit_100_columns_and_exist_as_json(capsys, arguments) -> None:
    status, out, _ = call(capsys, *arguments)
    assert status == 0
    assert max(map(len, out.splitlines())) <= 100
    status, out, _ = call(capsys, *arguments, "--json")
    assert json.loads(out)["command"] == arguments[0]


def test_rules_lists_every_switch(capsys) -> None:
    from red7sim.game.ruleset import SWITCHES

    _, out, _ = call(capsys, "rules")
    assert all(switch.name in out for switch in SWITCHES)


def test_rules_exports_a_file_that_gives_the_same_rules(capsys, tmp_path: Path) -> None:
    options = ["--rules", "advanced", "--actions", "--printing", "ru", "--set", "hand_size=5"]
    _, text, _ = call(capsys, "rules", *options, "--export")
    path = tmp_path / "mine.toml"
    path.write_text(text)
    _, wanted, _ = call(capsys, "rules", *options, "--json")
    _, found, _ = call(capsys, "rules", "--rules-file", str(path), "--json")
    assert found == wanted
    changed = simulate(
        capsys, "--games", "5", "--rules-file", str(path), "--end", "round", "--set", "draw=never"
    )["rules"]
    assert (changed["hand_size"], changed["end"], changed["draw"]) == (5, "round", "never")


def test_a_refused_rule_file_is_status_3(capsys, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("hand_size = 99")
    status, out, err = call(capsys, "simulate", "--rules-file", str(path))
    assert (status, out) == (3, "")
    assert "wrong.toml" in err
    assert "1..10" in err


def test_set_wins_over_what_a_file_has_only_together_with_it(capsys, tmp_path: Path) -> None:
    """52 cards by the file, 44 with the option; a file at fault by itself is still named."""
    path = tmp_path / "big.toml"
    path.write_text("hand_size = 10\npalette_size = 3\n")
    words = ["--games", "5", "--players", "4", "--rules-file", str(path)]
    rules = simulate(capsys, *words, "--set", "palette_size=1")["rules"]
    assert (rules["hand_size"], rules["palette_size"]) == (10, 1)
    status, _, err = call(capsys, "simulate", *words, "--set", "draw=auto")
    assert (status, "big.toml" in err, "52 cards" in err) == (3, True, True)
    path.write_text("hand_size = 8\n")
    status, _, err = call(capsys, "simulate", *words, "--set", "palette_size=9")
    assert (status, "big.toml" in err) == (2, False)


def test_printings_set_the_action_switches(capsys) -> None:
    rules = simulate(capsys, "--games", "5", "--actions")["rules"]
    assert (rules["actions"], rules["seven_to_deck"]) == (True, True)
    rules = simulate(capsys, "--games", "5", "--actions", "--printing", "1.1")["rules"]
    assert (rules["seven_to_deck"], rules["allow_losing_one"]) == (False, True)


def test_a_position_needs_no_quotes(capsys) -> None:
    quoted = call(capsys, "analyze", "R R1/O1 R2/O2")
    assert call(capsys, "analyze", "R", "R1/O1", "R2/O2") == quoted
    assert quoted[0] == 0


@pytest.mark.parametrize("words", [[], ["balance"], ["cluster"]])
def test_who_names_no_command_is_shown_the_help(capsys, words: list[str]) -> None:
    status, out, err = call(capsys, *words)
    assert (status, err) == (2, "")
    assert "Usage: red7sim" in out


@pytest.mark.parametrize("written", ["yes", "true"])
def test_a_switch_is_set_as_it_stands_in_a_rule_file(capsys, written: str) -> None:
    status, out, _ = call(capsys, "rules", "--set", f"actions={written}", "--json")
    assert status == 0
    assert json.loads(out)["rules"]["actions"] is True


def test_help_shows_no_value_where_an_option_takes_none() -> None:
    flags = {
        (command, option.name): option.metavar
        for command, options in command_options().items()
        for option in options
        if option.is_flag and option.name != "help"
    }
    assert ("simulate", "rows") in flags
    assert {*flags.values()} == {""}


def test_help_and_version(capsys) -> None:
    status, out, _ = call(capsys, "--help")
    assert status == 0
    assert all(name in out for name in ("simulate", "replay", "analyze", "players", "rules"))
    status, out, _ = call(capsys, "--version")
    assert (status, out) == (0, "red7sim 0.1.0\n")


@pytest.mark.parametrize(
    ("typed", "offered"), [("red7sim si", "simulate"), ("red7sim match --spr", "--sprt")]
)
def test_the_shell_completes_commands_and_options(typed: str, offered: str) -> None:
    asked = {"_RED7SIM_COMPLETE": "complete_bash", "COMP_WORDS": typed}
    asked["COMP_CWORD"] = str(len(typed.split()) - 1)
    done = subprocess.run(
        [sys.executable, "-m", "red7sim"],
        capture_output=True,
        check=True,
        env=os.environ | asked,
        text=True,
    )
    assert done.stdout.split() == [offered]


def test_an_interrupt_says_how_to_go_on(capsys, monkeypatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("red7sim.lab.orders.play", interrupted)
    status, out, err = call(capsys, "simulate", "--seed", "3", "--quiet")
    assert (status, out) == (130, "")
    assert "red7sim simulate --seed 3 --quiet" in err


def test_a_closed_pipe_is_no_error() -> None:
    command = [sys.executable, "-m", "red7sim", "replay", "--json", "--count", "200"]
    shell = f"{' '.join(command)} | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {shell}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


def test_a_reader_gone_before_the_first_line_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "red7sim", "players"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_works_without_colour_terminal_and_locale(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "red7sim", "simulate", "--games", "100"],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={"LANG": "C", "NO_COLOR": "1", "HOME": str(Path.home()), "TERM": "dumb"},
    )
    assert b"\x1b" not in done.stdout
    assert b"seat 1" in done.stdout
