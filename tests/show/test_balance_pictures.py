"""Pictures and tables of the studies of balance, by the numbers in them."""

import math

import pytest
from matplotlib.container import ErrorbarContainer

from red7sim.lab.studies.balance_agency import balance_agency
from red7sim.lab.studies.balance_cards import balance_cards
from red7sim.lab.studies.balance_folding import balance_folding
from red7sim.lab.studies.balance_rules import balance_rules
from red7sim.lab.studies.study import Study
from red7sim.show.views import findings_of, pictures_of, sheets_of


@pytest.fixture(scope="module")
def cards() -> Study:
    return balance_cards(games=800)


@pytest.fixture(scope="module")
def rules() -> Study:
    return balance_rules(games=400, deals=100)


@pytest.fixture(scope="module")
def agency() -> Study:
    return balance_agency(players=(2, 3), games=300, deals=300, playouts=3)


@pytest.fixture(scope="module")
def folding() -> Study:
    return balance_folding(player="banker:samples=1", games=12)


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_the_map_prints_every_effect_and_marks_what_is_not_found(cards: Study) -> None:
    [picture] = pictures_of(cards)
    for axes, place in zip(picture.figure.axes, ("hand", "start"), strict=True):
        effects = cards.tables["effects"].filter(place=place)
        expected = [
            f"{100 * row['effect']:+.1f}" if row["verdict"] != "open"
            else f"({100 * row['effect']:+.1f})"
            for row in effects.iter_rows(named=True)
        ]  # fmt: skip
        assert sorted(texts(axes)) == sorted(expected)
        labels = [label.get_text() for label in axes.get_yticklabels()]
        assert labels[:7] == [
            f"{name[0].upper()}\n{name}"
            for name in ("red", "orange", "yellow", "green", "blue", "indigo", "violet")
        ]
        places = {text.get_position(): text.get_text().strip("()") for text in axes.texts}
        for factor, where in (("R7", (6, 0)), ("V1", (0, 6)), ("red", (7.25, 0)), ("7", (6, 7.25))):
            row = effects.filter(factor=factor).row(0, named=True)
            assert places[where] == f"{100 * row['effect']:+.1f}"


def test_the_transitions_are_the_shares(rules: Study) -> None:
    transitions, restrictions = pictures_of(rules)
    expected = [f"{100 * share:.1f}" for share in rules.tables["transitions"]["share"]]
    assert texts(transitions.figure.axes[0]) == expected
    shown = [
        bar.lines[0].get_xdata()[0]
        for axes in restrictions.figure.axes
        for bar in axes.containers
        if isinstance(bar, ErrorbarContainer)
    ]
    table = rules.tables["restrictions"]
    assert shown == pytest.approx((100 * table["difference"]).to_list())


def test_restrictions_that_always_lose_are_drawn_from_their_lower_end() -> None:
    study = balance_rules(players=4, games=8, deals=21)
    never = study.tables["restrictions"].filter(share=0.0)
    assert never.height
    assert (never["joint_low"] == never["difference"]).all()
    assert pictures_of(study)[1].name == "restrictions"


def test_the_curves_are_choices_and_lengths(agency: Study) -> None:
    choices, lengths = pictures_of(agency)
    assert len(choices.figure.axes) == 8
    assert len(lengths.figure.axes) == 4
    curve = next(line for line in lengths.figure.axes[3].lines if line.get_label() == "leads")
    table = agency.tables["lengths"].filter(players=3, rules="advanced", player="leads")
    assert [*curve.get_ydata()] == pytest.approx((100 * table["share"]).to_list())
    bars = [c for c in choices.figure.axes[0].containers if c.get_label() == "random"]
    table = agency.tables["turns"].filter(players=2, rules="basic", player="random")
    drawn = [float(y) for y in bars[0].lines[0].get_ydata()]
    assert drawn == pytest.approx(table["choices"][: len(drawn)].to_list())


def drawn_by_label(axes) -> dict[str, list[float]]:
    """The values of the series of a panel."""
    return {
        str(bar.get_label()): [float(x) for x in bar.lines[0].get_xdata()]
        for bar in axes.containers
        if isinstance(bar, ErrorbarContainer)
    }


def test_what_folding_is_worth_and_how_rounds_end_are_drawn(folding: Study) -> None:
    shares, ends = pictures_of(folding)
    [axes] = shares.figure.axes
    table = folding.tables["shares"]
    drawn = drawn_by_label(axes)
    expected = 100 * table.filter(alone="may fold")["difference"]
    assert drawn["alone he may fold"] == pytest.approx(expected.to_list())
    # Two players have no row for the other way round.
    assert [math.isnan(x) for x in drawn["alone he may not"]] == [True, True, False, False]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[:2] == ["2 players, round minimum 0", "2 players, round minimum 12"]
    for axes, column in zip(ends.figure.axes, ("share", "points"), strict=True):
        for end, values in drawn_by_label(axes).items():
            assert values == folding.tables["ends"].filter(end=end)[column].to_list()


def test_pictures_have_the_caption_a_text_and_the_same_bytes(cards, rules, agency, folding) -> None:
    for study in (cards, rules, agency, folding):
        for one, other in zip(pictures_of(study), pictures_of(study), strict=True):
            words = " ".join(text.get_text().replace("\n", " ") for text in one.figure.texts)
            assert study.caption in words
            assert len(one.alt) > 50
            assert one.svg() == other.svg()
            assert one.png() == other.png()


def test_tables_and_sentences_say_what_the_frames_do(cards, rules, agency, folding) -> None:
    colours, numbers, single = sheets_of(cards)
    assert [len(sheet.rows) for sheet in (colours, numbers, single)] == [7, 7, 49]
    assert single.rows[0][0] == "R7"
    stars = sum(
        cell.endswith("*") for sheet in sheets_of(cards) for row in sheet.rows for cell in row
    )
    assert (
        stars == cards.tables["effects"].filter(cards.tables["effects"]["verdict"] != "open").height
    )
    assert f"{stars} of 126" in " ".join(findings_of(cards))
    assert [len(sheet.rows) for sheet in sheets_of(rules)] == [7, 9, 7]
    assert [len(sheet.rows) for sheet in sheets_of(folding)] == [6, 6, 8]
    assert len(findings_of(folding)) == 8
    assert [sheet.detail for sheet in sheets_of(agency)] == [False, False, True, True]
    said = findings_of(agency)
    assert len(said) == 8
    assert all(("no chance" in sentence) == sentence.startswith("leads") for sentence in said)


def test_one_game_is_shown_without_a_crash() -> None:
    for study in (
        balance_cards(games=1),
        balance_rules(games=1, deals=1),
        balance_agency(games=1, deals=1),
        balance_folding(player="banker:samples=1", games=1),
    ):
        assert all(picture.png() for picture in pictures_of(study))
        assert sheets_of(study)
        assert findings_of(study)
