import numpy as np
import polars as pl
import pytest

from red7sim.api import solve
from red7sim.game.ruleset import preset
from red7sim.game.wording import setting_text
from red7sim.lab.rows import play_recorded
from red7sim.lab.runs import Run, play
from red7sim.lab.studies.first_player import Sizes, first_player
from red7sim.lab.studies.study import Study
from red7sim.play.tally import SEAT_WINS, SHARE_UNIT, SUM

GAMES, DEALS, SEED = 400, 150, 3


@pytest.fixture(scope="module")
def study() -> Study:
    return first_player(
        player=("random", "leads"), players=(2, 3), games=GAMES, deals=DEALS, seed=SEED
    )


def test_the_shares_are_those_of_the_runs(study: Study) -> None:
    seats = study.tables["seats"]
    assert seats.filter(pl.col("player") != "perfect").height == 2 * 2 * (2 + 3) * 2
    for players, rules, player in [(2, "basic", "leads"), (3, "advanced", "random")]:
        line_up = (player,) * players
        cell = seats.filter(players=players, rules=rules, player=player)
        for start, design, units in (
            ("by the rules", "none", GAMES),
            ("forced", "force-start", DEALS),
        ):
            run = Run(preset(rules, players), line_up, SEED, design)
            tally = play(run, units).tally
            won = tally[SUM, SEAT_WINS : SEAT_WINS + players] / SHARE_UNIT
            games = units * len(run.arms)
            shown = cell.filter(start=start)
            assert shown["games"].unique().to_list() == [games]
            assert shown["share"].to_list() == pytest.approx(won / games)
            assert (shown["joint_low"] <= shown["low"]).all()
            assert (shown["low"] < shown["share"]).all()
            assert (shown["share"] < shown["high"]).all()


def test_a_forced_start_is_one_game_from_every_position_on_a_deal(study: Study) -> None:
    """The first seat's wins, by playing each start as rounds of its own."""
    run = Run(preset("basic", 3), ("leads",) * 3, SEED, "force-start")
    _, rows = play_recorded(run, DEALS)
    assert rows.group_by("game").agg(pl.col("start").n_unique())["start"].unique().to_list() == [3]
    expected = rows.filter(winner_seat=0).height / rows.height
    shown = study.tables["seats"].filter(
        players=3, rules="basic", player="leads", start="forced", seat=0
    )
    assert shown["share"].item() == pytest.approx(expected)


@pytest.mark.parametrize(("players", "player"), [(2, "leads"), (3, "random")])
def test_rounds_and_points_are_those_of_the_recorded_rounds(study, players, player) -> None:
    run = Run(preset("advanced", players), (player,) * players, SEED)
    _, rows = play_recorded(run, DEALS)
    shown = study.tables["rounds"].filter(players=players, player=player)
    wins = rows.group_by("round", "winner_seat").len()
    for row in shown.iter_rows(named=True):
        number, seat = row["round"] - 1, row["seat"]
        n = wins.filter(round=number, winner_seat=seat)["len"].sum()
        assert row["rounds"] == (rows["round"] == number).sum()
        assert row["share"] == pytest.approx(n / row["rounds"])
    assert shown["round"].max() == rows["round"].max() + 1

    points = study.tables["points"].filter(players=players, player=player)
    for row in points.iter_rows(named=True):
        from_seat = pl.col("points") * (pl.col("winner_seat") == row["seat"])
        games = rows.group_by("game").agg(
            from_seat.sum().alias("seat"), pl.col("points").sum(), pl.len().alias("rounds")
        )
        rounds = games["rounds"].to_numpy()
        for values, name in (
            (games["seat"].to_numpy(), "points"),
            ((games["seat"] - games["points"] / players).to_numpy(), "worth"),
        ):
            ratio = values.sum() / rounds.sum()
            residuals = values - ratio * rounds
            error = np.sqrt((residuals**2).sum() / (DEALS - 1) * DEALS) / rounds.sum()
            assert row[name] == pytest.approx(ratio)
            assert row[f"{name}_se"] == pytest.approx(error)
        assert row["low"] < row["worth"] < row["high"]
    assert points["worth"].sum() == pytest.approx(0, abs=1e-12)


def test_any_number_of_threads_says_the_same(study: Study) -> None:
    again = first_player(
        player=("random", "leads"), players=(2, 3), games=GAMES, deals=DEALS, seed=SEED, threads=3
    )
    assert again.as_json() == study.as_json()


def test_progress_counts_what_was_announced() -> None:
    done: list[int] = []
    announced: list[int] = []
    told = {"progress": done.append, "planned": announced.append}
    first_player(("basic", "advanced"), "leads", (2, 3), games=60, deals=7, solved=3, **told)
    assert [sum(done)] == announced == [4 * 60 + 2 * 7 * 5 + 2 * 7 + 3]


def test_perfect_play_has_rows_of_its_own() -> None:
    study = first_player(("basic", "advanced"), "leads", (2, 3), games=60, solved=80, seed=4)
    rows = study.tables["seats"].filter(player="perfect").to_dicts()
    assert [(row["players"], row["rules"], row["games"]) for row in rows] == [(2, "basic", 80)] * 2
    answer = solve(deals=80, seed=4)
    assert rows[0]["share"] == answer["rate"]
    assert (rows[0]["low"], rows[0]["high"]) == (answer["low"], answer["high"])
    assert "80 deals, open hands" in study.caption
    without = first_player(("basic", "advanced"), "leads", 3, games=60)
    assert without.tables["seats"].filter(player="perfect").is_empty()
    assert "open hands" not in without.caption


def test_a_planted_disadvantage_of_the_starter_is_found() -> None:
    """Who starts gets three more cards, so his share rises beyond doubt."""
    plain = first_player("basic", "leads", 2, games=2000, deals=50)
    helped = first_player("basic", "leads", 2, settings={"start_bonus": (3,)}, games=2000, deals=50)
    first = [
        s.tables["seats"].filter(start="by the rules", seat=0).row(0, named=True)
        for s in (plain, helped)
    ]
    assert first[0]["verdict"] == "below"
    assert first[1]["verdict"] == "above"


def test_one_game_is_known_to_say_little() -> None:
    study = first_player("advanced", "random", 2, games=1)
    assert study.tables["seats"]["low"].to_list() == [0.0] * 4
    assert study.tables["points"]["worth_se"].to_list() == [None, None]
    assert Sizes.of([], 1, None, None) == Sizes(1, 1, 0)


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ({"rules": "expert"}, "'expert'"),
        ({"players": 5}, "players: 5"),
        ({"player": "nobody"}, "'nobody'"),
        ({"games": 0}, "games: 0"),
        ({"deals": 0}, "deals: 0"),
        ({"solved": -1}, "solved: -1"),
        ({"seed": -1}, "seed: -1"),
        ({"confidence": 1.0}, "confidence: 1"),
        ({"settings": {"hand_size": 99}}, "hand_size"),
    ],
)
def test_refused_values_are_named(arguments: dict, culprit: str) -> None:
    with pytest.raises(ValueError, match=culprit):
        first_player(**({"games": 10} | arguments))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("actions", True),
        ("hand_size", 5),
        ("start_bonus", (0, 1)),
        ("start_bonus", ()),
        ("rules_in_play", {"blue": "red", "red": "blue"}),
        ("end", "wins:3"),
    ],
)
def test_a_setting_as_text_is_the_setting(name: str, value: object) -> None:
    plain = preset("basic", 2)
    assert plain.changed({name: setting_text(value)}) == plain.changed({name: value})
