import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import card_sets

from red7sim.game.notation import (
    CARD_NAMES,
    NotationError,
    Position,
    Seat,
    cards_text,
    members,
    parse_cards,
    parse_position,
    parse_set,
    position_text,
    set_text,
)


@given(st.lists(st.integers(0, 48), unique=True), st.sampled_from(["", " ", ",", ", "]))
def test_lists_of_cards_round_trip_with_any_separator_and_case(ids, separator) -> None:
    text = separator.join(CARD_NAMES[card] for card in ids)
    assert parse_cards(text) == parse_cards(text.lower()) == ids
    assert cards_text(ids) == "".join(CARD_NAMES[card] for card in ids)


@given(card_sets)
def test_sets_round_trip(cards: int) -> None:
    assert parse_set(set_text(cards)) == cards
    assert sum(1 << card for card in members(cards)) == cards


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("R8", "'R8'"),
        ("R0", "'R0'"),
        ("X1", "'X1'"),
        ("R7O", "'O'"),
        ("7R", "'7R'"),
        ("R7 R7", "R7 comes twice"),
        ("r7,O2R7", "R7 comes twice"),
        ("R\N{DIGIT SEVEN}\N{FULLWIDTH DIGIT SEVEN}", "\N{FULLWIDTH DIGIT SEVEN}"),
    ],
)
def test_refused_cards_are_named(text: str, culprit: str) -> None:
    with pytest.raises(NotationError) as refusal:
        parse_cards(text)
    assert culprit in str(refusal.value)


def test_position_of_the_documented_example() -> None:
    position = parse_position("g B5B7/R4 R1Y7/?3 - deck=V1V2")
    assert position == Position(
        canvas=3,
        seats=(
            Seat(parse_set("B5B7"), parse_set("R4"), 1),
            Seat(parse_set("R1Y7"), None, 3),
            Seat(0, 0, 0),
        ),
        deck=tuple(parse_cards("V1V2")),
        deck_size=2,
        gone=0,
    )
    assert position_text(position) == "G B7B5/R4 Y7R1/?3 - deck=V1V2"


def test_without_a_deck_all_unseen_cards_are_in_it() -> None:
    position = parse_position("R Y5B1G6G4/R1O3 G3V6I1O1/?2 gone=R7")
    assert position.unseen.bit_count() == 49 - 4 - 2 - 4 - 1
    assert position.deck is None
    assert position.deck_size == position.unseen.bit_count() - 2


def test_an_empty_hand_and_an_empty_deck_are_possible() -> None:
    position = parse_position("B Y5B1/ R1/R2 deck=")
    assert position.seats[0].hand == 0
    assert position.deck == ()
    assert parse_position("B Y5B1/ R1/R2 deck=?0").deck_size == 0


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("", "canvas ''"),
        ("Q R1/ R2/", "canvas 'Q'"),
        ("RR R1/ R2/", "canvas 'RR'"),
        ("R R1/", "1 players"),
        ("R R1/ R2/ R3/ R4/ R5/", "5 players"),
        ("R R1/R2 R2/", "R2 in two places"),
        ("R R1/ R2/ gone=R1", "R1 in two places"),
        ("R R1/ R2/ deck=R3R3", "R3 comes twice"),
        ("R R1/ R2/ deck=R2", "R2 in two places"),
        ("R R1/ /R2", "player 2"),
        ("R R1/O1 ,/R2 G3/R3", "player 2: ',/R2' has no palette"),
        ("R R1/ R2", "player 2"),
        ("R - R1/ R2/", "first player is out"),
        ("R R1/ -", "fewer than two live players"),
        ("R R1/R9 R2/", "'R9'"),
        ("R R1/?x R2/", "'?x'"),
        ("R R1/R2R3R4R5R6R7O1O2O3O4O5O6O7Y1 Y2/", "player 1: a hand of 14 cards"),
        ("R R1/?3 Y2/?14", "player 2: a hand of 14 cards"),
        ("R R1/?13 R2/?13 R3/?13 R4/?13", "unknown hands and deck hold 52 cards"),
        ("R R1/?13 R2/?13 deck=?22", "only 47 are unseen"),
        ("R R1/ R2/ deck=?50", "'?50'"),
        ("R R1/ R2/ deck=R3 deck=R4", "'deck' comes twice"),
        ("R R1/ R2/ dock=R3", "'dock'"),
    ],
)
def test_refused_positions_name_the_culprit_in_one_line(text: str, culprit: str) -> None:
    with pytest.raises(NotationError) as refusal:
        parse_position(text)
    assert culprit in str(refusal.value)
    assert "\n" not in str(refusal.value)


@given(st.text(max_size=40))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try:
        position = parse_position(text)
    except NotationError:
        return
    assert parse_position(position_text(position)) == position
