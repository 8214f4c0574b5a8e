"""The Makefile keeps what it says."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_clean_removes_whatever_git_ignores_beside_the_sources() -> None:
    """Bytecode and the data of an installation lie among the sources, and are small."""
    ignored = {line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()}
    makefile = (ROOT / "Makefile").read_text().replace("$(VENV)", ".venv")
    [removed] = re.findall(r"^\trm -rf (.*)$", makefile, re.M)
    assert {*removed.split()} == ignored - {"__pycache__", "*.egg-info"}
