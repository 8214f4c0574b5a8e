"""Players from outside: found, named, told apart by their code, refused in a sentence."""

import json
import linecache
import re
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from red7sim.cli.app import run
from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, RunError, play
from red7sim.play import outside
from red7sim.play.outside import offered_players, register
from red7sim.play.policy import Player, PlayerError, find_player
from red7sim.play.spec import parse_player

TEXT = '''
from red7sim.play.policy import Parameter, Player
from red7sim.game.turns import cheapest_turn

NUMBER = 7

def choose(view, rules, own):
    """Return the first lane's cheapest turn."""
    for lane in range(view.lanes):
        if view.lane_turns[lane]:
            return cheapest_turn(view.lane_cards[lane], view.lane_turns[lane])
    return 0

FIRST = Player("first", "Plays the first card.", choose,
               parameters=(Parameter("depth", "Depth.", 3, 1, 9),))
LOST = Player("lost", "Does not compile.", lambda view, rules, own: view.no_such_field)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """A working folder with the module `own_players`."""
    (tmp_path / "own_players.py").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in ("own_players", "broken", "leaving"):
        sys.modules.pop(name, None)


@pytest.fixture(autouse=True)
def nobody_registered(monkeypatch) -> None:
    monkeypatch.setattr(outside, "_registered", {})


def player_of(choose, name: str = "mine", **options) -> Player:
    return Player(name, "Of a test.", choose, **options)


@pytest.mark.usefixtures("folder")
def test_a_player_of_a_module_has_parameters_and_modifiers() -> None:
    spec = parse_player("own_players:FIRST:depth=5+no-rule:blue")
    assert spec.values == (5,)
    assert spec.modifiers == ("no-rule:blue",)
    name, _, rest = spec.text.partition("@")
    assert name == "own_players:FIRST"
    assert rest[8:] == ":depth=5+no-rule:blue"
    assert parse_player(spec.text).text == spec.text
    assert sys.path.count(str(Path.cwd())) == 0


@pytest.mark.usefixtures("folder")
def test_where_modules_are_found_is_left_as_the_user_has_it(monkeypatch) -> None:
    places = [str(Path.cwd()), *sys.path]
    monkeypatch.setattr(sys, "path", [*places])
    parse_player("own_players:FIRST")
    assert sys.path == places


@pytest.mark.usefixtures("folder")
def test_a_player_of_a_module_plays_as_the_same_code_in_the_package_would() -> None:
    own = Run(preset("basic", 2), ("own_players:FIRST", "leads"), 3)
    registered = register(player_of(parse_player("own_players:FIRST").player.choose))
    other = Run(preset("basic", 2), (registered.name, "leads"), 3)
    assert (play(own, 300).tally == play(other, 300).tally).all()
    assert own.run_id != other.run_id
    assert Run.from_json(own.as_json()) == own


def test_other_code_is_another_player_and_does_not_go_on_with_a_run(folder: Path) -> None:
    before = Run(preset("basic", 2), ("own_players:FIRST", "leads"))
    del sys.modules["own_players"]
    (folder / "own_players.py").write_text(TEXT.replace("NUMBER = 7", "NUMBER = 77"))
    after = Run(preset("basic", 2), ("own_players:FIRST", "leads"))
    assert before.run_id != after.run_id
    with pytest.raises(RunError, match="another one now: its code is own_players:FIRST@"):
        Run.from_json(before.as_json())


def test_a_registered_player_is_replaced_by_the_next_of_its_name() -> None:
    first, second = player_of(cell(0)), player_of(cell(1))
    assert register(first) is first
    before = parse_player("mine")
    register(second)
    after = parse_player("mine")
    assert (before.player, after.player) == (first, second)
    assert before.text != after.text
    register(player_of(cell(0)))
    assert parse_player("mine").text == before.text
    register(player_of(cell(0), folds=True))
    assert parse_player("mine").text != before.text


def cell(lane: int):
    """Return a policy as a cell of a notebook defines it: its text is in no file."""
    text = f"def choose(view, rules, own):\n    return {lane}\n"
    name, space = f"<cell {lane}>", {}
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), space)
    return space["choose"]


def test_names_of_registered_players() -> None:
    low = cell(0)
    with pytest.raises(PlayerError, match="'leads' is taken by a player of the package"):
        register(player_of(low, "leads"))
    with pytest.raises(PlayerError, match=r"'My player' is not allowed; allowed: lower-case"):
        register(player_of(low, "My player"))
    with pytest.raises(PlayerError, match="is no Player"):
        register(low)
    with pytest.raises(PlayerError, match="'mine@12345678' is unknown here; register it first"):
        parse_player("mine@12345678")


def test_text_that_cannot_be_read_is_refused() -> None:
    space: dict = {}
    exec(compile("def choose(view, rules, own):\n    return 0", "<nowhere>", "exec"), space)
    with pytest.raises(PlayerError, match=r"text of choose\(\) cannot be read; allowed: players f"):
        register(player_of(space["choose"]))


def test_a_registered_player_is_known_by_the_code_that_he_had(folder, monkeypatch) -> None:
    monkeypatch.syspath_prepend(folder)
    from own_players import FIRST

    before = register(FIRST)
    (folder / "own_players.py").write_text("")
    after = parse_player("first").text
    del sys.modules["own_players"]
    (folder / "own_players.py").write_text(TEXT)
    from own_players import FIRST as AGAIN

    assert register(AGAIN) is not before
    assert parse_player("first").text == after


@pytest.mark.usefixtures("folder")
def test_an_installed_player_is_the_one_of_its_module(monkeypatch, capsys) -> None:
    points = EntryPoints([EntryPoint("primus", "own_players:FIRST", outside.GROUP)])
    monkeypatch.setattr(outside, "entry_points", lambda group: points.select(group=group))
    offered_players.cache_clear()
    try:
        assert offered_players() == {"primus": "own_players:FIRST"}
        assert run(["players"]) == 0
        assert "primus     own_players:FIRST" in capsys.readouterr().out
        assert run(["players", "--json"]) == 0
        offered = json.loads(capsys.readouterr().out)["offered"]
        assert offered == [{"name": "primus", "player": "own_players:FIRST"}]
        assert parse_player("primus") == parse_player("own_players:FIRST")
    finally:
        offered_players.cache_clear()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no_such:X", "player 'no_such:X': there is no module 'no_such'"),
        ("own_players.sub:X", "there is no module 'own_players.sub'"),
        ("own_players:X", "module 'own_players' has no 'X'; players there: FIRST, LOST"),
        ("own_players:choose", "has 'choose', which is no Player (wrap it: Player(\"choose\", "),
        ("own_players:NUMBER", "has 'NUMBER', which is no Player; players there: FIRST, LOST"),
        ("broken:X", "player 'broken:X': module 'broken' cannot be imported: ZeroDivisionError: "),
        ("leaving:X", "module 'leaving' cannot be imported: SystemExit: 0"),
        ("own_players:FIRST@00000000", "is another one now"),
        ("own_players:FIRST:width=1", "unknown parameter 'width'; allowed: depth"),
        pytest.param(
            "own_players:LOST", "player 'lost' does not compile: ", marks=pytest.mark.compiled
        ),
        (".x:X", "player '.x:X': '.x' is not the name of a module; allowed: MODULE:ATTRIBUTE, as"),
        (":X", "'' is not the name of a module"),
        ("players/mine.py:X", "'players/mine.py' is not the name of a module"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(folder: Path, capsys, text: str, message: str) -> None:
    (folder / "broken.py").write_text("1 / 0")
    (folder / "leaving.py").write_text("raise SystemExit(0)")
    assert run(["simulate", "--player", text, "--games", "10"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.compiled
@pytest.mark.usefixtures("folder")
def test_the_module_form_works_from_a_folder(capsys) -> None:
    command = [sys.executable, "-m", "red7sim", "check-player", "own_players:FIRST"]
    done = subprocess.run(
        [*command, "--positions", "50"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("own_players:FIRST@")
    assert run(["check-player", "own_players:LOST", "--positions", "50"]) == 1
    assert re.search("legal +not tried", capsys.readouterr().out)


def test_players_of_the_package_have_no_fingerprint() -> None:
    assert parse_player("leads").player is find_player("leads")
    assert parse_player("leads").text == "leads"
    with pytest.raises(PlayerError, match="unknown player 'leads@12345678'"):
        parse_player("leads@12345678")


def test_reading_a_dataset_runs_no_code(folder: Path) -> None:
    """Who has named the player may go on; a file alone imports nothing."""
    run_of = Run(preset("basic", 2), ("own_players:FIRST", "leads"))
    identity = run_of.as_json()
    assert Run.from_json(identity).run_id == run_of.run_id
    sys.modules.pop("own_players")
    (folder / "own_players.py").write_text("raise SystemExit('this must not run')")
    for name in (identity["players"][0], "own_players:FIRST", "own_players:FIRST:depth=5+no-play"):
        with pytest.raises(RunError, match="from outside"):
            Run.from_json(identity | {"players": [name, "leads"]})
    assert "own_players" not in sys.modules
