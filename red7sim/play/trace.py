"""Writing down the steps of a round.

A trace is an int64 array whose first word counts the words that follow, one a step:

    bit   0      7 8         15 16
        +---------+------------+--------
        |  card   |   player   |  kind        card: NO_CARD where there is none
        +---------+------------+--------

The steps of a turn stand between its TRACE_TURN and the next one.
"""

from red7sim.jit.settings import kernel

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

N_TRACE_KINDS = 9

TRACE_CAPACITY = 2048
"""Words that any round fits in: a turn has at most 16 steps, a round fewer than 100 turns."""


@kernel
def append_step(trace, kind, card, player=0):
    """Append a step to a trace."""
    trace[0] += 1
    trace[trace[0]] = kind << 16 | player << 8 | card
