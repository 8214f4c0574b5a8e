"""The picture and the tables of a tournament, by the numbers in them."""

import numpy as np

from red7sim.lab.studies.tournament import tournament
from red7sim.show.views import findings_of, pictures_of, sheets_of


def test_the_matrix_holds_the_shares_and_the_points_are_the_ratings() -> None:
    study = tournament("basic", ("random", "leads", "greedy"), games=60)
    [picture] = pictures_of(study)
    left, right = picture.figure.axes
    names = [label.get_text() for label in left.get_yticklabels()]
    assert names == study.tables["ratings"]["player"].to_list()
    shown = np.asarray(left.images[0].get_array())
    for row in study.tables["shares"].to_dicts():
        found = shown[names.index(row["player"]), names.index(row["rivals"])]
        assert found == row["share"]
    assert [*right.lines[1].get_xdata()] == study.tables["ratings"]["rating"].to_list()
    assert picture.svg() == pictures_of(study)[0].svg()


def test_tables_and_sentences() -> None:
    study = tournament("basic", ("random", "leads"), 3, games=20)
    ratings, shares = sheets_of(study)
    assert [len(ratings.rows), len(shares.rows)] == [2, 2]
    assert "rated highest" in findings_of(study)[0]
    assert all(picture.png() for picture in pictures_of(study))


def test_scored_games_have_a_table_and_a_picture_of_points() -> None:
    study = tournament("advanced", ("random", "leads", "greedy"), 3, games=40)
    *_, points = sheets_of(study)
    assert len(points.rows) == study.tables["points"].height
    assert "largest lead in points" in findings_of(study)[-1]
    _, picture = pictures_of(study)
    left, right = picture.figure.axes
    names = study.tables["ratings"]["player"].to_list()
    for axes, column in ((left, "points_per_round"), (right, "lead")):
        shown = np.asarray(axes.images[0].get_array())
        for row in study.tables["points"].to_dicts():
            if "," not in row["rivals"]:
                rival = row["rivals"].removeprefix("2 x ")
                assert shown[names.index(row["player"]), names.index(rival)] == row[column]
    assert picture.png()
