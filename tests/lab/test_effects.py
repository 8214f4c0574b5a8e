"""Effects of cards: the estimator against its definition and against planted worths."""

import math

import numpy as np
import planted
import pytest

from red7sim.lab.effects import FEWEST_WINS, Holdings, effect_of, holdings
from red7sim.lab.stats import wilson
from red7sim.play.batch import HAND, START
from red7sim.play.detailed import empty_counts, split_counts


def test_the_effect_of_a_card_is_the_difference_between_holders_and_others() -> None:
    """As the design has it: with 3 players of 7 cards, 1/7 of the positions hold a card."""
    held = Holdings(1, 3000, 1200, 3000, 1200, 1200, 7000)
    others = (7000 - 1200) / (3 * 7000 - 3000)
    effect = effect_of(held, 3, 7, 0.95, 0.99)
    assert effect.value == pytest.approx(1200 / 3000 - others)
    scale = 7 / 6
    low, high = wilson(1200, 3000, 0.95)
    assert effect.low == pytest.approx(scale * (low - 1 / 3), abs=1e-4)
    assert effect.high == pytest.approx(scale * (high - 1 / 3), abs=1e-4)
    assert effect.joint_low < effect.low < effect.value < effect.high < effect.joint_high


@pytest.mark.parametrize(("players", "size"), [(2, 7), (4, 5), (3, 1)])
def test_effects_are_slopes_of_winning_on_the_number_held(players: int, size: int) -> None:
    """The same slopes by least squares over all positions, by numpy."""
    random = np.random.default_rng(3)
    worth = random.normal(0, 0.01 if size > 1 else 0.06, 49)
    deals = planted.deal(random, 60_000, players, size, worth)
    won = (deals.winner[:, None] == np.arange(players)).ravel().astype(float)
    for members, held in zip(planted.MEMBERS, planted.holdings_of(deals), strict=True):
        number = deals.held[:, :, members].sum(axis=2).ravel().astype(float)
        slope = np.polyfit(number, won, 1)[0]
        effect = effect_of(held, players, size, 0.95, 0.99)
        # They differ by how often the cards happened to be dealt.
        assert effect.value == pytest.approx(slope, abs=0.25 * (effect.high - effect.low))


def test_planted_worths_are_found() -> None:
    random = np.random.default_rng(4)
    worth = np.zeros(49)
    worth[48], worth[0] = 0.3, -0.3
    deals = planted.deal(random, 20_000, 2, 7, worth)
    effects = [effect_of(held, 2, 7, 0.95, 0.9996) for held in planted.holdings_of(deals)]
    truth = planted.true_effects(2, 7, worth)
    assert truth[48] == pytest.approx(-truth[0])
    for effect, true in zip(effects, truth, strict=True):
        assert effect.joint_low <= true <= effect.joint_high
    found = {i for i, effect in enumerate(effects) if effect.p < 1e-6}
    # The two cards, and their colours (red 49 + 6, violet 49 + 0) and numbers (7 and 1).
    assert found == {48, 0, 49 + 6, 49, 62, 56}


def test_without_effects_the_design_tells_the_variance() -> None:
    """Winners drawn blindly: the observed variance of W is the one assumed, within 2 %."""
    random = np.random.default_rng(5)
    deals = planted.deal(random, 100_000, 3, 7, np.zeros(49))
    for held in planted.holdings_of(deals)[49:]:
        residuals = 9 * held.won_squares - 6 * held.products + held.dealt_squares
        binomial = 2 * held.dealt
        assert residuals / binomial == pytest.approx(42 / 48, rel=0.02)


@pytest.mark.parametrize(("alike", "trials"), [(1, 9000), (7, 9000 * 48 / 42)])
def test_the_interval_counts_the_trials_that_the_design_makes_of_cards(alike, trials) -> None:
    """Sums of 3 players without effects, with the variance of the design: 42/48 for a colour."""
    dealt, won = 9000, 3000
    spread = dealt * (2 / 9) * 9000 / trials  # the sum of (W - K/3)^2
    squares = 9000 if alike == 1 else 40_000  # of K; then of W so that the residuals fit
    won_squares, products = spread + squares / 9, squares / 3
    held = Holdings(alike, dealt, won, squares, won_squares, products, 10**9)
    effect = effect_of(held, 3, 7, 0.95, 0.99)
    low, high = wilson(trials / 3, trials, 0.95)
    scale = 48 * 49 / ((49 - alike) * 42)
    assert effect.low == pytest.approx(scale * (low - 1 / 3), rel=1e-6)
    assert effect.high == pytest.approx(scale * (high - 1 / 3), rel=1e-6)


def test_a_larger_variance_than_that_of_the_design_is_believed() -> None:
    once = Holdings(7, 9000, 3000, 40_000, 8000, 14_000, 10**6)
    twice = Holdings(7, 9000, 3000, 40_000, 80_000, 14_000, 10**6)
    narrow, wide = (effect_of(held, 3, 7, 0.95, 0.99) for held in (once, twice))
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_little_is_known_to_be_little() -> None:
    nothing = effect_of(Holdings(1, 0, 0, 0, 0, 0, 0), 2, 7, 0.95, 0.99)
    assert math.isnan(nothing.value)
    assert (nothing.low, nothing.high) == pytest.approx((-49 / 84, 49 / 84))
    assert nothing.p is None
    for alike in (1, 7):
        once = effect_of(Holdings(alike, 1, 1, 1, 1, 1, 1), 2, 7, 0.95, 0.99)
        assert once.low < 0 < once.high
        assert once.p is None
    enough = 2 * FEWEST_WINS
    assert effect_of(Holdings(1, enough, 9, enough, 9, 9, 80), 2, 7, 0.95, 0.99).p is not None


def test_sums_are_read_from_their_places() -> None:
    details = split_counts(empty_counts())[1][0]
    details["games"] = 5
    details["cards"][START, :, 3] = 7, 2
    details["groups"][HAND, :, 8] = 11, 12, 13, 14, 15
    assert [*holdings(details, START)][3] == Holdings(1, 7, 2, 7, 2, 2, 5)
    assert [*holdings(details, HAND)][49 + 8] == Holdings(7, 11, 12, 13, 14, 15, 5)
    assert len([*holdings(details, HAND)]) == 63
