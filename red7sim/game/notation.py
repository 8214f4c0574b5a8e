"""The text forms of cards, sets of cards and positions.

A card is `R7`, a set `R7O2` (also with spaces or commas between), a position

    <canvas> <player> <player> [<player> [<player>]] [deck=<cards>] [gone=<cards>]

with the player to move first and the others in turn order. A player is `<palette>/<hand>`, a hand
of N unknown cards `?N`, and `-` a player who is out. `deck=` lists the deck from the top, `deck=?N`
says only how many it has; without it every card not accounted for is in the deck. `gone=` lists
cards known to be in no hand and in no deck.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from red7sim.game.cards import FULL, LETTERS, N_CARDS
from red7sim.game.refused import InputError, not_allowed
from red7sim.game.switches import MAX_PLAYERS, MIN_PLAYERS

CARD_NAMES: Final = tuple(f"{LETTERS[card % 7]}{card // 7 + 1}" for card in range(N_CARDS))
"""The text form of every card, by id."""

LARGEST_HAND: Final = 13
"""The largest hand of any ruleset: ten cards dealt and three extra."""

_CARD_OF: Final = {name: card for card, name in enumerate(CARD_NAMES)}
_ALLOWED_CARDS: Final = "a letter of R O Y G B I V and a number 1-7, as in R7"


class NotationError(InputError):
    """Text that is not a card, a set of cards or a position; the message names the culprit."""


def members(cards: int) -> Iterator[int]:
    """Yield the ids of a set in ascending order."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def cards_text(cards: Iterable[int]) -> str:
    """Return card ids as text, joined without separator."""
    return "".join(CARD_NAMES[card] for card in cards)


def set_text(cards: int) -> str:
    """Return a set as text, highest card first."""
    return cards_text(reversed([*members(cards)]))


def parse_cards(text: str) -> list[int]:
    """Return the ids of the cards of a text, in its order.

    Raises
    ------
    NotationError
        A token is no card, or a card comes twice.
    """
    cards: list[int] = []
    for word in re.split(r"[\s,]+", text.strip()):
        for token in (word[i : i + 2] for i in range(0, len(word), 2)):
            card = _CARD_OF.get(token.upper())
            if card is None:
                raise NotationError(f"{token!r} is not a card; a card is {_ALLOWED_CARDS}")
            if card in cards:
                raise NotationError(f"{CARD_NAMES[card]} comes twice")
            cards.append(card)
    return cards


def parse_set(text: str) -> int:
    """Return the set of the cards of a text; errors as `parse_cards`."""
    return sum(1 << card for card in parse_cards(text))


@dataclass(frozen=True)
class Seat:
    """One player of a position: palette and hand as sets; a player who is out has no palette."""

    palette: int
    hand: int | None
    hand_size: int

    @property
    def live(self) -> bool:
        """Whether the player is still in the round; a live palette is never empty."""
        return self.palette != 0


@dataclass(frozen=True)
class Position:
    """A moment of a round, as far as it is known; the player to move is the first seat.

    `deck` holds the ids from the top, or None where the order is unknown.
    """

    canvas: int
    seats: tuple[Seat, ...]
    deck: tuple[int, ...] | None
    deck_size: int
    gone: int

    @property
    def unseen(self) -> int:
        """Cards that the position does not place: in an unknown hand, in the deck, or out."""
        return FULL ^ _placed(self.seats, self.gone, self.deck or ())


OUT: Final = Seat(palette=0, hand=0, hand_size=0)


def parse_position(text: str) -> Position:
    """Return the position that a text describes.

    Raises
    ------
    NotationError
        Something is malformed or contradicts itself; the message names it.
    """
    if not isinstance(text, str):
        raise not_allowed("position", text, "text, as in R Y5B1/R1O3 G3V6/?2", NotationError)
    words = text.split()
    fields = [word for word in words if "=" in word]
    players = [word for word in words if "=" not in word]
    if not players or len(players[0]) != 1 or players[0].upper() not in LETTERS:
        culprit = players[0] if players else text
        raise NotationError(f"canvas {culprit!r} is not one of the letters R O Y G B I V")
    canvas = LETTERS.index(players[0].upper())
    seats = tuple(_parse_seat(word, place) for place, word in enumerate(players[1:], start=1))
    if not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
        raise NotationError(f"{len(seats)} players; allowed: {MIN_PLAYERS}..{MAX_PLAYERS}")
    if not seats[0].live:
        raise NotationError("the first player is out; the player to move comes first")
    if sum(seat.live for seat in seats) < MIN_PLAYERS:
        raise NotationError("fewer than two live players")
    options = _parse_fields(fields)
    gone = parse_set(options.get("gone", ""))
    deck_text = options.get("deck", "?")
    deck = None if deck_text.startswith("?") else tuple(parse_cards(deck_text))
    unseen = FULL ^ _placed(seats, gone, deck or ())
    hidden = sum(seat.hand_size for seat in seats if seat.hand is None)
    free = unseen.bit_count() - hidden
    if deck is not None:
        deck_size = len(deck)
    elif "deck" not in options:
        deck_size = free
    else:
        deck_size = _parse_count(deck_text, "deck")
        free -= deck_size
    if free < 0:
        raise NotationError(
            f"unknown hands and deck hold {unseen.bit_count() - free} cards, "
            f"but only {unseen.bit_count()} are unseen"
        )
    return Position(canvas, seats, deck, deck_size, gone)


def position_text(position: Position) -> str:
    """Return the canonical text of a position."""
    words = [LETTERS[position.canvas]]
    for seat in position.seats:
        hand = f"?{seat.hand_size}" if seat.hand is None else set_text(seat.hand)
        words.append(f"{set_text(seat.palette)}/{hand}" if seat.live else "-")
    deck = f"?{position.deck_size}" if position.deck is None else cards_text(position.deck)
    words.append(f"deck={deck}")
    if position.gone:
        words.append(f"gone={set_text(position.gone)}")
    return " ".join(words)


def _parse_seat(text: str, place: int) -> Seat:
    if text == "-":
        return OUT
    palette_text, slash, hand_text = text.partition("/")
    if not slash:
        raise NotationError(f"player {place}: {text!r} is not <palette>/<hand> or -")
    palette = parse_set(palette_text)
    if not palette:
        raise NotationError(
            f"player {place}: {text!r} has no palette; a live palette is never empty"
        )
    hand = None if hand_text.startswith("?") else parse_set(hand_text)
    size = _parse_count(hand_text, f"player {place}") if hand is None else hand.bit_count()
    if size > LARGEST_HAND:
        raise NotationError(
            f"player {place}: a hand of {size} cards; allowed: at most {LARGEST_HAND}"
        )
    return Seat(palette, hand, size)


def _parse_count(text: str, what: str) -> int:
    if not re.fullmatch(r"\?[0-9]{1,2}", text) or int(text[1:]) > N_CARDS:
        raise NotationError(f"{what}: {text!r} is not ?N, a number of unknown cards 0..{N_CARDS}")
    return int(text[1:])


def _parse_fields(words: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in ("deck", "gone"):
            raise NotationError(f"unknown field {name!r}; allowed: deck, gone")
        if name in fields:
            raise NotationError(f"field {name!r} comes twice")
        fields[name] = value
    return fields


def _placed(seats: Iterable[Seat], gone: int, deck: Iterable[int]) -> int:
    placed = 0
    groups = [group for seat in seats for group in (seat.palette, seat.hand or 0)]
    for group in (*groups, gone, *(1 << card for card in deck)):
        if clash := placed & group:
            raise NotationError(f"{set_text(clash)} in two places")
        placed |= group
    return placed
