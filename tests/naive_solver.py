"""The slow, obvious solver: every turn of every position, on the slow twin's sets of cards."""

from dataclasses import replace
from typing import Any

import naive

Memory = dict[tuple[object, ...], bool]


def mover_wins(position: naive.Position, memory: Memory) -> bool:
    """Whether the mover wins if both players play perfectly and see all cards.

    `memory` holds what was found before, under the same rules.
    """
    players = [position.mover, naive.next_live(position)]
    piles = [position.palettes, position.hands]
    key = (position.canvas, *(pile[player] for player in players for pile in piles))
    if key not in memory:
        afters = [after_turn(position, *pair) for pair in naive.surviving_pairs(position)]
        memory[key] = not all(mover_wins(after, memory) for after in afters)
    return memory[key]


def after_turn(position: naive.Position, play: str | None, discard: str | None) -> naive.Position:
    """The position after a surviving turn, the other player to move."""
    hands, palettes = [*position.hands], [*position.palettes]
    me = position.mover
    hands[me] -= {play, discard}
    if play is not None:
        palettes[me] |= {play}
    canvas = position.canvas if discard is None else naive.colour(discard)
    after = replace(position, hands=hands, palettes=palettes, canvas=canvas)
    return naive.end_turn(after, survives=True)


def read_position(text: str, rules: dict[str, Any]) -> naive.Position:
    """The twin's form of a position without players who are out."""
    canvas, *players = text.split()
    piles = [[read_cards(pile) for pile in player.split("/")] for player in players]
    palettes, hands = ([player[i] for player in piles] for i in range(2))
    colour = naive.COLOURS[canvas]
    return naive.Position(rules, hands, palettes, [True, True], colour, [], mover=0)


def read_cards(text: str) -> frozenset[str]:
    return frozenset(text[i : i + 2] for i in range(0, len(text), 2))
