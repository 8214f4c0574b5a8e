"""Studies of cards whose truth is known: deals at random, winners by worths that are planted."""

from dataclasses import dataclass

import numpy as np

from red7sim.lab.effects import Holdings

MEMBERS = [
    *([card] for card in range(49)),
    *([card for card in range(49) if card % 7 == rank] for rank in range(7)),
    *([card for card in range(49) if card // 7 == row] for row in range(7)),
]
"""The cards of every factor, in the order of the package."""


@dataclass(frozen=True)
class Deals:
    """Which cards each position holds: bool of shape (games, players, 49), and who won."""

    held: np.ndarray
    winner: np.ndarray


def deal(
    random: np.random.Generator, games: int, players: int, size: int, worth: np.ndarray
) -> Deals:
    """Deal `size` cards to each position. A position wins with probability 1/N plus the worths of
    its cards less those of the mean position, which is a chance only if the worths are small.
    """
    order = np.argsort(random.random((games, 49), dtype=np.float32), axis=1)
    held = np.zeros((games, players, 49), dtype=bool)
    for player in range(players):
        cards = order[:, player * size : (player + 1) * size]
        np.put_along_axis(held[:, player], cards, True, axis=1)
    worths = held @ worth
    chance = 1 / players + worths - worths.mean(axis=1, keepdims=True)
    assert chance.min() >= 0
    drawn = random.random(games)[:, None] > np.cumsum(chance, axis=1)[:, :-1]
    return Deals(held, drawn.sum(axis=1))


def holdings_of(deals: Deals) -> list[Holdings]:
    """The sums of every factor, from the deals themselves."""
    games = len(deals.winner)
    won_cards = deals.held[np.arange(games), deals.winner]
    dealt_cards = deals.held.any(axis=1)
    found = []
    for members in MEMBERS:
        dealt = dealt_cards[:, members].sum(axis=1)
        won = won_cards[:, members].sum(axis=1)
        products = ((x * y).sum() for x, y in ((dealt, dealt), (won, won), (dealt, won)))
        found.append(Holdings(len(members), dealt.sum(), won.sum(), *products, games))
    return found


def true_effects(players: int, size: int, worth: np.ndarray) -> np.ndarray:
    """What one more card of a factor instead of one outside it does to the chance to win.

    A card more is worth what it is, less the mean of the cards that it may replace, which are those
    outside the factor; the rivals' cards change too, since they are drawn from the others.
    """
    effects = []
    for members in MEMBERS:
        outside = np.delete(worth, members)
        more = worth[members].mean() - outside.mean()
        # Own cards change one for one. Each rival holds a share size / (49 - size) of that card
        # less, since a card in the own hand is not in the deck or in his.
        own, rival = more, -more * size / (49 - size)
        effects.append((own - rival) * (1 - 1 / players))
    return np.array(effects)
