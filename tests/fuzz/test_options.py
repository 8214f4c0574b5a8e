"""Command lines of any options and values: done, or refused in one line.

`make fuzz` tries 100,000 of them. Numbers of games are small or refused, so that each is a moment.
"""

import shutil
from contextlib import chdir
from pathlib import Path

import pytest
from commands import answer, command_options, require_clear
from hypothesis import given
from hypothesis import strategies as st

from red7sim.lab.files import TEMPORARY

COMMANDS = {
    "simulate": ["--games", "--target-half-width", "--max-games"],
    "match": ["--games"],
    "first-player": ["--games", "--deals", "--solved"],
    "sweep": ["--games"],
    "tune": ["--max-games"],
    "balance cards": ["--games"],
    "balance rules": ["--games", "--deals"],
    "balance agency": ["--games", "--deals", "--playouts"],
    "balance folding": ["--games"],
    "tournament": ["--games"],
    "skill": ["--games"],
    "solve": ["--deals"],
    "replay": ["--count"],
    "analyze": ["--samples", "--playouts"],
    "check-player": ["--positions"],
    "combine": [],
    "report": [],
    "players": [],
    "rules": [],
}
"""Commands, with the options that say how much is done: these are always given."""

ELSEWHERE = {"--cluster", "--help"}
"""Options with tests of their own, since they ask other processes."""

COUNTS = st.sampled_from(["1", "2", "3", "1_0"] * 5 + ["0", "-1", "", "x", "1.5", "1e3", "9" * 25])
ANYTHING = ["", " ", "x", "-", "--", "0", "1", "-1", "2", "1e9", "nan", "inf", "٣", "é", "\x00"]
ANYTHING += ["a=b", "9" * 30, "../x", "R", "😀", "1,2", "0.5", "\n", "'"]
VALUES: dict[str, list[str]] = {
    "--player": ["random", "leads", "greedy+no-rule:blue", "thrifty", "nobody", "leads+", "a:b"],
    "--players": ["2", "3", "4", "2,3", "5", "1"],
    "--rules": ["basic", "advanced", "basic,advanced", "expert"],
    "--printing": ["1.1", "1.2", "ru"],
    "--end": ["round", "points", "points:5", "wins:2", "wins:0", "points:"],
    "--set": ["hand_size=5", "draw=never", "start_bonus=0,0,1", "hand_size", "x=1", "actions=yes"],
    "--over": ["hand_size=5..7", "draw=auto,never", "hand_size=7..5", "end=round", "x=1", "draw"],
    "--rules-file": ["good.toml", "bad.toml", "none.toml", "."],
    "--deals": ["good.jsonl", "bad.toml", "none.jsonl", ".", "-"],
    "--from": ["R Y5B1/R1O3 G3V6/?2", "R R1/", "R R1/O1 R1/O2"],
    "--out": ["good.toml", "", "/proc/none/x", "none/x/"],
    "--export": ["out.csv", "out.json", "out.parquet", "out.xls", "none/out.csv", "."],
    "--measure": ["wins", "points", "difference", "seat"],
    "--sprt": ["0,0.1", "0.1", "0.1,0", "a,b", "0.5,0.9"],
    "--alpha": ["0.05", "0", "1", "2"],
    "--beta": ["0.05", "0", "1"],
    "--confidence": ["0.95", "0.5", "0", "1", "1.5", "-1"],
    "--pairing": ["none", "rotate", "all", "force-start"],
    "--threads": ["1", "2", "auto", "0", "-1"],
    "--seed": ["0", "1", "7", "-1", "18446744073709551615", "18446744073709551616"],
    "--first-index": ["0", "5", "-1", "4294967295", "4294967296", "99999999999"],
    "--game": ["0", "5", "-1", "4294967296"],
    "--target-half-width": ["0.1", "0.5", "0", "-1", "2"],
    "--minimum": ["0", "0,12", "50", "-1"],
    "--title": ["Title"],
}
ARGUMENTS = ["leads", "random:random", "hand_size=5", ".", "empty", "R R1/O1 R2/O2", "-", "--"]
ALWAYS = {"balance folding": ["--player", "banker:samples=1"]}
"""So that each is a moment."""
GOOD_ARGUMENTS = {
    "match": ["leads", "random"],
    "combine": [".", "empty"],
    "report": ["empty"],
    "analyze": ["R R1/O1 R2/O2"],
    "check-player": ["leads"],
}


OPTIONS = {
    command: {
        option.opts[0]: not option.is_flag for option in options if option.opts[0] not in ELSEWHERE
    }
    for command, options in command_options().items()
}
"""By command: its options, and whether they take a value."""


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    command = draw(st.sampled_from([*COMMANDS]))
    amounts = COMMANDS[command]
    words = [word for name in amounts for word in (name, draw(COUNTS))]
    words += ALWAYS.get(command, [])
    known = {name: valued for name, valued in OPTIONS[command].items() if name not in amounts}
    for name in draw(st.lists(st.sampled_from([*known, "--nonsense", "-q"]), max_size=4)):
        words.append(name)
        if known.get(name, draw(st.booleans())):
            words.append(draw(st.sampled_from(VALUES.get(name, ANYTHING) * 3 + ANYTHING)))
    given = st.lists(st.sampled_from(ARGUMENTS) | st.text(max_size=5), max_size=2)
    arguments = draw(st.just(GOOD_ARGUMENTS.get(command, [])) | given)
    return [*command.split(), *words, *arguments]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    here = tmp_path_factory.mktemp("options")
    (here / "empty").mkdir()
    (here / "good.toml").write_text("hand_size = 6\n")
    (here / "bad.toml").write_text("hand_size = 60\n")
    log = answer(["replay", "--players", "2", "--json"])
    (here / "good.jsonl").write_text(log.out)
    return here


def test_every_command_is_tried_but_for_those_that_measure_or_serve() -> None:
    assert {*OPTIONS} - {*COMMANDS} == {"bench", "cluster local"}


@given(command_lines())
def test_command_lines(folder: Path, words: list[str]) -> None:
    before = {*folder.iterdir()}
    with chdir(folder):
        require_clear(answer(words))
    for path in {*folder.iterdir()} - before:
        assert not path.name.startswith(TEMPORARY)
        shutil.rmtree(path) if path.is_dir() else path.unlink()
