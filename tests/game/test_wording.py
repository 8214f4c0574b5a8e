"""Rulesets in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rulesets

from red7sim.game.ruleset import PRINTED, preset
from red7sim.game.wording import listing, nearest_preset, rules_in_words, setting_text


@given(st.booleans().flatmap(lambda actions: rulesets(actions=actions)))
def test_a_ruleset_is_its_nearest_preset_and_some_switches_as_text(rules) -> None:
    name, settings = nearest_preset(rules)
    texts = {switch: setting_text(value) for switch, value in settings.items()}
    assert preset(name, rules.players).changed(texts) == rules


@given(st.booleans().flatmap(lambda actions: rulesets(actions=actions)))
def test_words_name_every_switch_that_differs_from_the_preset_they_name(rules) -> None:
    words, _, changed = rules_in_words(rules).partition(" with ")
    base = words.split()[0]
    printing = words.split()[-1].strip(",") if rules.actions else None
    own = preset(base, rules.players, printing).as_json()
    named = [part.partition("=")[0] for part in changed.replace(" and ", ", ").split(", ") if part]
    assert named == [name for name, value in rules.as_json().items() if value != own[name]]


@pytest.mark.parametrize("base", ["basic", "advanced"])
@pytest.mark.parametrize("printing", [None, *PRINTED])
def test_a_preset_is_its_name(base: str, printing: str | None) -> None:
    for players in (2, 3, 4):
        rules = preset(base, players, printing)
        expected = f"{base} rules" + (f", Action rule of {printing}" if printing else "")
        assert nearest_preset(rules, printing) == (base, {})
        assert rules_in_words(rules) == expected


def test_house_rules_are_listed() -> None:
    rules = preset("advanced", 3, "1.1").changed({"hand_size": 5, "start_bonus": "1,0"})
    assert rules_in_words(rules) == (
        "advanced rules, Action rule of 1.1, with hand_size=5 and start_bonus=1"
    )
    shorter = preset("basic", 2).changed({"end": "wins:3", "hand_size": 8})
    assert rules_in_words(shorter, ["end"]) == "basic rules with hand_size=8"


def test_words_are_listed_as_in_a_sentence() -> None:
    assert [listing(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "a", "a and b", "a, b and c",
    ]  # fmt: skip
