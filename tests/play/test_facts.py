"""Facts of the published rules, observed at every turn of played games."""

from typing import Any

import naive
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rulesets

from red7sim.game.ruleset import Ruleset, preset
from red7sim.play.replay import replay_game

LINE_UP = ("random", "leads", "greedy", "thrifty")


def watch_game(ruleset: Ruleset, seed: int, watch: naive.Watch) -> list[dict[str, Any]]:
    line_up = LINE_UP[: ruleset.players]
    events = [*replay_game(ruleset, line_up, seed, 0)]
    naive.check_log(events, ruleset.players, ruleset.as_json(), watch=watch)
    return events


@st.composite
def ordinary_rulesets(draw: st.DrawFn) -> Ruleset:
    """Rulesets for which the facts hold: first canvas red, red not remapped, usual start."""
    ruleset = draw(rulesets())
    ordinary = {"start": "left_of_highest", "first_canvas": "red"}
    return ruleset.changed(ordinary | {"rules_in_play": dict(ruleset.rules_in_play, red="red")})


@settings(max_examples=60)
@given(ordinary_rulesets(), st.integers(0, 2**64 - 1))
def test_nobody_is_winning_at_the_start_of_his_own_turn(ruleset: Ruleset, seed: int) -> None:
    def watch(position: naive.Position, *_: object) -> None:
        assert not naive.is_winning(position)

    watch_game(ruleset, seed, watch)


@settings(max_examples=60)
@given(ordinary_rulesets(), st.integers(0, 2**64 - 1))
def test_the_round_winner_has_a_set(ruleset: Ruleset, seed: int) -> None:
    ends = [e for e in watch_game(ruleset, seed, lambda *_: None) if e["type"] == "round_end"]
    assert ends
    assert all(end["scored"] and end["points"] > 0 for end in ends)


@settings(max_examples=60)
@given(rulesets(), st.integers(0, 2**64 - 1))
def test_the_49_cards_are_conserved_at_every_step(ruleset: Ruleset, seed: int) -> None:
    def watch(position: naive.Position, *_: object) -> None:
        places = [*position.hands, *position.palettes, position.deck, position.canvas_pile]
        scored = position.scored if ruleset.end_kind == "points" else []
        cards = [card for place in [*places, *scored] for card in place]
        assert sorted(cards) == sorted(naive.ALL_CARDS)

    watch_game(ruleset, seed, watch)


def test_with_another_start_a_mover_may_already_be_winning() -> None:
    """The first fact needs its conditions: without them the check above would fail."""
    found = 0

    def watch(position: naive.Position, *_: object) -> None:
        nonlocal found
        found += naive.is_winning(position)

    for seed in range(20):
        watch_game(preset("basic", 3).changed({"start": "highest_card"}), seed, watch)
    assert found
