"""What is kept of a round: one ROUND record, filled while the round is played."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from red7sim.game.switches import MAX_PLAYERS
from red7sim.jit.settings import kernel

ROUND = np.dtype(
    [
        ("game", np.int64),  # index of the game, or of the deal in a paired design
        ("hands", np.int64, (MAX_PLAYERS,)),  # as dealt, start bonus included; sets of cards
        ("palettes", np.int64, (MAX_PLAYERS,)),  # at the end, or when the player went out
        ("choices", np.int64),  # surviving turns that the movers could choose from, all turns
        ("round", np.int16),  # number of the round in its game
        ("turns", np.int16),  # turns asked
        ("arm", np.int8),  # game of the deal
        ("start", np.int8),  # position that acted first
        ("winner", np.int8),  # position
        ("final_rule", np.int8),  # colour rank of the last canvas
        ("points", np.int16),  # of the winner
        ("draws", np.int8),  # cards drawn
        ("forced_turns", np.int8),  # turns with exactly one surviving turn
        ("acted", np.int8),  # players with at least one turn that they survived, as bits
    ],
    align=True,
)

FOLDS = np.dtype(
    # First, since numba takes a record that only adds fields behind for one of the other kind.
    [("folded", np.int64), *((name, ROUND[name]) for name in ROUND.names or ())],
    align=True,
)
"""A ROUND record and who went out of the round though a turn survived, as bits; kept in no file."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)

Rounds = NDArray[np.void]

FIRST_ROOM = 8
"""Room for the records of so many rounds to begin with, for a game that may have several."""


@kernel
def open_record(row, view, hidden, arm):
    """Begin the record of a round that is just dealt."""
    row.game = hidden.game
    row.arm = arm
    row.round = view.round_number
    row.start = view.start
    row.choices = 0
    row.forced_turns = 0
    row.acted = 0
    for player in range(MAX_PLAYERS):
        row.hands[player] = hidden.hands[player] if player < view.players else 0
        row.palettes[player] = 0


@kernel
def add_turn(row, view, survives):
    """Record the turn of `view.mover`, before he is knocked out if he does not survive it."""
    mover = view.mover
    row.choices += view.choices
    row.forced_turns += view.choices == 1
    if survives:
        row.acted |= 1 << mover
    else:
        row.palettes[mover] = view.palettes[mover]


@kernel
def open_folds(row):
    """Begin to record who folds, in a FOLDS record."""
    row.folded = 0


@kernel
def add_fold(row, view, survives):
    """Record whether `view.mover` goes out though a turn survives."""
    if not survives and view.choices:
        row.folded |= 1 << view.mover


@kernel
def close_record(row, view, winner, points, draws):
    """End the record of a round that is over."""
    row.winner = winner
    row.palettes[winner] = view.palettes[winner]
    row.final_rule = view.canvas
    row.turns = view.turn
    row.points = points
    row.draws = draws


WORDS = ("game", "choices")
SHORTS = ("round", "turns", "points")
OCTETS = (
    "arm",
    "start",
    "winner",
    "winner_seat",
    "final_rule",
    "draws",
    "forced_turns",
    "acted",
    "out_before_playing",
)
"""Columns of records by their width."""


@kernel
def fill_columns(rows, players, words, shorts, octets):
    """Write ROUND records as columns, whose order is that of WORDS and then `players` hands and
    palettes, of SHORTS, and of OCTETS; arrays of int64, int16 and int8 of shape (columns, rows).
    """
    for i in range(len(rows)):
        row = rows[i]
        words[0, i] = row.game
        words[1, i] = row.choices
        for player in range(players):
            words[2 + player, i] = row.hands[player]
            words[2 + players + player, i] = row.palettes[player]
        shorts[0, i] = row.round
        shorts[1, i] = row.turns
        shorts[2, i] = row.points
        octets[0, i] = row.arm
        octets[1, i] = row.start
        octets[2, i] = row.winner
        seat = row.winner - row.start
        octets[3, i] = seat + (players if seat < 0 else 0)
        octets[4, i] = row.final_rule
        octets[5, i] = row.draws
        octets[6, i] = row.forced_turns
        octets[7, i] = row.acted
        octets[8, i] = (1 << players) - 1 & ~row.acted & ~(1 << row.winner)


def record_into(
    room: int, play: Callable[[Rounds], int], kind: np.dtype[np.void] = ROUND
) -> Rounds:
    """Return the records, ROUND or FOLDS, that a function writes into an array of `room` of them,
    or of more while it says, by -1, that they are too few.
    """
    while True:
        rows = np.empty(room, dtype=kind).view(np.recarray)
        used = play(rows)
        if used >= 0:
            return rows[:used]
        room *= 4


@kernel
def mixed(state, value):
    """Return a hash of 64 bits (uint64) with another number in it."""
    state = (state ^ np.uint64(value)) * _MULTIPLIER
    return state ^ (state >> _SHIFT)


@kernel
def checksum(rows):
    """Return the sum (uint64, modulo 2^64) of a hash of each ROUND record of an array.

    So the checksum of some rows does not depend on their order, and checksums add.
    """
    total = np.uint64(0)
    for i in range(len(rows)):
        row = rows[i]
        state = mixed(mixed(mixed(np.uint64(1), row.game), row.arm), row["round"])
        state = mixed(mixed(mixed(state, row.start), row.winner), row.final_rule)
        state = mixed(mixed(mixed(state, row.turns), row.draws), row.points)
        state = mixed(mixed(mixed(state, row.forced_turns), row.choices), row.acted)
        for player in range(MAX_PLAYERS):
            state = mixed(mixed(state, row.hands[player]), row.palettes[player])
        total += state ^ (state >> _SHIFT)
    return total
