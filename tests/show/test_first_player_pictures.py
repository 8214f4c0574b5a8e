"""The pictures and tables of first-player, by the numbers in them."""

import sys

import pytest
from matplotlib.container import ErrorbarContainer

from red7sim.lab.studies.first_player import first_player
from red7sim.lab.studies.study import Study
from red7sim.show.views import MissingExtraError, findings_of, pictures_of, sheets_of


@pytest.fixture(scope="module")
def study() -> Study:
    return first_player(("basic", "advanced"), "leads", (2, 3), games=300, deals=60, seed=1)


def series(axes) -> dict[str, list[float]]:
    return {
        c.get_label(): [float(y) for y in c.lines[0].get_ydata()]
        for c in axes.containers
        if isinstance(c, ErrorbarContainer)
    }


def test_the_points_are_the_shares(study: Study) -> None:
    [seats, rounds] = pictures_of(study)
    axes = {a.get_title(): a for a in seats.figure.axes}
    assert [*axes] == [
        f"{n} players, {rules} rules" for n in (2, 3) for rules in study.parameters["rules"]
    ]
    table = study.tables["seats"].filter(players=3, rules="basic")
    shown = series(axes["3 players, basic rules"])
    for start in ("by the rules", "forced"):
        assert shown[f"leads, {start}"] == table.filter(start=start)["share"].to_list()
    table = study.tables["rounds"].filter(players=2, seat=1)
    table = table.filter(table["rounds"] >= 3)  # 1 in 20 of 60 games
    [panel] = [a for a in rounds.figure.axes if a.get_title().startswith("2 players")]
    assert series(panel)["seat 1"] == table["share"].to_list()


def test_pictures_have_the_caption_a_text_and_the_same_bytes(study: Study) -> None:
    for one, other in zip(pictures_of(study), pictures_of(study), strict=True):
        words = " ".join(text.get_text().replace("\n", " ") for text in one.figure.texts)
        assert study.caption in words
        assert "fair share" in one.alt
        assert one.svg() == other.svg()
        assert one.png() == other.png()
        assert b"<dc:date>" not in one.svg()


def test_tables_and_sentences_say_what_the_frames_do(study: Study) -> None:
    seats, points, rounds = sheets_of(study)
    frame = study.tables["seats"]
    assert [row[5] for row in seats.rows] == [f"{share:.4f}" for share in frame["share"]]
    assert {row[8] for row in seats.rows} <= {"+", "-", ""}
    assert len(points.rows) == 5
    assert rounds.detail
    assert (
        sum(len([c for c in row[4:8] if c]) for row in rounds.rows) == study.tables["rounds"].height
    )
    assert any("With 3 players" in finding for finding in findings_of(study))


def test_games_of_one_round_have_one_picture() -> None:
    study = first_player("basic", "random", 2, games=10)
    assert [picture.name for picture in pictures_of(study)] == ["seats"]
    assert [sheet.name for sheet in sheets_of(study)] == ["seats"]


def test_one_game_is_shown_without_a_crash() -> None:
    study = first_player("advanced", "random", 2, games=1)
    assert all(picture.png() for picture in pictures_of(study))
    assert len(sheets_of(study)) == 3


def test_without_matplotlib_it_says_how_to_install_it(study, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'red7sim\[plots\]'"):
        pictures_of(study)
    assert sheets_of(study)


def test_an_unknown_study_is_refused() -> None:
    study = Study("no-such", "", "", "", {}, {})
    with pytest.raises(ValueError, match="'no-such'"):
        sheets_of(study)
