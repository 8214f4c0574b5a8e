"""Regret against the slow solver."""

import naive
import naive_solver
import pytest

from red7sim.game.ruleset import RulesetError, preset
from red7sim.lab.runs import RunError
from red7sim.lab.studies.skill import PLAYOUTS, skill
from red7sim.play.judged import (
    CHOICES,
    DECISIONS,
    FORCED,
    FREE,
    JUDGEMENTS,
    WON,
    empty_judgements,
    seat_judged,
)
from red7sim.play.policy import PlayerError
from red7sim.play.replay import replay_game

SMALL = preset("basic", 2).changed({"hand_size": 3})
PERFECT = "perfect:hands=open"


def judged_by_hand(name: str, games: int, seed: int) -> dict[str, int]:
    """The counts of a player against himself, from logs and the slow solver."""
    found = dict.fromkeys(("decisions", "choices", "forced", "won", "free", "thrown"), 0)
    for game in range(games):
        log = [*replay_game(SMALL, (name, name), seed, game)]
        deal = next(event for event in log if event["type"] == "deal")
        position = naive.check_deal(deal, SMALL.as_json(), 2, naive.new_standing(2))
        memory: naive_solver.Memory = {}
        for event in log:
            if event["type"] != "turn":
                continue
            pairs = naive.surviving_pairs(position)
            if pairs:
                afters = {pair: naive_solver.after_turn(position, *pair) for pair in pairs}
                wins = {p: not naive_solver.mover_wins(a, memory) for p, a in afters.items()}
                cards = {step["do"]: step.get("card") for step in event["steps"]}
                chosen = cards.get("play"), cards.get("discard")
                free = any(wins.values()) and len(pairs) > 1
                found["decisions"] += 1
                found["choices"] += len(pairs)
                found["forced"] += len(pairs) == 1
                found["won"] += any(wins.values())
                found["free"] += free
                found["thrown"] += free and not wins[chosen]
            position = naive.check_turn(position, event, giving_up=False)
    return found


@pytest.mark.parametrize("name", ["random", "greedy", "thrifty"])
def test_the_counts_agree_with_the_slow_solver(name: str) -> None:
    tally = empty_judgements()
    seat_judged(SMALL, (name,)).play_block(3, 0, 60, tally)
    counts = tally.view(JUDGEMENTS)[0]
    turns = counts["turns"].sum(axis=0)
    assert judged_by_hand(name, 60, 3) == {
        "decisions": turns[DECISIONS],
        "choices": turns[CHOICES],
        "forced": turns[FORCED],
        "won": turns[WON],
        "free": turns[FREE],
        "thrown": counts["thrown"][:, 0].sum(),
    }
    assert counts["thrown"].sum() > 0
    assert counts["rounds"] == 60


def test_perfect_play_throws_nothing_away() -> None:
    study = skill((PERFECT, "random"), games=60)
    rows = study.tables["players"].to_dicts()
    assert rows[0]["thrown"] == 0 < rows[1]["thrown"]
    assert rows[0]["low"] == 0 < rows[0]["high"] < 0.1


def test_everybody_is_judged_by_the_same_positions() -> None:
    study = skill(("random", "leads", "greedy"), games=90, seed=2)
    players, turns, regrets = (study.tables[name] for name in ("players", "turns", "regrets"))
    assert players["judged"].n_unique() == 1
    assert players["judged"][0] == turns["judged"].sum()
    for row in players.to_dicts():
        own = regrets.filter(player=row["player"])
        assert own["thrown"].sum() == row["thrown"]
        assert row["low"] <= row["regret"] <= row["high"]
        assert row["regret_of_all"] == row["thrown"] / turns["decisions"].sum()


def test_blind_choice_is_what_random_does_on_average() -> None:
    """A difference of five standard errors, which a right program exceeds once in a million."""
    study = skill("random", games=2_000, seed=4)
    turns = study.tables["turns"].drop_nulls()
    row = study.tables["players"].row(0, named=True)
    mean = (turns["chance"] * turns["judged"]).sum() / turns["judged"].sum()
    assert row["chance"] == pytest.approx(mean)
    assert abs(row["regret"] - row["chance"]) < 5 * row["regret_se"]


def test_threads_change_nothing() -> None:
    one, other = (skill(("random", "leads"), games=200, threads=threads) for threads in (1, 3))
    for name, table in one.tables.items():
        assert table.equals(other.tables[name])


def test_what_is_refused() -> None:
    announced: list[int] = []
    for name in ("leads+no-discard", "perfect", "nobody"):
        with pytest.raises(PlayerError):
            skill(name, games=1, planned=announced.append)
    names = [f"pressure:threat=0.{i}" for i in range(1, 10)]
    with pytest.raises(PlayerError, match="9 players"):
        skill(names, games=1, planned=announced.append)
    with pytest.raises(RulesetError, match="draw"):
        skill("leads", settings={"draw": "auto"}, games=1, planned=announced.append)
    with pytest.raises(RunError, match="seed"):
        skill("leads", seed=-1, games=1, planned=announced.append)
    assert not announced


def test_one_round_is_no_crash() -> None:
    study = skill("leads", settings={"hand_size": 1}, games=1)
    assert study.tables["players"].height == 1


def test_luck_is_all_there_is_for_players_without_chance() -> None:
    rows = skill(("random", "leads"), games=5_000).tables["players"].to_dicts()
    assert rows[1]["luck"] == rows[1]["luck_low"] == rows[1]["luck_high"] == 1
    assert 0.1 < rows[0]["luck_low"] < rows[0]["luck"] < rows[0]["luck_high"] < 0.9


def test_progress_counts_what_was_announced() -> None:
    done: list[int] = []
    announced: list[int] = []
    told = {"progress": done.append, "planned": announced.append}
    skill(("random", "leads"), games=55, **told)
    assert [sum(done)] == announced == [55 + 2 * 11 * PLAYOUTS]
