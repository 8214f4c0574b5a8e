"""Counts of what happens inside rounds: cards that help, rules shown, choices left to a player.

A DETAILS record holds sums over games, which add as tallies do. A MEMORY record keeps, for one game
in play, what counts only when its round or the game is over. Games are spread over GROUPS records
by their index (`group_of`), so that the spread between the groups gives the error of any figure.

With actions a turn's choices are those at its start, the cards drawn in it left to chance; a 7's
discard is a discard to the canvas as any other.
"""

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import COLOUR_OF, COLUMNS, N_CARDS, N_COLOURS, ROWS
from red7sim.game.ruleset import MAX_PLAYERS
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel
from red7sim.play.trace import (
    N_TRACE_KINDS,
    TRACE_DISCARD,
    TRACE_DISCARD_PALETTE,
    TRACE_TURN,
)

HAND, START = range(2)
"""Places of a card in the first round of a game: the hand as dealt, the palette as dealt."""

DEALT, WON, DEALT_SQUARES, WON_SQUARES, PRODUCTS = range(5)
"""Sums over first rounds: K, the cards dealt to the place at all positions; W, those at the round
winner's; of K^2, of W^2, of K * W. For a single card all but the first are W or K again.
"""

GROUP_MASKS = np.array(COLUMNS + ROWS, dtype=np.int64)
"""The seven colours by rank, then the seven numbers, as sets of cards."""

N_GROUP_MASKS = len(GROUP_MASKS)

ASKED, CHOICES, NO_CHOICE, FORCED = range(4)
"""Sums over turns: of 1, of the surviving turns, of turns with none of them, with exactly one."""

ENDS, POINTS_WON, POINTS_SQUARES = range(3)
"""Sums over rounds: of 1, of the winner's points, of their squares."""

TURN_BINS = 32
"""Turn numbers and lengths of rounds are counted up to 31; the last bin holds all beyond, too."""

DETAILS = np.dtype(
    [
        # --- first rounds of games, which alone are dealt from all 49 cards
        ("cards", np.int64, (2, 2, N_CARDS)),  # place; DEALT, WON; card
        ("groups", np.int64, (2, 5, N_GROUP_MASKS)),  # place; DEALT .. PRODUCTS; group
        # --- all rounds
        ("steps", np.int64, (N_TRACE_KINDS, N_CARDS + 1)),  # by kind (red7sim.play.trace) and card
        ("scored", np.int64, (N_CARDS,)),  # times in the set of a round's winner
        ("canvas_turns", np.int64, (N_COLOURS,)),  # turns asked, by canvas at their beginning
        ("discards", np.int64, (N_COLOURS, N_COLOURS)),  # by canvas before and after
        ("changes_won", np.int64, (N_COLOURS,)),  # changes into a colour by the round's winner
        ("finals", np.int64, (N_COLOURS, 3)),  # last canvas; ENDS .. POINTS_SQUARES
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
        for player in range(view.players):
            memory.hands[player] = hidden.hands[player]
            memory.palettes[player] = view.palettes[player]


@kernel
def count_step(memory, details, kind, card, player):
    """Count a step; `player` is the mover where the kind is TRACE_TURN."""
    details.steps[kind, card] += 1
    if kind == TRACE_TURN:
        memory.mover = player
        details.canvas_turns[memory.canvas] += 1
    elif kind in (TRACE_DISCARD, TRACE_DISCARD_PALETTE):
        colour = COLOUR_OF[card]
        details.discards[memory.canvas, colour] += 1
        if colour != memory.canvas:
            memory.changes[memory.mover] += 1 << 8 * colour
            memory.canvas = colour


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
def count_place(cards, groups, dealt, won):
    """Count the cards dealt to a place at all positions, and those at the winner's."""
    for i in range(N_GROUP_MASKS):
        in_all = popcount(dealt & GROUP_MASKS[i])
        in_winning = popcount(won & GROUP_MASKS[i])
        groups[DEALT, i] += in_all
        groups[WON, i] += in_winning
        groups[DEALT_SQUARES, i] += in_all * in_all
        groups[WON_SQUARES, i] += in_winning * in_winning
        groups[PRODUCTS, i] += in_all * in_winning
    while dealt:
        cards[DEALT, lowest(dealt)] += 1
        dealt = drop_lowest(dealt)
    while won:
        cards[WON, lowest(won)] += 1
        won = drop_lowest(won)


@kernel
def close_details(memory, details, view, winner, scored, points):
    """Count a round that is over; `scored` is the winner's set."""
    if view.round_number == 0:
        hands = 0
        palettes = 0
        for player in range(view.players):
            hands |= memory.hands[player]
            palettes |= memory.palettes[player]
        count_place(details.cards[HAND], details.groups[HAND], hands, memory.hands[winner])
        count_place(details.cards[START], details.groups[START], palettes, memory.palettes[winner])
    while scored:
        details.scored[lowest(scored)] += 1
        scored = drop_lowest(scored)
    for colour in range(N_COLOURS):
        details.changes_won[colour] += memory.changes[winner] >> 8 * colour & 0xFF
    counts = details.finals[view.canvas]
    counts[ENDS] += 1
    counts[POINTS_WON] += points
    counts[POINTS_SQUARES] += points * points
    details.lengths[min(view.turn, TURN_BINS - 1)] += 1


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
