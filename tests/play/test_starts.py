"""Rounds from given starts go on as the logged games did."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import naive
import numpy as np
import pytest

from red7sim.game.notation import members, parse_position, set_text
from red7sim.game.ruleset import Ruleset, preset
from red7sim.play.position import position_view, surviving_turns
from red7sim.play.replay import replay_game
from red7sim.play.started import fill_in, sample_hands, seat_at
from red7sim.play.starts import NO_SCRIPT, StartError, script_of, start_at, starts_of
from red7sim.play.tally import (
    DRAWS,
    GAMES,
    POINTS,
    POSITION_WINS,
    ROUNDS,
    SEAT_WINS,
    SHARE_UNIT,
    SUM,
    TURNS,
    empty_tally,
)

DETERMINISTIC = ("leads", "greedy", "thrifty")
PRESETS = [
    preset(base, players, printing).changed({"end": "round"})
    for base in ("basic", "advanced")
    for printing in (None, "1.1", "1.2")
    for players in (2, 3, 4)
]


def text_of(position: naive.Position) -> tuple[str, list[int]]:
    """A position of the twin as text, and the table position of each player in it."""
    n = len(position.hands)
    order = [(position.mover + i) % n for i in range(n)]
    players = [
        f"{''.join(position.palettes[p])}/{''.join(position.hands[p])}" if position.live[p] else "-"
        for p in order
    ]
    letter = next(key for key, value in naive.COLOURS.items() if value == position.canvas)
    return f"{letter} {' '.join(players)} deck={''.join(position.deck)}", order


def moments(log: list[dict[str, Any]], rules: Ruleset) -> Iterator[tuple[naive.Position, dict]]:
    """Every position of a logged game of one round, with the turn that follows."""
    players = rules.players
    deal = next(event for event in log if event["type"] == "deal")
    position = naive.check_deal(deal, rules.as_json(), players, naive.new_standing(players))
    for event in log:
        if event["type"] == "turn":
            yield position, event
            position = naive.check_turn(position, event, giving_up=True)


def played_from(text: str, rules: Ruleset, players: tuple[str, ...], script=NO_SCRIPT) -> Any:
    tally = empty_tally()
    table = seat_at(start_at(parse_position(text)), rules, players, script)
    table.play_block(0, 0, 1, tally)
    return tally[SUM]


def winner(sums: Any) -> int:
    return [*sums[POSITION_WINS : POSITION_WINS + 4]].index(SHARE_UNIT)


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: f"{rules.players}-{rules.actions}")
def test_a_position_of_a_game_goes_on_as_the_game_did(rules: Ruleset) -> None:
    random = Random(rules.players)
    compared = 0
    for game in range(6):
        line_up = tuple(random.choice(DETERMINISTIC) for _ in range(rules.players))
        log = [*replay_game(rules, line_up, 7, game)]
        end = next(event for event in log if event["type"] == "round_end")
        turns = sum(event["type"] == "turn" for event in log)
        for number, (position, _) in enumerate(moments(log, rules)):
            text, order = text_of(position)
            sums = played_from(text, rules, tuple(line_up[p] for p in order))
            assert order[winner(sums)] == end["winner"]
            assert (sums[POINTS], sums[TURNS]) == (end["points"], turns - number)
            assert sums[SEAT_WINS + winner(sums)] == SHARE_UNIT
            compared += 1
    assert compared > 30


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: f"{rules.players}-{rules.actions}")
def test_a_scripted_turn_is_the_one_of_the_game(rules: Ruleset) -> None:
    """Whoever is seated, the first turn is as scripted: here the mover would play another one."""
    for game in range(4):
        log = [*replay_game(rules, ("leads",) * rules.players, 11, game)]
        compared = 0
        for position, event in moments(log, rules):
            if not event["survives"] or any(step["do"] == "draw" for step in event["steps"]):
                continue
            text, order = text_of(position)
            steps = [
                step | ({"from": order.index(step["from"])} if "from" in step else {})
                for step in event["steps"]
            ]
            turn: dict[str, Any] = {"steps": steps, "open": False}
            if not rules.actions:
                cards = {step["do"]: step["card"] for step in steps}
                turn = {"play": cards.get("play"), "discard": cards.get("discard")}
            assert turn in (surviving_turns(parse_position(text), rules) or [])
            after, after_order = text_of(naive.check_turn(position, event, giving_up=True))
            players = tuple("greedy" for _ in order)
            scripted = played_from(text, rules, players, script_of(turn))
            direct = played_from(after, rules, players)
            assert order[winner(scripted)] == after_order[winner(direct)]
            assert scripted[TURNS] == direct[TURNS] + 1
            compared += 1
        assert compared


def test_the_deals_of_a_log_give_the_games_of_the_log() -> None:
    rules, line_up = preset("advanced", 3).changed({"first_canvas": "dealt"}), ("random",) * 3
    one_round = rules.changed({"end": "round"})
    logs = [[*replay_game(one_round, line_up, 5, game)] for game in range(40)]
    deals = [event for log in logs for event in log if event["type"] == "deal"]
    table = seat_at(starts_of(deals), one_round, line_up)
    for game, log in enumerate(logs):
        tally = empty_tally()
        table.play_block(5, game, 1, tally)
        sums = tally[SUM]
        end = next(event for event in log if event["type"] == "round_end")
        assert (winner(sums), sums[POINTS]) == (end["winner"], end["points"])
        assert sums[TURNS] == sum(event["type"] == "turn" for event in log)
        steps = [step["do"] for event in log if event["type"] == "turn" for step in event["steps"]]
        assert sums[DRAWS] == steps.count("draw")
    tally = empty_tally()
    table.play_block(5, 35, 10, tally)  # again from the first deal
    assert (tally[SUM, GAMES], tally[SUM, ROUNDS]) == (10, 10)


def test_what_is_open_is_dealt_uniformly() -> None:
    """Chi-square with 119 degrees of freedom below 168 fails one right program in 500."""
    text = "R Y5/R1 -  O3/?3 Y1/?2 deck=?1 gone="
    named = parse_position(text.removesuffix(" gone=")).unseen
    unseen = [*members(named)][:6]
    gone = set_text(named ^ sum(1 << card for card in unseen))
    starts = start_at(parse_position(text + gone))
    n = 12_000
    hands = sample_hands(starts, 2, n, seed=1)
    others = sample_hands(starts, 3, n, seed=1)
    assert not (hands & others).any()
    pairs = Counter(zip(hands.tolist(), others.tolist(), strict=True))
    cells = comb(6, 3) * comb(3, 2)
    expected = n / cells
    assert len(pairs) == cells
    assert sum((count - expected) ** 2 / expected for count in pairs.values()) < 1.4 * cells


def test_an_open_deck_is_what_is_left() -> None:
    position = parse_position("R Y5/?2 O3/?3 deck=?4")
    starts = start_at(position)
    seen = set()
    for game in range(50):
        view, hidden = starts.views.copy()[0], starts.hiddens.copy()[0]
        hidden.seed, hidden.game = np.uint64(3), game
        fill_in(view, hidden)
        hands = [int(hand) for hand in hidden.hands[:2]]
        sets = [*hands, int(hidden.deck)]
        assert [cards.bit_count() for cards in sets] == [2, 3, 4]
        assert sum(sets) & position.unseen == sum(sets)
        assert not any(a & b for a, b in combinations(sets, 2))
        assert view.deck_size == 4
        seen.add(tuple(sets))
    assert len(seen) == 50


def test_views_of_a_position_hide_what_the_position_knows_of_rivals() -> None:
    position = parse_position("R Y5/R1 O3/G2G3")
    view = position_view(position)[0]
    assert view.known_hands.sum() == 0
    assert start_at(position).hiddens[0].hands[1] == parse_position("R Y5/ O3/G2G3").seats[1].hand


DEAL = {
    "type": "deal",
    "round": 0,
    "hands": [["R7"], ["R6"]],
    "palettes": [["O3"], ["O4"]],
    "deck": ["B1"],
    "canvas": "red",
    "start": 1,
}


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"hands": [["R7"], ["R7"]]}, "R7 in two places"),
        ({"hands": [["R8"], ["R6"]]}, "R8"),
        ({"hands": [["R7"]]}, "1 hands"),
        ({"hands": 7}, "cannot be read"),
        ({"hands": ["R7", None]}, "cannot be read"),
        ({"palettes": [["O3"], []]}, "never empty"),
        ({"canvas": "pink"}, "pink"),
        ({"start": 2}, r"start of a deal: 2 .* 0\.\.1"),
        ({"start": float("inf")}, "start of a deal: inf"),  # in JSON 1e999
        ({"start": 0.0}, r"start of a deal: 0\.0"),
        ({"start": True}, "start of a deal: True"),
        ({"start": "1"}, "start of a deal: '1'"),
        ({"round": -1}, r"round of a deal: -1 .* 0\.\.65_535"),
        ({"round": float("inf")}, "round of a deal: inf"),
        ({"scored": [["G1"]]}, "scored"),
    ],
)
def test_wrong_deals_are_refused(change: dict[str, Any], culprit: str) -> None:
    with pytest.raises(StartError, match=culprit):
        starts_of([DEAL | change])


def test_a_deal_without_a_deck_leaves_it_open() -> None:
    full = starts_of([DEAL])
    assert (full.views[0].deck_size, full.hiddens[0].ordered) == (1, 1)
    bare = starts_of([{key: value for key, value in DEAL.items() if key != "deck"}])
    assert (bare.views[0].deck_size, bare.hiddens[0].ordered) == (45, 0)


def test_deals_of_different_tables_are_refused() -> None:
    three = DEAL | {"hands": [["R7"], ["R6"], []], "palettes": [["O3"], ["O4"], ["O5"]]}
    with pytest.raises(StartError, match="deal 1 has 3 players"):
        starts_of([DEAL, three])
    with pytest.raises(StartError, match="no deals"):
        starts_of([])
