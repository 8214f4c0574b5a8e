"""Players of studies stand in their canonical form, each once."""

import pytest

from red7sim.lab.studies.balance_agency import balance_agency
from red7sim.lab.studies.cross import Cross
from red7sim.lab.studies.skill import skill
from red7sim.lab.studies.tournament import tournament
from red7sim.play import outside
from red7sim.play.outside import register
from red7sim.play.policy import Player, PlayerError, find_player

THREE = ("pressure", "pressure:threat=0.7", "leads+no-rule:blue+no-rule:red")
TWO = ["pressure", "leads+no-rule:red+no-rule:blue"]


def test_equal_players_are_one() -> None:
    cross = Cross.of(2, "basic", THREE, None)
    assert [cell.player for cell in cross.cells()] == cross.as_json()["player"] == TWO
    assert cross.words().count("--player") == 2
    assert tournament("basic", THREE, games=1).parameters["player"] == TWO
    announced: list[int] = []
    study = skill(("pressure", "pressure:threat=0.7"), games=5, planned=announced.append)
    skill("pressure", games=5, planned=announced.append)
    assert announced[0] == announced[1]
    assert study.parameters["player"] == study.tables["players"]["player"].to_list() == ["pressure"]
    with pytest.raises(PlayerError, match="nobody"):
        Cross.of(2, "basic", "nobody", None)


def test_players_from_outside_are_told_by_their_code(monkeypatch) -> None:
    monkeypatch.setattr(outside, "_registered", {})
    register(Player("mine", "Of a test.", find_player("thrifty").choose))
    study = balance_agency("basic", "mine", games=10, deals=2, playouts=2)
    [name] = study.parameters["player"]
    assert name.startswith("mine@")
    assert study.tables["figures"]["player"].unique().to_list() == [name]
    assert f"--player {name}" in study.command
