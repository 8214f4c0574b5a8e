"""The page of a report in headless Chromium: no error, sortable tables, images with a text."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest
from show.pages import write_sample

pytestmark = pytest.mark.browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

SCRIPT = """
<script>
"use strict";
const found = { tables: [], texts: [] };
for (const table of document.querySelectorAll("table")) {
  const columns = [...table.tHead.rows[0].cells].map((header, column) => {
    const column_of = () => [...table.tBodies[0].rows].map((row) => row.cells[column].textContent);
    const before = column_of();
    header.querySelector("button").click();
    const up = { sort: header.getAttribute("aria-sort"), cells: column_of() };
    header.querySelector("button").click();
    const down = { sort: header.getAttribute("aria-sort"), cells: column_of() };
    const sorted = [...table.tHead.rows[0].cells].filter((h) => h.ariaSort !== "none").length;
    return { before, up, down, sorted };
  });
  found.tables.push(columns);
}
for (const image of document.querySelectorAll("svg[role=img], img")) {
  const box = image.getBoundingClientRect();
  found.texts.push([image.ariaLabel || image.alt || "", box.width, box.height]);
}
found.wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
document.body.append(Object.assign(document.createElement("pre"), {
  id: "found", textContent: JSON.stringify(found) }));
</script>
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory) -> tuple[dict, str]:
    """What the page does in a browser, and what the browser says on its console."""
    if CHROMIUM is None:
        pytest.skip(f"no Chromium here; looked for {', '.join(NAMES)}")
    folder: Path = tmp_path_factory.mktemp("browser")
    path = write_sample(folder)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("</body>", f"{SCRIPT}</body>"), encoding="utf-8")
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
            "--window-size=900,900", f"--user-data-dir={folder / 'profile'}", "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, flags=re.DOTALL)
    assert match, done.stderr
    return json.loads(unescape(match[1])), done.stderr


def key(cell: str) -> tuple[bool, float | str] | None:
    if cell in ("", "-"):
        return None
    number = re.match(r"[+-]?\d[\d,]*\.?\d*", cell)
    return (True, float(number[0].replace(",", ""))) if number else (False, cell)


def test_the_console_is_silent(shown) -> None:
    assert "CONSOLE" not in shown[1]


def test_a_click_sorts_a_column_and_another_one_turns_it(shown) -> None:
    tables = shown[0]["tables"]
    assert len(tables) > 8
    for column in (column for table in tables for column in table):
        up, down = column["up"], column["down"]
        assert (up["sort"], down["sort"], column["sorted"]) == ("ascending", "descending", 1)
        assert sorted(up["cells"]) == sorted(down["cells"]) == sorted(column["before"])
        for cells, backwards in ((up["cells"], False), (down["cells"], True)):
            keys = [key(cell) for cell in cells]
            known = [k for k in keys if k is not None]
            assert keys[: len(known)] == known  # unknown ones last
            if all(is_number for is_number, _ in known):
                assert known == sorted(known, reverse=backwards)


def test_every_image_has_a_size_and_a_text(shown) -> None:
    assert len(shown[0]["texts"]) == 6
    for text, width, height in shown[0]["texts"]:
        assert len(text) > 40
        assert min(width, height) > 100


def test_the_page_does_not_scroll_sideways(shown) -> None:
    assert not shown[0]["wide"]
