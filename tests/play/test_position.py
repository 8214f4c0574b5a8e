"""Turns of positions against the slow twin."""

import json
from typing import Any

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rulesets

from red7sim.game.notation import parse_position
from red7sim.game.ruleset import Ruleset, preset
from red7sim.play.position import leaders, leading_set, surviving_turns


@st.composite
def positions(draw: st.DrawFn, players: int) -> tuple[str, naive.Position]:
    """A random position, as text and for the twin; its rules are set later."""
    cards = draw(st.permutations(naive.ALL_CARDS))
    live = [True, *(draw(st.booleans()) for _ in range(players - 1))]
    if sum(live) < 2:
        live[1] = True
    words, palettes, hands = [], [], []
    for player in range(players):
        palette = [cards.pop() for _ in range(draw(st.integers(1, 4)))] if live[player] else []
        hand = [cards.pop() for _ in range(draw(st.integers(0, 5)))] if live[player] else []
        palettes.append(frozenset(palette))
        hands.append(frozenset(hand))
        words.append(f"{''.join(palette)}/{''.join(hand)}" if live[player] else "-")
    deck = [cards.pop() for _ in range(draw(st.sampled_from([0, 1, 5])))]
    canvas = draw(st.sampled_from("ROYGBIV"))
    text = f"{canvas} {' '.join(words)} deck={''.join(deck)}"
    colour = naive.COLOURS[canvas]
    return text, naive.Position({}, hands, palettes, live, colour, deck, mover=0)


def canonical(turn: dict[str, Any]) -> str:
    return json.dumps(turn, sort_keys=True)


def twin_turns(position: naive.Position) -> list[str]:
    """The twin's surviving turns in the JSON form; an open one ends with the card to be drawn."""
    if not position.rules["actions"]:
        pairs = naive.surviving_pairs(position)
        return [canonical({"play": play, "discard": discard}) for play, discard in pairs]
    turns = []
    for turn in naive.turns(position):
        steps = [*turn.steps]
        if turn.open:
            steps.append(naive.draw_step(naive.after_steps(position, turn.steps)))
        turns.append(canonical({"steps": steps, "open": turn.open}))
    return turns


@settings(max_examples=300)
@given(st.data(), st.booleans(), st.integers(2, 4))
def test_surviving_turns_are_those_of_the_twin(data, actions: bool, players: int) -> None:
    ruleset: Ruleset = data.draw(rulesets(players=players, actions=actions))
    text, twin = data.draw(positions(players))
    twin.rules = ruleset.as_json()
    turns = surviving_turns(parse_position(text), ruleset)
    assert turns is not None
    assert sorted(map(canonical, turns)) == sorted(twin_turns(twin))


@given(st.data(), st.integers(2, 4))
def test_leaders_and_their_sets_are_those_of_the_twin(data, players: int) -> None:
    ruleset: Ruleset = data.draw(rulesets(players=players))
    text, twin = data.draw(positions(players))
    position = parse_position(text)
    for colour, player in leaders(position, ruleset).items():
        rule = ruleset.rules_in_play[colour]
        assert player == naive.leader(twin.palettes, twin.live, rule)
        if player is not None:
            found = leading_set(position, ruleset, colour, player)
            assert set(found) == naive.counting_set(twin.palettes[player], rule)
            assert found == sorted(found, key=naive.card_value, reverse=True)


def turns_of(text: str, printing: str, base: str = "basic", **settings: Any) -> list[str]:
    """The surviving turns that play a card, in short."""
    ruleset = preset(base, len(parse_position(text).seats), printing).changed(settings)
    turns = surviving_turns(parse_position(text), ruleset)
    assert turns is not None
    return [
        " ".join(f"{step['do']}:{step['card']}" for step in turn["steps"])
        + (" open" if turn["open"] else "")
        for turn in turns
        if turn["steps"][0]["do"] == "play"
    ]


def test_a_chain_of_fives_with_a_short_hand_ends_where_the_hand_does() -> None:
    """Each 5 forces the other, and the last card played is a 5 that can force no more."""
    assert turns_of("R V2/O5R5 I6/ deck=", "1.2") == []
    assert turns_of("O V5/O5R5 I6/ deck=", "1.2") == ["play:O5 play:R5", "play:R5 play:O5"]


def test_a_three_is_a_gamble_only_while_the_deck_lasts() -> None:
    assert turns_of("R V2/V3 I6/ deck=B1", "1.2") == ["play:V3 draw:B1 open"]
    assert turns_of("R V2/V3 I6/ deck=", "1.2") == []


def test_a_one_needs_a_target_that_is_not_the_only_card() -> None:
    assert turns_of("G R2/V1 I6/", "1.1", allow_losing_one=False) == []
    taken = turns_of("G R2/V1 I6V2/", "1.1", allow_losing_one=False)
    assert taken == ["play:V1 take:I6"]


def test_a_one_spares_players_with_fewer_cards_in_the_newer_printing() -> None:
    text = "R V2V4R7/V1 I6B7/"
    assert turns_of(text, "1.2") == ["play:V1"]
    assert turns_of(text, "1.1") == ["play:V1 take:I6", "play:V1 take:B7"]


def test_a_seven_without_a_valid_discard_is_idle_or_barred() -> None:
    text = "R V2/B7 I6G6/ deck="
    assert turns_of(text, "1.1") == ["play:B7"]
    assert turns_of(text, "1.1", seven_no_valid="illegal") == []
    assert turns_of(text, "1.2") == ["play:B7 to_deck:V2"]


def test_a_seven_may_draw_for_its_discard_in_the_advanced_game() -> None:
    text = "R V4/R7 I2/ deck=B1"
    assert "play:R7 discard_palette:R7 draw:B1 open" in turns_of(text, "1.2", "advanced")
    assert "play:R7 discard_palette:R7" in turns_of(text, "1.2")


@pytest.mark.parametrize("allowed", [True, False])
def test_a_losing_one_is_no_surviving_turn(allowed: bool) -> None:
    assert turns_of("R V2/V1 R7I6/", "1.1", allow_losing_one=allowed) == []
