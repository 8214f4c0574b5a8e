"""No command opens a connection, or looks up an address, unless it is told to use a cluster."""

import subprocess
import sys
from pathlib import Path

import pytest
from commands import command_options

WATCHED = """
import os, shlex, sys

def watch(event, details):
    if event.startswith("socket."):
        os.write(2, f"network: {event} {details}\\n".encode())
        os._exit(99)

sys.addaudithook(watch)
from red7sim.cli.app import run

for line in sys.argv[1:]:
    status = run(shlex.split(line))
    assert status == 0, line
"""


def watched(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Run command lines in one process that ends with status 99 where it turns to the network."""
    command = [sys.executable, "-c", WATCHED, *lines]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


LINES = (
    "simulate --games 100 --out kept --rows --export seats.csv",
    "simulate --games 100 --threads 2 --pairing rotate",
    "combine kept --out joined",
    "match leads random --games 20",
    "first-player --games 20 --deals 20 --solved 2 --players 2 --rules basic --out study",
    "balance cards --games 50 --out cards",
    "balance rules --games 50 --deals 10",
    "balance agency --games 20 --deals 4 --playouts 2 --rules basic",
    "balance folding --games 2 --players 2 --minimum 0",
    "sweep --over hand_size=5,6 --games 20",
    "tune --over hand_size=5,6 --max-games 20",
    "tournament --player leads --player random --games 10",
    "skill --games 5",
    "report kept study cards --out report.html",
    "solve --deals 3",
    "analyze 'R R1/O1 R2/O2'",
    "replay --json",
    "players",
    "rules --export",
    "check-player leads --positions 5",
)


def test_no_command_turns_to_the_network(tmp_path: Path) -> None:
    done = watched(tmp_path, *LINES)
    assert done.returncode == 0, done.stderr


def test_every_command_is_watched_but_for_those_that_measure_or_serve() -> None:
    unseen = {name for name in command_options() if not any(x.startswith(name) for x in LINES)}
    assert unseen == {"bench", "cluster local"}


@pytest.mark.parametrize("line", ["simulate --games 5 --cluster tcp://127.0.0.1:9"])
def test_the_watch_sees_a_connection(tmp_path: Path, line: str) -> None:
    done = watched(tmp_path, line)
    assert done.returncode == 99
    assert "network: socket." in done.stderr
