"""Command lines run in this process, and what every answer of theirs must be."""

import io
import json
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
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

DEADLINE_SECONDS = 180
"""For processes, which may have to compile all kernels first."""


@dataclass(frozen=True)
class Answer:
    """What a command has printed, and its exit status."""

    status: int
    out: str
    err: str


def command_options() -> dict[str, list[Any]]:
    """Every command of the command line, as in `balance cards`, with its options."""
    found = {}
    waiting: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while waiting:
        path, command = waiting.pop()
        inner = getattr(command, "commands", {})
        waiting += [(f"{path} {name}".strip(), inner[name]) for name in inner]
        if not inner:
            found[path] = [p for p in command.params if p.param_type_name == "option"]
    return found


def answer(arguments: list[str], given: str = "") -> Answer:
    """Run one command line, with `given` as its standard input."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", io.StringIO(given)):
        status = run(arguments)
    return Answer(status, out.getvalue(), err.getvalue())


def interrupted(arguments: list[str], folder: Path, number: int) -> Answer:
    """Run a command line that goes on for ever, as a process that keeps its counts in a folder, and
    send it a signal as soon as some are there.
    """
    code = (
        "from red7sim.lab import writer; writer.FLUSH_SECONDS = 0\n"
        "from red7sim.__main__ import main; main()"
    )
    # Whoever runs the tests may ignore the signal, as under nohup, and children inherit that.
    before = signal.signal(number, signal.SIG_DFL)
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stderr=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(number, before)
    try:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not any(folder.glob("counts-*.parquet")):
            assert process.poll() is None, "it has ended by itself"
            assert time.monotonic() < deadline, "it has kept nothing"
            time.sleep(0.05)
        process.send_signal(number)
        _, err = process.communicate(timeout=DEADLINE_SECONDS)
    finally:
        process.kill()
        process.wait()
    return Answer(process.returncode, "", err)


def require_clear(said: Answer) -> None:
    """A command is done, or says in one line what it refuses and prints nothing else."""
    assert said.status in STATUSES, said
    if said.status > 1:
        assert said.err.startswith("red7sim: "), said
        assert said.err.count("\n") == 1, said
        assert said.err[:-1].isprintable(), said
        # Only `analyze` answers, line by line, what else it is asked.
        assert all("position" in json.loads(line) for line in said.out.splitlines()), said
    assert "Traceback" not in said.out + said.err, said
