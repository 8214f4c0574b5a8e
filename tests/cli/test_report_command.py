from pathlib import Path

import pytest
from show.pages import Page

import red7sim
from red7sim.cli.app import run


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def test_studies_and_datasets_go_to_one_page(capsys, tmp_path: Path) -> None:
    game, seats, page = tmp_path / "game", tmp_path / "seats", tmp_path / "page.html"
    call(capsys, "simulate", "--games", "200", "--player", "leads", "--player", "random",
         "--rules", "advanced", "--pairing", "rotate", "--rows", "--out", game)  # fmt: skip
    call(capsys, "first-player", "--players", "2", "--rules", "basic", "--games", "50",
         "--player", "leads", "--out", seats)  # fmt: skip
    status, out, err = call(capsys, "report", game, seats, "--out", page, "--title", "Mine")
    assert (status, out) == (0, "")
    assert err == f"wrote {page}\n"
    text = page.read_text(encoding="utf-8")
    assert Page(text).headings.count(2) == 2
    assert "--pairing rotate --games 200" in text
    assert "<h1>Mine</h1>" in text
    red7sim.report([game, seats], tmp_path / "again.html", title="Mine")
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == text


def test_one_game_is_enough(capsys, tmp_path: Path) -> None:
    call(capsys, "simulate", "--games", "1", "--out", tmp_path / "game")
    status, _, _ = call(
        capsys, "report", tmp_path / "game", "--out", tmp_path / "page.html", "--quiet"
    )
    assert status == 0
    assert "1 games" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_cannot_be_shown_is_refused_in_one_line(capsys, tmp_path: Path) -> None:
    empty, solved, holes = tmp_path / "empty", tmp_path / "solved", tmp_path / "holes"
    empty.mkdir()
    call(capsys, "solve", "--deals", "5", "--out", solved)
    call(capsys, "simulate", "--games", "5", "--out", holes)
    call(capsys, "simulate", "--games", "5", "--first-index", "50", "--out", holes)
    for arguments, culprit in (
        ([empty], "holds no dataset and no study"),
        ([tmp_path / "absent"], "holds no dataset and no study"),
        ([solved], "solved deals"),
        ([holes], "2 separate ranges"),
        ([holes, "--out", tmp_path / "no" / "page.html"], "there is no folder"),
        ([holes, "--out", "/dev/null"], "/dev/null is no file"),
    ):
        status, out, err = call(capsys, "report", *arguments)
        assert (status, out, err.count("\n")) == (3, "", 1)
        assert culprit in err
    status, _, err = call(capsys, "report", holes, "--confidence", "1")
    assert status == 2


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"format": 1}', '{"format": 2, "name": "run"}']
)
def test_a_damaged_study_is_refused(capsys, tmp_path: Path, content: str) -> None:
    (tmp_path / "study.json").write_text(content)
    status, out, err = call(capsys, "report", tmp_path, "--out", tmp_path / "page.html")
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert "study.json" in err
