"""The picture and the tables of skill, by the numbers in them."""

import pytest
from matplotlib.container import ErrorbarContainer

from red7sim.lab.studies.skill import skill
from red7sim.lab.studies.study import Study
from red7sim.show.views import findings_of, pictures_of, sheets_of


@pytest.fixture(scope="module")
def study() -> Study:
    return skill(("random", "leads"), games=200, seed=1)


def test_the_points_are_the_regrets(study: Study) -> None:
    [picture] = pictures_of(study)
    [axes] = picture.figure.axes
    shown = {
        c.get_label(): [float(y) for y in c.lines[0].get_ydata()]
        for c in axes.containers
        if isinstance(c, ErrorbarContainer)
    }
    for name in ("random", "leads"):
        rows = study.tables["regrets"].filter(player=name)
        assert shown[name] == rows.filter(rows["judged"] >= 30)["regret"].to_list()
    assert "thrown away" in axes.get_ylabel()
    assert "blind" in picture.alt or "blindly" in picture.alt
    assert picture.svg() == pictures_of(study)[0].svg()


def test_the_tables_fit_and_say_what_the_frames_do(study: Study) -> None:
    players, turns = sheets_of(study)
    assert [row[0] for row in players.rows] == ["random", "leads"]
    assert len(turns.rows) == study.tables["turns"].height
    assert not turns.detail
    assert "random" in findings_of(study)[0]


def test_nothing_judged_is_a_sentence() -> None:
    study = skill("leads", settings={"hand_size": 1}, games=1, seed=3)
    assert len(findings_of(study)) == 1
    assert pictures_of(study)[0].png()
