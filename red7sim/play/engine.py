"""The plain engine: one round, one game, a block of games. It defines what a game is.

Every function reads and writes one game: a `VIEW` record (public), a `HIDDEN` record (hands, deck)
and, over its rounds, a vector of measures. Whoever watches is told of every step.
"""

from functools import cache
from typing import Any

from numba import from_dtype, int64, types, uint64
from numba.extending import overload

from red7sim.game.cards import BLUE, FULL, INDIGO, N_CARDS, NO_CARD, RED
from red7sim.game.rules import counting_set, face_value, richest_set
from red7sim.game.ruleset import END_ROUND, END_WINS, MAX_PLAYERS, SCORE_RICHEST
from red7sim.game.turns import FOLD, discarded, find_turns, played
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel
from red7sim.play.action_turn import play_action_turn
from red7sim.play.deal import HIDDEN, choice_word_of_turn, deal_round
from red7sim.play.moves import discard_card, knock_out, pass_on, play_card
from red7sim.play.policy import (
    CHOOSE_STEP_TYPE,
    CHOOSE_TYPE,
    OWN_TYPE,
    RULES_TYPE,
    STEPS_TYPE,
    VIEW_TYPE,
)
from red7sim.play.tally import (
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
from red7sim.play.trace import TRACE_FOLD, TRACE_TURN
from red7sim.play.watch import note, note_turn

GAME_GOES_ON = -1
OVER_BY_ROUND, OVER_BY_POINTS, OVER_BY_WINS, OVER_BY_CARDS = range(4)
"""Why a game is over; indices into `red7sim.play.tally.END_REASONS`."""


@kernel
def brief(view, hidden, own):
    """Write down what is barred to the mover and, if he sees the hands of all, show him those."""
    view.barred_plays = own.barred_plays
    view.barred_discards = own.barred_discards
    view.barred_actions = own.barred_actions
    if own.sees_hands:
        for player in range(view.players):
            own.open_hands[player] = hidden.hands[player]


@kernel
def carry_out(view, hidden, rules, turn, measures, trace):
    """Carry out a surviving turn of the mover without actions."""
    if played(turn) != NO_CARD:
        play_card(view, hidden, played(turn), trace)
    if discarded(turn) != NO_CARD:
        discard_card(view, hidden, rules, discarded(turn), measures, trace)


@kernel
def play_turn(view, hidden, rules, own, policy, measures, trace):
    """Play the mover's turn without actions; return whether he is still in."""
    view.hand = hidden.hands[view.mover]
    turn = FOLD
    if find_turns(view, rules):
        view.word = choice_word_of_turn(view, hidden)
        turn = policy(view, rules, own)
    if turn == FOLD:
        note(trace, TRACE_FOLD, NO_CARD)
        return False
    carry_out(view, hidden, rules, turn, measures, trace)
    return True


def take_turn(view, hidden, rules, steps, own, policy, measures, trace):
    """Play the mover's turn, with actions if there is memory for steps; return whether he is in."""
    if steps is None:
        return play_turn(view, hidden, rules, own, policy, measures, trace)
    return play_action_turn(view, hidden, rules, steps, own, policy, measures, trace, None)


@overload(take_turn)
def _take_turn(view, hidden, rules, steps, own, policy, measures, trace):  # noqa: ARG001
    # Chosen by type, so that a kernel compiles only the kind of turn that it plays.
    if isinstance(steps, types.NoneType):

        def plain(view, hidden, rules, steps, own, policy, measures, trace):  # noqa: ARG001
            return play_turn(view, hidden, rules, own, policy, measures, trace)

        return plain

    def acting(view, hidden, rules, steps, own, policy, measures, trace):
        return play_action_turn(view, hidden, rules, steps, own, policy, measures, trace, None)

    return acting


@kernel
def play_round(view, hidden, rules, steps, owns, policies, measures, trace):
    """Play a dealt round to its end and return the winner's table position.

    `steps` is a STEPS record, and `policies` choose steps, where the rules have actions; otherwise
    `steps` is None, and the policies choose turns. `trace` is who watches (red7sim.play.watch).
    """
    while view.live & (view.live - 1):
        mover = view.mover
        note(trace, TRACE_TURN, NO_CARD, mover)
        brief(view, hidden, owns[mover])
        survives = take_turn(
            view, hidden, rules, steps, owns[mover], policies[mover], measures, trace
        )
        note_turn(trace, view, survives)
        if not survives:
            knock_out(view)
        view.turn += 1
        pass_on(view)
    return lowest(view.live)


@kernel
def winning_cards(view, rules, winner):
    """Return the set of cards that scores for the winner of a round."""
    rule = rules.rule_of[view.canvas]
    if rules.score_choice == SCORE_RICHEST:
        return richest_set(view.palettes[winner], rule)
    if rule not in (RED, BLUE, INDIGO):
        return view.keys[winner, rule] & FULL  # the other keys hold just the set
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
def close_game(view, first, last_winner, reason, measures):
    """Count who won a finished game, in whose first round the player `first` acted first."""
    measures[ENDED + reason] = 1
    winners = game_winners(view, reason, last_winner)
    share = SHARE_UNIT // popcount(winners)
    while winners:
        position = lowest(winners)
        measures[POSITION_WINS + position] = share
        measures[SEAT_WINS + (position - first) % view.players] = share
        winners = drop_lowest(winners)


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
def play_game(view, hidden, rules, steps, owns, policies, seed, game, measures):
    """Play one whole game and leave what was counted in `measures`."""
    new_game(view, hidden, seed, game, measures)
    first = 0
    while True:
        deal_round(view, hidden, rules)
        if view.round_number == 0:
            first = view.start
        winner = play_round(view, hidden, rules, steps, owns, policies, measures, None)
        reason = score_round(view, rules, winner, measures)
        if reason != GAME_GOES_ON:
            break
        view.round_number += 1
    close_game(view, first, winner, reason, measures)


def play_block(views, hiddens, rules, owns, policies, seed, first_game, games, measures, tally):
    """Play games `first_game` .. `first_game + games - 1` without actions and tally them.

    `views` and `hiddens` are arrays of at least one record, `rules` of one, `owns` of one a table
    position; `policies` is a tuple of four compiled players; `measures` int64 of N_MEASURES.
    """
    for game in range(first_game, first_game + games):
        play_game(views[0], hiddens[0], rules[0], None, owns, policies, seed, game, measures)
        add_game(tally, measures)


def play_action_block(
    views, hiddens, rules, owns, policies, seed, first_game, games, measures, tally, steps
):
    """Play a block of games with actions; `steps` is an array of one STEPS record."""
    for game in range(first_game, first_game + games):
        play_game(views[0], hiddens[0], rules[0], steps[0], owns, policies, seed, game, measures)
        add_game(tally, measures)


def trace_round(views, hiddens, rules, owns, policies, measures, trace):
    """Play one dealt round without actions, writing its steps to `trace`, and return the winner's
    table position. Arrays as for `play_block`.
    """
    trace[0] = 0
    return play_round(views[0], hiddens[0], rules[0], None, owns, policies, measures, trace)


def trace_action_round(views, hiddens, rules, owns, policies, measures, trace, steps):
    """Like `trace_round`, with actions."""
    trace[0] = 0
    return play_round(views[0], hiddens[0], rules[0], steps[0], owns, policies, measures, trace)


_RECORDS = (
    VIEW_TYPE[::1],
    from_dtype(HIDDEN)[::1],
    types.Array(RULES_TYPE, 1, "C", readonly=True),
    OWN_TYPE[::1],
)
_TURN_TABLE = (*_RECORDS, types.UniTuple(CHOOSE_TYPE, MAX_PLAYERS))
_STEP_TABLE = (*_RECORDS, types.UniTuple(CHOOSE_STEP_TYPE, MAX_PLAYERS))
_BLOCK = (uint64, int64, int64, int64[::1], int64[:, ::1])
_TRACE = (int64[::1], int64[::1])


@cache
def block_kernel(actions: bool) -> Any:
    """Return `play_block` or `play_action_block`, compiled for any line-up."""
    if actions:
        return kernel(play_action_block, types.void(*_STEP_TABLE, *_BLOCK, STEPS_TYPE[::1]))
    return kernel(play_block, types.void(*_TURN_TABLE, *_BLOCK))


@cache
def trace_kernel(actions: bool) -> Any:
    """Return `trace_round` or `trace_action_round`, compiled for any line-up."""
    if actions:
        return kernel(trace_action_round, int64(*_STEP_TABLE, *_TRACE, STEPS_TYPE[::1]))
    return kernel(trace_round, int64(*_TURN_TABLE, *_TRACE))
