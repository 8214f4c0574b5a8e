"""What a card is worth where it is dealt: the effect of holding it on winning the round.

The shuffle is an experiment: who holds a card is random, so holders and others differ by nothing
else. Let h of the 49 cards be dealt to each of N positions, so a position holds a card with
probability q = h/49. Over rounds let K count the holders of a card and W the holders who win. Then
E W / E K is the chance p1 of a holder to win, averaged over the positions, whoever sits there. Some
position wins every round, so over all positions the chance is 1/N = q p1 + (1 - q) p0, which gives
the chance p0 of those who do not hold it, and the effect

    p1 - p0  =  (p1 - 1/N) / (1 - q)

of holding the card instead of another one.

For m cards alike, the seven of a colour or of a number, K and W count cards. The effect is what one
more of them brings instead of a card that is none of them: the slope of the chance to win on the
number held. The covariance of the two is E W / N - (E K / N)(1/N), and the number held is
hypergeometric with the variance h (m/49) (1 - m/49) (49 - h)/48. Their quotient is

    effect  =  (E W / E K - 1/N) * 48 * 49 / ((49 - m) (49 - h)),

which for m = 1 is the above. Only rounds dealt from all 49 cards will do, the first ones of games,
and only hands of one size.

If nothing has an effect, W is drawn from K like the cards of a random position, and the variance of
W - K/N is (49 - m)/48 times the binomial one, that of K independent trials. So the share W/K has
the score interval of Wilson, and the test, of K * 48/(49 - m) trials; of fewer where the squares of
the games show a larger variance (an effective sample size as in Dean and Pagano, J. Survey Stat.
Methodol. 3, 2015).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from red7sim.game.cards import N_CARDS
from red7sim.lab.multiple import two_sided
from red7sim.lab.stats import wilson_with_design_effect
from red7sim.play.batch import DEALT, DEALT_SQUARES, PRODUCTS, WON, WON_SQUARES
from red7sim.play.details import N_GROUP_MASKS

ALIKE: Final = 7
"""Cards of a colour or of a number."""

FEWEST_WINS: Final = 10
"""With fewer wins expected of the holders, the test is not near normal and not made."""


@dataclass(frozen=True)
class Holdings:
    """Sums over first rounds for some cards alike at one place.

    Attributes
    ----------
    alike
        How many cards: 1, or 7 of a colour or number.
    dealt, won
        Cards of them dealt to all positions, and to the winners of the rounds.
    dealt_squares, won_squares, products
        Sums of the squares and products of the numbers of each round.
    games
        Rounds.
    """

    alike: int
    dealt: int
    won: int
    dealt_squares: int
    won_squares: int
    products: int
    games: int


@dataclass(frozen=True)
class Effect:
    """The effect of one more card on the chance to win the round.

    `low` and `high` hold for this one, `joint_low` and `joint_high` for all of the family together;
    `p` is None where too little is known to test. Without a card dealt all are NaN but the bounds.
    """

    value: float
    low: float
    high: float
    joint_low: float
    joint_high: float
    p: float | None


def holdings(details: Any, place: int) -> Iterator[Holdings]:
    """Yield the sums of the 49 cards, then of the seven colours by rank and of the seven numbers.

    `details` is one DETAILS record, `place` HAND or START (red7sim.play.batch).
    """
    games = int(details["games"])
    cards, groups = details["cards"][place], details["groups"][place]
    for card in range(N_CARDS):
        dealt, won = int(cards[DEALT, card]), int(cards[WON, card])
        yield Holdings(1, dealt, won, dealt, won, won, games)
    for group in range(N_GROUP_MASKS):
        yield Holdings(
            alike=ALIKE,
            dealt=int(groups[DEALT, group]),
            won=int(groups[WON, group]),
            dealt_squares=int(groups[DEALT_SQUARES, group]),
            won_squares=int(groups[WON_SQUARES, group]),
            products=int(groups[PRODUCTS, group]),
            games=games,
        )


def effect_of(held: Holdings, players: int, size: int, confidence: float, joint: float) -> Effect:
    """Return the effect of cards of which `size` are dealt to each position."""
    scale = 48 * N_CARDS / ((N_CARDS - held.alike) * (N_CARDS - size))
    fair = 1 / players
    design_effect = _design_effect(held)
    share = held.won / held.dealt if held.dealt else float("nan")

    def bounds(level: float) -> tuple[float, float]:
        low, high = wilson_with_design_effect(share, held.dealt, design_effect, level)
        return scale * (low - fair), scale * (high - fair)

    p = None
    if held.dealt * fair >= FEWEST_WINS:
        p = two_sided((share - fair) / sqrt(fair * (1 - fair) * design_effect / held.dealt))
    return Effect(scale * (share - fair), *bounds(confidence), *bounds(joint), p)


def _design_effect(held: Holdings) -> float:
    """Return the variance of `won` given its mean share of `dealt`, over the binomial one."""
    without_effects = (N_CARDS - held.alike) / (N_CARDS - 1)
    if held.games < 2 or not 0 < held.won < held.dealt:
        return without_effects
    # Whole numbers up to the division, so that nothing cancels.
    residuals = (
        held.dealt**2 * held.won_squares
        - 2 * held.dealt * held.won * held.products
        + held.won**2 * held.dealt_squares
    )
    binomial = held.won * (held.dealt - held.won) * held.dealt
    observed = residuals / binomial * held.games / (held.games - 1)
    return max(without_effects, observed)
