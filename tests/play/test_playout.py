"""Guesses of hidden cards agree with what is known, and give every card its share."""

from collections import Counter

import numpy as np
import pytest

from red7sim.game.notation import members, parse_set
from red7sim.game.turns import set_palette
from red7sim.game.view import VIEW
from red7sim.play.deal import HIDDEN, draw_cards
from red7sim.play.outlook import unseen_cards
from red7sim.play.playout import guess


def position() -> tuple[np.ndarray, np.ndarray]:
    """Four players, one of them out with two hidden cards, and one known to hold two cards."""
    views, hiddens = (np.zeros(1, dtype).view(np.recarray) for dtype in (VIEW, HIDDEN))
    view = views[0]
    view.players, view.mover, view.live = 4, 1, 0b1011
    for player, cards in ((0, "R1R2"), (1, "G5"), (3, "V7V6V5")):
        set_palette(view, player, parse_set(cards))
    view.hand = parse_set("B1B2B3")
    view.seen = parse_set("Y1Y2Y3Y4I1I2I3I4I5I6")
    view.hand_sizes[:] = [4, 3, 2, 5]
    view.known_hands[3] = parse_set("O6O7")
    view.stack[:2] = [0, 1]  # V1, I1
    view.seen &= ~parse_set("I1")
    view.stack_size = 2
    view.deck_size = view.stack_size + 19
    return views, hiddens


def test_guesses_keep_what_is_known() -> None:
    views, hiddens = position()
    unseen = unseen_cards(views[0])
    for number in range(200):
        view, hidden = views.copy()[0], hiddens[0]
        guess(view, hidden, np.uint64(99), number)
        hands = [int(hand) for hand in hidden.hands]
        assert [hand.bit_count() for hand in hands] == [4, 3, 0, 5]
        assert hands[1] == view.hand
        assert hands[3] & parse_set("O6O7") == parse_set("O6O7")
        assert hands[0] & hands[3] == 0
        assert (hands[0] | hands[3]) & ~unseen == 0
        assert not (hands[0] | hands[3] | int(hidden.deck)) & parse_set("V1I1")
        assert int(hidden.deck).bit_count() == 19
        assert view.deck_size == 21
        assert not int(hidden.deck) & (hands[0] | hands[3])
        # What is drawn once the cards put there are gone comes from the guess.
        deck = int(hidden.deck)
        view.deck_size, view.stack_size = 19, 0
        assert draw_cards(view, hidden, 19) == deck


def test_guesses_of_one_word_differ_and_come_again() -> None:
    views, hiddens = position()

    def hands(word: int, number: int) -> tuple[int, ...]:
        guess(views.copy()[0], hiddens[0], np.uint64(word), number)
        return tuple(int(hand) for hand in hiddens[0].hands)

    assert hands(5, 7) == hands(5, 7)
    assert len({hands(5, number) for number in range(50)}) == 50
    assert hands(5, 7) != hands(6, 7)


@pytest.mark.verification
def test_every_card_lies_everywhere_as_often_as_it_should() -> None:
    """With 20,000 guesses a share is off by five standard errors less than once in a million."""
    views, hiddens = position()
    n = 20_000
    found: Counter[tuple[int, int]] = Counter()
    for number in range(n):
        view = views.copy()[0]
        guess(view, hiddens[0], np.uint64(1), number)
        for player, cards in ((0, hiddens[0].hands[0]), (3, hiddens[0].hands[3])):
            found.update((player, card) for card in members(int(cards)))
    known = parse_set("O6O7V1I1")
    free = [card for card in members(int(unseen_cards(views[0]))) if not known >> card & 1]
    for player, held in ((0, 4), (3, 3)):
        share = held / len(free)
        error = (share * (1 - share) / n) ** 0.5
        assert all(abs(found[player, card] / n - share) < 5 * error for card in free)
