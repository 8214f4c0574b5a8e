import pytest
from hypothesis import given
from strategies import rulesets

from red7sim.game.cards import COLOURS
from red7sim.game.rulefile import RuleFileError, read_rule_file, rule_file_text
from red7sim.game.ruleset import Ruleset, RulesetError, preset


@given(rulesets(actions=True))
def test_an_exported_ruleset_is_read_back(tmp_path_factory, ruleset: Ruleset) -> None:
    path = tmp_path_factory.mktemp("rules") / "mine.toml"
    path.write_text(rule_file_text(ruleset))
    assert read_rule_file(path, preset("basic", ruleset.players)) == ruleset


def test_the_usual_end_is_that_of_any_number_of_players(tmp_path) -> None:
    path = tmp_path / "advanced.toml"
    path.write_text(rule_file_text(preset("advanced", 2)))
    assert 'end = "points"\n' in path.read_text()
    assert read_rule_file(path, preset("basic", 3)) == preset("advanced", 3)
    path.write_text(rule_file_text(preset("advanced", 2).changed({"end": "points:12"})))
    assert read_rule_file(path, preset("basic", 3)).end == "points:12"


def test_rules_that_score_too_little_for_points_can_be_exported(tmp_path) -> None:
    ruleset = preset("basic", 3).changed({"rules_in_play": dict.fromkeys(COLOURS, "green")})
    path = tmp_path / "green.toml"
    path.write_text(rule_file_text(ruleset))
    assert read_rule_file(str(path), preset("basic", 3)) == ruleset


def test_switches_that_a_file_does_not_name_stay(tmp_path) -> None:
    path = tmp_path / "short.toml"
    path.write_text('hand_size = 5\n[rules_in_play]\nblue = "red"\n')
    ruleset = read_rule_file(path, preset("advanced", 3))
    changes = {"hand_size": 5, "rules_in_play": {"blue": "red"}}
    assert ruleset == preset("advanced", 3).changed(changes)


@pytest.mark.parametrize(
    ("content", "culprit"),
    [
        (b"hand_size = ", "is not TOML"),
        (b"\xff\xfe", "is not TOML"),
        (b"hand_sise = 5", "hand_sise"),
        (b"hand_size = 11", "1..10"),
        (b"hand_size = true", "hand_size"),
        (b'start_bonus = "x"', "start_bonus"),
        (b"start_bonus = [9]", "0..3"),
        (b'rules_in_play = ["red"]', "rules_in_play"),
        (b"[rules_in_play]\nblue = 3", "3"),
        (b"draw = 2020-01-01", "draw"),
        (b"end = 1.5", "end"),
        (b"players = 3", "players"),
        (b"#" * (1 << 21), "larger"),
        (b"hand_size = " + b"9" * 5000, "is not TOML"),
        (b"hand_size = " + b"[" * 9000, "is not TOML"),
    ],
)
def test_refused_files_are_named_in_one_line(tmp_path, content: bytes, culprit: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_bytes(content)
    with pytest.raises(RuleFileError) as refusal:
        read_rule_file(path, preset("basic", 2))
    assert "wrong.toml" in str(refusal.value)
    assert culprit in str(refusal.value)


def test_missing_files_and_folders_are_refused(tmp_path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(RuleFileError, match=str(path)):
            read_rule_file(path, preset("basic", 2))


def test_what_is_no_ruleset_is_refused(tmp_path) -> None:
    path = tmp_path / "short.toml"
    path.write_text("hand_size = 5")
    with pytest.raises(RulesetError, match="base: 'basic' is not allowed; allowed: a Ruleset"):
        read_rule_file(path, "basic")
    with pytest.raises(RulesetError, match="ruleset: 'x' is not allowed; allowed: a Ruleset"):
        rule_file_text("x")
