import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from red7sim.jit.rng import STREAM_VERSION
from red7sim.lab.files import FileError
from red7sim.lab.studies import kept
from red7sim.lab.studies.kept import (
    StudyError,
    claim_folder,
    claimed_folder,
    is_study,
    read_study,
    write_pictures,
    write_study,
)
from red7sim.lab.studies.study import Study

STUDY = Study(
    name="first-player",
    title="A title",
    caption="A caption.",
    command="red7sim first-player",
    parameters={"games": 5},
    tables={"seats": pl.DataFrame({"seat": [0, 1], "share": [0.25, None]})},
)


def test_a_study_comes_back_as_it_was_written(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "study"
    write_study(STUDY, folder, {"software": {"name": "red7sim"}})
    study, provenance = read_study(folder)
    assert study.as_json() == STUDY.as_json()
    assert study.tables["seats"].equals(STUDY.tables["seats"])
    assert study.parameters == {"stream_version": STREAM_VERSION, "games": 5}
    assert provenance == {"software": {"name": "red7sim"}}
    assert is_study(folder)
    assert not is_study(tmp_path)
    write_study(STUDY, folder, {})  # again, over itself


def test_a_folder_of_another_study_is_refused(tmp_path: Path) -> None:
    write_study(STUDY, tmp_path, {})
    with pytest.raises(StudyError, match="'first-player'"):
        claim_folder(tmp_path, "sweep")


def test_a_folder_of_a_dataset_is_refused(tmp_path: Path) -> None:
    (tmp_path / "counts-000000000000.parquet").touch()
    with pytest.raises(StudyError, match="holds a dataset"):
        claim_folder(tmp_path, "sweep")


def claim_in_vain(folder: Path, *files: str) -> None:
    with suppress(KeyboardInterrupt), claimed_folder(folder, "sweep"):
        for name in files:
            (folder / name).touch()
        raise KeyboardInterrupt


def test_folders_that_were_made_for_nothing_go_again(tmp_path: Path) -> None:
    claim_in_vain(tmp_path / "new" / "study")
    claim_in_vain(tmp_path / "other" / ".." / "study")
    assert not [*tmp_path.iterdir()]
    (tmp_path / "old").mkdir()
    claim_in_vain(tmp_path / "old")
    claim_in_vain(tmp_path / "new", "mine.txt")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["mine.txt", "new", "old"]
    with claimed_folder(tmp_path / "study", "sweep"):
        pass
    assert (tmp_path / "study").is_dir()


@pytest.mark.parametrize("content", ["", "[]", "{}", "not JSON", '{"name": "first-player"}'])
def test_what_describes_no_study_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "study.json").write_text(content)
    with pytest.raises(StudyError, match=r"study\.json"):
        read_study(tmp_path)


def test_missing_and_damaged_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"study\.json"):
        read_study(tmp_path)
    write_study(STUDY, tmp_path, {})
    (tmp_path / "seats.parquet").write_bytes(b"PAR1")
    with pytest.raises(FileError, match=r"seats\.parquet"):
        read_study(tmp_path)
    (tmp_path / "seats.parquet").unlink()
    with pytest.raises(FileError, match=r"seats\.parquet"):
        read_study(tmp_path)
    text = (tmp_path / "study.json").read_text()
    (tmp_path / "study.json").write_text(text.replace('"format": 2', '"format": 1'))
    with pytest.raises(StudyError, match="is of format 1; this program reads format 2"):
        read_study(tmp_path)


def test_what_was_changed_is_no_result(tmp_path: Path) -> None:
    write_study(STUDY, tmp_path, {})
    text = (tmp_path / "study.json").read_text()
    (tmp_path / "study.json").write_text(text.replace("A caption", "A lie"))
    with pytest.raises(StudyError, match=r"study\.json is damaged: it is not what was written"):
        read_study(tmp_path)
    write_study(STUDY, tmp_path / "other", {})
    STUDY.tables["seats"].reverse().write_parquet(tmp_path / "other" / "seats.parquet")
    with pytest.raises(StudyError, match=r"seats\.parquet is not the table that study\.json tells"):
        read_study(tmp_path / "other")


def test_a_study_that_was_half_written_over_is_refused(tmp_path: Path, monkeypatch) -> None:
    write_study(STUDY, tmp_path, {})
    real = kept.replace_file

    def dying(path: Path, content: bytes) -> None:
        if path.name == "study.json":
            raise KeyboardInterrupt
        real(path, content)

    monkeypatch.setattr(kept, "replace_file", dying)
    other = replace(STUDY, tables={"seats": STUDY.tables["seats"].reverse()})
    with pytest.raises(KeyboardInterrupt):
        write_study(other, tmp_path, {})
    with pytest.raises(StudyError, match="make the study again"):
        read_study(tmp_path)


POINTS = replace(STUDY, tables=STUDY.tables | {"points": STUDY.tables["seats"]})


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_an_older_study_has_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    write_study(POINTS, tmp_path, {})
    write_pictures(tmp_path, {"points.svg": b"old", "seats.svg": b"old"})
    for foreign in ("letter.doc", "other.parquet", "other.svg"):
        (tmp_path / foreign).touch()
    write_study(STUDY, tmp_path, {"made": "again"})
    kept_files = {"study.json", "seats.parquet", "letter.doc", "other.parquet", "other.svg"}
    assert names(tmp_path) == kept_files
    write_pictures(tmp_path, {"seats.svg": b"new"})
    assert names(tmp_path) == kept_files | {"seats.svg"}
    assert read_study(tmp_path)[1] == {"made": "again"}
    (tmp_path / "points.svg").touch()  # by now a foreign one
    write_study(STUDY, tmp_path, {})
    assert names(tmp_path) == kept_files | {"points.svg"}


@pytest.mark.parametrize("last", range(7))
def test_an_interruption_leaves_no_table_missing_and_nothing_for_ever(
    tmp_path: Path, monkeypatch, last: int
) -> None:
    """Interrupted after each of its writes and removals, and then made again."""
    write_study(POINTS, tmp_path, {})
    write_pictures(tmp_path, {"points.svg": b"old"})
    steps = iter(range(last))

    def dying(real):
        def step(*arguments) -> None:
            if next(steps, None) is None:
                raise KeyboardInterrupt
            real(*arguments)

        return step

    with monkeypatch.context() as patches, suppress(KeyboardInterrupt):
        for name in ("replace_file", "remove_file"):
            patches.setattr(kept, name, dying(getattr(kept, name)))
        write_study(STUDY, tmp_path, {})
        write_pictures(tmp_path, {"seats.svg": b"new"})
    named = json.loads((tmp_path / "study.json").read_text())["tables"]
    assert {f"{name}.parquet" for name in named} <= names(tmp_path)
    write_study(STUDY, tmp_path, {})
    write_pictures(tmp_path, {"seats.svg": b"new"})
    assert names(tmp_path) == {"study.json", "seats.parquet", "seats.svg"}


def test_a_study_keeps_the_stream_version_of_its_games(tmp_path: Path) -> None:
    write_study(replace(STUDY, parameters={"stream_version": 99}), tmp_path, {})
    assert read_study(tmp_path)[0].parameters == {"stream_version": 99}


@pytest.mark.parametrize("others", [["../mine.png", "/etc/mine.png", "mine.txt", 5, None], 5, None])
def test_a_description_from_elsewhere_has_no_foreign_file_removed(tmp_path: Path, others) -> None:
    folder = tmp_path / "study"
    write_study(STUDY, folder, {})
    mine = [tmp_path / "mine.png", folder / "mine.txt"]
    for path in mine:
        path.touch()
    kept._describe(folder, kept._description(folder) | kept.described(2, {"others": others}))
    write_study(STUDY, folder, {})
    assert all(path.exists() for path in mine)


@pytest.mark.parametrize("name", ["../mine", "/mine", "sub/mine", "", "m.i.n.e"])
def test_nothing_is_written_outside_the_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "study"
    with pytest.raises(StudyError, match=r"file of a study: .* allowed: letters, digits and _"):
        write_study(replace(STUDY, tables={name: STUDY.tables["seats"]}), folder, {})
    assert not folder.exists()
    write_study(STUDY, folder, {})
    with pytest.raises(StudyError, match="file of a study"):
        write_pictures(folder, {f"{name}.png": b"new"})
    assert names(tmp_path) == {"study"}
    assert names(folder) == {"study.json", "seats.parquet"}


def test_a_name_that_no_folder_can_have_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 300)
    with pytest.raises(FileError, match="File name too long"):
        is_study(folder)
    with pytest.raises(FileError, match="File name too long"), claimed_folder(folder, "sweep"):
        pass
    with pytest.raises(FileError, match="File name too long"):
        write_study(STUDY, folder, {})
