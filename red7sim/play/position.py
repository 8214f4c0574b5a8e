"""A position of the text form, set up on a table's records for the kernels."""

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import COLOURS, NO_CARD
from red7sim.game.notation import CARD_NAMES, Position, members
from red7sim.game.rules import counting_set, occupied_rows, palette_keys
from red7sim.game.ruleset import Ruleset
from red7sim.game.turns import find_turns
from red7sim.game.view import VIEW

TurnNames = tuple[str | None, str | None]
"""A turn as names: the card played and the card discarded, None where there is none."""


def position_view(position: Position) -> NDArray[np.void]:
    """Return the position as its mover sees it: array of shape (1,), dtype `VIEW`.

    The mover is table position 0. An unknown hand of the mover is left empty.
    """
    views = np.zeros(1, VIEW).view(np.recarray)
    view = views[0]
    view.players = len(position.seats)
    view.canvas = position.canvas
    view.deck_size = position.deck_size
    view.seen = position.gone
    for player, seat in enumerate(position.seats):
        view.hand_sizes[player] = seat.hand_size
        if seat.live:
            view.live |= 1 << player
            view.palettes[player] = seat.palette
            view.rows[player] = occupied_rows(seat.palette)
            view.keys[player, :7] = palette_keys(seat.palette)
    view.hand = position.seats[0].hand or 0
    return views


def leaders(position: Position, ruleset: Ruleset) -> dict[str, int | None]:
    """Return who would be winning under each canvas colour, red first; None where nobody."""
    views = position_view(position)
    rule_of = ruleset.packed[0].rule_of
    result: dict[str, int | None] = {}
    for rank in reversed(range(len(COLOURS))):
        keys = views[0].keys[: len(position.seats), rule_of[rank]]
        result[COLOURS[rank]] = int(keys.argmax()) if keys.max() else None
    return result


def leading_set(position: Position, ruleset: Ruleset, colour: str, player: int) -> list[str]:
    """Return the cards with which a player leads under a canvas colour, highest first."""
    rule = ruleset.packed[0].rule_of[COLOURS.index(colour)]
    cards = counting_set(position.seats[player].palette, rule)
    return [CARD_NAMES[card] for card in reversed([*members(int(cards))])]


def surviving_turns(position: Position, ruleset: Ruleset) -> list[TurnNames] | None:
    """Return all surviving turns of the mover, numbered as the engine numbers them.

    None where the mover's hand is unknown.
    """
    if position.seats[0].hand is None:
        return None
    views = position_view(position)
    view = views[0]
    find_turns(view, ruleset.packed[0])
    return [
        (_name(view.lane_cards[lane]), _name(discard))
        for lane in range(view.lanes)
        for discard in members(int(view.lane_turns[lane]))
    ]


def _name(card: int) -> str | None:
    return None if card == NO_CARD else CARD_NAMES[card]
