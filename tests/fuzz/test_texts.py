"""Positions, rule files and players of any text: read as they are meant, or refused in words.

`make fuzz` tries 100,000 inputs of each kind.
"""

import tomllib
from pathlib import Path

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutations import mutated_bytes, mutated_text
from strategies import rulesets

from red7sim.game.cards import COLOURS
from red7sim.game.notation import LETTERS, NotationError, parse_position, position_text, set_text
from red7sim.game.rulefile import RuleFileError, read_rule_file, rule_file_text
from red7sim.game.ruleset import Ruleset, preset
from red7sim.play.policy import PlayerError
from red7sim.play.position import leaders
from red7sim.play.spec import MODIFIERS, parse_player

POSITIONS = st.sampled_from(
    [
        "R Y5B1G6G4/R1O3 G3V6I1O1/?2",
        "V R7/O7,Y7 G7/B7 - I7/?3 deck=?12 gone=V1V2",
        "g b3o3/v1 r2/ deck=I1I2I3",
        "O - R1/?1",
        "I I1/?7 I2/?7 I3/?7 I4/?7",
    ]
)
POSITION_LETTERS = [*LETTERS, *"1234567089/?-=, ", "deck=", "gone=", "R7", "?13", "٣", "\x00", "é"]

PLAYERS = st.sampled_from(
    [
        "leads+no-rule:blue+no-discard",
        "pressure:threat=0.7:base=0.3",
        "rollout:samples=4:player=leads",
        "banker+no-fold",
        "random+no-action:7+no-play",
    ]
)
PLAYER_LETTERS = [
    *"+:=.-0123456789e_ ",
    "inf",
    "nan",
    "no-rule:",
    "threat=",
    "samples",
    "٣",
    "\x00",
]

SWITCHES = [*"[]{}\"'=.,#\n 0123456789", "true", "inf", "players = 2\n", "-", "1e9", "[a]\n", "é"]


def said_in_one_line(error: ValueError) -> bool:
    return bool(str(error).strip()) and "Error:" not in str(error)


@given(mutated_text(POSITIONS, POSITION_LETTERS))
def test_positions(text: str) -> None:
    try:
        position = parse_position(text)
    except NotationError as error:
        assert said_in_one_line(error)
        return
    canonical = position_text(position)
    assert position_text(parse_position(canonical)) == canonical
    palettes = [naive_cards(set_text(seat.palette)) for seat in position.seats]
    live = [seat.live for seat in position.seats]
    for colour, player in leaders(position, preset("basic", len(live))).items():
        assert naive.leader(palettes, live, colour) == player


def naive_cards(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


RULE_FILES = st.builds(rule_file_text, rulesets(actions=True)).map(str.encode)


@pytest.fixture(scope="module")
def rule_file(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("rules") / "mine.toml"


def require_meant(content: bytes, path: Path, base: Ruleset) -> None:
    """A file of rules says exactly what it sets, or is refused by name."""
    path.write_bytes(content)
    try:
        rules = read_rule_file(path, base)
    except RuleFileError as error:
        assert str(path) in str(error)
        assert said_in_one_line(error)
        return
    told = tomllib.loads(content.decode())
    held = rules.as_json()
    for name, value in told.items():
        if name == "rules_in_play":
            assert value.items() <= {c: held[name].get(c, c) for c in COLOURS}.items()
        elif name not in ("end", "start_bonus"):  # which have other spellings
            assert held[name] == value
    assert base.changed(held) == rules


@given(mutated_bytes(RULE_FILES), st.integers(2, 4))
def test_rule_files_of_any_bytes(rule_file: Path, content: bytes, players: int) -> None:
    require_meant(content, rule_file, preset("basic", players))


@given(mutated_text(RULE_FILES.map(bytes.decode), SWITCHES), st.integers(2, 4))
def test_rule_files_of_any_text(rule_file: Path, text: str, players: int) -> None:
    require_meant(text.encode(errors="replace"), rule_file, preset("advanced", players, "1.2"))


@given(mutated_text(PLAYERS, [*PLAYER_LETTERS, *MODIFIERS]))
def test_players(text: str) -> None:
    try:
        spec = parse_player(text)
    except PlayerError as error:
        assert said_in_one_line(error)
        return
    assert parse_player(spec.text) == spec
