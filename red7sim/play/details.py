"""Counts of what happens inside rounds: cards that help, rules shown, choices left to a player.

A DETAILS record holds sums over games, which add as tallies do. A MEMORY record keeps, for one game
in play, what counts only when its round or the game is over; sets of cards wait in batches
(red7sim.play.batch). Games are spread over GROUPS records by their index (`group_of`), so that the
spread between the groups gives the error of any figure.

With actions a turn's choices are those at its start, the cards drawn in it left to chance; a 7's
discard is a discard to the canvas as any other.
"""

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import COLUMNS, N_CARDS, N_COLOURS, NO_CARD, ROWS
from red7sim.game.switches import MAX_PLAYERS
from red7sim.jit.settings import kernel
from red7sim.play.batch import (
    BATCH_DEALS,
    BATCH_ROUNDS,
    add_deal,
    add_round,
    count_deals,
    count_rounds,
)
from red7sim.play.trace import (
    N_TRACE_KINDS,
    TRACE_DISCARD,
    TRACE_DISCARD_PALETTE,
    TRACE_PLAY,
    TRACE_TURN,
)

GROUP_MASKS = np.array(COLUMNS + ROWS, dtype=np.int64)
"""The seven colours by rank, then the seven numbers, as sets of cards."""

N_GROUP_MASKS = len(GROUP_MASKS)

ASKED, CHOICES, NO_CHOICE, FORCED = range(4)
"""Sums over turns: of 1, of the surviving turns, of turns with none of them, with exactly one."""

ENDS, POINTS_WON = range(2)
"""Sums over rounds: of 1, of the winner's points."""

TURN_BINS = 32
"""Turn numbers and lengths of rounds are counted up to 31; the last bin holds all beyond, too."""

DETAILS = np.dtype(
    [
        # --- first rounds of games, which alone are dealt from all 49 cards
        ("cards", np.int64, (2, 2, N_CARDS)),  # place; DEALT, WON; card
        ("groups", np.int64, (2, 5, N_GROUP_MASKS)),  # place; DEALT .. PRODUCTS; group
        # --- all rounds
        ("steps", np.int64, (N_TRACE_KINDS, N_CARDS + 1)),  # kind, but TRACE_TURN; card or NO_CARD
        ("scored", np.int64, (N_CARDS,)),  # times in the set of a round's winner
        ("canvas_turns", np.int64, (N_COLOURS,)),  # turns asked, by canvas at their beginning
        ("discards", np.int64, (N_COLOURS, N_COLOURS)),  # by canvas before and after
        ("changes_won", np.int64, (N_COLOURS,)),  # changes into a colour by the round's winner
        ("finals", np.int64, (N_COLOURS, 2)),  # last canvas; ENDS, POINTS_WON
        ("turns", np.int64, (TURN_BINS, 4)),  # turn number in the round; ASKED .. FORCED
        ("lengths", np.int64, (TURN_BINS,)),  # rounds, by turns asked
        ("out_early", np.int64, (MAX_PLAYERS,)),  # out without a turn survived, by turn order
        ("leader_changes", np.int64),  # see `count_turn`
        # --- games
        ("games", np.int64),
        ("long_games", np.int64),  # of more than one round
        ("comebacks", np.int64),  # of those: see `count_standing`
    ]
)
"""Sums over games; int64 throughout, so that an array of records is an array of numbers too."""

MEMORY = np.dtype(
    [
        ("hands", np.int64, (MAX_PLAYERS,)),  # as dealt in the first round
        ("palettes", np.int64, (MAX_PLAYERS,)),  # as dealt in the first round
        ("changes", np.int64, (MAX_PLAYERS,)),  # of the rule in this round: into colour c in byte c
        ("mover", np.int64),
        ("canvas", np.int64),
        ("leader", np.int64),  # who led after the last turn survived, at first by the deal
        ("acted", np.int64),  # players who have survived a turn of this round, as bits
        ("behind", np.int64),  # players who were behind after a round of this game, as bits
    ]
)
"""What is remembered of one game in play."""

GROUPS = 64
GROUP_GAMES = 32
"""So many games in a row go to one group."""

NOBODY = -1

Details = NDArray[np.void]


def empty_details() -> Details:
    """Return the records of no games, one a group."""
    return np.zeros(GROUPS, dtype=DETAILS).view(np.recarray)


@kernel
def group_of(game):
    """Return the index of the record that counts a game."""
    return game // GROUP_GAMES % GROUPS


@kernel
def leader_of(view, rules):
    """Return the position that is winning under the canvas, or NOBODY."""
    rule = rules.rule_of[view.canvas]
    best = 0
    leader = NOBODY
    for player in range(view.players):
        if view.keys[player, rule] > best:
            best = view.keys[player, rule]
            leader = player
    return leader


@kernel
def open_details(memory, view, hidden, rules):
    """Begin to remember a round that is just dealt."""
    memory.canvas = view.canvas
    memory.leader = leader_of(view, rules)
    memory.acted = 0
    for player in range(MAX_PLAYERS):
        memory.changes[player] = 0
    if view.round_number == 0:
        memory.behind = 0
        for player in range(MAX_PLAYERS):
            memory.hands[player] = hidden.hands[player]
            memory.palettes[player] = view.palettes[player]


@kernel
def count_step(memory, details, kind, card, player):
    """Count a step; `player` is the mover where the kind is TRACE_TURN."""
    if kind == TRACE_TURN:
        memory.mover = player
        details.canvas_turns[memory.canvas] += 1
    elif kind in (TRACE_DISCARD, TRACE_DISCARD_PALETTE):
        count_discard(memory, details, kind, card)
    else:
        details.steps[kind, card] += 1


@kernel
def count_discard(memory, details, kind, card):
    """Count a discard to the canvas, or nothing if there is NO_CARD.

    Without a branch, as whether a turn discards, and what, can't be foretold.
    """
    discards = card != NO_CARD
    details.steps[kind, card] += discards
    before = memory.canvas
    after = card % N_COLOURS if discards else before
    details.discards[before, after] += discards
    memory.changes[memory.mover] += np.int64(after != before) << 8 * after
    memory.canvas = after


@kernel
def count_cards(memory, details, played, discarded):
    """Count what a turn plays and discards; either may be NO_CARD."""
    details.steps[TRACE_PLAY, played] += played != NO_CARD
    count_discard(memory, details, TRACE_DISCARD, discarded)


@kernel
def count_turn(memory, details, view, survives):
    """Count the turn of `view.mover`, before he is knocked out if he does not survive it.

    Who survives a turn leads after it. The leader changes where another, or nobody, led after the
    last turn that was survived, or by the deal.
    """
    mover = view.mover
    counts = details.turns[min(view.turn, TURN_BINS - 1)]
    counts[ASKED] += 1
    counts[CHOICES] += view.choices
    counts[NO_CHOICE] += view.choices == 0
    counts[FORCED] += view.choices == 1
    if survives:
        details.leader_changes += mover != memory.leader
        memory.leader = mover
        memory.acted |= 1 << mover
    elif not memory.acted >> mover & 1:
        details.out_early[(mover - view.start) % view.players] += 1


@kernel
def close_details(memory, batch, details, view, winner, scored, points):
    """Count a round that is over; `scored` is the winner's set."""
    if view.round_number == 0:
        add_deal(batch, memory.hands, memory.palettes, winner)
        if batch.deals == BATCH_DEALS:
            count_deals(batch, details.cards, details.groups)
    add_round(batch, scored, memory.changes[winner])
    if batch.rounds == BATCH_ROUNDS:
        count_rounds(batch, details.scored, details.changes_won)
    counts = details.finals[view.canvas]
    counts[ENDS] += 1
    counts[POINTS_WON] += points
    details.lengths[min(view.turn, TURN_BINS - 1)] += 1


@kernel
def count_waiting(batches, details):
    """Count what still waits in the batches of all groups."""
    for group in range(GROUPS):
        batch = batches[group]
        if batch.deals:
            count_deals(batch, details[group].cards, details[group].groups)
        if batch.rounds:
            count_rounds(batch, details[group].scored, details[group].changes_won)


@kernel
def count_standing(memory, view):
    """Remember who is behind after a round, the game going on: another has a higher score."""
    most = 0
    for player in range(view.players):
        most = max(most, view.scores[player])
    for player in range(view.players):
        if view.scores[player] < most:
            memory.behind |= 1 << player


@kernel
def count_game(memory, details, view, winners):
    """Count a game that is over; a comeback is one that somebody wins who has been behind."""
    details.games += 1
    details.long_games += view.round_number > 0
    details.comebacks += view.round_number > 0 and memory.behind & winners != 0
