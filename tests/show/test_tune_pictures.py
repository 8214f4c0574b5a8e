import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run
from red7sim.lab.studies.tune import tune
from red7sim.show.views import findings_of, pictures_of, sheets_of


@pytest.mark.parametrize(
    ("games", "said"), [(5000, "proven to be fairer"), (1, "may be the fairest")]
)
def test_pictures_tables_and_sentences(games: int, said: str) -> None:
    base = Run(preset("basic", 3).changed({"start_bonus": (3,)}), ("leads",) * 3)
    study = tune(base, {"start_bonus": "0/0,1", "hand_size": "7,19"}, max_games=games)
    table = study.tables["variants"]
    [picture] = pictures_of(study)
    shares, unfairness, _ = picture.figure.axes
    stars = [text.get_text().endswith("*") for text in shares.get_yticklabels()]
    assert stars == (table["state"] == "survives").to_list()
    [line] = [c.lines[0] for c in unfairness.containers]
    assert [float(x) for x in line.get_xdata()] == table["unfairness"].to_list()
    assert picture.png()
    variants, trade_offs, proofs, looks, refused = sheets_of(study)
    assert [row[0] for row in variants.rows] == table["variant"].to_list()
    assert len(trade_offs.rows) == 3
    gone = table.filter(state="eliminated")
    assert [row[:2] for row in proofs.rows] == gone.select("variant", "beaten_by").rows()
    assert len(looks.rows) == study.tables["looks"].height
    assert refused.rows[0][0] == "start_bonus=0 hand_size=19"
    assert any(said in finding for finding in findings_of(study))
