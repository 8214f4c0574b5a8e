"""The library: values of any type are used, or refused in one line that names them."""

import json
import shlex

import numpy as np
import pytest

import red7sim
from red7sim.cli.app import run as command_line
from red7sim.lab.runs import play
from red7sim.lab.studies.run import run_study

RUN = red7sim.make_run(players=2)

NO_TYPES = {
    "players": lambda: red7sim.simulate(players="3", games=1),
    "players of a float": lambda: red7sim.simulate(players=3.0, games=1),
    "player": lambda: red7sim.simulate(player=7, games=1),
    "player of no name": lambda: red7sim.simulate(player=[7], games=1),
    "player of nobody": lambda: red7sim.make_run(player=None),
    "player of a study": lambda: red7sim.first_player(player=7, games=1),
    "player of nobody in a study": lambda: red7sim.first_player(player=[], games=1),
    "players of a study": lambda: red7sim.first_player(players=[], games=1),
    "players of text in a study": lambda: red7sim.balance_agency(players="3", games=1),
    "rules of a study": lambda: red7sim.first_player([], games=1),
    "rules": lambda: red7sim.simulate(7, games=1),
    "rules of several": lambda: red7sim.balance_cards(["basic"], games=1),
    "players of several": lambda: red7sim.balance_rules(players=[2, 3], games=1),
    "player of several": lambda: red7sim.balance_rules(player=["leads"], games=1),
    "settings": lambda: red7sim.simulate(settings=5, games=1),
    "settings of a list": lambda: red7sim.simulate(settings=["hand_size=5"], games=1),
    "settings of nothing": lambda: red7sim.make_run(settings=0),
    "settings of an empty list": lambda: red7sim.simulate(settings=[], games=1),
    "settings of solved deals": lambda: red7sim.solve(settings=0, deals=1),
    "settings of a position": lambda: red7sim.analyze("R R1/O1 R2/O2", settings=[]),
    "settings of judged players": lambda: red7sim.skill(settings=[], games=1),
    "settings of a tournament": lambda: red7sim.tournament(settings=0, games=1),
    "settings of a study": lambda: red7sim.balance_folding(settings=0, games=1),
    "unknown switch": lambda: red7sim.simulate(settings={5: 6}, games=1),
    "seed": lambda: red7sim.simulate(seed="1", games=1),
    "seed of many lines": lambda: red7sim.simulate(seed=np.arange(3000).reshape(30, 100)),
    "seed of many digits": lambda: red7sim.simulate(seed=10**5000, games=1),
    "rules of lists": lambda: red7sim.first_player([["basic"]], games=1),
    "measure": lambda: red7sim.match(RUN, RUN, measure=["x"], games=1),
    "measure of no letters": lambda: red7sim.match(RUN, RUN, measure="", games=1),
    "unknown player": lambda: red7sim.find_player(7),
    "solved": lambda: red7sim.first_player(games=1, players=3, solved="x"),
    "players of one": lambda: red7sim.balance_cards(players="2", games=1),
    "players of nobody": lambda: red7sim.tournament(players=None, games=1),
    "a deal of nobody": lambda: red7sim.simulate(start=[{"type": "deal", "hands": []}]),
    "seed of a bool": lambda: red7sim.simulate(seed=True, games=1),
    "games": lambda: red7sim.simulate(games="1000"),
    "games of a study": lambda: red7sim.first_player(games="7"),
    "first_index": lambda: red7sim.simulate(first_index="0", games=1),
    "threads": lambda: red7sim.simulate(threads="2", games=1),
    "threads of a float": lambda: red7sim.simulate(threads=2.5, games=1),
    "threads of too many": lambda: red7sim.simulate(threads=10**9, games=1),
    "confidence": lambda: red7sim.simulate(confidence="0.95", games=1),
    "confidence of none": lambda: red7sim.sweep({"draw": "auto"}, confidence=None, games=1),
    "confidence of nearly 1": lambda: red7sim.simulate(confidence=1 - 1e-12, games=1),
    "target_half_width": lambda: red7sim.simulate(target_half_width="0.01", max_games=9),
    "start": lambda: red7sim.simulate(start=5),
    "start of a list": lambda: red7sim.simulate(start=[5]),
    "a deal": lambda: red7sim.simulate(start=[{"type": "deal", "hands": 3}], games=1),
    "out": lambda: red7sim.simulate(out="", games=1),
    "out of no letters": lambda: red7sim.simulate(out="\0", games=1),
    "rules file": lambda: red7sim.read_rule_file(5, red7sim.preset("basic", 2)),
    "rules file of no letters": lambda: red7sim.read_rule_file("\0", red7sim.preset("basic", 2)),
    "position": lambda: red7sim.analyze(5),
    "samples": lambda: red7sim.analyze("R R1/O1 R2/O2", samples="5"),
    "playouts": lambda: red7sim.analyze("R R1/O1 R2/O2", playouts=1.5),
    "playouts of a study": lambda: red7sim.balance_agency(playouts=1, games=1, deals=1),
    "player of playouts": lambda: red7sim.analyze("R R1/O1 R2/O2", player=7),
    "deals": lambda: red7sim.solve(deals="5"),
    "over": lambda: red7sim.sweep("hand_size=5", games=1),
    "over of a list": lambda: red7sim.tune(["hand_size=5"], max_games=1),
    "unknown switch of a sweep": lambda: red7sim.sweep({5: [6]}, games=1),
    "a": lambda: red7sim.match("leads", "greedy", games=1),
    "b": lambda: red7sim.match(RUN, "greedy", games=1),
    "sprt": lambda: red7sim.match(RUN, RUN, sprt=(0, 0.01), max_games=9),
    "null": lambda: red7sim.Sprt("0", "0.01"),
    "alpha": lambda: red7sim.Sprt(0, 0.01, alpha="0.1"),
    "run": lambda: red7sim.replay("basic", 0),
    "game": lambda: red7sim.replay(RUN, 2**62),
    "study": lambda: red7sim.write_study(None, "folder"),
    "study of a picture": lambda: red7sim.findings_of(None),
    "folders": lambda: red7sim.report([], "page.html"),
    "folder": lambda: red7sim.load(""),
    "folders of a dataset": lambda: red7sim.combine(7, "out"),
    "minimum": lambda: red7sim.balance_folding(minimum="0,12", games=1),
}


IN_WORDS = ("unknown switch", "unknown player", "a deal", "rules file")
"""What messages name without a colon behind it."""


@pytest.mark.parametrize("name", NO_TYPES)
def test_what_is_of_no_type_is_refused_in_one_line(name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(red7sim.InputError) as refusal:
        NO_TYPES[name]()
    said = str(refusal.value)
    culprit = name.partition(" of ")[0]
    assert said.startswith(f"{culprit} " if culprit in IN_WORDS else f"{culprit}: ")
    assert len(said) < 500
    assert "\n" not in said
    assert not [*tmp_path.iterdir()]


def test_numbers_of_numpy_are_kept_as_numbers() -> None:
    result = red7sim.simulate(
        players=np.int64(2), seed=np.int64(3), games=np.int32(20), first_index=np.uint8(5),
        threads=np.int64(1), confidence=np.float32(0.5),
    )  # fmt: skip
    json.dumps(result.summary)
    same = red7sim.simulate(players=2, seed=3, games=20, first_index=5, confidence=0.5)
    shares = [answer.seats().drop("player") for answer in (result, same)]
    assert shares[0].equals(shares[1])
    small, two = np.uint8(200), np.uint8(2)
    many = {"games": small, "seed": np.uint64(1)}
    for study in (
        red7sim.first_player(player=np.array(["leads"]), players=np.array([2]), **many),
        red7sim.balance_agency(player="leads", playouts=two, deals=small, players=two, **many),
        red7sim.balance_rules(deals=small, players=two, **many),
        red7sim.balance_cards(players=two, **many),
        red7sim.balance_folding(
            player="banker:samples=1", minimum=np.array([0, 12]), players=two, games=two
        ),
        red7sim.tournament(player=("leads", "random"), players=two, **many),
        red7sim.skill(player=(name for name in ("leads", "random")), **many),
        red7sim.sweep({"hand_size": np.arange(5, 8), "start_bonus": [np.array([0, 1])]}, **many),
    ):
        json.dumps(study.as_json())
        assert "[" not in study.command
    found = red7sim.match(RUN, RUN, games=np.int64(100), first_index=small).summary
    assert (json.loads(json.dumps(found))["first_index"], found["deals"]) == (200, 100)


def test_a_tournament_and_a_run_name_the_commands_that_make_them_again(capsys) -> None:
    study = red7sim.tournament("advanced", ("leads", "random+no-rule:blue"), games=4, seed=2)
    command_line([*shlex.split(study.command)[1:], "--json", "--quiet"])
    said = json.loads(capsys.readouterr().out)
    assert {name: said[name] for name in study.as_json()} == study.as_json()
    run = red7sim.make_run("advanced", ("leads", "random"), settings={"hand_size": 5}, seed=4)
    again = run_study(play(run, 30, 7)).command
    command_line([*shlex.split(again)[1:], "--json", "--quiet"])
    said = json.loads(capsys.readouterr().out)
    assert (said["run_id"], said["games"], said["first_index"]) == (run.run_id, 30, 7)


@pytest.mark.parametrize("confidence", [0.12345678901, 0.999999999])
def test_a_study_names_the_command_that_makes_it_again(capsys, confidence: float) -> None:
    study = red7sim.sweep({"hand_size": "5..7"}, games=5, confidence=confidence)
    assert f"--confidence {confidence}" in study.command
    command_line([*shlex.split(study.command)[1:], "--json", "--quiet"])
    said = json.loads(capsys.readouterr().out)
    assert {name: said[name] for name in study.as_json()} == study.as_json()
