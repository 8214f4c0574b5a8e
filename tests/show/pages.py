"""A page read by a parser: what it holds, and what a reader would trip over."""

from html.parser import HTMLParser
from pathlib import Path

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, play
from red7sim.lab.studies.first_player import first_player
from red7sim.lab.studies.run import run_study
from red7sim.lab.studies.sweep import sweep
from red7sim.lab.studies.tune import tune
from red7sim.show.report import report_page

VOID = {"meta", "br", "hr", "img", "input", "link"}


def sample_page(games: int) -> str:
    """A page of every kind of study, as it is written to a file."""
    base = Run(preset("basic", 3), ("leads", "random", "leads"))
    record = {
        "software": {"name": "red7sim", "version": "0"},
        "environment": {
            "os": {"system": "Linux", "release": "6", "machine": "x86_64"},
            "python": {"implementation": "CPython", "version": "3"},
            "libraries": {"numpy": {"version": "2"}},
        },
        "resources": {"elapsed_time": 1.0},
    }
    studies = [
        run_study(play(Run(preset("advanced", 3), ("leads",) * 3), games)),
        first_player("advanced", "leads", (2, 3), games=games),
        sweep(base, {"hand_size": "5,6,11"}, games=games),
        tune(base, {"start_bonus": "0/1"}, max_games=games),
    ]
    return report_page("A <page> & more", [(study, record) for study in studies])


class Page(HTMLParser):
    """Collects what the tests look at, and asserts that elements are nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[int] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headers: list[dict[str, str | None]] = []
        self.images: list[dict[str, str | None]] = []
        self.tables = 0
        self.captions = 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if found.get("id"):
            self.ids.append(str(found["id"]))
        self.links += [str(value) for name, value in attrs if name in ("href", "src", "xlink:href")]
        if tag == "th":
            self.headers.append(found)
        if tag in ("svg", "img"):
            self.images.append(found)
        self.tables += tag == "table"
        self.captions += tag == "caption"

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()


def write_sample(folder: Path) -> Path:
    """Write the page to a file."""
    path = folder / "report.html"
    path.write_text(sample_page(60), encoding="utf-8")
    return path
