import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from red7sim.game.ruleset import RulesetError, preset
from red7sim.lab.match import Match, find_measure, play_match, summarize_match
from red7sim.lab.runs import Run, RunError, play
from red7sim.lab.studies.sweep import sweep
from red7sim.lab.studies.variants import joined_values, values_of, vary
from red7sim.lab.summary import summarize

BASE = Run(preset("basic", 3), ("leads",) * 3, 2)
GAMES = 400


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("hand_size", "5..9", ("5", "6", "7", "8", "9")),
        ("hand_size", "7,3..4,7", ("7", "3", "4")),
        ("hand_size", [5, 6], ("5", "6")),
        ("draw_offset", "-1..1", ("-1", "0", "1")),
        ("actions", "yes,no", ("yes", "no")),
        ("actions", [True, False], ("yes", "no")),
        ("start_bonus", "0/0,1/0,0,1", ("0", "0,1", "0,0,1")),
        ("start_bonus", [(), (0, 1)], ("0", "0,1")),
        ("end", "round,points:30,wins:3", ("round", "points:30", "wins:3")),
    ],
)
def test_values_are_lists_ranges_or_python_values(name, values, expected) -> None:
    assert values_of(name, values) == expected


@pytest.mark.parametrize(
    ("name", "values", "culprit"),
    [
        ("hand_siez", "5", "unknown switch 'hand_siez'"),
        ("hand_size", "9..5", r"9\.\.5 is empty"),
        ("hand_size", "", "hand_size needs values"),
        ("hand_size", "5,,6", "hand_size needs values"),
        ("hand_size", [], "hand_size needs values"),
    ],
)
def test_values_in_a_wrong_form_are_named(name, values, culprit) -> None:
    with pytest.raises(ValueError, match=culprit):
        values_of(name, values)


def test_variants_are_all_combinations_without_the_baseline_twice() -> None:
    variants = vary(BASE, {"hand_size": "6..7", "draw": "auto,never"})
    assert [variant.label for variant in variants.played] == [
        "baseline", "hand_size=6 draw=auto", "hand_size=6", "draw=auto",
    ]  # fmt: skip
    assert variants.played[0].values == {"hand_size": "7", "draw": "never"}
    for variant in variants.played:
        assert variant.run.rules == BASE.rules.changed(variant.values)
        assert (variant.run.players, variant.run.seed) == (BASE.players, BASE.seed)


def test_what_the_rules_refuse_is_left_out_and_named() -> None:
    four = Run(preset("basic", 4), ("leads",) * 4)
    variants = vary(four, {"hand_size": "10,11", "palette_size": "1..3"})
    assert [v.label for v in variants.played[1:]] == [
        "hand_size=10", "hand_size=10 palette_size=2",
    ]  # fmt: skip
    assert "at most 49" in variants.refused["hand_size=10 palette_size=3"]
    assert "1..10" in variants.refused["hand_size=11 palette_size=1"]
    with pytest.raises(RunError, match=r"but the baseline can be played; hand_size: 11"):
        vary(four, {"hand_size": "11..12"})
    with pytest.raises(RunError, match="but the baseline can be played"):
        vary(four, {"hand_size": "7,07"})
    with pytest.raises(RunError, match="nothing is varied"):
        vary(four, {})
    with pytest.raises(RunError, match="110 variants"):
        vary(four, {"hand_size": "0..10", "palette_size": "0..9"})
    with pytest.raises(RulesetError, match="unknown switch"):
        vary(four, {"hands": "5"})


@pytest.mark.parametrize("name", ["turns_per_round", "points_per_round"])
def test_means_a_round_have_as_few_degrees_of_freedom_as_games(name: str) -> None:
    games = 5
    table = sweep(BASE, {"hand_size": "5"}, games=games).tables["variants"]
    row = table.filter(variant="baseline", measure=name).row(0, named=True)
    summary = summarize(play(BASE, games))
    reach = student.ppf(0.975, games - 1) * summary[f"{name}_se"]
    assert row["value"] == summary[name]
    assert (row["low"], row["high"]) == pytest.approx(
        (summary[name] - reach, summary[name] + reach), rel=1e-5
    )


@given(st.lists(st.integers(1, 10), min_size=1), st.lists(st.lists(st.integers(0, 3), min_size=1)))
def test_joined_values_are_read_back(sizes: list[int], bonuses: list[list[int]]) -> None:
    for name, listed in (("hand_size", sizes), ("start_bonus", bonuses)):
        if listed:
            values = values_of(name, listed)
            assert values_of(name, joined_values(values)) == values


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (["5", "6", "7", "9", "10"], "5..7,9,10"),
        (["-1", "0", "1", "0"], "-1..1,0"),
        (["6", "07", "8", "+9", "auto", "never"], "6,07,8,+9,auto,never"),
    ],
)
def test_whole_numbers_in_a_row_are_joined_as_a_range(values: list[str], text: str) -> None:
    assert joined_values(values) == text


def test_every_variant_says_what_its_run_says() -> None:
    study = sweep(BASE, {"hand_size": "5..6"}, games=GAMES)
    table = study.tables["variants"]
    assert table["variant"].unique(maintain_order=True).to_list() == [
        "baseline", "hand_size=5", "hand_size=6",
    ]  # fmt: skip
    run = Run(BASE.rules.changed({"hand_size": 5}), BASE.players, BASE.seed)
    summary = summarize(play(run, GAMES))
    match = summarize_match(play_match(Match(run, BASE), GAMES), 0.95, "seat:0")
    differences = {row["measure"]: row for row in match["measures"]}
    shown = {row["measure"]: row for row in table.filter(variant="hand_size=5").to_dicts()}
    for seat in summary["seats"]:
        row = shown[f"seat:{seat['seat']}"]
        assert row["hand_size"] == "5"
        assert row["value"] == seat["win_rate"]
        for end in ("low", "high", "joint_low", "joint_high"):
            assert row[end] == seat[end]
    for name in ("seat:0", "turns", "points", "draws", "rounds"):
        assert shown[name]["difference_value"] == pytest.approx(differences[name]["difference"])
        assert shown[name]["difference_low"] == pytest.approx(differences[name]["low"])
        assert shown[name]["difference_high"] == pytest.approx(differences[name]["high"])
    for name in ("turns_per_round", "points_per_round"):
        assert shown[name]["value"] == pytest.approx(summary[name])
    baseline = table.filter(variant="baseline")
    assert baseline["difference_value"].null_count() == baseline.height
    assert find_measure("turns", 3).name in shown


def test_a_planted_unfair_rule_stands_out() -> None:
    study = sweep(BASE, {"start_bonus": "0/0,0,3"}, games=1500)
    last = study.tables["variants"].filter(measure="seat:2", variant="start_bonus=0,0,3")
    assert last["difference_low"].item() > 0.1


def test_threads_progress_and_one_game() -> None:
    over = {"hand_size": "5,6"}
    done: list[int] = []
    announced: list[int] = []
    told = {"progress": done.append, "planned": announced.append}
    one = sweep(BASE, over, games=300, threads=1, **told)
    assert [sum(done)] == announced == [900]
    assert one.as_json() == sweep(BASE, over, games=300, threads=3).as_json()
    tiny = sweep(BASE, over, games=1).tables["variants"]
    changed = tiny.filter(pl.col("variant") != "baseline")
    shares = changed.filter(pl.col("measure").str.starts_with("seat"))
    assert [*shares["difference_low", "difference_high"].unique().row(0)] == [-1, 1]
    means = tiny.filter(~pl.col("measure").str.starts_with("seat"))
    assert means["difference_low"].null_count() == means.height
    assert tiny.filter(pl.col("measure") == "seat:0")["low"].min() == 0.0
