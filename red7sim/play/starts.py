"""Starts of rounds: positions, and the deals of logs, set up as records for the kernels.

What a start leaves open is dealt anew in every game (red7sim.play.started).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import COLOURS, FULL, NO_CARD
from red7sim.game.notation import (
    CARD_NAMES,
    LARGEST_HAND,
    Position,
    parse_cards,
    parse_set,
    set_text,
)
from red7sim.game.refused import InputError, whole_in
from red7sim.game.steps import DISCARD, STEP_NAMES, as_step
from red7sim.game.switches import MAX_PLAYERS, MIN_PLAYERS
from red7sim.game.turns import set_palette
from red7sim.game.view import VIEW
from red7sim.play.deal import HIDDEN
from red7sim.play.position import JsonTurn, position_view, turn_number

Event = dict[str, Any]

_RANK_OF = {colour: rank for rank, colour in enumerate(COLOURS)}

MAX_ROUNDS = 1 << 16
"""Rounds of a game that streams can tell apart."""

NO_SCRIPT = np.zeros(0, dtype=np.int64)


class StartError(InputError):
    """A start that no round can begin from; the message names the culprit."""


@dataclass(frozen=True)
class Starts:
    """Where rounds begin: game i from start i modulo their number.

    Attributes
    ----------
    views, hiddens
        One `VIEW` and one `HIDDEN` record a start; what is open in them is dealt in every game.
    """

    views: NDArray[np.void]
    hiddens: NDArray[np.void]

    @property
    def players(self) -> int:
        """The number of table positions."""
        return int(self.views["players"][0])

    def __len__(self) -> int:
        return len(self.views)


def start_at(position: Position) -> Starts:
    """Return a position as the only start; the player to move has table position 0."""
    views = position_view(position)
    hidden = _empty_hidden()
    for player, holder in enumerate(position.seats):
        hidden[0].hands[player] = holder.hand or 0
    hidden[0].deck = position.unseen
    _set_order(hidden, position.deck or ())
    return Starts(views, hidden)


def starts_of(deals: Iterable[Event]) -> Starts:
    """Return the deals of logs, in the JSON form of `red7sim replay`, as starts.

    `hands`, `palettes`, `canvas` and `start` are needed. Without `deck` all other cards are in the
    deck, in an unknown order; with it they are out of play, and everybody knows them.

    Raises
    ------
    StartError
        A deal is none, or deals have different numbers of players.
    """
    found = [*map(_start_of_deal, deals)]
    if not found:
        raise StartError('no deals; allowed: lines with "type": "deal"')
    for number, start in enumerate(found):
        if start.players != found[0].players:
            raise StartError(
                f"deal {number} has {start.players} players, deal 0 has {found[0].players}; "
                "allowed: the same number in all"
            )
    return Starts(
        np.concatenate([start.views for start in found]).view(np.recarray),
        np.concatenate([start.hiddens for start in found]).view(np.recarray),
    )


def _start_of_deal(deal: Event) -> Starts:
    try:
        hands, palettes, scored = (
            [parse_set(" ".join(cards)) for cards in deal.get(name, ())]
            for name in ("hands", "palettes", "scored")
        )
        deck = parse_cards(" ".join(deal["deck"])) if "deck" in deal else None
        canvas, start, round_number = _RANK_OF[deal["canvas"]], deal["start"], deal.get("round", 0)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StartError(f"a deal cannot be read: {error}") from None
    players = len(hands)
    sets = [*hands, *palettes, *scored, *(1 << card for card in deck or ())]
    together = 0
    for cards in sets:
        if together & cards:
            raise StartError(f"{set_text(together & cards)} in two places of a deal")
        together |= cards
    _require_deal(hands, palettes, scored)
    start = whole_in("start of a deal", start, 0, players - 1, error=StartError)
    round_number = whole_in("round of a deal", round_number, 0, MAX_ROUNDS - 1, error=StartError)
    views = np.zeros(1, VIEW).view(np.recarray)
    view = views[0]
    view.players = players
    view.canvas = canvas
    view.live = (1 << players) - 1
    view.start = view.mover = start
    view.round_number = round_number
    hidden = _empty_hidden()
    hidden[0].deck = FULL ^ together
    view.deck_size = (FULL ^ together).bit_count() if deck is None else len(deck)
    view.seen = sum(scored) if deck is None else sum(scored) | FULL ^ together
    for player in range(players):
        set_palette(view, player, palettes[player])
        view.hand_sizes[player] = hands[player].bit_count()
        hidden[0].hands[player] = hands[player]
        view.scored[player] = scored[player] if scored else 0
    _set_order(hidden, deck or ())
    return Starts(views, hidden)


def _require_deal(hands: list[int], palettes: list[int], scored: list[int]) -> None:
    players = len(hands)
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise StartError(f"a deal of {players} hands; allowed: {MIN_PLAYERS}..{MAX_PLAYERS}")
    if len(palettes) != players or not all(palettes):
        raise StartError("a deal without a palette for each hand; a palette is never empty")
    if len(scored) not in (0, players):
        raise StartError(f"a deal with scored cards of {len(scored)} players, hands of {players}")
    if max(hand.bit_count() for hand in hands) > LARGEST_HAND:
        raise StartError(f"a deal with a hand of more than {LARGEST_HAND} cards")


def _empty_hidden() -> NDArray[np.void]:
    hidden = np.zeros(1, HIDDEN).view(np.recarray)
    hidden[0].choice_pair = -1
    return hidden


def _set_order(hidden: NDArray[np.void], deck: Sequence[int]) -> None:
    hidden[0].ordered = len(deck)
    hidden[0].order[: len(deck)] = deck[::-1]


def script_of(turn: JsonTurn) -> NDArray[np.int64]:
    """Return a surviving turn, in its JSON form, as a script: int64, one word a step.

    Without actions it is one word, the turn. Draws are left out; after an open turn the player goes
    on as he likes.
    """
    if "steps" not in turn:
        return np.array([turn_number(turn)])
    steps = [
        as_step(STEP_NAMES.index(step["do"]), CARD_NAMES.index(step["card"]))
        for step in turn["steps"]
        if step["do"] != "draw"
    ]
    complete = turn["open"] or (steps and turn["steps"][-1]["do"] == "discard")
    return np.array(steps if complete else [*steps, as_step(DISCARD, NO_CARD)])
