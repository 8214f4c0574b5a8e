"""Single games of a run, written down step by step.

The games are those of the engine: the same kernels play them, one round at a time, with a trace.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import COLOURS, N_COLOURS, NO_CARD
from red7sim.game.notation import CARD_NAMES, members
from red7sim.game.ruleset import Ruleset
from red7sim.play.deal import deal_round, draw_cards
from red7sim.play.engine import new_game
from red7sim.play.scoring import (
    GAME_GOES_ON,
    game_winners,
    round_points,
    score_round,
    winning_cards,
)
from red7sim.play.table import Table, seat
from red7sim.play.tally import END_REASONS
from red7sim.play.trace import (
    TRACE_CAPACITY,
    TRACE_DISCARD,
    TRACE_DISCARD_PALETTE,
    TRACE_DRAW,
    TRACE_FOLD,
    TRACE_OUT,
    TRACE_PLAY,
    TRACE_TAKE,
    TRACE_TO_DECK,
    TRACE_TURN,
)

Event = dict[str, Any]

_STEP_NAMES = {
    TRACE_PLAY: "play",
    TRACE_DISCARD: "discard",
    TRACE_DRAW: "draw",
    TRACE_FOLD: "fold",
    TRACE_TAKE: "take",
    TRACE_DISCARD_PALETTE: "discard_palette",
    TRACE_TO_DECK: "to_deck",
}


def replay_game(
    ruleset: Ruleset,
    players: tuple[str, ...],
    seed: int,
    game: int,
    first_start: int | None = None,
) -> Iterator[Event]:
    """Yield the log of one game: deal, turn and round_end events, then game_end.

    The events are the JSON objects of the log form, as dictionaries. `first_start` is a position
    that starts the first round, whatever the rules say.
    """
    table = seat(ruleset, players, first_start, vectors=False)
    view, hidden, rules = table.views[0], table.hiddens[0], table.rules[0]
    new_game(view, hidden, np.uint64(seed), game, table.measures)
    trace = np.zeros(TRACE_CAPACITY, dtype=np.int64)
    while True:
        deal_round(view, hidden, rules)
        yield _deal_event(table)
        canvas = int(view.canvas)
        winner = table.trace_round(trace)
        yield from _turn_events(trace, int(view.round_number), canvas)
        cards = winning_cards(view, rules, winner)
        points = round_points(rules, cards)
        reason = score_round(view, rules, winner, cards, points, table.measures)
        yield {
            "type": "round_end",
            "round": int(view.round_number),
            "winner": int(winner),
            "canvas": COLOURS[view.canvas],
            "scored": _names(cards),
            "points": int(points),
            "scores": _scores(table),
        }
        if reason != GAME_GOES_ON:
            break
        view.round_number += 1
    winners = game_winners(view, reason, winner)
    yield {
        "type": "game_end",
        "winners": [*members(int(winners))],
        "scores": _scores(table),
        "reason": END_REASONS[reason],
    }


def _deal_event(table: Table) -> Event:
    view, hidden = table.views[0], table.hiddens[0]
    positions = range(view.players)
    return {
        "type": "deal",
        "round": int(view.round_number),
        "hands": [_names(hidden.hands[player]) for player in positions],
        "palettes": [_names(view.palettes[player]) for player in positions],
        "deck": _rest_of_deck(table),
        "canvas": COLOURS[view.canvas],
        "scored": [_names(view.scored[player]) for player in positions],
        "start": int(view.start),
    }


def _rest_of_deck(table: Table) -> list[str]:
    """Return the deck from the top, by drawing it from a copy of the game."""
    view, hidden = table.views.copy()[0], table.hiddens.copy()[0]
    return [_names(draw_cards(view, hidden, 1))[0] for _ in range(view.deck_size)]


def _turn_events(trace: NDArray[np.int64], round_number: int, canvas: int) -> Iterator[Event]:
    """Yield the turns of a traced round that began with a canvas colour."""
    event: Event = {}
    survives = True
    for word in trace[1 : trace[0] + 1]:
        kind, player, card = int(word) >> 16, int(word) >> 8 & 0xFF, int(word) & 0xFF
        if kind == TRACE_TURN:
            if event:
                yield event | {"canvas": COLOURS[canvas], "survives": survives}
            event = {"type": "turn", "round": round_number, "player": player, "steps": []}
            survives = True
            continue
        if kind in (TRACE_FOLD, TRACE_OUT):
            survives = False
        if kind in _STEP_NAMES:
            event["steps"].append(_step(kind, player, card))
        if kind in (TRACE_DISCARD, TRACE_DISCARD_PALETTE):
            canvas = card % N_COLOURS
    yield event | {"canvas": COLOURS[canvas], "survives": survives}


def _step(kind: int, player: int, card: int) -> Event:
    step: Event = {"do": _STEP_NAMES[kind]}
    if card != NO_CARD:
        step["card"] = CARD_NAMES[card]
    if kind == TRACE_TAKE:
        step["from"] = player
    return step


def _names(cards: int) -> list[str]:
    return [CARD_NAMES[card] for card in members(int(cards))]


def _scores(table: Table) -> list[int]:
    view = table.views[0]
    return [int(score) for score in view.scores[: view.players]]
