"""Designs: which games are played on one deal.

Without pairing a deal is one game. A paired design plays several games, its arms, with the same
cards and the same random choices (the streams are keyed by the deal), and compares within the
deal: that takes the luck of the deal out of the comparison.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Final

from red7sim.game.refused import InputError

NO_PAIRING: Final = "none"
DESIGNS: Final = (NO_PAIRING, "rotate", "all", "force-start")


class DesignError(InputError):
    """A design that is unknown; the message says which and what is allowed."""


@dataclass(frozen=True)
class Arm:
    """One game of a deal.

    Attributes
    ----------
    order
        For each table position, which entry of the line-up sits there.
    first_start
        The table position that acts first in the first round; None: whom the rules say.
    """

    order: tuple[int, ...]
    first_start: int | None = None

    def seated(self, line_up: tuple[str, ...]) -> tuple[str, ...]:
        """Return the entries of a line-up by table position."""
        return tuple(line_up[entry] for entry in self.order)


def arms_of(design: str, players: int) -> tuple[Arm, ...]:
    """Return the games that a design plays on one deal, in their order.

    `none` is the line-up as it stands; `rotate` moves everyone on by one position from arm to
    arm; `all` seats the line-up in every order; `force-start` lets each table position act first
    once, whatever the deal says.

    Raises
    ------
    DesignError
        There is no such design.
    """
    seats = range(players)
    match design:
        case "none":
            return (Arm(tuple(seats)),)
        case "rotate":
            return tuple(Arm(tuple((p - arm) % players for p in seats)) for arm in seats)
        case "all":
            return tuple(Arm(order) for order in permutations(seats))
        case "force-start":
            return tuple(Arm(tuple(seats), first_start=position) for position in seats)
    raise DesignError(f"unknown pairing {design!r}; allowed: {', '.join(DESIGNS)}")
