import pytest
from matplotlib.container import ErrorbarContainer

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.sweep import sweep
from red7sim.show.views import findings_of, pictures_of, sheets_of


def study_of(end: str, games: int) -> Study:
    base = Run(preset("basic", 2).changed({"end": end}), ("leads",) * 2)
    return sweep(base, {"hand_size": "5,6,11"}, games=games)


def test_the_points_are_the_numbers_of_the_frame() -> None:
    study = study_of("round", 300)
    [picture] = pictures_of(study)
    shares, change, turns = picture.figure.axes
    table = study.tables["variants"]
    drawn = {
        c.get_label(): [float(x) for x in c.lines[0].get_xdata()]
        for c in shares.containers
        if isinstance(c, ErrorbarContainer)
    }
    for seat in (0, 1):
        assert drawn[f"seat {seat}"] == table.filter(measure=f"seat:{seat}")["value"].to_list()
    labels = [text.get_text() for text in shares.get_yticklabels()]
    assert labels == ["baseline", "hand_size=5", "hand_size=6"]
    assert change.get_xlabel() == "change of seat 0 to the baseline"
    [line] = [c.lines[0] for c in turns.containers]
    expected = table.filter(measure="turns_per_round")["value"].to_list()
    assert [float(x) for x in line.get_xdata()] == pytest.approx(expected)
    assert picture.svg() == pictures_of(study)[0].svg()


def test_tables_and_sentences() -> None:
    study = study_of("wins:2", 200)
    seats, lengths, refused = sheets_of(study)
    assert [row[0] for row in seats.rows] == ["baseline", "hand_size=5", "hand_size=6"]
    assert lengths.headers[-2] == "rounds"
    assert refused.rows[0][0] == "hand_size=11"
    assert any("hand_size=11" in finding for finding in findings_of(study))


def test_one_game_is_shown_without_a_crash() -> None:
    study = study_of("round", 1)
    assert pictures_of(study)[0].png()
    assert sheets_of(study)[0].rows[1][-1] == "-1.0000 .. +1.0000"
