"""Studies exported, all of their tables as one file, and written to folders."""

import json
from pathlib import Path

import polars as pl
import pytest
from commands import answer, command_options

from red7sim.lab.studies.kept import read_study
from red7sim.lab.studies.study import Study

STUDIES = {
    "first-player": "--games 40 --deals 20 --solved 2 --players 2 --rules basic",
    "sweep": "--over hand_size=5,6,50 --games 40",
    "tune": "--over hand_size=5,6 --max-games 40",
    "tournament": "--player leads --player random --games 20",
    "skill": "--games 10",
    "balance cards": "--games 50",
    "balance rules": "--games 50 --deals 10",
    "balance agency": "--games 20 --deals 4 --playouts 2 --rules basic",
    "balance folding": "--games 2 --players 2 --minimum 0",
}


FORMATS = [
    *(("balance cards", ending) for ending in ("json", "parquet")),
    *((study, "csv") for study in STUDIES),
]


@pytest.mark.parametrize(("study", "ending"), FORMATS)
def test_the_rows_of_all_tables_are_exported(tmp_path: Path, study: str, ending: str) -> None:
    path = tmp_path / f"tables.{ending}"
    words = [*study.split(), *STUDIES[study].split(), "--json", "--export", str(path)]
    said = answer(words)
    assert said.status == 0, said.err
    tables = json.loads(said.out)["tables"]
    read = {"csv": pl.read_csv, "json": pl.read_json, "parquet": pl.read_parquet}[ending]
    exported = read(path, **({} if ending == "parquet" else {"infer_schema_length": None}))
    assert exported.columns[0] == "table"
    for name, rows in tables.items():
        found = exported.filter(table=name).to_dicts()
        assert len(found) == len(rows)
        for ours, theirs in zip(found, rows, strict=True):
            assert {k for k, v in ours.items() if v is not None} - {"table"} <= {*theirs}
            for column, value in theirs.items():
                same = ours[column] == (pytest.approx(value) if ending == "csv" else value)
                assert same or str(ours[column]) == str(value), (name, column)
    assert len(exported) == sum(map(len, tables.values()))


def test_every_study_can_be_exported() -> None:
    options = command_options()
    having = {name for name, found in options.items() if any(p.name == "export_to" for p in found)}
    assert having >= {*STUDIES}
    assert {*STUDIES} == {name for name in options if name.startswith("balance")} | {
        "first-player", "sweep", "tune", "tournament", "skill",
    }  # fmt: skip


def test_a_file_that_cannot_be_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    said = answer(["balance", "cards", "--export", "cards.xlsx", "--out", str(folder)])
    assert (said.status, said.out) == (2, "")
    assert "cards.xlsx" in said.err
    assert not folder.exists()


def test_a_folder_is_refused_as_a_file_before_anything_is_played(
    tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("red7sim.cli.study_output.play_study", None)
    (tmp_path / "cards.csv").mkdir()
    said = answer(["balance", "cards", "--export", str(tmp_path / "cards.csv")])
    assert (said.status, said.out, said.err.count("\n")) == (3, "", 1)
    assert "cards.csv is no file" in said.err


def test_a_picture_that_fails_loses_no_games(tmp_path: Path, monkeypatch) -> None:
    def failing(study: Study) -> None:
        raise RuntimeError(study.name)

    monkeypatch.setattr("red7sim.show.views.pictures_of", failing)
    words = ["skill", "--games", "10", "--player", "leads", "--quiet", "--out", str(tmp_path)]
    with pytest.raises(RuntimeError, match="skill"):
        answer(words)
    assert read_study(tmp_path)[0].parameters["games"] == 10


def test_a_study_over_another_one_leaves_only_its_own_files(tmp_path: Path) -> None:
    def files(rules: str) -> set[str]:
        words = ["tournament", *STUDIES["tournament"].split(), "--rules", rules, "--quiet"]
        assert answer([*words, "--out", str(tmp_path)]).status == 0
        return {path.name for path in tmp_path.iterdir()}

    basic = {"study.json", "shares.parquet", "ratings.parquet", "tournament.svg", "tournament.png"}
    assert files("advanced") == basic | {"points.parquet", "points.svg", "points.png"}
    assert files("basic") == basic
