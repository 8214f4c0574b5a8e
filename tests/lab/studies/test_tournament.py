"""Tournaments against single matches, and their errors."""

import numpy as np
import polars as pl
import pytest

from red7sim.game.ruleset import RulesetError, preset
from red7sim.lab.runs import Run, RunError, play
from red7sim.lab.studies.tournament import FEWEST, REPLICATES, Field, tournament
from red7sim.lab.summary import summarize
from red7sim.play.design import arms_of
from red7sim.play.paired import seat_paired
from red7sim.play.policy import PlayerError
from red7sim.play.tally import GAME_SQUARES, GAMES, POINTS, POSITION_WINS, ROUNDS, SUM

PLAYERS = ("random", "leads", "greedy")


def test_the_shares_are_those_of_single_runs() -> None:
    study = tournament("basic", PLAYERS, games=150, seed=3)
    shares = study.tables["shares"]
    assert shares.height == 6
    run = Run(preset("basic", 2), ("leads", "greedy"), 3, "rotate")
    expected = summarize(play(run, 150))["line_up"]
    for row in expected:
        [rival] = {"leads", "greedy"} - {row["player"]}
        found = shares.filter(player=row["player"], rivals=rival).row(0, named=True)
        assert found["share"] == pytest.approx(row["win_rate"])
        assert (found["low"], found["high"]) == pytest.approx((row["low"], row["high"]))
        assert found["variance_ratio"] == pytest.approx(row["variance_ratio"])
        assert found["games"] == 300


def test_larger_tables_have_one_among_equals_and_all_different() -> None:
    study = tournament("basic", PLAYERS, 3, games=40)
    rivals = study.tables["shares"]["rivals"].to_list()
    assert len(rivals) == 6 + 3
    assert rivals.count("2 x leads") == 2
    assert "leads, greedy" in rivals
    assert study.tables["shares"]["fair"].unique().to_list() == [1 / 3]
    pairs = tournament("basic", PLAYERS[:2], 4, games=10).tables["shares"]
    assert pairs["rivals"].to_list() == ["3 x leads", "3 x random"]


def test_ratings_order_the_players_and_sum_to_nothing() -> None:
    ratings = tournament("basic", PLAYERS, games=400).tables["ratings"]
    assert ratings["player"].to_list() == ["leads", "greedy", "random"]
    assert ratings["rating"].sum() == pytest.approx(0, abs=1e-9)
    assert (ratings["low"] < ratings["rating"]).all()


def test_the_error_of_a_rating_is_that_of_the_share() -> None:
    """For two players the rating is a function of one share, whose error is known.

    The bootstrap's own error is 1 / sqrt(2 * 200) = 5 %; four of these are allowed.
    """
    study = tournament("basic", ("leads", "greedy"), games=3_000, seed=8)
    row = study.tables["shares"].row(0, named=True)
    error = (row["high"] - row["low"]) / 2 / 1.959964
    slope = 400 / np.log(10) / (row["share"] * (1 - row["share"])) / 2
    rating = study.tables["ratings"].row(0, named=True)
    assert rating["rating_se"] == pytest.approx(slope * error, rel=0.2)
    assert row["predicted"] == pytest.approx(row["share"], abs=0.001)


def test_replicates_are_resampled_deals() -> None:
    field = Field(("random", "leads"), 2, "basic", {}, 5)
    tally = field.empty_tally()
    field.table().play_block(5, 0, 400, tally)
    counts, replicates = field.split(tally)
    assert replicates.shape == (REPLICATES, 1 + 2)
    # 400 weights of mean and variance 1: the mean over 200 replicates is within 5 errors of 1.
    assert abs(replicates[:, 0].mean() / 400 - 1) < 5 / np.sqrt(400 * REPLICATES)
    wins = counts[0, SUM, POSITION_WINS : POSITION_WINS + 2]
    assert np.abs(replicates[:, 1:].mean(axis=0) / wins - 1).max() < 0.05


def test_threads_change_nothing() -> None:
    one, other = (tournament("basic", PLAYERS, games=300, threads=threads) for threads in (1, 3))
    for name, table in one.tables.items():
        assert table.equals(other.tables[name])


def test_what_is_refused() -> None:
    with pytest.raises(RunError, match="two or more"):
        tournament("basic", ["leads", "leads"], games=1)
    with pytest.raises(PlayerError):
        tournament("basic", ["leads", "nobody"], games=1)
    with pytest.raises(RulesetError, match="players"):
        tournament("basic", PLAYERS, 5, games=1)
    with pytest.raises(RunError, match="games"):
        tournament("basic", PLAYERS, games=0)


def test_one_deal_is_no_crash() -> None:
    study = tournament("basic", PLAYERS, games=1)
    assert study.tables["ratings"]["rating"].is_finite().all()


@pytest.mark.parametrize("weak", [1, 2])
def test_ratings_that_rest_on_no_games_have_no_error(weak: int) -> None:
    """Where some win nothing from the others, all rests on the halves of games that are added,
    which every bootstrap has alike; also where they win enough from each other.
    """
    players = ("leads", "random", "leads+no-play", "random+no-play")[: 2 + weak]
    study = tournament("basic", players, games=40)
    ratings = study.tables["ratings"]
    assert ratings["player"].to_list()[2:] != [*players[:2]]
    won = study.tables["shares"].with_columns(won=pl.col("share") * pl.col("games"))
    of_weak = pl.col("player").is_in(players[2:])
    against = pl.col("rivals").str.contains("no-play")
    assert won.filter(of_weak & ~against)["won"].max() < FEWEST
    assert ratings.select("rating_se", "low", "high").null_count().row(0) == (2 + weak,) * 3
    connected = tournament("basic", players[:2], games=40).tables["ratings"]
    assert connected["rating_se"].null_count() == 0


def test_points_are_known_of_scored_games_alone() -> None:
    assert "points" not in tournament("basic", PLAYERS, games=2).tables
    study = tournament("advanced", PLAYERS, 3, games=60, seed=2)
    shares, points = study.tables["shares"], study.tables["points"]
    assert points.select("player", "rivals").equals(shares.select("player", "rivals"))
    together = points.filter(pl.col("rivals").str.contains(","))
    table = seat_paired(preset("advanced", 3), PLAYERS, arms_of("rotate", 3))
    tally = table_tally(table, 60)
    # The points of a game are those of its rounds, whoever has won them.
    assert together["points"].sum() == pytest.approx(tally[SUM, POINTS] / 180)
    assert together["points_per_round"].sum() == pytest.approx(
        tally[SUM, POINTS] / tally[SUM, ROUNDS]
    )
    assert together["lead"].sum() == pytest.approx(0, abs=1e-9)
    assert (points["low"] < points["lead"]).all()
    assert (points["lead"] < points["high"]).all()


def table_tally(table, deals: int) -> np.ndarray:
    tally = np.zeros((GAME_SQUARES + 1, GAMES + 1), dtype=np.int64)
    table.play_block(2, 0, deals, tally)
    return tally


def test_a_player_among_equals_leads_by_what_he_has_more_than_each() -> None:
    row = (
        tournament("advanced", ("leads", "random"), 4, games=80).tables["points"].row(0, named=True)
    )
    assert row["player"] == "leads"
    assert row["games"] == 320
    assert row["lead"] > 3 * row["lead_se"] > 0
    one = tournament("advanced", ("leads", "random"), 2, games=1).tables["points"]
    assert one["points_se"].to_list() == [None, None]
    assert one["low"].to_list() == [None, None]


@pytest.mark.parametrize(("players", "line_ups"), [(2, 3), (3, 6 + 1)])
def test_progress_counts_the_games_that_were_announced(players: int, line_ups: int) -> None:
    done: list[int] = []
    announced: list[int] = []
    told = {"progress": done.append, "planned": announced.append}
    study = tournament("basic", PLAYERS, players, games=20, **told)
    assert [sum(done)] == announced == [20 * line_ups * players]
    assert study.parameters["players"] == players
