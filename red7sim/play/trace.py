"""Writing down the steps of a round.

A trace is an int64 array whose first word counts the words that follow, one a step:

    bit   0      7 8         15 16
        +---------+------------+--------
        |  card   |   player   |  kind        card: NO_CARD where there is none
        +---------+------------+--------

The steps of a turn stand between its TRACE_TURN and the next one. Kernels that take a trace take
None as well, or a ROUND record (red7sim.play.record), in which no steps are written down.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

(
    TRACE_TURN,  # player: who is asked
    TRACE_PLAY,
    TRACE_DISCARD,
    TRACE_DRAW,
    TRACE_FOLD,
    TRACE_TAKE,  # player: whose card is taken
    TRACE_DISCARD_PALETTE,
    TRACE_TO_DECK,
    TRACE_OUT,  # no step: the turn has ended without winning
) = range(9)

TRACE_CAPACITY = 2048
"""Words that any round fits in: a turn has at most 16 steps, a round fewer than 100 turns."""


def note(trace: Any, kind: int, card: int, player: int = 0) -> None:
    """Append a step to a trace; does nothing for what is no trace."""
    if isinstance(trace, np.ndarray):
        trace[0] += 1
        trace[trace[0]] = kind << 16 | player << 8 | card


@overload(note)
def _note(trace, kind, card, player=0):  # noqa: ARG001
    # Chosen by type, so that without a trace noting compiles to nothing.
    if isinstance(trace, types.Array):

        def append(trace, kind, card, player=0):
            trace[0] += 1
            trace[trace[0]] = kind << 16 | player << 8 | card

        return append
    return lambda trace, kind, card, player=0: None  # noqa: ARG005
