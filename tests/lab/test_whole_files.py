"""Files are whole at every moment, and nothing but files is written."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from red7sim.lab.files import FileError, replace_file, require_place


def test_threads_that_write_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    contents = [bytes([letter]) * 100_000 for letter in b"abcd"]
    with ThreadPoolExecutor(4) as threads:
        for _ in threads.map(replace_file, [path] * 80, contents * 20):
            assert path.read_bytes() in contents
    assert [*tmp_path.iterdir()] == [path]


def test_a_name_as_long_as_can_be_is_written(tmp_path: Path) -> None:
    path = tmp_path / f"{'x' * 251}.csv"
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "table.csv", tmp_path / "link.csv"
    link.symlink_to(Path("elsewhere") / "table.csv")
    for content in (b"made", b"written over"):
        require_place(link)
        replace_file(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content


@pytest.mark.parametrize("write", [require_place, lambda path: replace_file(path, b"new")])
def test_what_is_no_file_is_refused_and_left(tmp_path: Path, write) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "to_pipe").symlink_to("pipe")
    (tmp_path / "round").symlink_to("round")
    for name, culprit in (
        ("pipe", "is no file; allowed"),
        ("to_pipe", "is no file; allowed"),
        ("folder", "is no file; allowed"),
        ("/dev/null", "is no file; allowed"),
        ("round", "symbolic links"),
        ("x" * 300, "too long"),
        ("none/table.csv", "no folder|No such file"),
    ):
        with pytest.raises(FileError, match=f"{name}.*({culprit})"):
            write(tmp_path / name)
    assert (tmp_path / "pipe").is_fifo()
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["folder", "pipe", "round", "to_pipe"]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch) -> None:
    def refusing(dir: Path) -> None:  # noqa: A002
        raise PermissionError(13, "Permission denied", str(dir))

    monkeypatch.setattr("tempfile.TemporaryFile", refusing)
    with pytest.raises(FileError, match=r"table\.csv: Permission denied"):
        require_place(tmp_path / "table.csv")
