"""Verdicts of studies: each word has one home."""

import re
from pathlib import Path

import pytest

import red7sim
from red7sim.lab.studies import verdicts

WORDS = sorted(word for name, word in vars(verdicts).items() if name.isupper())


@pytest.mark.parametrize("word", WORDS)
def test_a_verdict_is_written_once(word: str) -> None:
    package = Path(red7sim.__file__).parent
    written = [
        path.name
        for wing in ("lab", "show")
        for path in (package / wing).rglob("*.py")
        if re.search(rf"""["']{word}["']""", path.read_text())
    ]
    assert written == ["verdicts.py"]
