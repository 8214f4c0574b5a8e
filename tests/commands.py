"""Command lines run in this process, and what every answer of theirs must be."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import typer

from red7sim.cli.app import app, run

STATUSES = {
    0: "done",
    1: "the asked condition was not met",
    2: "wrong usage",
    3: "refused content",
}


@dataclass(frozen=True)
class Answer:
    """What a command has printed, and its exit status."""

    status: int
    out: str
    err: str


def command_names() -> set[str]:
    """Every command of the command line, as in `balance cards`."""
    root: Any = typer.main.get_command(app)
    return {
        f"{name} {inner}".strip()
        for name, command in root.commands.items()
        for inner in getattr(command, "commands", [""])
    }


def answer(arguments: list[str], given: str = "") -> Answer:
    """Run one command line, with `given` as its standard input."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", io.StringIO(given)):
        status = run(arguments)
    return Answer(status, out.getvalue(), err.getvalue())


def require_clear(said: Answer) -> None:
    """A command is done, or says in one line what it refuses and prints nothing else."""
    assert said.status in STATUSES, said
    if said.status > 1:
        assert said.err.startswith("red7sim: "), said
        assert said.err.count("\n") == 1, said
        assert said.err[:-1].isprintable(), said
        assert not said.out, said
    assert "Traceback" not in said.out + said.err, said
