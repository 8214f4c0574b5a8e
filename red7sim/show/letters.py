"""Colours of the game after their letters, so that none is known by its colour alone."""

from red7sim.game.cards import COLOURS, LETTERS


def lettered(colour: str, between: str = " ") -> str:
    """Return the name of a colour after its letter."""
    return f"{LETTERS[COLOURS.index(colour)]}{between}{colour}"
