"""The engine against the slow twin: every deal, every choice, every outcome of whole games."""

from typing import Any

import naive
import naive_players
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rulesets

from red7sim.game.ruleset import Ruleset, preset
from red7sim.play.replay import replay_game

PLAYERS = ("random", "leads", "greedy", "thrifty")
seeds = st.integers(0, 2**64 - 1)


def check_game(ruleset: Ruleset, line_up: tuple[str, ...], seed: int, game: int) -> int:
    """Check every step of one game against the twin and return its number of turns."""
    events = [*replay_game(ruleset, line_up, seed, game)]
    turns = 0

    def watch(position: naive.Position, round_number: int, turn: int, event: Any) -> None:
        nonlocal turns
        turns += 1
        options = naive_players.numbered(position)
        chosen = [step for step in event["steps"] if step["do"] != "draw"]
        if not options:
            assert chosen == [{"do": "fold"}]
            return
        word = naive_players.stream_word(seed, game, round_number, 1, 0, turn)
        option = naive_players.choice(line_up[position.mover], position, word)
        assert chosen == [*naive_players.as_turn(option)]

    def deck_of(round_number: int, cards: list[str]) -> list[str]:
        return naive_players.deck_order(seed, game, round_number, cards)

    naive.check_log(events, ruleset.players, ruleset.as_json(), watch=watch, shuffle=deck_of)
    return turns


@settings(max_examples=100)
@given(st.data(), rulesets(), seeds, st.integers(0, 2**62 - 1))
def test_games_of_any_ruleset_are_those_of_the_twin(data, ruleset, seed, game) -> None:
    line_up = data.draw(st.tuples(*[st.sampled_from(PLAYERS)] * ruleset.players))
    assert check_game(ruleset, line_up, seed, game) > 0


@pytest.mark.parametrize("base", ["basic", "advanced"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_published_games_are_those_of_the_twin(base: str, players: int) -> None:
    for game in range(20):
        line_up = tuple(PLAYERS[(game + i) % 4] for i in range(players))
        check_game(preset(base, players), line_up, 7, game)


@pytest.mark.slow
@settings(max_examples=3000)
@given(st.data(), rulesets(), seeds, st.integers(0, 2**62 - 1))
def test_thousands_of_games_are_those_of_the_twin(data, ruleset, seed, game) -> None:
    line_up = data.draw(st.tuples(*[st.sampled_from(PLAYERS)] * ruleset.players))
    check_game(ruleset, line_up, seed, game)
