"""What README.md and the pages of docs/ print is what their commands print, times and speeds aside.

The blocks of a page are run from top to bottom in one empty folder. A line `...` in a console block
stands for any lines; a command without output may print anything. Blocks with a title are files of
that name. A comment `<!-- slow -->` before a block leaves it to `make verify`.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

ROOT = Path(__file__).parent.parent.parent
GALLERY = ROOT / "docs" / "gallery.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

BLOCK = re.compile(
    r"^(?P<slow><!-- slow -->\n\n?)?"
    r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"^\$ (?P<words>(?:.*\\\n)*.*)\n(?P<printed>(?:(?!\$ ).*\n)*)", re.MULTILINE)
NOT_RUN = ("make", "pip", "python -m venv")
"""Commands that change the machine; they are tried by hand and by `.ci/run`."""


def blocks(page: Path) -> list[re.Match[str]]:
    return [found for found in BLOCK.finditer(page.read_text()) if is_example(found)]


def is_example(block: re.Match[str]) -> bool:
    return bool(block["kind"] in ("console", "pycon") or block["title"])


def masked(text: str) -> str:
    """Text without times and speeds."""
    text = re.sub(r"\b\d+(\.\d+)? s\b", "TIME", text)
    return re.sub(r"\b[\d,]+ (games|deals|rounds)/s\b", "SPEED", text)


def pattern(printed: str) -> re.Pattern[str]:
    lines = [
        r"(.*\n)*?" if line == "..." else re.escape(line.rstrip()) + r"\n"
        for line in masked(printed).splitlines()
    ]
    return re.compile("".join(lines))


def run(words: list[str], folder: Path) -> str:
    """Run a program as a reader of the page would; return what it prints."""
    script = folder.parent / "bin" / "red7sim"
    if not script.exists():
        script.parent.mkdir()
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m red7sim "$@"\n')
        script.chmod(0o755)
    path = f"{script.parent}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}"
    environment = os.environ | {"PATH": path + os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        words, cwd=folder, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{words[-1]}\n{done.stdout}{done.stderr}"
    return done.stdout


def differing(text: str, folder: Path) -> list[str]:
    """Run the commands of a console block; return those that print something else."""
    found = []
    for example in COMMAND.finditer(text):
        words, printed = example["words"], example["printed"].strip("\n")
        if words.startswith(NOT_RUN):
            continue
        said = run(["bash", "-o", "pipefail", "-c", words], folder).strip("\n")
        told = "".join(line.rstrip() + "\n" for line in masked(said).splitlines())
        if printed and not pattern(printed).fullmatch(told):
            found.append(f"$ {words}\n-- is printed as\n{printed}\n-- and says\n{said}\n")
    return found


def check_page(page: Path, folder: Path, *, slow: bool) -> None:
    found = []
    sessions = ""
    for block in blocks(page):
        if block["slow"] and not slow:
            continue
        if block["title"]:
            (folder / block["title"]).write_text(block["text"])
        elif block["kind"] == "pycon":
            sessions += block["text"] + "\n"
        else:
            found += differing(block["text"], folder)
    assert not found, "\n".join(found)
    if sessions:
        (folder / "sessions.txt").write_text(sessions)
        run([sys.executable, "-m", "doctest", "-o", "ELLIPSIS", "sessions.txt"], folder)


def named(pages: list[Path]) -> list[object]:
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "here"
    here.mkdir()
    return here


@pytest.mark.parametrize("page", named([page for page in PAGES if blocks(page)]))
def test_examples_print_what_the_page_says(page: Path, folder: Path) -> None:
    check_page(page, folder, slow=False)


LONG = [page for page in PAGES if any(block["slow"] for block in blocks(page))]


@pytest.mark.slow
@pytest.mark.parametrize("page", named([page for page in LONG if page != GALLERY]))
def test_long_examples_print_what_the_page_says(page: Path, folder: Path) -> None:
    check_page(page, folder, slow=True)


@pytest.mark.slow
def test_the_gallery_shows_what_its_commands_draw(folder: Path) -> None:
    check_page(GALLERY, folder, slow=True)
    kept = sorted((ROOT / "docs" / "gallery").rglob("*.webp"))
    assert kept
    for picture in kept:
        drawn = folder / picture.relative_to(ROOT / "docs" / "gallery").with_suffix(".png")
        with Image.open(picture) as old, Image.open(drawn) as new:
            assert old.size == new.size, picture
            different = ImageChops.difference(old.convert("RGB"), new.convert("RGB"))
            assert ImageStat.Stat(different).mean < [1.0] * 3, picture  # of 255


PRINTS = "$ printf '2 wins, 1.5 s\\nand\\nso on\\nend\\n'\n"


def test_other_times_and_omitted_lines_are_no_difference(folder: Path) -> None:
    assert differing(PRINTS + "2 wins, 0.2 s\n...\nend\n", folder) == []


@pytest.mark.parametrize(
    "printed", ["3 wins, 1.5 s\n...\nend\n", "2 wins, 1.5 s\nend\n", "2 wins, 1.5 s\n...\nan end\n"]
)
def test_other_words_and_figures_are_found(printed: str, folder: Path) -> None:
    assert len(differing(PRINTS + printed, folder)) == 1
