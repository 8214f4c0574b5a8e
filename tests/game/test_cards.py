from red7sim.game import cards
from red7sim.game.notation import CARD_NAMES


def test_ids_order_cards_by_number_then_colour() -> None:
    assert CARD_NAMES[:7] == ("V1", "I1", "B1", "G1", "Y1", "O1", "R1")
    assert CARD_NAMES[-1] == "R7"


def test_rows_and_columns_partition_the_deck() -> None:
    for groups in (cards.ROWS, cards.COLUMNS):
        assert sum(groups) == cards.FULL
        assert all(group.bit_count() == 7 for group in groups)


def test_named_masks_hold_the_cards_they_name() -> None:
    numbers = {
        mask: {card // 7 + 1 for card in range(49) if mask >> card & 1}
        for mask in (cards.EVEN, cards.BELOW_FOUR)
    }
    assert numbers == {cards.EVEN: {2, 4, 6}, cards.BELOW_FOUR: {1, 2, 3}}
    assert cards.EVEN.bit_count() == cards.BELOW_FOUR.bit_count() == 21


def test_face_value_of_all_cards_is_196() -> None:
    assert int((cards.ROW_OF + 1).sum()) == 196
