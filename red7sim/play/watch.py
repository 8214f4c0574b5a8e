"""Who watches a round: nobody, a trace, a ROUND record, or who counts its details.

The engines report every deal, step, turn and end to a `watcher`. Which it is, is decided by its
type, so that a report to nobody compiles to nothing.

    kind     watcher of a round  what is kept                                    `watch` of a block
    nobody   None                nothing                                         None
    trace    int64 array         the steps, written down (red7sim.play.trace)    -
    rounds   ROUND record        deal, turns and end (red7sim.play.record)       array of ROUND
    folds    FOLDS record        the same, and who folds                         array of FOLDS
    details  Counter             everything, in counts (red7sim.play.details)    Counting
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types
from numba.extending import overload

from red7sim.jit.settings import inlined
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


class Counting(NamedTuple):
    """Who counts the details of a block, in arrays of records."""

    memories: Any
    """MEMORY records, one a game in play."""
    batches: Any
    """BATCH records, one a group of games."""
    details: Any
    """DETAILS records, likewise."""


class Counter(NamedTuple):
    """Who counts the details of a round."""

    counting: Counting
    memory: int
    """Place of the memory of its game among those in play."""
    group: int
    """That its game belongs to."""


_MEMORIES, _BATCHES, _DETAILS = (from_dtype(dtype)[::1] for dtype in (MEMORY, BATCH, DETAILS))
_FOLDS_TYPE = from_dtype(FOLDS)

WATCHES = {
    "nobody": types.none,
    "rounds": from_dtype(ROUND)[::1],
    "folds": _FOLDS_TYPE[::1],
    "details": types.NamedTuple((_MEMORIES, _BATCHES, _DETAILS), Counting),
}
"""Numba's types of who watches a block."""


def watching(watch: Any) -> str:
    """Return the name in WATCHES of who watches a block."""
    if watch is None:
        return "nobody"
    if isinstance(watch, Counting):
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


def watcher_of_round(watch: Any, place: int, memory: int, game: int) -> Any:
    """Return who watches a round: `place` is that of its record, `memory` that of its game among
    those in play, `game` the game's index.
    """
    if isinstance(watch, Counting):
        return Counter(watch, memory, group_of(game))
    return None if watch is None else watch[place]


@overload(watcher_of_round)
def _watcher_of_round(watch, place, memory, game):
    if isinstance(watch, types.BaseTuple):
        return lambda watch, place, memory, game: Counter(watch, memory, group_of(game))
    if isinstance(watch, types.Array):
        return lambda watch, place, memory, game: watch[place]
    return lambda watch, place, memory, game: None


def _kind(watcher: Any) -> str:
    if isinstance(watcher, np.ndarray):
        return "trace"
    if isinstance(watcher, np.void):
        return "folds" if watcher.dtype == FOLDS else "rounds"
    return "nobody" if watcher is None else "details"


def _kind_of_type(watcher: types.Type) -> str:
    if isinstance(watcher, types.Array):
        return "trace"
    if isinstance(watcher, types.Record):
        return "folds" if watcher == _FOLDS_TYPE else "rounds"
    return "details" if isinstance(watcher, types.BaseTuple) else "nobody"


def _report(**tell: Callable[..., Any]) -> Callable[..., None]:
    """Return a report: a function of a watcher, and of what there is to tell, that calls the one
    for the watcher's kind, if there is one.
    """

    def report(watcher: Any, *what: Any) -> None:
        if _kind(watcher) in tell:
            tell[_kind(watcher)](watcher, *what)

    # Not strict: the implementation names what it is told.
    @overload(report, strict=False)
    def _compiled(watcher, *what):
        told = tell.get(_kind_of_type(watcher))
        return getattr(told, "py_func", told) if told else lambda watcher, *what: None

    return report


@inlined
def _memory(counter):
    return counter.counting.memories[counter.memory]


@inlined
def _details(counter):
    return counter.counting.details[counter.group]


@inlined
def _batch(counter):
    return counter.counting.batches[counter.group]


def _record_deal(row, view, hidden, rules, arm):
    open_record(row, view, hidden, arm)


def _record_deal_and_folds(row, view, hidden, rules, arm):
    open_record(row, view, hidden, arm)
    open_folds(row)


def _count_deal(counter, view, hidden, rules, arm):
    open_details(_memory(counter), view, hidden, rules)


note_deal = _report(rounds=_record_deal, folds=_record_deal_and_folds, details=_count_deal)
"""Report a round just dealt: `view`, `hidden`, `rules`, and which game of its deal it is."""


def _count_step(counter, kind, card, player=0):
    count_step(_memory(counter), _details(counter), kind, card, player)


note = _report(trace=append_step, details=_count_step)
"""Report a step of the mover: its kind (red7sim.play.trace), its card or NO_CARD, and for some
kinds a player, or 0.
"""


def _count_cards(counter, played, discarded):
    count_cards(_memory(counter), _details(counter), played, discarded)


note_cards = _report(details=_count_cards)
"""Report the cards that a turn plays and discards to who counts details; either may be NO_CARD."""


def _record_turn_and_fold(row, view, survives):
    add_turn(row, view, survives)
    add_fold(row, view, survives)


def _count_turn(counter, view, survives):
    count_turn(_memory(counter), _details(counter), view, survives)


note_turn = _report(rounds=add_turn, folds=_record_turn_and_fold, details=_count_turn)
"""Report the turn of the mover of a `view`, and whether he survives it, before he is knocked out
if not.
"""


def _record_end(row, view, winner, scored, points, draws):
    close_record(row, view, winner, points, draws)


def _count_end(counter, view, winner, scored, points, draws):
    close_details(
        _memory(counter), _batch(counter), _details(counter), view, winner, scored, points
    )


note_end = _report(rounds=_record_end, folds=_record_end, details=_count_end)
"""Report a round that is over and scored: `view`, winner, his set and points, cards drawn."""


def _count_standing(counter, view):
    count_standing(_memory(counter), view)


note_standing = _report(details=_count_standing)
"""Report that the game of a `view` goes on after a round."""


def _count_game(counter, view, winners):
    count_game(_memory(counter), _details(counter), view, winners)


note_game = _report(details=_count_game)
"""Report that the game of a `view` is over, and its winners as bits."""


def _count_waiting(counting):
    count_waiting(counting.batches, counting.details)


note_block = _report(details=_count_waiting)
"""Report to who watches it that a block of games is over."""


def reads_choices(watcher: Any) -> bool:
    """Tell whether a watcher asks how many turns survive, and not only whether any does."""
    return _kind(watcher) not in ("nobody", "trace")


@overload(reads_choices)
def _reads_choices(watcher):
    reads = _kind_of_type(watcher) not in ("nobody", "trace")
    return lambda watcher: reads
