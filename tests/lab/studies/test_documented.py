"""docs/studies.md names every column of every table, in order."""

import re
from collections.abc import Callable
from inspect import getdoc, signature
from pathlib import Path

import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run
from red7sim.lab.studies.balance_agency import FIGURES, balance_agency
from red7sim.lab.studies.balance_cards import balance_cards
from red7sim.lab.studies.balance_folding import balance_folding
from red7sim.lab.studies.balance_rules import balance_rules
from red7sim.lab.studies.first_player import first_player
from red7sim.lab.studies.skill import skill
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.sweep import sweep
from red7sim.lab.studies.tournament import tournament
from red7sim.lab.studies.tune import tune

DOCUMENT = Path(__file__).parents[3] / "docs" / "studies.md"
BASE = Run(preset("basic", 2), ("random",) * 2)
OVER = {"hand_size": "5"}
STUDIES = (
    first_player, sweep, tune, tournament, skill,
    balance_cards, balance_rules, balance_agency, balance_folding,
)  # fmt: skip


def documented(study: str) -> dict[str, list[str]]:
    """The columns by table, from the lists of a section."""
    [section] = re.findall(rf"^## {study}\n(.*?)(?=^## |\Z)", DOCUMENT.read_text(), re.M | re.S)
    tables = {}
    for name, body in re.findall(r"^`(\w+)`: [^\n]*\n(.*?)(?=^`|\Z)", section, re.M | re.S):
        cells = re.findall(r"^\| (`.*?) \|", body, re.M)
        tables[name] = [column for cell in cells for column in re.findall(r"`(\w+)`", cell)]
    return tables


@pytest.mark.parametrize(
    "study",
    [
        first_player("advanced", "random", 2, games=1),
        sweep(BASE, OVER, games=1),
        tune(BASE, OVER, max_games=1),
        tournament("advanced", ("random", "leads"), 2, games=1),
        skill(("random", "leads"), games=1),
        balance_cards(games=1),
        balance_rules(games=1, deals=1),
        balance_agency("advanced", "random", games=1, deals=1),
        balance_folding(player="banker:samples=1", games=1),
    ],
    ids=lambda study: study.name,
)
def test_every_column_is_documented(study: Study) -> None:
    found = documented(study.name)
    for name, columns in found.items():
        if columns:
            varied = study.parameters.get("over", {})
            assert columns == [c for c in study.tables[name].columns if c not in varied]
    assert {name for name, columns in found.items() if columns} >= study.tables.keys() - {
        "refused", "looks",
    }  # fmt: skip


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.__name__)
def test_every_parameter_is_documented_in_its_place(study: Callable[..., Study]) -> None:
    text = getdoc(study)
    [section] = re.findall(r"^Parameters\n-+\n(.*?)^Returns\n-+$", text, re.M | re.S)
    lines = re.findall(r"^\S.*", section, re.M)
    assert [name for line in lines for name in line.split(", ")] == [*signature(study).parameters]


def test_every_figure_of_agency_is_explained() -> None:
    text = DOCUMENT.read_text()
    assert all(f"`{figure}`" in text for figure in FIGURES)
