"""The library: the numbers of the command line, from scripts, `python -c` and notebooks."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import red7sim
from red7sim.cli.app import run as command_line
from red7sim.lab.cluster import ClusterError
from red7sim.lab.studies.kept import read_study


def from_command_line(capsys, *arguments: str) -> dict:
    assert command_line([*map(str, arguments), "--json", "--quiet"]) == 0
    return json.loads(capsys.readouterr().out)


def figures(summary: dict) -> dict:
    others = ("elapsed_s", "games_per_s", "command", "version", "format", "dataset")
    return {key: value for key, value in summary.items() if key not in others}


def test_the_same_numbers_as_the_command_line(capsys) -> None:
    result = red7sim.simulate(
        "advanced", ["leads", "random", "greedy"], settings={"hand_size": 6}, games=400, seed=7,
        pairing="rotate", confidence=0.9,
    )  # fmt: skip
    expected = from_command_line(
        capsys, "simulate", "--rules", "advanced", "--player", "leads", "--player", "random",
        "--player", "greedy", "--set", "hand_size=6", "--games", "400", "--seed", "7",
        "--pairing", "rotate", "--confidence", "0.9",
    )  # fmt: skip
    assert figures(result.summary) == figures(expected)
    for table in (result.seats(), result.line_up(), result.round_seats()):
        assert isinstance(table, pl.DataFrame)
        assert len(table) == 3
    assert result.seats()["win_rate"].to_list() == [r["win_rate"] for r in expected["seats"]]
    means = result.means()
    assert means.filter(name="turns_per_round")["value"].item() == expected["turns_per_round"]
    assert result.final_rules()["value"].sum() == pytest.approx(1)
    assert set(result.tables()["table"]) >= {"seats", "means"}


def test_datasets_are_kept_loaded_and_combined(tmp_path: Path) -> None:
    one = red7sim.simulate(games=300, out=tmp_path / "one")
    red7sim.simulate(games=200, first_index=300, out=tmp_path / "two")
    whole = red7sim.combine([tmp_path / "one", tmp_path / "two"], tmp_path / "both")
    assert figures(red7sim.load(tmp_path / "one").summary) == figures(one.summary)
    assert figures(whole.summary) == figures(red7sim.simulate(games=500).summary)
    with pytest.raises(ValueError, match="holds no dataset"):
        red7sim.load(tmp_path / "three")


def test_solved_deals_are_kept_and_continued(capsys, tmp_path: Path) -> None:
    kept = red7sim.solve(deals=20, seed=3, out=tmp_path)
    assert (kept["deals"], kept["dataset"]["played"]) == (20, 20)
    more = red7sim.solve(deals=50, seed=3, out=tmp_path)
    assert (more["deals"], more["dataset"]["played"]) == (50, 30)
    said = from_command_line(capsys, "solve", "--deals", 50, "--seed", 3, "--out", tmp_path)
    assert said["dataset"] == more["dataset"] | {"played": 0}
    assert said["first_wins"] == red7sim.solve(deals=50, seed=3)["first_wins"]


def test_rounds_are_frames_from_memory_and_from_disk(tmp_path: Path) -> None:
    kept = red7sim.simulate(games=300, rows=True, out=tmp_path).rounds().collect()
    assert red7sim.simulate(games=300, rows=True).rounds().collect().equals(kept)
    assert red7sim.load(tmp_path).rounds().collect().equals(kept)
    assert len(kept) == 300
    with pytest.raises(ValueError, match="rows=True"):
        red7sim.simulate(games=10).rounds()


def test_a_target_a_match_and_a_replay() -> None:
    run = red7sim.make_run(player="random", seed=3)
    result = red7sim.simulate(run, target_half_width=0.02, max_games=100_000)
    assert result.summary["target_met"]
    other = red7sim.make_run(player=["leads", "random"], seed=3)
    pieces: list[int] = []
    match = red7sim.match(
        other, run, max_games=100_000, sprt=red7sim.Sprt(0, 0.1), progress=pieces.append
    )
    assert 0 < match.summary["deals"] <= sum(pieces)
    assert match.summary["sprt"]["decision"] == "alternative"
    assert match.measures()["measure"].to_list()[0] == "seat:0"
    log = red7sim.replay(run, 5)
    assert [event["type"] for event in log[:2]] == ["game", "deal"]
    assert log[-1]["type"] == "game_end"
    both = red7sim.replay(red7sim.make_run(seed=3, pairing="rotate"), 5)
    assert [event["arm"] for event in both if event["type"] == "game"] == [0, 1]


def test_a_match_is_refused_in_the_words_of_its_parameters() -> None:
    run = red7sim.make_run(player="random")
    rotated = red7sim.make_run(player="random", pairing="rotate")
    test = red7sim.Sprt(0, 0.1)
    for options, culprit in (
        ({"games": 0}, "^games: 0 is not allowed"),
        ({"sprt": test, "max_games": 0}, "^max_games: 0 is not allowed"),
        ({"sprt": test}, "sprt and max_games need each other"),
        ({"max_games": 5}, "sprt and max_games need each other"),
        ({"sprt": test, "games": 5, "max_games": 5}, "games does not go with sprt"),
        ({"b": rotated}, "^pairing: none against rotate"),
    ):
        with pytest.raises(ValueError, match=culprit):
            red7sim.match(**({"a": run, "b": run} | options))


def test_what_is_judged_by_default_is_what_the_command_judges() -> None:
    basic, advanced = (red7sim.make_run(rules, "random") for rules in ("basic", "advanced"))
    leads = red7sim.make_run(player=["leads", "random"])
    assert red7sim.match(basic, advanced, games=10).summary["measure"] == "seat:0"
    assert red7sim.match(basic, leads, games=10).summary["measure"] == "position:0"


def test_deals_of_a_log_are_played_once_each_unless_asked_otherwise() -> None:
    run = red7sim.make_run(player="random", seed=2)
    log = [event for game in range(3) for event in red7sim.replay(run, game)]
    assert red7sim.simulate(player="random", start=log).summary["games"] == 3


def test_a_run_brings_its_own_settings() -> None:
    run = red7sim.make_run(player="random", seed=3)
    for other in ({"seed": 4}, {"player": "greedy"}, {"players": 3}, {"pairing": "rotate"},
                  {"settings": {"hand_size": 5}},
                  # Also what it would be by default.
                  {"seed": 0}, {"player": "leads"}, {"players": 2}, {"pairing": "none"},
                  {"settings": {}}):  # fmt: skip
        for ask in (
            partial(red7sim.simulate, run, games=10),
            partial(red7sim.sweep, {"hand_size": 5}, run, games=10),
            partial(red7sim.tune, {"hand_size": 5}, run, max_games=10),
        ):
            with pytest.raises(ValueError, match="a run has its own players, settings, seed and"):
                ask(**other)


def test_a_ruleset_brings_its_own_number_of_players() -> None:
    four = red7sim.make_run(players=4).rules
    for players in (None, 4):
        assert len(red7sim.make_run(four, players=players).players) == 4
    for ask in (red7sim.make_run, red7sim.simulate):
        with pytest.raises(ValueError, match="players: 3 does not fit a ruleset for 4"):
            ask(four, players=3)
    position = "R R1/O1 R2/O2"
    with pytest.raises(ValueError, match="4 players in the line-up, 2 at the start"):
        red7sim.simulate(four, start=position, games=1)
    with pytest.raises(ValueError, match="a ruleset for 4 players does not fit a position of 2"):
        red7sim.analyze(position, four)


def test_tables_have_their_types_also_where_nothing_is_known() -> None:
    result = red7sim.simulate("advanced", games=1)
    for table in (result.seats(), result.round_seats(), result.means(), result.final_rules()):
        assert pl.Null not in table.dtypes
    one = red7sim.make_run(player="random")
    assert pl.Null not in red7sim.match(one, one, games=1).measures().dtypes


def test_solved_deals_are_loaded_and_combined(capsys, tmp_path: Path) -> None:
    red7sim.solve(deals=30, seed=4, out=tmp_path / "one")
    red7sim.solve(deals=20, seed=4, first_index=30, out=tmp_path / "two")
    parts = [tmp_path / "one", tmp_path / "two"]
    loaded = red7sim.load(parts[0])
    combined = red7sim.combine(parts, tmp_path / "both")
    assert command_line(["combine", *map(str, parts), "--out", f"{tmp_path}/again", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    solved = red7sim.solve(deals=50, seed=4)
    for name in ("deals", "first_wins", "low", "high"):
        assert combined.summary[name] == said[name] == solved[name]
    assert loaded.summary["first_wins"] == red7sim.solve(deals=30, seed=4)["first_wins"]
    assert combined.summary["dataset"]["hash"] == said["dataset"]["hash"]
    assert combined.tables()["first_wins"].to_list() == [solved["first_wins"]]
    for frame in ("seats", "round_seats", "line_up", "means", "final_rules", "rounds"):
        with pytest.raises(ValueError, match=r"solved deals|rows=True"):
            getattr(loaded, frame)()


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ({"rules": "expert"}, "'expert'"),
        ({"player": "nobody"}, "'nobody'"),
        ({"players": 9}, "players: 9"),
        ({"games": 0}, "games: 0"),
        ({"pairing": "mirror"}, "'mirror'"),
        ({"confidence": 1.0}, "confidence: 1"),
        ({"target_half_width": 0.1}, "max_games"),
        ({"settings": {"hand_size": 99}}, "hand_size"),
        ({"target_half_width": 0.1, "max_games": 100}, "games does not go with target_half_width"),
    ],
)
def test_refused_values_say_what_is_allowed(arguments: dict, culprit: str) -> None:
    with pytest.raises(ValueError, match=culprit):
        red7sim.simulate(**({"games": 10} | arguments))


@pytest.mark.parametrize("confidence", [-0.5, 0, 1, 2])
def test_no_answer_has_a_confidence_that_is_none(tmp_path: Path, confidence: float) -> None:
    red7sim.simulate(games=10, out=tmp_path / "a")
    one = red7sim.make_run()
    for ask in (
        lambda: red7sim.load(tmp_path / "a", confidence=confidence),
        lambda: red7sim.combine([tmp_path / "a"], tmp_path / "b", confidence=confidence),
        lambda: red7sim.match(one, one, games=10, confidence=confidence),
        lambda: red7sim.analyze("R R1/O1 R2/O2", confidence=confidence),
    ):
        with pytest.raises(ValueError, match="confidence"):
            ask()
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("index", [-1, 2**62 + 1])
def test_no_game_has_such_an_index(index: int) -> None:
    with pytest.raises(ValueError, match="game: "):
        red7sim.replay(red7sim.make_run(), index)
    with pytest.raises(ValueError, match="seed: -1"):
        red7sim.analyze("R R1/O1 R2/O2", seed=-1)


CODE = "import red7sim; print(red7sim.simulate(games=2000, players=3, threads=3).seats().height)"


def test_it_works_in_one_line_and_in_a_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(CODE)  # without a main guard
    for command in (["-c", CODE], [str(script)]):
        done = subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "3"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'simulat'"):
        _ = red7sim.simulat
    assert "simulate" in dir(red7sim)


def test_rounds_from_a_start_are_those_of_the_command(capsys) -> None:
    position = "R Y5B1G6G4/R1O3 G3V6I1O1/?2"
    result = red7sim.simulate(player="random", start=position, games=300, seed=2)
    options = ("--player", "random", "--games", 300, "--seed", 2)
    answer = from_command_line(capsys, "simulate", "--from", position, *options)
    assert figures(answer) == figures(result.summary)
    log = red7sim.replay(red7sim.make_run(player="random", players=3, seed=2), 0)
    once = red7sim.simulate(player="random", start=log, games=1, seed=2).summary
    assert (once["games"], once["origin"].partition(" ")[0]) == (1, "deals")
    assert "from the same position" in once["note"]
    for wrong in ({"out": "folder"}, {"rows": True}, {"pairing": "rotate"}):
        with pytest.raises(ValueError, match="start"):
            red7sim.simulate(start=position, games=1, **wrong)
    with pytest.raises(ValueError, match=r"^start: "):
        red7sim.simulate(start=[], games=1)


def test_solve_and_analyze_are_those_of_the_commands(capsys) -> None:
    said = from_command_line(capsys, "solve", "--deals", 50, "--seed", 3)
    found = red7sim.solve(deals=50, seed=3)
    for name in ("first_wins", "rate", "low", "high"):
        assert said[name] == found[name]
    with pytest.raises(ValueError, match=r"^deals: 0 is not allowed"):
        red7sim.solve(deals=0)
    position = "R Y5B1G6G4/R1O3 G3V6I1O1/?2"
    command_line(["analyze", position, "--playouts", "20", "--json"])
    said = json.loads(capsys.readouterr().out)
    found = red7sim.analyze(position, playouts=20)
    assert {name: said[name] for name in found} == found
    with pytest.raises(ValueError, match="samples: 0"):
        red7sim.analyze(position, samples=0)


def test_a_tournament_is_asked_as_the_other_studies() -> None:
    one = red7sim.tournament("advanced", ("leads", "random"), 3, games=4)
    assert "--rules advanced" in one.command
    assert "--players 3" in one.command
    assert one.tables["ratings"]["player"].to_list() == ["leads", "random"]
    with pytest.raises(ValueError, match="player: 1 given; allowed: two or more"):
        red7sim.tournament(player="leads")
    with pytest.raises(ValueError, match="'leads'"):
        red7sim.tournament("leads")


def test_a_study_is_written_for_a_page(tmp_path: Path) -> None:
    study = red7sim.sweep({"hand_size": [5, 9]}, player="random", games=50)
    red7sim.write_study(study, tmp_path / "hands")
    kept, record = read_study(tmp_path / "hands")
    assert kept.as_json() == study.as_json()
    assert record["parameters"] == {"command": study.command}
    assert record["resources"]["user_time"] > 0
    red7sim.report([tmp_path / "hands"], tmp_path / "page.html")
    assert study.title in (tmp_path / "page.html").read_text()
    with pytest.raises(ValueError, match="holds a study 'sweep'"):
        red7sim.write_study(red7sim.first_player(games=1, players=2), tmp_path / "hands")


@pytest.mark.parametrize("address", ["nowhere", 7, None])
def test_a_cluster_is_hired_by_its_address(address) -> None:
    with (
        pytest.raises(ClusterError, match=f"{address!r} is not an address") as refusal,
        red7sim.cluster(address),
    ):
        pass
    assert isinstance(refusal.value, red7sim.InputError)


def test_pictures_go_with_their_study(tmp_path: Path) -> None:
    for games in (30, 60):
        study = red7sim.sweep({"hand_size": [5]}, games=games)
        red7sim.write_study(study, tmp_path, pictures=True)
        drawn = {path.name for path in tmp_path.iterdir() if path.suffix in (".svg", ".png")}
        assert drawn == {"variants.svg", "variants.png"}
    red7sim.write_study(study, tmp_path)
    assert not [*tmp_path.glob("*.svg")]
