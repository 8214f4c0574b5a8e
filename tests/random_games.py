"""Numbered random games for the comparison of the engine with its twin."""

from random import Random
from typing import Any

from red7sim.game.cards import COLOURS
from red7sim.game.ruleset import Ruleset, RulesetError, preset

PLAYERS = ("random", "leads", "greedy", "thrifty")
MODIFIERS = (*(f"no-rule:{colour}" for colour in COLOURS), "no-discard", "no-play")
ACTION_MODIFIERS = tuple(f"no-action:{number}" for number in (1, 3, 5, 7))

HOUSE_RULES: dict[str, tuple[Any, ...]] = {
    "draw": ("auto", "never"),
    "draw_offset": (-2, -1, 0, 1, 2),
    "score_choice": ("tiebreak", "max_points"),
    "round_minimum": (1, 9, 30),
    "end": ("round", "points:12", "points", "wins:2"),
    "start": ("left_of_highest", "lowest_card", "highest_card"),
    "first_canvas": (*COLOURS, "dealt"),
    "hand_size": (1, 3, 5, 6, 7, 8),
    "palette_size": (1, 2, 3),
    "start_bonus": ((1,), (0, 1), (2, 1), (0, 3)),
}
ACTION_RULES: dict[str, tuple[Any, ...]] = {
    "seven_to_deck": (True, False),
    "seven_may_move_itself": (True, False),
    "one_target": ("not_only_card", "not_fewer_than_me"),
    "allow_losing_one": (True, False),
    "seven_no_valid": ("skip", "illegal"),
    "discard_after_seven": (True, False),
    "draw_on_seven": (True, False),
}


def random_ruleset(random: Random, number: int) -> Ruleset:
    """A preset for an even number, otherwise one with a few house rules; mostly one round."""
    printing = random.choice([None, "1.1", "1.2", "ru"])
    ruleset = preset(random.choice(["basic", "advanced"]), random.randint(2, 4), printing)
    if random.random() < 0.8:
        ruleset = ruleset.changed({"end": "round"})
    if number % 2 == 0:
        return ruleset
    choices = HOUSE_RULES | (ACTION_RULES if printing else {})
    names = random.sample(sorted(choices), random.randint(1, 4))
    settings = {name: random.choice(choices[name]) for name in names}
    if random.random() < 0.2:
        settings["rules_in_play"] = {random.choice(COLOURS): random.choice(COLOURS)}
    try:
        return ruleset.changed(settings)
    except RulesetError:  # more than 49 cards
        return ruleset


def random_game(number: int) -> tuple[Ruleset, tuple[str, ...], int, int]:
    """Ruleset, line-up, seed and game index of a numbered random game."""
    random = Random(number)
    ruleset = random_ruleset(random, number)
    line_up = tuple(random.choice(PLAYERS) for _ in range(ruleset.players))
    return ruleset, line_up, random.getrandbits(64), random.getrandbits(40)
