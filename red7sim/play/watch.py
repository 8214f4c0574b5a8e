"""Who watches a round: nobody, a trace, a ROUND record, or who counts its details.

The engines report every deal, step, turn and end to a `watcher`. Which it is, is decided by its
type, so that a report to nobody compiles to nothing.

    watcher of a round    what is kept                                            `watch` of a block
    None                  nothing                                                 None
    int64 array           the steps, written down (red7sim.play.trace)            -
    ROUND record          deal, turns and end of the round (red7sim.play.record)  array of ROUND
    FOLDS record          the same, and who folds                                 array of FOLDS
    (array of MEMORY,     everything, in counts (red7sim.play.details)            the arrays
     index, arrays of
     BATCH and of DETAILS,
     index of both)
"""

from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.extending import overload

from red7sim.play.batch import BATCH
from red7sim.play.details import (
    DETAILS,
    MEMORY,
    close_details,
    count_cards,
    count_game,
    count_standing,
    count_step,
    count_turn,
    count_waiting,
    group_of,
    open_details,
)
from red7sim.play.record import (
    FOLDS,
    ROUND,
    add_fold,
    add_turn,
    close_record,
    open_folds,
    open_record,
)
from red7sim.play.trace import append_step

WATCHES = {
    "nobody": types.none,
    "rounds": from_dtype(ROUND)[::1],
    "folds": from_dtype(FOLDS)[::1],
    "details": types.Tuple(
        (from_dtype(MEMORY)[::1], from_dtype(BATCH)[::1], from_dtype(DETAILS)[::1])
    ),
}
"""Numba's types of who watches a block."""

_FOLDS_TYPE = from_dtype(FOLDS)


def watching(watch: Any) -> str:
    """Return the name in WATCHES of who watches a block."""
    if watch is None:
        return "nobody"
    if isinstance(watch, tuple):
        return "details"
    return "folds" if watch.dtype == FOLDS else "rounds"


def has_room(watch: Any, place: int) -> bool:
    """Tell whether there is room for the record of another round."""
    return not isinstance(watch, np.ndarray) or place < len(watch)


@overload(has_room)
def _has_room(watch, place):
    if isinstance(watch, types.Array):
        return lambda watch, place: place < len(watch)
    return lambda watch, place: True


def watcher_of_round(watch: Any, place: int, flight: int, game: int) -> Any:
    """Return who watches a round: `place` is that of its record, `flight` that of its game among
    those in play, `game` the game's index.
    """
    if isinstance(watch, tuple):
        return watch[0], flight, watch[1], watch[2], group_of(game)
    return None if watch is None else watch[place]


@overload(watcher_of_round)
def _watcher_of_round(watch, place, flight, game):
    if isinstance(watch, types.BaseTuple):
        return lambda watch, place, flight, game: (
            watch[0],
            flight,
            watch[1],
            watch[2],
            group_of(game),
        )
    if isinstance(watch, types.Array):
        return lambda watch, place, flight, game: watch[place]
    return lambda watch, place, flight, game: None


def note_deal(watcher: Any, view: Any, hidden: Any, rules: Any, arm: int) -> None:
    """Report a round that is just dealt, of the game `arm` of its deal."""
    if isinstance(watcher, np.void):
        open_record(watcher, view, hidden, arm)
        if watcher.dtype == FOLDS:
            open_folds(watcher)
    elif isinstance(watcher, tuple):
        open_details(watcher[0][watcher[1]], view, hidden, rules)


@overload(note_deal)
def _note_deal(watcher, view, hidden, rules, arm):
    if watcher == _FOLDS_TYPE:

        def record_folds(watcher, view, hidden, rules, arm):
            open_record(watcher, view, hidden, arm)
            open_folds(watcher)

        return record_folds
    if isinstance(watcher, types.Record):

        def record(watcher, view, hidden, rules, arm):
            open_record(watcher, view, hidden, arm)

        return record
    if isinstance(watcher, types.BaseTuple):

        def count(watcher, view, hidden, rules, arm):
            open_details(watcher[0][watcher[1]], view, hidden, rules)

        return count
    return lambda watcher, view, hidden, rules, arm: None


def _records(watcher: Any) -> tuple[Any, Any]:
    memories, flight, _, details, group = watcher
    return memories[flight], details[group]


def note(watcher: Any, kind: int, card: int, player: int = 0) -> None:
    """Report a step of the mover: its kind (red7sim.play.trace), its card or NO_CARD, and for some
    kinds a player.
    """
    if isinstance(watcher, np.ndarray):
        append_step(watcher, kind, card, player)
    elif isinstance(watcher, tuple):
        count_step(*_records(watcher), kind, card, player)


@overload(note)
def _note(watcher, kind, card, player=0):
    if isinstance(watcher, types.Array):

        def write(watcher, kind, card, player=0):
            append_step(watcher, kind, card, player)

        return write
    if isinstance(watcher, types.BaseTuple):

        def count(watcher, kind, card, player=0):
            count_step(watcher[0][watcher[1]], watcher[3][watcher[4]], kind, card, player)

        return count
    return lambda watcher, kind, card, player=0: None


def note_cards(watcher: Any, played: int, discarded: int) -> None:
    """Report the cards of a turn to whoever counts details; either may be NO_CARD."""
    if isinstance(watcher, tuple):
        count_cards(*_records(watcher), played, discarded)


@overload(note_cards)
def _note_cards(watcher, played, discarded):
    if isinstance(watcher, types.BaseTuple):
        return lambda watcher, played, discarded: count_cards(
            watcher[0][watcher[1]], watcher[3][watcher[4]], played, discarded
        )
    return lambda watcher, played, discarded: None


def note_turn(watcher: Any, view: Any, survives: bool) -> None:
    """Report the turn of `view.mover`, before he is knocked out if he does not survive it."""
    if isinstance(watcher, np.void):
        add_turn(watcher, view, survives)
        if watcher.dtype == FOLDS:
            add_fold(watcher, view, survives)
    elif isinstance(watcher, tuple):
        count_turn(*_records(watcher), view, survives)


@overload(note_turn)
def _note_turn(watcher, view, survives):
    if watcher == _FOLDS_TYPE:

        def record_folds(watcher, view, survives):
            add_turn(watcher, view, survives)
            add_fold(watcher, view, survives)

        return record_folds
    if isinstance(watcher, types.Record):

        def record(watcher, view, survives):
            add_turn(watcher, view, survives)

        return record
    if isinstance(watcher, types.BaseTuple):

        def count(watcher, view, survives):
            count_turn(watcher[0][watcher[1]], watcher[3][watcher[4]], view, survives)

        return count
    return lambda watcher, view, survives: None


def note_end(watcher: Any, view: Any, winner: int, scored: int, points: int, draws: int) -> None:
    """Report a round that is over and scored: its winner, his set and points, the cards drawn."""
    if isinstance(watcher, np.void):
        close_record(watcher, view, winner, points, draws)
    elif isinstance(watcher, tuple):
        memory, details = _records(watcher)
        close_details(memory, watcher[2][watcher[4]], details, view, winner, scored, points)


@overload(note_end)
def _note_end(watcher, view, winner, scored, points, draws):
    if isinstance(watcher, types.Record):

        def record(watcher, view, winner, scored, points, draws):
            close_record(watcher, view, winner, points, draws)

        return record
    if isinstance(watcher, types.BaseTuple):

        def count(watcher, view, winner, scored, points, draws):
            memory = watcher[0][watcher[1]]
            batch = watcher[2][watcher[4]]
            details = watcher[3][watcher[4]]
            close_details(memory, batch, details, view, winner, scored, points)

        return count
    return lambda watcher, view, winner, scored, points, draws: None


def note_standing(watcher: Any, view: Any) -> None:
    """Report that the game goes on after a round."""
    if isinstance(watcher, tuple):
        count_standing(watcher[0][watcher[1]], view)


@overload(note_standing)
def _note_standing(watcher, view):
    if isinstance(watcher, types.BaseTuple):
        return lambda watcher, view: count_standing(watcher[0][watcher[1]], view)
    return lambda watcher, view: None


def note_game(watcher: Any, view: Any, winners: int) -> None:
    """Report that the game is over, and its winners as bits."""
    if isinstance(watcher, tuple):
        count_game(*_records(watcher), view, winners)


@overload(note_game)
def _note_game(watcher, view, winners):
    if isinstance(watcher, types.BaseTuple):
        return lambda watcher, view, winners: count_game(
            watcher[0][watcher[1]], watcher[3][watcher[4]], view, winners
        )
    return lambda watcher, view, winners: None


def note_block(watch: Any) -> None:
    """Report that a block of games is over."""
    if isinstance(watch, tuple):
        count_waiting(watch[1], watch[2])


@overload(note_block)
def _note_block(watch):
    if isinstance(watch, types.BaseTuple):
        return lambda watch: count_waiting(watch[1], watch[2])
    return lambda watch: None


def reads_choices(watcher: Any) -> bool:
    """Tell whether a watcher asks how many turns survive, and not only whether any does."""
    return isinstance(watcher, np.void | tuple)


@overload(reads_choices)
def _reads_choices(watcher):
    if isinstance(watcher, types.Record | types.BaseTuple):
        return lambda watcher: True
    return lambda watcher: False
