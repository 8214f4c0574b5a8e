"""Studies as one page that needs nothing else: HTML with the pictures inside."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from red7sim.lab.dataset import read
from red7sim.lab.files import replace_file
from red7sim.lab.studies.kept import is_study, read_study
from red7sim.lab.studies.run import dataset_study
from red7sim.lab.studies.study import Study
from red7sim.show.cells import Sheet
from red7sim.show.views import MissingExtraError, findings_of, pictures_of, sheets_of

DEFAULT_TITLE: Final = "Red7 in numbers"

_TEMPLATE: Final = "report.html.j2"


@dataclass(frozen=True)
class Drawing:
    """A picture inside a page: its caption, and an element that is drawn and spoken."""

    title: str
    svg: str


@dataclass(frozen=True)
class Chapter:
    """A study on a page."""

    number: int
    study: Study
    findings: list[str]
    drawings: list[Drawing]
    sheets: list[Sheet]
    facts: dict[str, str]


def report_page(title: str, studies: list[tuple[Study, dict[str, Any]]]) -> str:
    """Return a page of studies, each with its provenance (red7sim.lab.provenance).

    Raises
    ------
    MissingExtraError
        jinja2 or matplotlib is not installed.
    InputError
        This program does not know such a study.
    """
    try:
        jinja2 = import_module("jinja2")
    except ImportError:
        raise MissingExtraError(
            "a report needs jinja2 and matplotlib; install them with: pip install 'red7sim[report]'"
        ) from None
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string(files("red7sim.show").joinpath(_TEMPLATE).read_text("utf-8"))
    chapters = [_chapter(i, *entry) for i, entry in enumerate(studies, start=1)]
    page: str = template.render(title=title, chapters=chapters)
    return page


def write_report(folders: Sequence[Path], out: Path, title: str, confidence: float) -> None:
    """Write a page of the studies and datasets in some folders.

    Parameters
    ----------
    confidence
        For datasets; a study has its own.

    Raises
    ------
    FileError
        A folder holds neither, a file cannot be read, or the page cannot be written.
    MissingExtraError, InputError
        As for `report_page`.
    """
    studies = [
        read_study(folder) if is_study(folder) else dataset_study(read(folder), confidence)
        for folder in folders
    ]
    replace_file(out, report_page(title, studies).encode())


def inline_svg(content: bytes, alt: str, prefix: str) -> str:
    """Return an SVG file as an element of a page.

    Its names begin with `prefix`, so that pictures of one page do not share any, it speaks `alt`,
    it scales, and nothing in it points out of the page.
    """
    text = content.decode()
    text = text[text.index("<svg") :]
    for element in ("metadata", "style"):
        text = re.sub(rf"<{element}\b.*?</{element}>", "", text, flags=re.DOTALL)
    text = text.replace("xlink:href", "href")
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = re.sub(r'href="#', f'href="#{prefix}', text)
    text = re.sub(r"url\(#", f"url(#{prefix}", text)
    head, _, rest = text.partition(">")
    size = dict(re.findall(r'(viewBox|width)="([^"]*)"', head))
    style = f"max-width: calc(1.3 * {size['width']})"
    return (
        f'<svg viewBox="{size["viewBox"]}" style="{style}" role="img" aria-label="{escape(alt)}">'
        f"{rest}"
    )


def _chapter(number: int, study: Study, provenance: dict[str, Any]) -> Chapter:
    drawings = [
        Drawing(picture.title, inline_svg(picture.svg(), picture.alt, f"c{number}-{picture.name}-"))
        for picture in pictures_of(study)
    ]
    return Chapter(
        number, study, findings_of(study), drawings, sheets_of(study), _facts(provenance)
    )


def _facts(provenance: dict[str, Any]) -> dict[str, str]:
    """Return what a page says about how a study was made."""
    if not provenance:
        return {}
    software, environment = provenance["software"], provenance["environment"]
    system, python = environment["os"], environment["python"]
    libraries = [f"{name} {of['version']}" for name, of in environment["libraries"].items()]
    return {
        "Software": f"{software['name']} {software['version']}",
        "Python": f"{python['implementation']} {python['version']}, {', '.join(libraries)}",
        "System": f"{system['system']} {system['release']}, {system['machine']}",
        "Time": f"{provenance['resources']['elapsed_time']:.1f} s",
    }
