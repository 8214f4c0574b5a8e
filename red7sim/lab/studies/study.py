"""What every study returns: named frames with a caption, and the command that makes them again."""

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import polars as pl

from red7sim.jit.rng import STREAM_VERSION


@dataclass(frozen=True, eq=False)
class Study:
    """The answer to a question.

    Attributes
    ----------
    name
        The kind of study, as in `first-player`.
    title
        One line for people.
    caption
        Rules, players, numbers of games, seed and the kind of the intervals, in sentences; it
        stands under every picture and table.
    command
        The command line that makes the study again.
    parameters
        Everything that the numbers depend on, fit for JSON; the stream version is added.
    tables
        The numbers by name of the table, one observation a row; unknown ones are null.
    """

    name: str
    title: str
    caption: str
    command: str
    parameters: Mapping[str, Any]
    tables: Mapping[str, pl.DataFrame]

    def __post_init__(self) -> None:
        # One that is told already is that of the games: a study on disk may be an older one.
        parameters = {"stream_version": STREAM_VERSION} | dict(self.parameters)
        object.__setattr__(self, "parameters", parameters)

    def as_json(self) -> dict[str, Any]:
        """Return the study with its tables as lists of rows."""
        return {
            "title": self.title,
            "caption": self.caption,
            "again": self.command,
            "parameters": dict(self.parameters),
            "tables": {name: table.to_dicts() for name, table in self.tables.items()},
        }


def command_line(name: str, words: Iterable[str], **options: float | str) -> str:
    """Return the command line that makes a study again: its words, then options with values."""
    command = name.replace("balance-", "balance ").split()
    pairs = [(f"--{option.replace('_', '-')}", str(value)) for option, value in options.items()]
    return shlex.join(["red7sim", *command, *words, *chain.from_iterable(pairs)])


def player_words(players: Iterable[str]) -> list[str]:
    """Return the options of the command line that name players."""
    return [word for name in players for word in ("--player", name)]


def announce(planned: Callable[[int], None] | None, games: int) -> None:
    """Say how many games a study is about to play, to whoever asked."""
    if planned:
        planned(games)
