from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from red7sim.lab.files import FileError
from red7sim.lab.studies import kept
from red7sim.lab.studies.kept import StudyError, claim_folder, is_study, read_study, write_study
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
    assert provenance == {"software": {"name": "red7sim"}}
    assert is_study(folder)
    assert not is_study(tmp_path)
    write_study(STUDY, folder, {})  # again, over itself


def test_a_folder_of_another_study_is_refused(tmp_path: Path) -> None:
    write_study(STUDY, tmp_path, {})
    with pytest.raises(StudyError, match="'first-player'"):
        claim_folder(tmp_path, "sweep")


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
