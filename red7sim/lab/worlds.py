"""A hidden hand: what perfect play makes of a position over all hands that it may be."""

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.game.notation import Position, members
from red7sim.game.ruleset import Ruleset
from red7sim.lab.stats import wilson
from red7sim.play.open_hands import Solver
from red7sim.play.started import sample_hands
from red7sim.play.starts import start_at


@dataclass(frozen=True)
class Worlds:
    """The hands of the rival that a position was solved with.

    Attributes
    ----------
    consistent
        How many hands the rival may hold; all of them are equally likely.
    solved
        With how many the position was solved.
    exact
        Whether those were all, each of them once.
    rows
        One a turn: `hands_won`, the share of the hands against which perfect play with open hands
        wins after it. Of sampled hands `hands_won_low` .. `hands_won_high` is Wilson's interval.
    """

    consistent: int
    solved: int
    exact: bool
    rows: list[dict[str, float]]

    def as_json(self) -> dict[str, Any]:
        """Return the numbers of hands, as in the JSON form."""
        return {"consistent": self.consistent, "solved": self.solved, "exact": self.exact}


def solve_worlds(
    position: Position,
    turns: list[dict[str, Any]],
    ruleset: Ruleset,
    samples: int,
    seed: int,
    confidence: float,
) -> Worlds:
    """Solve a position whose mover does not know his rival's hand.

    Parameters
    ----------
    position
        Two live players, the hand of the one who is not to move unknown.
    turns
        The surviving turns of the mover.
    samples
        Hands to solve. Where there are no more of them than that, all are solved once.
    """
    player, rival = next(
        (place, seat) for place, seat in enumerate(position.seats) if place and seat.live
    )
    consistent = comb(position.unseen.bit_count(), rival.hand_size)
    exact = consistent <= samples
    if exact:
        hands = _all_hands(position.unseen, rival.hand_size)
    else:
        hands = sample_hands(start_at(position), player, samples, seed)
    rows = []
    for wins in Solver(ruleset).count_wins(position, turns, hands):
        low, high = wilson(wins, len(hands), confidence)
        interval = {} if exact else {"hands_won_low": low, "hands_won_high": high}
        rows.append({"hands_won": wins / len(hands)} | interval)
    return Worlds(consistent, len(hands), exact, rows)


def _all_hands(unseen: int, size: int) -> NDArray[np.int64]:
    cards = [1 << card for card in members(unseen)]
    return np.array([sum(hand) for hand in combinations(cards, size)], dtype=np.int64)
