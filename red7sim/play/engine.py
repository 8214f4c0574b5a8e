"""The plain engine: one round, one game, a block of games. It defines what a game is.

Every function reads and writes one game: a `VIEW` record (public), a `HIDDEN` record (hands, deck)
and, over its rounds, a vector of measures. With a trace the steps are written down as well.
"""

from functools import cache
from typing import Any

from numba import from_dtype, int64, types, uint64

from red7sim.game.cards import COLOUR_OF, N_CARDS, NO_CARD, ROW_OF
from red7sim.game.rules import counting_set, face_value, richest_set
from red7sim.game.ruleset import END_ROUND, END_WINS, MAX_PLAYERS, SCORE_RICHEST
from red7sim.game.turns import FOLD, add_to_palette, discarded, find_turns, played
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.rng import PURPOSE_CHOICE, stream_block
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN, deal_round, draw_cards
from red7sim.play.policy import CHOOSE_TYPE, OWN_TYPE, RULES_TYPE, VIEW_TYPE
from red7sim.play.tally import (
    DRAWS,
    ENDED,
    FINAL_RULE,
    POINTS,
    POSITION_WINS,
    ROUND_SEAT_WINS,
    ROUNDS,
    SEAT_WINS,
    SHARE_UNIT,
    TURNS,
    add_game,
)

GAME_GOES_ON = -1
OVER_BY_ROUND, OVER_BY_POINTS, OVER_BY_WINS, OVER_BY_CARDS = range(4)
"""Why a game is over; indices into `red7sim.play.tally.END_REASONS`."""

# A trace is an int64 array: its first word counts the steps that follow. One step is
#
#     kind << 8 | card          a turn's steps stand between TURN (card = player) and the next
#
TRACE_TURN, TRACE_PLAY, TRACE_DISCARD, TRACE_DRAW, TRACE_FOLD = range(5)
TRACE_CAPACITY = 1024


@kernel
def note(trace, kind, card):
    """Append a step to a trace; without one (None) it compiles to nothing."""
    if trace is not None:
        trace[0] += 1
        trace[trace[0]] = kind << 8 | card


@kernel
def choice_word_of_turn(view, hidden):
    """Return the choice word of the current turn, computing the words in pairs."""
    pair = view.turn >> 1
    if hidden.choice_pair != pair:
        even, odd = stream_block(
            hidden.seed, hidden.game, view.round_number, PURPOSE_CHOICE, 0, pair
        )
        hidden.choice_words[0] = even
        hidden.choice_words[1] = odd
        hidden.choice_pair = pair
    return hidden.choice_words[view.turn & 1]


@kernel
def knock_out(view):
    """Take the mover out of the round: his palette is turned face down and no rival's any more."""
    mover = view.mover
    view.live ^= 1 << mover
    view.seen |= view.palettes[mover]
    view.palettes[mover] = 0
    view.rows[mover] = 0
    for rule in range(7):
        view.keys[mover, rule] = 0


@kernel
def may_draw(view, rules, card):
    """Tell whether discarding a card earns its player a draw, after the discard."""
    size = popcount(view.palettes[view.mover])
    return rules.draw and view.deck_size > 0 and ROW_OF[card] + 1 > size + rules.draw_offset


@kernel
def carry_out(view, hidden, rules, turn, measures, trace):
    """Carry out a surviving turn of the mover."""
    mover = view.mover
    card = played(turn)
    if card != NO_CARD:
        note(trace, TRACE_PLAY, card)
        add_to_palette(view, card)
        hidden.hands[mover] ^= 1 << card
        view.hand_sizes[mover] -= 1
    card = discarded(turn)
    if card != NO_CARD:
        note(trace, TRACE_DISCARD, card)
        view.canvas = COLOUR_OF[card]
        view.seen |= 1 << card
        hidden.hands[mover] ^= 1 << card
        view.hand_sizes[mover] -= 1
        if may_draw(view, rules, card):
            drawn = draw_cards(view, hidden, 1)
            note(trace, TRACE_DRAW, lowest(drawn))
            hidden.hands[mover] |= drawn
            view.hand_sizes[mover] += 1
            measures[DRAWS] += 1


@kernel
def pass_on(view):
    """Make the next live player the mover."""
    mover = view.mover
    while True:
        mover = mover + 1 if mover + 1 < view.players else 0
        if view.live >> mover & 1:
            break
    view.mover = mover


@kernel
def play_round(view, hidden, rules, owns, policies, measures, trace):
    """Play a dealt round to its end and return the winner's table position."""
    while view.live & (view.live - 1):
        mover = view.mover
        note(trace, TRACE_TURN, mover)
        view.hand = hidden.hands[mover]
        turn = FOLD
        if find_turns(view, rules):
            view.word = choice_word_of_turn(view, hidden)
            turn = policies[mover](view, rules, owns[mover])
        if turn == FOLD:
            note(trace, TRACE_FOLD, NO_CARD)
            knock_out(view)
        else:
            carry_out(view, hidden, rules, turn, measures, trace)
        view.turn += 1
        pass_on(view)
    return lowest(view.live)


@kernel
def winning_cards(view, rules, winner):
    """Return the set of cards that scores for the winner of a round."""
    rule = rules.rule_of[view.canvas]
    if rules.score_choice == SCORE_RICHEST:
        return richest_set(view.palettes[winner], rule)
    return counting_set(view.palettes[winner], rule)


@kernel
def score_round(view, rules, winner, measures):
    """Score a finished round; return why the game is over, or GAME_GOES_ON."""
    cards = winning_cards(view, rules, winner)
    points = face_value(cards)
    measures[ROUNDS] += 1
    measures[TURNS] += view.turn
    measures[POINTS] += points
    measures[ROUND_SEAT_WINS + (winner - view.start) % view.players] += 1
    measures[FINAL_RULE + view.canvas] += 1
    if rules.end == END_WINS:
        view.scores[winner] += 1
        return OVER_BY_WINS if view.scores[winner] >= rules.target else GAME_GOES_ON
    view.scores[winner] += points
    if rules.end == END_ROUND:
        return OVER_BY_ROUND
    view.scored[winner] |= cards
    if view.scores[winner] >= rules.target:
        return OVER_BY_POINTS
    scored = 0
    for player in range(view.players):
        scored |= view.scored[player]
    return OVER_BY_CARDS if N_CARDS - popcount(scored) < rules.cards_needed else GAME_GOES_ON


@kernel
def game_winners(view, reason, last_winner):
    """Return the winners of a finished game as bits; several share it when the cards ran out."""
    if reason != OVER_BY_CARDS:
        return 1 << last_winner
    most = 0
    winners = 0
    for player in range(view.players):
        if view.scores[player] > most:
            most = view.scores[player]
            winners = 0
        if view.scores[player] == most:
            winners |= 1 << player
    return winners


@kernel
def new_game(view, hidden, seed, game, measures):
    """Set a game to its beginning, before the first deal."""
    hidden.seed = seed
    hidden.game = game
    view.round_number = 0
    for player in range(MAX_PLAYERS):
        view.scores[player] = 0
        view.scored[player] = 0
    measures[:] = 0


@kernel
def play_game(view, hidden, rules, owns, policies, seed, game, measures):
    """Play one whole game and leave what was counted in `measures`."""
    new_game(view, hidden, seed, game, measures)
    first = 0
    while True:
        deal_round(view, hidden, rules)
        if view.round_number == 0:
            first = view.start
        winner = play_round(view, hidden, rules, owns, policies, measures, None)
        reason = score_round(view, rules, winner, measures)
        if reason != GAME_GOES_ON:
            break
        view.round_number += 1
    measures[ENDED + reason] = 1
    winners = game_winners(view, reason, winner)
    share = SHARE_UNIT // popcount(winners)
    while winners:
        position = lowest(winners)
        measures[POSITION_WINS + position] = share
        measures[SEAT_WINS + (position - first) % view.players] = share
        winners = drop_lowest(winners)


def play_block(views, hiddens, rules, owns, policies, seed, first_game, games, measures, tally):
    """Play games `first_game` .. `first_game + games - 1` and add them to a tally.

    `views` and `hiddens` are arrays of at least one record, `rules` of one, `owns` of one a table
    position; `policies` is a tuple of four compiled players; `measures` int64 of N_MEASURES.
    """
    view = views[0]
    hidden = hiddens[0]
    for game in range(first_game, first_game + games):
        play_game(view, hidden, rules[0], owns, policies, seed, game, measures)
        add_game(tally, measures)


def trace_round(views, hiddens, rules, owns, policies, measures, trace):
    """Play one dealt round, writing its steps to `trace` (int64, TRACE_CAPACITY or more), and
    return the winner's table position. Arrays as for `play_block`.
    """
    trace[0] = 0
    return play_round(views[0], hiddens[0], rules[0], owns, policies, measures, trace)


_TABLE = (
    VIEW_TYPE[::1],
    from_dtype(HIDDEN)[::1],
    types.Array(RULES_TYPE, 1, "C", readonly=True),
    OWN_TYPE[::1],
    types.UniTuple(CHOOSE_TYPE, MAX_PLAYERS),
)


@cache
def block_kernel() -> Any:
    """Return `play_block` compiled for any line-up."""
    return kernel(play_block, types.void(*_TABLE, uint64, int64, int64, int64[::1], int64[:, ::1]))


@cache
def trace_kernel() -> Any:
    """Return `trace_round` compiled for any line-up."""
    return kernel(trace_round, int64(*_TABLE, int64[::1], int64[::1]))
