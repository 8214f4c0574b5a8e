"""The page of a report, by a parser: whole, spoken, and without anything from outside."""

import re
import sys
from itertools import pairwise

import pytest
from show.pages import Page, sample_page

from red7sim.game.refused import InputError
from red7sim.lab.studies.first_player import first_player
from red7sim.lab.studies.study import Study
from red7sim.show.report import report_page
from red7sim.show.views import MissingExtraError, sheets_of


@pytest.fixture(scope="module", params=[60, 1])
def text(request) -> str:
    return sample_page(request.param)


def test_elements_are_balanced_and_names_are_once(text: str) -> None:
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert inner <= set(page.ids)
    assert set(re.findall(r"url\(#([^)]*)\)", text)) <= set(page.ids)


def test_nothing_comes_from_outside(text: str) -> None:
    page = Page(text)
    assert all(link.startswith("#") for link in page.links)
    assert not re.search(r"https?://|@import|url\((?!#)|<link|<iframe", text)


def test_headings_are_in_order(text: str) -> None:
    headings = Page(text).headings
    assert headings.count(1) == 1
    assert headings[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))


def test_every_image_has_a_text_and_every_table_headers_with_a_scope(text: str) -> None:
    page = Page(text)
    assert len(page.images) == 2 + 2 + 1 + 1
    for image in page.images:
        assert image["role"] == "img"
        assert len(image["aria-label"]) > 40
    assert page.tables == page.captions > 8
    assert {header["scope"] for header in page.headers} == {"col", "row"}
    assert all(h["aria-sort"] == "none" for h in page.headers if h["scope"] == "col")


def test_words_numbers_and_command_of_a_study_are_there(text: str) -> None:
    assert "<title>A &lt;page&gt; &amp; more</title>" in text
    study = first_player("basic", "leads", 2, games=50, settings={"rules_in_play": {"blue": "red"}})
    page = report_page("One", [(study, {})])
    assert study.command.replace("'", "&#39;") in page
    assert study.caption.replace("'", "&#39;") in page
    for sheet in sheets_of(study):
        for row in sheet.rows:
            assert all(f">{cell}<" in page for cell in row)
    assert "<nav" not in page
    assert page == report_page("One", [(study, {})])


def test_without_jinja_it_says_how_to_install_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'red7sim\[report\]'"):
        report_page("None", [])


@pytest.mark.parametrize("name", ["a.b", "first.player", "__init__", "", "..", "nonsense"])
def test_a_study_that_is_unknown_is_refused(name: str) -> None:
    study = Study(name, "A title", "A caption.", "red7sim", parameters={}, tables={})
    with pytest.raises(InputError, match=f"a study '{re.escape(name)}' is unknown"):
        sheets_of(study)
