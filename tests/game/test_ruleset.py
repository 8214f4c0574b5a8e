import json
import pickle
from copy import deepcopy
from dataclasses import asdict, fields

import numpy as np
import pytest
from hypothesis import given
from strategies import rulesets

from red7sim.game.cards import COLOURS, COLUMNS, NO_CARD_FLAG
from red7sim.game.ruleset import PRINTED, Ruleset, RulesetError, preset
from red7sim.game.switches import END_KINDS, LATER_SWITCHES, START_RULES, SWITCHES


def test_every_field_is_a_documented_switch() -> None:
    assert [f.name for f in fields(Ruleset)] == ["players", *(s.name for s in SWITCHES)]
    assert all(switch.meaning.endswith(".") for switch in SWITCHES)


def test_presets_are_the_published_games() -> None:
    assert preset("basic", 3).end == "round"
    assert preset("basic", 3).draw == "never"
    assert [preset("advanced", n).end for n in (2, 3, 4)] == ["points:40", "points:35", "points:30"]
    assert preset("advanced", 2).draw == "auto"


def test_printings_set_the_switches_of_their_texts() -> None:
    names = ("seven_to_deck", "seven_may_move_itself", "one_target", "allow_losing_one")
    values = {
        printing: [preset("basic", 2, printing).as_json()[name] for name in names]
        for printing in PRINTED
    }
    assert values == {
        "1.1": [False, False, "not_only_card", True],
        "1.2": [True, True, "not_fewer_than_me", False],
        "ru": [False, False, "not_only_card", False],
    }


@pytest.mark.parametrize(
    ("settings", "culprit", "allowed"),
    [
        ({"hand_sise": "7"}, "hand_sise", "hand_size"),
        ({"hand_size": "0"}, "hand_size", "1..10"),
        ({"hand_size": "seven"}, "hand_size", "1..10"),
        ({"hand_size": True}, "hand_size", "1..10"),
        ({"palette_size": "4"}, "palette_size", "1..3"),
        ({"draw_offset": "8"}, "draw_offset", "-7..7"),
        ({"draw": "maybe"}, "draw", "auto"),
        ({"round_minimum": "50"}, "round_minimum", "0..49"),
        ({"round_minimum": "-1"}, "round_minimum", "0..49"),
        ({"end": "points:0"}, "end", "1..196"),
        ({"end": "points:197"}, "end", "1..196"),
        ({"end": "wins:"}, "end", "wins:N"),
        ({"end": ""}, "end", "round"),
        ({"end": 3}, "end", "round"),
        ({"start": "left"}, "start", "left_of_highest"),
        ({"score_choice": "best"}, "score_choice", "tiebreak"),
        ({"first_canvas": "pink"}, "first_canvas", "dealt"),
        ({"start_bonus": "4"}, "start_bonus", "0..3"),
        ({"start_bonus": "9" * 5000}, "start_bonus", "0,0,1"),
        ({"rules_in_play": "blue=red,blue=green"}, "rules_in_play", "once"),
        ({5: 6}, "5", "hand_size"),
        ({"start_bonus": "0,0,1"}, "start_bonus", "at most 2"),
        ({"start_bonus": 1}, "start_bonus", "at most 2"),
        ({"rules_in_play": "blue"}, "rules_in_play", "blue=red"),
        ({"rules_in_play": "blue=pink"}, "pink", "colour=rule"),
        ({"allow_losing_one": "perhaps"}, "allow_losing_one", "yes|no"),
        ({"allow_losing_one": 1}, "allow_losing_one", "yes|no"),
    ],
)
def test_refusals_name_the_switch_and_what_is_allowed(settings, culprit, allowed) -> None:
    with pytest.raises(RulesetError) as refusal:
        preset("basic", 2).changed(settings)
    message = str(refusal.value)
    assert culprit in message
    assert allowed in message
    assert "\n" not in message


@pytest.mark.parametrize("players", [0, 1, 5, 2.5, "2", None])
def test_refuses_other_than_two_to_four_players(players) -> None:
    with pytest.raises(RulesetError, match=r"players.*2\.\.4"):
        Ruleset(players=players)


def test_refuses_a_deal_of_more_than_49_cards_and_says_how_many() -> None:
    settings = {"hand_size": "10", "start_bonus": "3,3"}
    assert preset("basic", 4).changed({"hand_size": "10"}).cards_needed == 44
    with pytest.raises(RulesetError, match="needs 50 cards"):
        preset("basic", 4).changed(settings)
    most = preset("basic", 4).changed(settings | {"start_bonus": "3,2"})
    assert most.cards_needed == 49
    with pytest.raises(RulesetError, match="needs 50 cards"):
        most.changed({"first_canvas": "dealt"})


def only(*rules: str) -> dict[str, str]:
    """A mapping of the seven colours to these rules."""
    return {colour: rules[i % len(rules)] for i, colour in enumerate(COLOURS)}


@pytest.mark.parametrize(
    ("players", "rules", "end", "hand_size"),
    [
        (2, ("violet",), "points:90", 7),
        (2, ("violet",), "points:40", 7),  # 42 points may be shared 39 to 3
        (2, ("green",), "points:43", 7),  # 84 points may be shared 42 to 42
        (2, ("green", "violet"), "points:90", 6),  # numbers 5 and 7 are 14 cards
        (2, ("violet", "blue"), "points:90", 7),  # once those of blue are scored, 16 are left
    ],
)
def test_refuses_games_that_may_never_end(players, rules, end, hand_size) -> None:
    base = preset("advanced", players).changed({"hand_size": hand_size})
    with pytest.raises(RulesetError, match=r"end: 'points:.*green and violet"):
        base.changed({"rules_in_play": only(*rules), "end": end})
    for other in ("round", "wins:3"):
        assert base.changed({"rules_in_play": only(*rules), "end": other}).end == other
    scoring = {"rules_in_play": only(*rules), "end": end, "round_minimum": 1}
    assert base.changed(scoring).end == end


@pytest.mark.parametrize(
    ("players", "rules", "end", "hand_size"),
    [
        (2, ("violet",), "points:21", 7),  # of 42 points somebody has 21
        (2, ("green",), "points:42", 7),
        (2, ("green", "violet"), "points:90", 7),  # 14 cards are too few for 16
        (4, ("violet",), "points:30", 7),  # 28 cards are too few for 32
        (2, ("violet", "blue"), "points:54", 7),  # of the 108 points of the others
        (2, ("blue", "violet"), "points:90", 7),  # the first canvas stands for blue
    ],
)
def test_accepts_games_that_must_end(players, rules, end, hand_size) -> None:
    base = preset("advanced", players).changed({"hand_size": hand_size})
    assert base.changed({"rules_in_play": only(*rules), "end": end}).end == end


def test_equal_games_are_equal_values() -> None:
    basic = preset("basic", 2)
    assert basic.changed({"start_bonus": "0,0", "rules_in_play": {"red": "red"}}) == basic
    assert hash(basic.changed({"end": "round"})) == hash(basic)
    assert basic.changed({"draw": "auto", "end": "points"}) == preset("advanced", 2)


@given(rulesets())
def test_json_form_round_trips(ruleset: Ruleset) -> None:
    again = Ruleset(players=ruleset.players).changed(ruleset.as_json())
    assert again == ruleset
    assert list(ruleset.as_json()) == [switch.name for switch in SWITCHES]
    identity = ruleset.identity()
    assert Ruleset(players=ruleset.players).changed(identity) == ruleset
    left_out = {name for name in LATER_SWITCHES if not ruleset.as_json()[name]}
    assert set(ruleset.as_json()) - set(identity) == left_out


@given(rulesets())
def test_packed_form_says_the_same(ruleset: Ruleset) -> None:
    packed = ruleset.packed[0]
    assert packed.players == ruleset.players
    assert packed.hand_size == ruleset.hand_size
    assert packed.draw == (ruleset.draw == "auto")
    assert packed.draw_offset == ruleset.draw_offset
    assert packed.round_minimum == ruleset.round_minimum
    assert END_KINDS[packed.end] == ruleset.end_kind
    assert packed.target == ruleset.end_target
    assert START_RULES[packed.start] == ruleset.start
    assert (*COLOURS, "dealt")[packed.first_canvas] == ruleset.first_canvas
    assert packed.cards_needed == ruleset.cards_needed
    for rank, colour in enumerate(COLOURS):
        rule = COLOURS.index(ruleset.rules_in_play[colour])
        assert packed.rule_of[rank] == rule
        for won in range(128):
            held = int(packed.cards_of[won]) & COLUMNS[rank]
            assert held == (COLUMNS[rank] if won >> rule & 1 else 0)
            may_stop = NO_CARD_FLAG if won >> rule & 1 else 0
            assert packed.ends_of[rank, won] == packed.cards_of[won] | may_stop


def test_packed_form_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        preset("basic", 2).packed["players"] = np.int64(3)


GREEN_BUT_RED = dict.fromkeys(COLOURS, "green") | {"red": "red"}
"""Once all even and all red cards are scored, 24 odd ones are left, which never count: 96 of the
196 points.
"""


@pytest.mark.parametrize(
    ("players", "settings", "endless"),
    [
        (2, {"end": "points:51"}, True),
        (2, {"end": "points:50"}, False),  # 98 points at most before somebody has won
        (2, {"end": "points:60", "first_canvas": "red"}, False),  # under which rounds score
        (2, {"end": "points:60", "first_canvas": "dealt"}, True),
        (2, {"end": "points:60", "round_minimum": 1}, False),
        (2, {"end": "wins:60"}, False),
        (3, {"end": "points"}, True),
        (3, {"end": "points", "hand_size": 8}, False),  # 27 cards for a deal
        (4, {"end": "points:60"}, False),
        (2, {"end": "points:60", "rules_in_play": dict.fromkeys(COLOURS, "red")}, False),
    ],
)
def test_games_that_may_never_end_are_refused(players: int, settings, endless: bool) -> None:
    changes = {"first_canvas": "violet", "rules_in_play": GREEN_BUT_RED} | settings
    if not endless:
        assert preset("advanced", players).changed(changes).end_target > 0
        return
    with pytest.raises(RulesetError, match="may never come"):
        preset("advanced", players).changed(changes)


def test_numbers_of_numpy_are_numbers() -> None:
    ruleset = Ruleset(np.int64(3), hand_size=np.int8(6), start_bonus=[np.int64(0), np.uint8(1)])
    assert ruleset == Ruleset(3, hand_size=6, start_bonus=(0, 1))
    assert {type(ruleset.players), type(ruleset.hand_size)} == {int}
    for number in (2.0, True, "2", None):
        with pytest.raises(RulesetError, match="players"):
            Ruleset(number)


@pytest.mark.parametrize("settings", [5, "hand_size=5", ["hand_size"]])
def test_settings_are_switches_with_values(settings) -> None:
    with pytest.raises(RulesetError, match=r"^settings: "):
        preset("basic", 2).changed(settings)


def test_rules_in_play_cannot_be_changed() -> None:
    ruleset = preset("basic", 2).changed({"rules_in_play": "blue=red"})
    rules = ruleset.rules_in_play
    for change in (
        lambda: rules.__setitem__("red", "blue"),
        lambda: rules.__delitem__("red"),
        lambda: rules.__ior__({"red": "blue"}),
        rules.clear,
        rules.popitem,
        lambda: rules.pop("red"),
        lambda: rules.setdefault("red", "blue"),
        lambda: rules.update(red="blue"),
    ):
        with pytest.raises(TypeError, match="rules_in_play cannot be set"):
            change()
    for again in (pickle.loads(pickle.dumps(ruleset)), deepcopy(ruleset)):
        assert again == ruleset
        with pytest.raises(TypeError, match="rules_in_play cannot be set"):
            again.rules_in_play["red"] = "blue"
    plain = dict(rules)
    assert (rules, repr(rules), json.dumps(rules)) == (plain, repr(plain), json.dumps(plain))
    assert asdict(ruleset)["rules_in_play"] == plain
