import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, play
from red7sim.lab.studies.balance_agency import balance_agency
from red7sim.lab.studies.tune import CHOICE_GAMES, Look, tune
from red7sim.lab.summary import summarize

BASE = Run(preset("basic", 2), ("leads",) * 2, 1)
OVER = {"start_bonus": "0/3/0,3"}


def test_a_planted_unfair_rule_is_eliminated() -> None:
    looks: list[Look] = []
    study = tune(BASE, OVER, max_games=5000, on_look=looks.append)
    table = study.tables["variants"]
    assert table["variant"].to_list()[0] == "baseline"
    assert table["state"].to_list() == ["survives", "eliminated", "eliminated"]
    for row in table.filter(state="eliminated").to_dicts():
        assert row["beaten_by"] == "baseline"
        assert row["unfairness_low"] < row["unfairness"] < row["unfairness_high"]
    assert looks[-1].variants == 1
    assert study.tables["looks"]["deals"].to_list() == [look.deals for look in looks]


@pytest.mark.parametrize("design", ["none", "force-start"])
def test_the_numbers_of_a_variant_are_those_of_its_run(design: str) -> None:
    base = Run(preset("advanced", 3), ("leads",) * 3, 5, design)
    table = tune(base, {"hand_size": "6,7"}, max_games=1500).tables["variants"]
    [row] = table.filter(variant="hand_size=6").to_dicts()
    assert row["deals"] == 1500
    run = Run(base.rules.changed({"hand_size": 6}), base.players, 5, design)
    summary = summarize(play(run, 1500))
    shares = [seat["win_rate"] for seat in summary["seats"]]
    assert [row[f"seat_{seat}"] for seat in range(3)] == pytest.approx(shares)
    assert row["unfairness"] == pytest.approx(max(abs(share - 1 / 3) for share in shares))
    for name in ("turns_per_round", "points_per_round", "rounds_per_game"):
        assert row[name] == pytest.approx(summary[name])
    # What the study of choices says of the same games.
    agency = balance_agency(
        "advanced", "leads", 3, settings={"hand_size": 6}, games=1500, deals=2, playouts=2, seed=5
    )
    for figure in agency.tables["figures"].to_dicts():
        if figure["figure"] in ("choices_per_turn", "forced_turns"):
            assert row[figure["figure"]] == figure["value"]
            assert row[figure["figure"] + "_se"] == figure["se"] > 0


def test_any_number_of_threads_searches_the_same() -> None:
    over = {"hand_size": "5..7", "first_canvas": "red,dealt"}
    done: list[int] = []
    announced: list[int] = []
    told = {"progress": done.append, "planned": announced.append}
    one = tune(BASE, over, max_games=3000, threads=1, **told)
    assert one.as_json() == tune(BASE, over, max_games=3000, threads=3).as_json()
    deals = one.tables["variants"]["deals"]
    assert sum(done) == deals.sum() + deals.clip(0, CHOICE_GAMES).sum()
    assert announced == [6 * (3000 + min(3000, CHOICE_GAMES))]
    assert sum(done) <= announced[0]


def test_one_game_proves_nothing() -> None:
    table = tune(BASE, None, max_games=1).tables["variants"]
    assert table["state"].unique().to_list() == ["survives"]
    assert table["unfairness_low"].max() == 0
    assert table.height == 24
    assert table["choices_per_turn"].null_count() == 0
    assert table["choices_per_turn_se"].null_count() == 24
