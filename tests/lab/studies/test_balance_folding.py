"""The study of folding against the logs of the same games, and players whose folds are known."""

from collections import Counter

import pytest
from naive_folds import folds_of_log

from red7sim.game.ruleset import RulesetError, preset
from red7sim.game.turns import FOLD, cheapest_turn
from red7sim.lab.runs import RunError
from red7sim.lab.studies.balance_folding import (
    FOLDED,
    FORCED_OUT,
    MAY,
    MAY_NOT,
    OUTCOMES,
    WON,
    balance_folding,
    folding_players,
    line_up_run,
)
from red7sim.lab.studies.cross import Cell
from red7sim.play.outside import register
from red7sim.play.policy import Player, PlayerError
from red7sim.play.replay import replay_game

PLAYER = "banker:samples=1"
DEALS, SEED = 8, 3


def quit_at_once(view, rules, own):  # noqa: ARG001
    """Fold whenever that is allowed, else take the first turn."""
    if own.no_fold:
        for lane in range(view.lanes):
            if view.lane_turns[lane]:
                return cheapest_turn(view.lane_cards[lane], view.lane_turns[lane])
    return FOLD


@pytest.fixture(scope="module")
def quitter() -> str:
    register(Player("quitter", "Folds at once.", quit_at_once, folds=True))
    return "quitter"


def logs(run, deals: int) -> list[tuple[tuple[int, ...], list[dict]]]:
    """The log of every game of some deals, with who sits where."""
    return [
        (arm.order, [*replay_game(run.rules, arm.seated(run.players), SEED, deal)])
        for deal in range(deals)
        for arm in run.arms
    ]


@pytest.mark.parametrize("minimum", [0, 9])
@pytest.mark.parametrize("players", [2, 3])
def test_figures_are_those_of_the_logs(players: int, minimum: int) -> None:
    study = balance_folding(player=PLAYER, players=players, minimum=minimum, games=DEALS, seed=SEED)
    rules = preset("advanced", players).changed({"round_minimum": minimum})
    cell = Cell("advanced", PLAYER, rules)
    for side in (MAY, MAY_NOT)[: players - 1]:
        count: Counter = Counter()
        for order, events in logs(line_up_run(cell, side, SEED), DEALS):
            position = order.index(0)
            for event in events:
                if event["type"] == "round_end":
                    count["rounds"] += 1
                    count["points"] += event["points"] * (event["winner"] == position)
                    count["all"] += event["points"]
            winners = events[-1]["winners"]
            count["won"] += (position in winners) / len(winners)
        games = DEALS * players
        [share] = study.tables["shares"].filter(alone=side).to_dicts()
        assert share["share"] == pytest.approx(count["won"] / games)
        assert share["difference"] == pytest.approx(share["share"] - 1 / players)
        assert share["joint_low"] <= share["low"] < share["high"] <= share["joint_high"]
        [points] = study.tables["points"].filter(alone=side).to_dicts()
        assert points["points"] == pytest.approx(count["points"] / games)
        assert points["points_per_round"] == pytest.approx(count["points"] / count["rounds"])
        others = (count["all"] - count["points"]) / (players - 1)
        assert points["lead"] == pytest.approx((count["points"] - others) / games)


@pytest.mark.parametrize("players", [2, 3])
def test_ends_of_rounds_are_those_of_the_logs(players: int) -> None:
    study = balance_folding(player=PLAYER, players=players, minimum=0, games=DEALS, seed=SEED)
    cell = Cell("advanced", PLAYER, preset("advanced", players))
    for side, rivals in ((MAY, MAY_NOT), (None, MAY)):
        ended: Counter = Counter()
        points: Counter = Counter()
        for order, events in logs(line_up_run(cell, side, SEED), DEALS):
            ends = [event for event in events if event["type"] == "round_end"]
            folds = folds_of_log(events, cell.ruleset.as_json())
            for event, folded in zip(ends, folds, strict=True):
                for position in range(players):
                    if side is None or order[position] == 0:
                        won = event["winner"] == position
                        end = WON if won else FOLDED if folded >> position & 1 else FORCED_OUT
                        ended[end] += 1
                        points[end] += event["points"]
        rows = study.tables["ends"].filter(rivals=rivals).to_dicts()
        assert [row["end"] for row in rows] == [*OUTCOMES]
        for row in rows:
            assert row["rounds"] == ended[row["end"]] > 0
            assert row["share"] == pytest.approx(ended[row["end"]] / ended.total())
            assert row["points"] == pytest.approx(points[row["end"]] / ended[row["end"]])


def test_who_folds_at_once_loses_everything(quitter: str) -> None:
    study = balance_folding(player=quitter, players=[2, 3], minimum=0, games=40)
    shares, ends = study.tables["shares"], study.tables["ends"]
    for row in shares.filter(alone=MAY).to_dicts():
        assert row["share"] == 0
        assert row["verdict"] == "costs"
    [row] = shares.filter(alone=MAY_NOT).to_dicts()
    assert row["share"] == 1
    assert row["verdict"] == "pays"
    alone = ends.filter(rivals=MAY_NOT, end=WON)
    assert alone["rounds"].to_list() == [0, 0]
    assert alone["points"].to_list() == [None, None]
    # Where all fold at once the last of them wins.
    [won] = ends.filter(players=3, rivals=MAY, end=WON).to_dicts()
    assert won["share"] == pytest.approx(1 / 3)


def test_a_fold_denies_points_down_to_the_minimum(quitter: str) -> None:
    study = balance_folding(player=quitter, players=2, minimum=[0, 30], games=40)
    folded = study.tables["ends"].filter(rivals=MAY, end=FOLDED)
    low, high = folded["points"].to_list()
    assert 0 < low < 7
    # A set of one or two cards is worth less than 30.
    assert high == 30


def test_any_number_of_threads_says_the_same() -> None:
    one, three = (balance_folding(player=PLAYER, games=70, threads=n) for n in (1, 3))
    assert one.as_json() == three.as_json()
    assert one.tables["ends"]["share_se"].null_count() == 0


def test_progress_counts_what_was_announced() -> None:
    done: list[int] = []
    announced: list[int] = []
    told = {"progress": done.append, "planned": announced.append}
    balance_folding(player=PLAYER, players=[2, 4], games=3, **told)
    assert [sum(done)] == announced == [3 * 2 * (2 + 1 + 4 + 4 + 1)]


def test_one_deal_is_known_to_say_little() -> None:
    study = balance_folding(player=PLAYER, games=1)
    assert study.tables["shares"]["verdict"].unique().to_list() == ["open"]
    assert study.tables["ends"]["share_se"].null_count() == study.tables["ends"].height


def test_the_players_who_fold_are_named() -> None:
    assert "banker" in folding_players()
    with pytest.raises(PlayerError, match=r"'leads' never folds.*banker"):
        balance_folding(player="leads")


@pytest.mark.parametrize(
    ("arguments", "error", "culprit"),
    [
        ({"rules": "expert"}, RulesetError, "'expert'"),
        ({"rules": "basic"}, RunError, "end: 'round'"),
        ({"players": 5}, RulesetError, "players: 5"),
        ({"minimum": -1}, RulesetError, "round_minimum: -1"),
        ({"minimum": []}, RunError, "minimum"),
        ({"settings": {"round_minimum": 3}}, RunError, "round_minimum"),
        ({"games": 0}, RunError, "games: 0"),
        ({"seed": -1}, RunError, "seed: -1"),
        ({"confidence": 1.0}, ValueError, "confidence: 1"),
        ({"settings": {"actions": True}}, PlayerError, "actions"),
    ],
)
def test_refused_values_are_named(arguments: dict, error: type, culprit: str) -> None:
    with pytest.raises(error, match=culprit):
        balance_folding(**({"games": 2} | arguments))
