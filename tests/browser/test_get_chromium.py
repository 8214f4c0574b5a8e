"""A Chromium that cannot be had is named on a line; one that cannot be installed is an error."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("get_chromium.sh")

NO_NETWORK = 'case "$*" in update) ;; *) echo "E: Failed to fetch"; exit 100;; esac'
BROKEN = 'case "$*" in update | *--download-only*) ;; *) echo "E: no room"; exit 100;; esac'
USELESS = ":"
GOOD = 'case "$*" in update | *--download-only*) ;; *) cp "$0" "${0%/*}/chromium";; esac'


def get(folder: Path, apt_get: str | None, user: int = 0) -> tuple[int, str]:
    """What the script says on a machine with nothing but a user and an apt-get."""
    programs = {"id": f"echo {user}"} | ({} if apt_get is None else {"apt-get": apt_get})
    for name, body in programs.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
    for name in ("cp", "mktemp", "rm", "tail"):
        (folder / name).symlink_to(shutil.which(name) or name)
    done = subprocess.run(
        ["/bin/sh", SCRIPT], env={"PATH": str(folder)}, capture_output=True, text=True, check=False
    )
    assert not done.stdout
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("apt_get", "user", "why"),
    [
        (None, 0, "without root and apt-get"),
        (GOOD, 1000, "without root and apt-get"),
        (NO_NETWORK, 0, "apt-get cannot fetch it"),
    ],
)
def test_a_bare_machine_skips_and_says_why(
    tmp_path: Path, apt_get: str | None, user: int, why: str
) -> None:
    status, said = get(tmp_path, apt_get, user)
    assert status == 0
    assert "tests in a browser are skipped: no Chromium here, and " in said
    assert why in said


@pytest.mark.parametrize("apt_get", [BROKEN, USELESS])
def test_what_was_fetched_must_be_there_afterwards(tmp_path: Path, apt_get: str) -> None:
    status, said = get(tmp_path, apt_get)
    assert status == 1
    assert "was fetched, but cannot be installed" in said


def test_nothing_is_said_where_all_is_well(tmp_path: Path) -> None:
    assert get(tmp_path, GOOD) == (0, "")
