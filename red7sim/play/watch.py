"""Who watches a round: nobody, a trace, a ROUND record, or a MEMORY with a DETAILS record.

The engine reports every step and every turn to a `watcher`. Which it is, is decided by its type, so
that a report to nobody compiles to nothing.

    None                     nothing
    int64 array              the steps, written down (red7sim.play.trace)
    ROUND record             the turns, in the record of the round (red7sim.play.record)
    (MEMORY, DETAILS)        both, in the counts of all rounds (red7sim.play.details)
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from red7sim.play.details import count_step, count_turn
from red7sim.play.record import add_turn
from red7sim.play.trace import append_step


def note(watcher: Any, kind: int, card: int, player: int = 0) -> None:
    """Report a step of the mover: its kind (red7sim.play.trace), its card or NO_CARD, and for some
    kinds a player.
    """
    if isinstance(watcher, np.ndarray):
        append_step(watcher, kind, card, player)
    elif isinstance(watcher, tuple):
        count_step(*watcher, kind, card, player)


@overload(note)
def _note(watcher, kind, card, player=0):  # noqa: ARG001
    if isinstance(watcher, types.Array):

        def write(watcher, kind, card, player=0):
            append_step(watcher, kind, card, player)

        return write
    if isinstance(watcher, types.BaseTuple):

        def count(watcher, kind, card, player=0):
            count_step(watcher[0], watcher[1], kind, card, player)

        return count
    return lambda watcher, kind, card, player=0: None  # noqa: ARG005


def note_turn(watcher: Any, view: Any, survives: bool) -> None:
    """Report the turn of `view.mover`, before he is knocked out if he does not survive it."""
    if isinstance(watcher, np.void):
        add_turn(watcher, view, survives)
    elif isinstance(watcher, tuple):
        count_turn(*watcher, view, survives)


@overload(note_turn)
def _note_turn(watcher, view, survives):  # noqa: ARG001
    if isinstance(watcher, types.Record):

        def record(watcher, view, survives):
            add_turn(watcher, view, survives)

        return record
    if isinstance(watcher, types.BaseTuple):

        def count(watcher, view, survives):
            count_turn(watcher[0], watcher[1], view, survives)

        return count
    return lambda watcher, view, survives: None  # noqa: ARG005
