"""The engine against the slow twin: every deal, every choice, every outcome of whole games."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import naive
import naive_players
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import ACTION_MODIFIERS, MODIFIERS, PLAYERS, random_game
from strategies import rulesets

from red7sim.game.ruleset import Ruleset, RulesetError, preset
from red7sim.play.replay import replay_game
from red7sim.play.scoring import LAST_ROUND
from red7sim.play.table import seat
from red7sim.play.tally import END_REASONS, ENDED, POINTS, ROUNDS, SUM, empty_tally

seeds = st.integers(0, 2**64 - 1)


def check_game(ruleset: Ruleset, line_up: tuple[str, ...], seed: int, game: int) -> int:
    """Check every step of one game against the twin and return its number of turns."""
    events = [*replay_game(ruleset, line_up, seed, game)]
    memory = naive_players.Memory()
    turns = 0

    def watch(position: naive.Position, round_number: int, turn: int, event: Any) -> None:
        nonlocal turns
        turns += 1
        name, position = naive_players.restricted(line_up[position.mover], position)
        gone = frozenset(memory.gone) if round_number == memory.round else frozenset()
        position = replace(position, gone=gone)
        memory.see(event)
        if ruleset.actions:
            steps = naive_players.action_steps(
                name,
                position,
                lambda n: naive_players.step_word(seed, game, round_number, turn, n),
            )
            assert event["steps"] == steps
            return
        options = naive_players.numbered(position)
        chosen = [step for step in event["steps"] if step["do"] != "draw"]
        if not options:
            assert chosen == [{"do": "fold"}]
            return
        word = naive_players.stream_word(seed, game, round_number, 1, 0, turn)
        moment = naive_players.Moment(word, round_number, turn)
        option = naive_players.choice(name, position, moment)
        expected = [{"do": "fold"}] if option is None else [*naive_players.as_turn(option)]
        assert chosen == expected

    def deck_of(round_number: int, cards: list[str]) -> list[str]:
        return naive_players.deck_order(seed, game, round_number, cards)

    # Who may not do what would save him after a draw gives up, by the rules.
    barred = any("+" in player for player in line_up)
    rules = ruleset.as_json()
    naive.check_log(events, ruleset.players, rules, watch=watch, shuffle=deck_of, giving_up=barred)
    return turns


line_ups = st.tuples(*[st.sampled_from(PLAYERS)] * 4)
modifiers = st.lists(st.sampled_from(MODIFIERS), max_size=3, unique=True)
action_modifiers = st.lists(st.sampled_from(MODIFIERS + ACTION_MODIFIERS), max_size=3, unique=True)


def with_modifiers(names: tuple[str, ...], modifiers: list[list[str]]) -> tuple[str, ...]:
    """A line-up whose players have these modifiers."""
    pairs = zip(names, modifiers, strict=False)
    return tuple("".join((name, *(f"+{word}" for word in words))) for name, words in pairs)


games = st.integers(0, 2**62 - 1)


@settings(max_examples=100)
@given(line_ups, rulesets(), seeds, games)
def test_games_of_any_ruleset_are_those_of_the_twin(line_up, ruleset, seed, game) -> None:
    assert check_game(ruleset, line_up[: ruleset.players], seed, game) > 0


@settings(max_examples=60)
@given(line_ups, rulesets(actions=True), seeds, games)
def test_games_with_actions_are_those_of_the_twin(line_up, ruleset, seed, game) -> None:
    assert check_game(ruleset, line_up[: ruleset.players], seed, game) > 0


THINKERS = ("mobility", "foresight", "pressure", "pressure:threat=2:base=1")


@settings(max_examples=25)
@given(st.data(), rulesets(), seeds, games)
def test_players_who_think_ahead_are_those_of_the_twin(data, ruleset, seed, game) -> None:
    """Hands of at most five cards, since the twin tries every pair of turns."""
    ruleset = ruleset.changed({"hand_size": min(ruleset.hand_size, 5), "end": "round"})
    names = data.draw(st.tuples(*[st.sampled_from(THINKERS)] * ruleset.players))
    words = data.draw(st.lists(modifiers, min_size=4, max_size=4))
    assert check_game(ruleset, with_modifiers(names, words), seed, game) > 0


@pytest.mark.parametrize("player", ["foresight", "pressure"])
def test_players_who_think_ahead_know_that_what_they_put_on_an_empty_deck_can_be_drawn(player):
    """One card is left in the deck, and almost every discard draws."""
    switches = {"hand_size": 6, "palette_size": 3, "start_bonus": [3, 3, 3, 3], "draw_offset": -5}
    ruleset = preset("advanced", 4, "1.2").changed(switches | {"end": "round"})
    for game in range(5):
        assert check_game(ruleset, (player,) * 4, 3, game) > 0


@settings(max_examples=40)
@given(st.data(), rulesets(actions=True), seeds, games)
def test_players_who_think_ahead_act_as_the_twin(data, ruleset, seed, game) -> None:
    ruleset = ruleset.changed({"hand_size": min(ruleset.hand_size, 5), "end": "round"})
    names = data.draw(st.tuples(*[st.sampled_from(THINKERS)] * ruleset.players))
    words = data.draw(st.lists(action_modifiers, min_size=4, max_size=4))
    assert check_game(ruleset, with_modifiers(names, words), seed, game) > 0


SAMPLERS = (
    "rollout:samples=3",
    "rollout:samples=2:playout=random",
    "rollout:samples=2:playout=thrifty",
    "search:samples=2:turns=3:prior=4",
    "banker:samples=2:bonus=3",
    "banker:samples=2+no-fold",
)


@settings(max_examples=25)
@given(st.data(), rulesets(), seeds, games)
def test_players_who_play_on_are_those_of_the_twin(data, ruleset, seed, game) -> None:
    """Hands of at most three cards, since the twin plays every turn on."""
    changes = {"hand_size": min(ruleset.hand_size, 3), "start_bonus": ()}
    end = ruleset.end if ruleset.end.startswith("points") else "round"
    try:
        ruleset = ruleset.changed(changes | {"end": end})
    except RulesetError:  # dealt so few cards, the game may never end
        ruleset = ruleset.changed(changes | {"end": "round"})
    names = data.draw(st.tuples(*[st.sampled_from(SAMPLERS)] * ruleset.players))
    assert check_game(ruleset, names, seed, game) > 0


@settings(max_examples=25)
@given(seeds, games, st.sampled_from([1, 2, 3]), st.sampled_from(["pimc:samples=3", "leads"]))
def test_solved_guesses_are_those_of_the_twin(seed, game, hand_size, rival) -> None:
    ruleset = preset("basic", 2).changed({"hand_size": hand_size, "palette_size": 2})
    assert check_game(ruleset, ("pimc:samples=4", rival), seed, game) > 0


@pytest.mark.parametrize("name", THINKERS)
def test_published_games_of_players_who_think_ahead(name: str) -> None:
    for game in range(2):
        assert check_game(preset("advanced", 2).changed({"end": "round"}), (name,) * 2, 5, game)


@settings(max_examples=60)
@given(line_ups, st.lists(modifiers, min_size=4, max_size=4), rulesets(), seeds, games)
def test_restricted_players_play_as_the_twin(line_up, words, ruleset, seed, game) -> None:
    line_up = with_modifiers(line_up, words)[: ruleset.players]
    if ruleset.scored:  # players who never discard could play for ever where nothing scores
        ruleset = ruleset.changed({"round_minimum": max(1, ruleset.round_minimum)})
    assert check_game(ruleset, line_up, seed, game) > 0


@settings(max_examples=100)
@given(
    line_ups,
    st.lists(action_modifiers, min_size=4, max_size=4),
    rulesets(actions=True),
    seeds,
    games,
)
def test_restricted_players_play_actions_as_the_twin(line_up, words, ruleset, seed, game) -> None:
    line_up = with_modifiers(line_up, words)[: ruleset.players]
    if ruleset.scored:  # players who never discard could play for ever where nothing scores
        ruleset = ruleset.changed({"round_minimum": max(1, ruleset.round_minimum)})
    assert check_game(ruleset, line_up, seed, game) > 0


@pytest.mark.parametrize("vectors", [False, True])
def test_a_game_without_end_is_over_after_the_last_round_that_has_a_number(vectors: bool) -> None:
    """Nobody changes the canvas, under which but 21 cards score, until none of them is left."""
    ruleset = preset("advanced", 2).changed({"rules_in_play": {"red": "violet"}})
    table, tally = seat(ruleset, ("leads+no-discard",) * 2, vectors=vectors), empty_tally()
    table.play_block(3, 0, 2, tally)
    assert tally[SUM, ROUNDS] == 2 * (LAST_ROUND + 1) == 65_536
    assert tally[SUM, POINTS] == 2 * 42
    assert tally[SUM, ENDED + END_REASONS.index("cards")] == 2


@pytest.mark.parametrize("printing", [None, "1.1", "1.2", "ru"])
@pytest.mark.parametrize("base", ["basic", "advanced"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_published_games_are_those_of_the_twin(printing, base: str, players: int) -> None:
    for game in range(6):
        line_up = tuple(PLAYERS[(game + i) % 4] for i in range(players))
        check_game(preset(base, players, printing), line_up, 7, game)


def check_numbered_games(numbers: range) -> int:
    """Check random games by number; an error tells the number."""
    for number in numbers:
        try:
            check_game(*random_game(number))
        except AssertionError as error:
            error.add_note(f"random game {number}")
            raise
    return len(numbers)


def check_in_parallel(numbers: range) -> int:
    """Check random games by number on all processors."""
    chunks = [numbers[first : first + 100] for first in range(0, len(numbers), 100)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        return sum(pool.map(check_numbered_games, chunks))


def test_two_thousand_random_games_are_those_of_the_twin() -> None:
    assert check_in_parallel(range(2000)) == 2000


@pytest.mark.slow
def test_a_hundred_thousand_random_games_are_those_of_the_twin() -> None:
    """Other numbers than the quick test's; about half an hour on two processors."""
    assert check_in_parallel(range(2000, 102_000)) == 100_000
