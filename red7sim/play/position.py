"""A position of the text form, set up on a table's records for the kernels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.game.actions import find_steps, stage_after_play
from red7sim.game.cards import COLOUR_OF, COLOURS, NO_CARD
from red7sim.game.notation import CARD_NAMES, Position, members
from red7sim.game.rules import counting_set
from red7sim.game.ruleset import Ruleset
from red7sim.game.steps import (
    DISCARD,
    N_KINDS,
    PLAY,
    STAGE_AFTER_TAKE,
    STAGE_END,
    STAGE_FREE,
    STAGE_STOP,
    STEP_NAMES,
    STEPS,
    TAKE,
    THREES,
    TO_CANVAS,
)
from red7sim.game.turns import (
    add_to_palette,
    as_turn,
    draws_after_seven,
    find_turns,
    remove_from_palette,
    set_palette,
)
from red7sim.game.view import VIEW

JsonTurn = dict[str, Any]
JsonStep = dict[str, Any]


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
            set_palette(view, player, seat.palette)
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


def surviving_turns(position: Position, ruleset: Ruleset) -> list[JsonTurn] | None:
    """Return all surviving turns of the mover in their JSON form, in their numbering.

    Without actions a turn is `{"play": card, "discard": card}`. With actions it is
    `{"steps": [...], "open": bool}`; an open one ends with a draw that decides how it goes on. None
    where the mover's hand is unknown.
    """
    if position.seats[0].hand is None:
        return None
    views = position_view(position)
    if ruleset.actions:
        top = position.deck[0] if position.deck else None
        return [*_action_turns(views, ruleset.packed[0], top)]
    view = views[0]
    find_turns(view, ruleset.packed[0])
    return [
        {"play": _name(view.lane_cards[lane]), "discard": _name(discard)}
        for lane in range(view.lanes)
        for discard in members(int(view.lane_turns[lane]))
    ]


def turn_number(turn: JsonTurn) -> int:
    """Return the number (red7sim.game.turns) of a turn without actions."""
    return int(as_turn(_card(turn["play"]), _card(turn["discard"])))


def _card(name: str | None) -> int:
    return NO_CARD if name is None else CARD_NAMES.index(name)


@dataclass(frozen=True)
class _Moment:
    """A point within a turn: the table and its legal steps, and how the turn came there."""

    views: NDArray[np.void]
    legal: NDArray[np.void]
    steps: tuple[JsonStep, ...] = ()
    stage: int = STAGE_FREE
    acting: int = NO_CARD
    won: int = 0


def _action_turns(views: NDArray[np.void], rules: Any, top: int | None) -> Iterator[JsonTurn]:
    legal = np.zeros(1, STEPS).view(np.recarray)
    yield from _turns_from(_Moment(views, legal), rules, top)


def _turns_from(moment: _Moment, rules: Any, top: int | None) -> Iterator[JsonTurn]:
    """Yield the surviving turns that go on from a moment; at most ten steps deep."""
    legal = moment.legal[0]
    find_steps(moment.views[0], rules, legal, moment.stage, moment.acting, moment.won)
    for kind in range(N_KINDS):
        for card in members(int(legal.legal[kind])):
            if not legal.counts[kind, card]:
                continue
            if kind == DISCARD:
                end = () if card == NO_CARD else ({"do": STEP_NAMES[kind], "card": _name(card)},)
                yield {"steps": [*moment.steps, *end], "open": False}
                continue
            after, draws = _after_step(moment, rules, kind, card, int(legal.wins[kind, card]))
            if draws:
                draw = {"do": "draw", "card": None if top is None else _name(top)}
                yield {"steps": [*after.steps, draw], "open": True}
            else:
                yield from _turns_from(after, rules, top)


def _after_step(
    moment: _Moment, rules: Any, kind: int, card: int, won: int
) -> tuple[_Moment, bool]:
    """Return the moment after a step, and whether a draw comes now."""
    # What is legal later is found in a copy, which still knows what the earlier stage listed.
    views, legal = moment.views.copy(), moment.legal.copy()
    view = views[0]
    mover = view.mover
    step: JsonStep = {"do": STEP_NAMES[kind], "card": _name(card)}
    stage, draws = STAGE_END, False
    if kind == PLAY:
        add_to_palette(view, card)
        view.hand ^= 1 << card
        stage = stage_after_play(view, card)
        draws = bool(1 << card & THREES) and view.deck_size > 0
    elif kind == TAKE:
        owner = next(p for p in range(view.players) if int(view.palettes[p]) >> card & 1)
        step["from"] = owner
        remove_from_palette(view, owner, card)
        stage = STAGE_AFTER_TAKE
    else:
        remove_from_palette(view, mover, card)
        if kind == TO_CANVAS:
            view.canvas = COLOUR_OF[card]
            size = int(view.palettes[mover]).bit_count()
            draws = bool(draws_after_seven(view, rules, card, size))
            stage = STAGE_END if rules.discard_after_seven else STAGE_STOP
    return _Moment(views, legal, (*moment.steps, step), stage, card, won), draws


def _name(card: int) -> str | None:
    return None if card == NO_CARD else CARD_NAMES[card]
