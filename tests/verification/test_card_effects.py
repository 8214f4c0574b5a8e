"""What the studies of balance promise, in studies whose truth is known.

500 studies estimate a false discovery rate of 5 % with a standard error of 1 %, so the bound of
7.5 % is more than two of them; seeds are fixed. 2,000 studies estimate a coverage of 95 % with a
standard error of 0.5 %; the tolerance of 1.5 % is three of them.
"""

import numpy as np
import planted
import pytest

from red7sim.lab.effects import effect_of
from red7sim.lab.groups import ratio
from red7sim.lab.multiple import q_values
from red7sim.lab.spread import N_SUMS, WIN_SQUARES, WINS, luck_share

pytestmark = pytest.mark.verification

CONFIDENCE = 0.95


@pytest.mark.parametrize("players", [2, 4])
def test_false_discoveries_are_rare_where_nothing_has_an_effect(players: int) -> None:
    """Hands and start palettes of one deal, winners drawn blindly; every discovery is false."""
    random = np.random.default_rng(11)
    none = np.zeros(49)
    false = 0
    for _ in range(500):
        deals = planted.deal(random, 1000, players, 8, none)
        first = np.cumsum(deals.held, axis=2) == 1
        start = deals.held & first  # of eight cards one is the start card, the lowest one
        pick = random.permutation(49)  # so that every card is as likely to be it
        start, hand = start[:, :, pick], (deals.held & ~first)[:, :, pick]
        effects = [
            effect_of(held, players, size, CONFIDENCE, CONFIDENCE)
            for size, cards in ((7, hand), (1, start))
            for held in planted.holdings_of(planted.Deals(cards, deals.winner))
        ]
        false += any(
            q is not None and q <= 1 - CONFIDENCE for q in q_values([e.p for e in effects])
        )
    assert false / 500 <= 0.075


def test_intervals_of_effects_hold() -> None:
    """One study's factors hang together, so studies are counted, not factors."""
    random = np.random.default_rng(12)
    worth = random.normal(0, 0.02, 49)
    truth = planted.true_effects(2, 7, worth)
    held = np.zeros((2000, len(truth)), dtype=bool)
    jointly = np.zeros(2000, dtype=bool)
    for study in range(2000):
        deals = planted.deal(random, 600, 2, 7, worth)
        effects = [
            effect_of(sums, 2, 7, CONFIDENCE, 1 - (1 - CONFIDENCE) / len(truth))
            for sums in planted.holdings_of(deals)
        ]
        held[study] = [e.low <= t <= e.high for e, t in zip(effects, truth, strict=True)]
        jointly[study] = all(
            e.joint_low <= t <= e.joint_high for e, t in zip(effects, truth, strict=True)
        )
    cards, groups = held[:, :49].mean(), held[:, 49:].mean()
    assert cards == pytest.approx(CONFIDENCE, abs=0.015)
    assert groups == pytest.approx(CONFIDENCE, abs=0.015)
    assert jointly.mean() >= CONFIDENCE - 0.015


@pytest.mark.parametrize("groups", [8, 20, 64])
def test_intervals_from_groups_hold(groups: int) -> None:
    """Shares of turns in games of unequal length whose turns hang together."""
    random = np.random.default_rng(13)
    truth, held = 0.3, 0
    for _ in range(2000):
        lengths = random.integers(5, 15, (groups, 32))
        own = random.beta(3, 7, (groups, 32))  # of each game, with the mean 0.3
        hits = random.binomial(lengths, own)
        low, high = ratio(hits.sum(axis=1), lengths.sum(axis=1)).interval(CONFIDENCE)
        held += low <= truth <= high
    assert held / 2000 == pytest.approx(CONFIDENCE, abs=0.015)


@pytest.mark.parametrize("playouts", [2, 20])
def test_the_share_of_the_deal_is_unbiased_and_its_interval_holds(playouts: int) -> None:
    """Chances of two positions by a beta distribution: the share is 1 / (1 + a + b)."""
    random = np.random.default_rng(14)
    truth = 1 / (1 + 2 + 2)
    values, held = [], 0
    for _ in range(2000):
        chance = random.beta(2, 2, (64, 32))
        first = random.binomial(playouts, chance)
        sums = np.zeros((64, N_SUMS), dtype=np.int64)
        for position, wins in enumerate((first, playouts - first)):
            sums[:, WINS + position] = wins.sum(axis=1)
            sums[:, WIN_SQUARES + position] = (wins * wins).sum(axis=1)
            sums[:, 1] += (wins * (playouts - wins)).sum(axis=1)
        sums[:, 0] = 32
        share = luck_share(sums, playouts)
        values.append(share.value)
        low, high = share.interval(CONFIDENCE)
        held += low <= truth <= high
    error = np.std(values) / np.sqrt(2000)
    assert np.mean(values) == pytest.approx(truth, abs=4 * error)
    assert held / 2000 == pytest.approx(CONFIDENCE, abs=0.015)
