"""Datasets, designs, intervals and exports from outside."""

import json
import os
import subprocess
import sys
from inspect import signature
from pathlib import Path

import polars as pl
import pytest
from commands import command_options

import red7sim
from red7sim.cli.app import run


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def answer(capsys, *arguments: str) -> dict:
    status, out, _ = call(capsys, *arguments, "--json")
    assert status == 0
    return json.loads(out)


def figures(summary: dict) -> dict:
    times = ("elapsed_s", "games_per_s", "dataset", "command")
    return {key: value for key, value in summary.items() if key not in times}


def test_a_run_with_out_says_the_same_as_one_without(capsys, tmp_path: Path) -> None:
    arguments = ("simulate", "--games", "3_000", "--rules", "advanced", "--seed", "4")
    plain = answer(capsys, *arguments)
    kept = answer(capsys, *arguments, "--out", tmp_path / "run")
    assert figures(kept) == figures(plain)
    assert kept["dataset"]["ranges"] == [[0, 3000]]
    assert kept["dataset"]["played"] == 3000


def test_asking_again_does_nothing_and_says_so(capsys, tmp_path: Path) -> None:
    arguments = ("simulate", "--games", "500", "--out", tmp_path)
    first = answer(capsys, *arguments)
    status, out, err = call(capsys, *arguments)
    assert status == 0
    assert "nothing was played" in err
    assert first["dataset"]["hash"] in out
    more = answer(capsys, "simulate", "--games", "800", "--out", tmp_path)
    assert (more["games"], more["dataset"]["played"]) == (800, 300)


def test_combine_joins_ranges_of_one_run(capsys, tmp_path: Path) -> None:
    one, two, both = tmp_path / "one", tmp_path / "two", tmp_path / "both"
    whole = answer(capsys, "simulate", "--games", "900", "--out", tmp_path / "whole")
    answer(capsys, "simulate", "--games", "400", "--out", one)
    answer(capsys, "simulate", "--games", "500", "--first-index", "400", "--out", two)
    joined = answer(capsys, "combine", two, one, "--out", both)
    assert figures(joined) == figures(whole)
    assert joined["dataset"]["hash"] == whole["dataset"]["hash"]
    answer(capsys, "simulate", "--games", "10", "--seed", "9", "--out", tmp_path / "other")
    status, out, err = call(capsys, "combine", one, tmp_path / "other", "--out", both)
    assert (status, out) == (3, "")
    assert "seed: 0 against 9" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable for root")
def test_an_unwritable_folder_is_refused(capsys, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    status, out, err = call(capsys, "simulate", "--games", "10", "--out", tmp_path / "x")
    assert (status, out, err.count("\n")) == (3, "", 1)


@pytest.mark.parametrize("place", ["/proc/red7sim", "/dev/null/x", "/dev/null"])
def test_what_is_no_folder_is_refused(capsys, place: str) -> None:
    status, out, err = call(capsys, "simulate", "--games", "10", "--quiet", "--out", place)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert place in err


def test_foreign_and_damaged_files_are_refused_in_one_line(capsys, tmp_path: Path) -> None:
    arguments = ("simulate", "--games", "10", "--quiet", "--out", tmp_path)
    (tmp_path / "letter.doc").touch()
    status, out, err = call(capsys, *arguments)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert "letter.doc" in err
    (tmp_path / "letter.doc").unlink()
    (tmp_path / "counts-000000000000.parquet").write_bytes(b"PAR1PAR1")
    status, out, err = call(capsys, *arguments)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert "damaged" in err


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_every_table_is_exported(capsys, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"table.{ending}"
    summary = answer(
        capsys, "simulate", "--games", "700", "--players", "3", "--pairing", "rotate",
        "--export", path,
    )  # fmt: skip
    read = {"csv": pl.read_csv, "json": pl.read_json, "parquet": pl.read_parquet}[ending]
    table = read(path)
    assert set(table["table"]) == {
        "seats", "round_seats", "line_up", "means", "final_rule", "ended",
    }  # fmt: skip
    seats = table.filter(table="seats")
    assert seats["value"].to_list() == [row["win_rate"] for row in summary["seats"]]
    assert seats["joint_low"].to_list() == [row["joint_low"] for row in summary["seats"]]
    mean = table.filter(name="turns_per_round")
    assert mean["standard_error"].item() == summary["turns_per_round_se"]


@pytest.mark.parametrize("command", ["players"])
def test_lists_are_exported_too(capsys, tmp_path: Path, command: str) -> None:
    path = tmp_path / "list.csv"
    assert call(capsys, command, "--export", path)[0] == 0
    assert len(pl.read_csv(path)) > 3


@pytest.mark.parametrize(
    ("arguments", "status", "culprit"),
    [
        (["--export", "table.xlsx"], 2, "table.xlsx"),
        (["--export", "/no/such/folder/t.csv"], 3, "/no/such/folder"),
        (["--confidence", "1"], 2, "confidence: 1"),
        (["--confidence", "0"], 2, "confidence: 0"),
        (["--confidence", "nan"], 2, "confidence: nan"),
        (["--pairing", "mirror"], 2, "'mirror'"),
    ],
)
def test_wrong_usage_is_one_line(capsys, arguments, status, culprit) -> None:
    got, out, err = call(capsys, "simulate", "--games", "10", *arguments)
    assert (got, out, err.count("\n")) == (status, "", 1)
    assert culprit in err


def test_paired_designs_count_deals(capsys) -> None:
    summary = answer(
        capsys, "simulate", "--games", "500", "--players", "3", "--pairing", "force-start"
    )
    assert (summary["deals"], summary["games"], summary["interval"]) == (500, 1500, "paired")
    assert sum(row["wins"] for row in summary["seats"]) == 1500
    assert "the leader, who shows the highest card, never starts" in summary["note"]
    assert all(row["variance_ratio"] > 0 for row in summary["seats"])
    status, out, _ = call(capsys, "simulate", "--games", "500", "--pairing", "rotate")
    assert status == 0
    assert "1,000 games of 500 deals" in out
    assert "variance ratio" in out
    assert max(map(len, out.splitlines())) <= 100


def test_confidence_widens_the_intervals(capsys) -> None:
    low, high = (
        answer(capsys, "simulate", "--games", "500", "--confidence", level)["seats"][0]
        for level in ("0.5", "0.999")
    )
    assert high["high"] - high["low"] > 3 * (low["high"] - low["low"])
    assert "99.9% interval" in call(capsys, "simulate", "--games", "9", "--confidence", "0.999")[1]


@pytest.mark.parametrize("players", ["2", "3"])
@pytest.mark.parametrize("pairing", ["none", "all"])
@pytest.mark.parametrize("rules", ["basic", "advanced"])
def test_joint_intervals_are_wider_from_three_seats_on(capsys, players, pairing, rules) -> None:
    summary = answer(
        capsys, "simulate", "--games", "300", "--players", players, "--pairing", pairing,
        "--rules", rules, "--player", "random",
    )  # fmt: skip
    for row in summary["seats"] + summary["round_seats"]:
        if players == "2":
            assert (row["joint_low"], row["joint_high"]) == (row["low"], row["high"])
        else:
            assert row["joint_low"] < row["low"] < row["high"] < row["joint_high"]


def test_replay_shows_the_games_of_a_deal_in_order(capsys) -> None:
    status, out, _ = call(
        capsys, "replay", "--json", "--game", "4", "--count", "2", "--pairing", "rotate",
        "--player", "random", "--player", "leads",
    )  # fmt: skip
    heads = [event for event in map(json.loads, out.splitlines()) if event["type"] == "game"]
    assert status == 0
    assert [(head["deal"], head["arm"]) for head in heads] == [(4, 0), (4, 1), (5, 0), (5, 1)]
    assert [head["players"][0] for head in heads] == ["random", "leads"] * 2
    status, out, _ = call(capsys, "replay", "--pairing", "force-start")
    assert "Deal 0, arm 1, seed 0" in out


def test_a_plain_run_loads_no_heavy_library() -> None:
    code = (
        "import sys; from red7sim.cli.app import run; "
        "run(['simulate', '--games', '10', '--quiet', '--json']); "
        "heavy = {'polars', 'scipy.stats', 'statsmodels', 'pandas'} & set(sys.modules); "
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_target_stops_the_run_with_status_0_or_1(capsys, tmp_path: Path) -> None:
    arguments = ("simulate", "--player", "random", "--target-half-width", "0.01", "--max-games")
    summary = answer(capsys, *arguments, "1_000_000")
    assert summary["target_met"]
    assert summary["games"] < 100_000
    assert summary["interval"] == "confidence-sequence"
    status, out, err = call(capsys, *arguments, "2_000", "--out", tmp_path, "--json")
    summary = json.loads(out)
    assert status == 1
    assert not summary["target_met"]
    assert "not known to within 0.01 after 2,000 games" in err
    status, out, _ = call(capsys, *arguments, "1_000_000", "--out", tmp_path)
    assert status == 0
    assert "not valid under repeated looks" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["--target-half-width", "0.01"], "max_games"),
        (["--max-games", "10"], "target_half_width"),
        (
            ["--target-half-width", "0.01", "--max-games", "9", "--games", "9"],
            "games does not go with",
        ),
        (["--target-half-width", "0", "--max-games", "9"], "target_half_width: 0"),
        (["--target-half-width", "0.01", "--max-games", "0"], "games: 0"),
    ],
)
def test_wrong_targets_are_one_line(capsys, arguments, culprit) -> None:
    status, out, err = call(capsys, "simulate", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert culprit in err


def test_a_duel_is_played_on_common_deals_from_both_sides(capsys, tmp_path: Path) -> None:
    table = tmp_path / "match.csv"
    match = answer(capsys, "match", "leads", "random", "--games", "2_000", "--export", table)
    assert [side["players"] for side in match["sides"]] == [
        ["leads", "random"],
        ["random", "leads"],
    ]
    assert (match["deals"], match["games"], match["measure"]) == (2000, 4000, "position:0")
    assert 0.5 < match["low"] < match["difference"] < match["high"] < 0.8
    assert pl.read_csv(table)["difference"].to_list() == [
        row["difference"] for row in match["measures"]
    ]


def test_two_rulesets_are_compared_by_their_first_seat(capsys) -> None:
    match = answer(
        capsys, "match", "basic", "advanced end=round draw_offset=1", "--games", "500",
        "--player", "random", "--players", "3", "--pairing", "force-start",
    )  # fmt: skip
    assert match["measure"] == "seat:0"
    assert match["sides"][1]["rules"]["draw_offset"] == 1
    assert match["games"] == 2 * 3 * 500
    status, out, _ = call(capsys, "match", "basic", "advanced end=round", "--games", "50")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 100


def test_a_sequential_test_decides_or_ends_with_status_1(capsys) -> None:
    arguments = ("match", "leads", "random", "--sprt", "0,0.1", "--max-games")
    match = answer(capsys, *arguments, "100_000")
    assert match["sprt"]["decision"] == "alternative"
    assert match["interval"] == "confidence-sequence"
    status, out, err = call(capsys, *arguments, "2")
    assert status == 1
    assert "has not decided" in out
    assert "not decided after 2 deals" in err


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["leads", "nobody"], "'nobody'"),
        (["leads", "random", "--players", "3"], "duel"),
        (["leads,random", "leads,random,random"], "2 players against 3"),
        (["basic", "advanced", "--measure", "seat:2"], "'seat:2'"),
        (["leads", "random", "--sprt", "0,0.1"], "max_games"),
        (["leads", "random", "--sprt", "0.1,0", "--max-games", "9"], "0.1 and 0"),
        (["leads", "random", "--sprt", "zero", "--max-games", "9"], "'zero'"),
        (["leads", "random", "--sprt", "0,inf", "--max-games", "9"], "'0,inf' is not D0,D1"),
        (["leads", "random", "--sprt", "0,1,2", "--max-games", "9"], "'0,1,2' is not D0,D1"),
        (["leads", "random", "--sprt", "1e-2,0", "--max-games", "9"], "0.01 and 0"),
        (["leads", "random", "--sprt", "0,1", "--max-games", "9", "--alpha", "0"], "alpha: 0"),
        (["leads", "random", "--alpha", "7", "--beta", "9"], "--alpha needs --sprt"),
        (["leads", "random", "--beta", "0.05"], "--beta needs --sprt"),
        (["leads", "random", "--games", "0"], "games: 0"),
        (["hand_size=99", "basic"], "hand_size"),
    ],
)
def test_wrong_matches_are_one_line(capsys, arguments, culprit) -> None:
    status, out, err = call(capsys, "match", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert culprit in err


def test_rows_are_kept_beside_the_counts(capsys, tmp_path: Path) -> None:
    arguments = ("simulate", "--games", "400", "--rules", "advanced", "--rows", "--out", tmp_path)
    summary = answer(capsys, *arguments)
    rounds = pl.read_parquet(tmp_path / "rows-*.parquet")
    assert len(rounds) == summary["rounds"]
    assert rounds["turns"].mean() == pytest.approx(summary["turns_per_round"])
    assert answer(capsys, *arguments)["dataset"]["played"] == 0
    status, out, err = call(capsys, "simulate", "--rows")
    assert (status, out) == (2, "")
    assert "--rows needs --out" in err


FUNCTIONS = {
    "simulate": red7sim.simulate,
    "match": red7sim.match,
    "analyze": red7sim.analyze,
    "solve": red7sim.solve,
    "first-player": red7sim.first_player,
    "sweep": red7sim.sweep,
    "tune": red7sim.tune,
    "tournament": red7sim.tournament,
    "skill": red7sim.skill,
    "balance cards": red7sim.balance_cards,
    "balance rules": red7sim.balance_rules,
    "balance agency": red7sim.balance_agency,
    "balance folding": red7sim.balance_folding,
    "report": red7sim.report,
}


@pytest.mark.parametrize("command", FUNCTIONS)
def test_a_command_and_its_function_have_the_same_defaults(command: str) -> None:
    """The command line cannot import them: `--help` must be quick."""
    own = signature(FUNCTIONS[command]).parameters
    run_defaults = signature(red7sim.make_run).parameters
    compared = 0
    for option in command_options()[command]:
        parameter = own.get("rules" if option.name == "base" else option.name)
        if parameter is None or parameter.default is parameter.empty or option.name == "threads":
            continue
        told, default = option.default, parameter.default
        if default is None and "rules" in own:  # then it is that of the run, if none is given
            default = run_defaults.get(option.name, parameter).default
        if told is None and default is not None:
            if option.name == "player":  # which the command takes from the library
                continue
            told = int(option.show_default)
        if isinstance(default, tuple | list):
            default = ",".join(map(str, default))
        assert str(told) == str(default), option.name
        compared += 1
    assert compared >= (2 if command == "report" else 3)
