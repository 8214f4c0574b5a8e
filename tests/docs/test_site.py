"""The pages of the documentation, and what `make docs` has built of them."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import red7sim

ROOT = Path(__file__).parent.parent.parent
SITE = ROOT / "build" / "site"

LOADING_LINKS = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "manifest",
}
"""Kinds of `<link>` for which a browser asks a server by itself."""


class Loads(HTMLParser):
    """What a browser loads for a page, without a click."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        found = [values.get("src"), values.get("srcset"), values.get("poster"), values.get("data")]
        if tag == "link" and LOADING_LINKS & set((values.get("rel") or "").split()):
            found.append(values.get("href"))
        found += re.findall(r"url\(([^)]*)\)", values.get("style") or "")
        self.addresses += [address for address in found if address]


def elsewhere(addresses: list[str]) -> list[str]:
    return [address for address in addresses if re.match(r"\s*['\"]?(\w+:)?//", address)]


def test_the_package_has_what_the_library_page_describes() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    described = {line.rpartition(".")[2] for line in page.splitlines() if line.startswith(":::")}
    [contract] = re.findall(r"^::: red7sim\.play\.policy\n.*?members: \[(.*?)\]", page, re.M | re.S)
    described |= {*contract.split(", ")}
    assert set(red7sim.__all__) - {"__version__"} == described - {"policy"}


def test_what_is_loaded_from_elsewhere_is_found() -> None:
    page = """
    <link rel="stylesheet" href="https://a.example/x.css"><script src="//b.example/x.js"></script>
    <img src="http://c.example/x.png"><img src="x.png"><a href="https://d.example/">a link</a>
    <link rel="canonical" href="https://e.example/"><p style="background: url('https://f.example')">
    """
    assert len(elsewhere(Loads(page).addresses)) == 4


@pytest.mark.docs
def test_built_pages_load_nothing_from_elsewhere() -> None:
    pages = sorted(SITE.rglob("*.html"))
    assert len(pages) >= len(list((ROOT / "docs").rglob("*.md")))
    for page in pages:
        assert not elsewhere(Loads(page.read_text()).addresses), page
    styles = sorted(SITE.rglob("*.css"))
    assert styles
    for style in styles:
        text = style.read_text()
        found = re.findall(r"url\(([^)]*)\)|@import\s+([^;]*)", text)
        assert not elsewhere([address for pair in found for address in pair if address]), style


@pytest.mark.docs
def test_built_pages_hold_what_the_code_says() -> None:
    texts = {name: (SITE / f"{name}.html").read_text() for name in ("commands", "rules", "players")}
    assert all(f"--{option}" in texts["commands"] for option in ("target-half-width", "sprt"))
    assert "seven_may_move_itself" in texts["rules"]
    assert "no-rule:COLOUR" in texts["players"]
    assert not any("--8&lt;--" in text for text in texts.values())
