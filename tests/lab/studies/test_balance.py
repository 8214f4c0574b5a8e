"""The studies of balance against the logs of the same games."""

from collections import Counter

import naive
import naive_details
import polars as pl
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, play
from red7sim.lab.studies.balance_agency import balance_agency
from red7sim.lab.studies.balance_cards import balance_cards
from red7sim.lab.studies.balance_rules import balance_rules
from red7sim.play.replay import replay_game
from red7sim.play.tally import POSITION_WINS, SHARE_UNIT, SUM

GAMES, SEED = 60, 8


def log_counts(base: str, player: str, players: int) -> Counter:
    rules, count = preset(base, players), Counter()
    for game in range(GAMES):
        events = [*replay_game(rules, (player,) * players, SEED, game)]
        count += naive_details.count_game(events, rules.as_json(), players)
    return count


@pytest.fixture(scope="module")
def counts() -> Counter:
    return log_counts("advanced", "random", 2)


def test_cards_are_those_of_the_logs(counts: Counter) -> None:
    study = balance_cards("advanced", "random", games=GAMES, seed=SEED)
    effects, uses = study.tables["effects"], study.tables["uses"]
    assert (effects.height, uses.height) == (126, 63)
    rounds = sum(counts["finals", colour, "ends"] for colour in naive.COLOURS.values())
    for row in effects.filter(kind="card").iter_rows(named=True):
        for name in ("dealt", "won"):
            assert row[name] == counts["cards", row["place"], name, row["factor"]]
    for row in effects.filter(pl.col("kind") != "card").iter_rows(named=True):
        group = int(row["factor"]) if row["kind"] == "number" else row["factor"]
        assert row["dealt"] == counts["groups", row["place"], "dealt", group]
    for row in uses.iter_rows(named=True):
        cards = [
            card
            for card in naive.ALL_CARDS
            if row["factor"] in (card, naive.colour(card), str(naive.number(card)))
        ]
        for use, step in (("played", "play"), ("discarded", "discard"), ("drawn", "draw")):
            times = sum(counts["steps", step, card] for card in cards)
            assert row[use] == pytest.approx(times / rounds)
        assert row["scored"] == pytest.approx(sum(counts["scored", c] for c in cards) / rounds)


def test_rules_are_those_of_the_logs(counts: Counter) -> None:
    study = balance_rules("advanced", "random", games=GAMES, deals=20, seed=SEED)
    colours = [*naive.COLOURS.values()]
    ends = {colour: counts["finals", colour, "ends"] for colour in colours}
    turns = {colour: counts["canvas_turns", colour] for colour in colours}
    for row in study.tables["rules"].iter_rows(named=True):
        rule = row["rule"]
        changes = sum(counts["discards", other, rule] for other in colours if other != rule)
        assert row["shown"] == pytest.approx(turns[rule] / sum(turns.values()))
        assert row["ended"] == pytest.approx(ends[rule] / sum(ends.values()))
        assert row["points"] == pytest.approx(counts["finals", rule, "points"] / ends[rule])
        assert row["changes"] == pytest.approx(changes / sum(ends.values()))
        assert row["won"] == pytest.approx(counts["changes_won", rule] / changes)
    for row in study.tables["transitions"].iter_rows(named=True):
        assert row["discards"] == counts["discards", row["before"], row["after"]]
    shares = study.tables["transitions"].group_by("before").agg(pl.col("share").sum())
    assert shares["share"].to_list() == pytest.approx([1] * 7)


def test_a_restriction_is_a_restricted_player_among_the_others() -> None:
    study = balance_rules("basic", "leads", 3, games=10, deals=200, seed=SEED)
    for restriction in ("no-rule:blue", "no-play"):
        [row] = study.tables["restrictions"].filter(restriction=restriction).to_dicts()
        line_up = (f"leads+{restriction}", "leads", "leads")
        tally = play(Run(preset("basic", 3), line_up, SEED, "rotate"), 200).tally
        share = tally[SUM, POSITION_WINS] / SHARE_UNIT / 600
        assert row["share"] == pytest.approx(share)
        assert row["difference"] == pytest.approx(share - 1 / 3)
        assert -1 / 3 <= row["joint_low"] <= row["low"] <= row["difference"]
        assert row["difference"] < row["high"] < row["joint_high"]
    # Who never plays to his palette must lead by discards alone.
    assert row["verdict"] == "costs"


def test_actions_may_be_restricted_too() -> None:
    study = balance_rules(settings={"actions": True}, games=2, deals=2)
    names = study.tables["restrictions"]["restriction"].to_list()
    assert names[-4:] == [f"no-action:{number}" for number in (1, 3, 5, 7)]
    assert len(names) == 13


def test_agency_is_that_of_the_logs(counts: Counter) -> None:
    study = balance_agency("advanced", "random", games=GAMES, deals=3, playouts=2, seed=SEED)
    for row in study.tables["turns"].iter_rows(named=True):
        number = row["turn"] - 1
        asked = counts["turns", number, "asked"]
        assert row["asked"] == asked
        assert row["choices"] == pytest.approx(counts["turns", number, "choices"] / asked)
        assert row["none"] == pytest.approx(counts["turns", number, "no_choice"] / asked)
        assert row["forced"] == pytest.approx(counts["turns", number, "forced"] / asked)
    for row in study.tables["lengths"].iter_rows(named=True):
        assert row["rounds"] == counts["lengths", row["turns"]]
    rounds = study.tables["lengths"]["rounds"].sum()
    for row in study.tables["seats"].iter_rows(named=True):
        assert row["out_early"] == counts["out_early", row["seat"]]
        assert row["rounds"] == rounds
    value = {row["figure"]: row["value"] for row in study.tables["figures"].to_dicts()}
    assert value["comebacks"] == pytest.approx(counts["comebacks",] / counts["long_games",])
    assert value["leader_changes"] == pytest.approx(counts["leader_changes",] / rounds)
    assert 0 <= value["ended_by_cards"] <= 1


def test_with_the_usual_start_every_turn_survived_changes_the_leader() -> None:
    """As nobody leads at the start of his own turn; so it is one less than the turns of 2."""
    study = balance_agency("basic", "leads", games=200, deals=2, playouts=2)
    value = {row["figure"]: row["value"] for row in study.tables["figures"].to_dicts()}
    assert value["leader_changes"] == pytest.approx(value["turns_per_round"] - 1)
    assert "comebacks" not in value


def test_any_number_of_threads_says_the_same() -> None:
    for study, numbers in (
        (balance_cards, {"games": 300}),
        (balance_rules, {"games": 300, "deals": 30}),
        (balance_agency, {"games": 300, "deals": 300, "playouts": 3}),
    ):
        one, three = (study("advanced", "random", threads=n, **numbers) for n in (1, 3))
        assert one.as_json() == three.as_json()


def test_progress_counts_what_was_announced() -> None:
    for study, numbers, games in (
        (balance_cards, {"games": 40}, 40),
        (balance_rules, {"games": 40, "deals": 5}, 40 + 9 * 5 * 3),
        (balance_agency, {"games": 40, "deals": 5, "playouts": 4}, 60),
    ):
        done: list[int] = []
        announced: list[int] = []
        told = {"progress": done.append, "planned": announced.append}
        study("basic", "leads", 3, **numbers, **told)
        assert [sum(done)] == announced == [games]


def test_a_planted_rule_is_found() -> None:
    """Where every colour stands for red, high cards are worth more than anything else."""
    red = dict.fromkeys(naive.COLOURS.values(), "red")
    study = balance_cards(player="greedy", settings={"rules_in_play": red}, games=4000)
    numbers = study.tables["effects"].filter(kind="number", place="hand")
    effect = dict(zip(numbers["factor"], numbers["effect"], strict=True))
    assert effect["7"] > effect["5"] > effect["3"]
    assert numbers.filter(factor="7")["verdict"].item() == "helps"
    assert numbers.filter(factor="1")["verdict"].item() == "hurts"


@pytest.mark.parametrize(
    ("settings", "allowed"), [({"start_bonus": (0, 1)}, False), ({"start_bonus": (1, 1)}, True)]
)
def test_effects_need_hands_of_one_size(settings: dict, allowed: bool) -> None:
    if allowed:
        assert balance_cards(settings=settings, games=5).tables["effects"].height == 126
    else:
        with pytest.raises(ValueError, match="start_bonus"):
            balance_cards(settings=settings, games=5)


def test_one_game_is_known_to_say_little() -> None:
    cards = balance_cards(games=1)
    assert cards.tables["effects"]["verdict"].unique().to_list() == ["open"]
    assert cards.tables["uses"]["played_se"].null_count() == 63
    rules = balance_rules(games=1, deals=1)
    assert rules.tables["restrictions"]["verdict"].unique().to_list() == ["open"]
    assert rules.tables["rules"]["points"].null_count() >= 6
    agency = balance_agency("basic", "random", games=1, deals=1)
    figures = agency.tables["figures"]
    assert figures.filter(figure="luck_of_deal")["value"].to_list() == [None]
    assert figures["low"].null_count() == figures.height


@pytest.mark.parametrize("study", [balance_cards, balance_rules, balance_agency])
@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ({"rules": "expert"}, "'expert'"),
        ({"players": 5}, "players: 5"),
        ({"player": "nobody"}, "'nobody'"),
        ({"games": 0}, "games: 0"),
        ({"seed": -1}, "seed: -1"),
        ({"confidence": 1.0}, "confidence: 1"),
    ],
)
def test_refused_values_are_named(study, arguments: dict, culprit: str) -> None:
    with pytest.raises(ValueError, match=culprit):
        study(**({"games": 10} | arguments))
