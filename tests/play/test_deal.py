import naive
import naive_players
import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from red7sim.game.cards import FULL
from red7sim.game.notation import CARD_NAMES
from red7sim.game.ruleset import preset
from red7sim.game.view import VIEW
from red7sim.jit.bits import lowest
from red7sim.play.deal import HIDDEN, deal_round, draw_cards


def fresh(seed: int, game: int, round_number: int = 0):
    view, hidden = (np.zeros(1, dtype).view(np.recarray)[0] for dtype in (VIEW, HIDDEN))
    hidden.seed, hidden.game, view.round_number = np.uint64(seed), game, round_number
    return view, hidden


@given(
    seed=st.integers(0, 2**64 - 1),
    game=st.integers(0, 2**62),
    round_number=st.integers(0, 2**16 - 1),
    deck=st.integers(1, FULL),
    steps=st.lists(st.integers(1, 9), max_size=60),
)
def test_cards_come_in_the_order_of_the_deck_stream_however_they_are_drawn(
    seed, game, round_number, deck, steps
) -> None:
    cards = [CARD_NAMES[card] for card in range(49) if deck >> card & 1]
    order = naive_players.deck_order(seed, game, round_number, cards)
    view, hidden = fresh(seed, game, round_number)
    hidden.deck, view.deck_size = deck, len(cards)
    for wanted in steps:
        step = min(wanted, len(order))
        drawn = draw_cards(view, hidden, step)
        expected, order = order[:step], order[step:]
        assert {CARD_NAMES[card] for card in range(49) if drawn >> card & 1} == set(expected)
        assert view.deck_size == len(order)
    assert sorted(order) == sorted(naive.ALL_CARDS[c] for c in range(49) if hidden.deck >> c & 1)


@numba.njit
def count_places(view, hidden, decks: int, counts: np.ndarray) -> None:
    """Add to `counts[place, card]` how often a card comes at a place, in games 0 to `decks`."""
    for game in range(decks):
        hidden.game, hidden.deck, hidden.drawn, view.deck_size = game, FULL, 0, 49
        for place in range(49):
            counts[place, lowest(draw_cards(view, hidden, 1))] += 1


def test_every_card_is_equally_likely_at_every_place_of_the_deck() -> None:
    """Chi-square over 49 x 49 cells, 40,000 decks, fixed seed: 2304 degrees of freedom, so the
    statistic is within five standard deviations (68) of 2304 for all but 1 in a million seeds.
    """
    decks = 40_000
    counts = np.zeros((49, 49))
    count_places(*fresh(99, 0), decks, counts)
    expected = decks / 49
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert abs(statistic - 48 * 48) < 5 * np.sqrt(2 * 48 * 48)


def test_the_deal_leaves_scored_cards_out() -> None:
    view, hidden = fresh(3, 5)
    scored = 0b1111111
    view.scored[0] = scored
    deal_round(view, hidden, preset("advanced", 2).packed[0])
    assert view.deck_size == 49 - 7 - 16
    dealt = [int(hidden.deck), *map(int, hidden.hands[:2]), *map(int, view.palettes[:2]), scored]
    assert sum(dealt) == FULL
    assert all(a & b == 0 for i, a in enumerate(dealt) for b in dealt[:i])
