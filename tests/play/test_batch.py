"""Batches of sets of cards against the plain sums over rounds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from red7sim.game.cards import N_CARDS
from red7sim.play.batch import (
    BATCH,
    BATCH_DEALS,
    BATCH_ROUNDS,
    HAND,
    START,
    add_deal,
    add_round,
    count_deals,
    count_rounds,
    transpose,
)

words = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=64, max_size=64)
deals = st.lists(
    st.tuples(st.permutations(range(N_CARDS)), st.integers(0, 3)), max_size=BATCH_DEALS
)
sets = st.sets(st.integers(0, N_CARDS - 1))


def mask(cards) -> int:
    return sum(1 << card for card in cards)


def new_batch():
    # What waited before must not be seen again.
    batch = np.zeros(1, BATCH).view(np.recarray)[0]
    for field in ("dealt", "won", "scored", "changes"):
        batch[field] = -1
    return batch


@given(words)
def test_transposing_exchanges_bits_and_words(rows: list[int]) -> None:
    turned = np.array(rows, dtype=np.int64)
    transpose(turned)
    expected = [[int(rows[j]) >> i & 1 for j in range(64)] for i in range(64)]
    assert [[int(word) >> j & 1 for j in range(64)] for word in turned] == expected


@given(deals)
def test_deals_are_counted_as_one_by_one(rounds) -> None:
    batch = new_batch()
    cards = np.zeros((2, 2, N_CARDS), dtype=np.int64)
    groups = np.zeros((2, 5, 14), dtype=np.int64)
    expected_cards, expected_groups = np.zeros_like(cards), np.zeros_like(groups)
    for deck, winner in rounds:
        hands = [set(deck[7 * player : 7 * player + 7]) for player in range(4)]
        palettes = [set(deck[28 + player : 29 + player]) for player in range(4)]
        add_deal(
            batch,
            np.array([mask(hand) for hand in hands], dtype=np.int64),
            np.array([mask(palette) for palette in palettes], dtype=np.int64),
            winner,
        )
        for place, sets_dealt in ((HAND, hands), (START, palettes)):
            dealt, won = set().union(*sets_dealt), sets_dealt[winner]
            for card in range(N_CARDS):
                expected_cards[place, :, card] += card in dealt, card in won
            alike = [*({c for c in range(N_CARDS) if c % 7 == rank} for rank in range(7))]
            alike += [{c for c in range(N_CARDS) if c // 7 == row} for row in range(7)]
            for i, group in enumerate(alike):
                k, w = len(dealt & group), len(won & group)
                expected_groups[place, :, i] += k, w, k * k, w * w, k * w
    count_deals(batch, cards, groups)
    np.testing.assert_array_equal(cards, expected_cards)
    np.testing.assert_array_equal(groups, expected_groups)
    assert batch.deals == 0


@given(
    st.lists(
        st.tuples(sets, st.lists(st.integers(0, 200), min_size=7, max_size=7)),
        max_size=BATCH_ROUNDS,
    )
)
def test_rounds_are_counted_as_one_by_one(rounds) -> None:
    batch = new_batch()
    scored, changes_won = np.zeros(N_CARDS, dtype=np.int64), np.zeros(7, dtype=np.int64)
    expected_scored, expected_changes = np.zeros_like(scored), np.zeros_like(changes_won)
    for cards, changes in rounds:
        add_round(batch, mask(cards), sum(n << 8 * colour for colour, n in enumerate(changes)))
        expected_scored[[*cards]] += 1
        expected_changes += changes
    count_rounds(batch, scored, changes_won)
    np.testing.assert_array_equal(scored, expected_scored)
    np.testing.assert_array_equal(changes_won, expected_changes)
    assert batch.rounds == 0
