"""The plain engine: one round, one game, a block of games. It defines what a game is.

Every function reads and writes one game: a `VIEW` record (public), a `HIDDEN` record (hands, deck)
and, over its rounds, a vector of measures. Whoever watches is told of every step.
"""

from functools import cache
from typing import Any

from numba import from_dtype, int64, types, uint64
from numba.extending import overload

from red7sim.game.cards import NO_CARD
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.turns import FOLD, discarded, find_turns, played
from red7sim.jit.bits import lowest
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
from red7sim.play.scoring import GAME_GOES_ON, close_game, round_points, score_round, winning_cards
from red7sim.play.tally import DRAWS, add_game
from red7sim.play.trace import TRACE_FOLD, TRACE_TURN
from red7sim.play.watch import (
    WATCHES,
    has_room,
    note,
    note_block,
    note_deal,
    note_end,
    note_game,
    note_standing,
    note_turn,
    watcher_of_round,
)


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
def play_game(view, hidden, rules, steps, owns, policies, seed, game, measures, arm, watch, place):
    """Play one whole game and leave what was counted in `measures`.

    Who watches (red7sim.play.watch) is told of everything; `arm` is which game of its deal it is,
    `place` the place of the next round's record. Returns that of the round after the game; -1
    if there is no room for a record, and the game is not over.
    """
    new_game(view, hidden, seed, game, measures)
    first = 0
    while has_room(watch, place):
        deal_round(view, hidden, rules)
        if view.round_number == 0:
            first = view.start
        draws = measures[DRAWS]
        watcher = watcher_of_round(watch, place, 0, game)
        note_deal(watcher, view, hidden, rules, arm)
        winner = play_round(view, hidden, rules, steps, owns, policies, measures, watcher)
        scored = winning_cards(view, rules, winner)
        points = round_points(rules, scored)
        reason = score_round(view, rules, winner, scored, points, measures)
        note_end(watcher, view, winner, scored, points, measures[DRAWS] - draws)
        place += 1
        if reason != GAME_GOES_ON:
            winners = close_game(view, first, winner, reason, measures)
            note_game(watcher, view, winners)
            return place
        note_standing(watcher, view)
        view.round_number += 1
    return -1


def play_block(views, hiddens, rules, owns, policies, seed, first, games, measures, tally, watch):
    """Play games `first` .. `first + games - 1` without actions and tally them.

    `views` and `hiddens` are arrays of at least one record, `rules` of one, `owns` of one a table
    position; `policies` is a tuple of four compiled players; `measures` int64 of N_MEASURES;
    `watch` who watches. Returns as `play_game`.
    """
    place = 0
    for game in range(first, first + games):
        place = play_game(
            views[0], hiddens[0], rules[0], None, owns, policies, seed, game, measures,
            0, watch, place,
        )  # fmt: skip
        if place < 0:
            break
        add_game(tally, measures)
    note_block(watch)
    return place


def play_action_block(
    views, hiddens, rules, owns, policies, seed, first, games, measures, tally, watch, steps
):
    """Play a block of games with actions; `steps` is an array of one STEPS record."""
    place = 0
    for game in range(first, first + games):
        place = play_game(
            views[0], hiddens[0], rules[0], steps[0], owns, policies, seed, game, measures,
            0, watch, place,
        )  # fmt: skip
        if place < 0:
            break
        add_game(tally, measures)
    note_block(watch)
    return place


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
def block_kernel(actions: bool, watched: str) -> Any:
    """Return `play_block` or `play_action_block`, compiled for any line-up and for who watches, one
    of `red7sim.play.watch.WATCHES`.
    """
    watch = WATCHES[watched]
    if actions:
        return kernel(play_action_block, int64(*_STEP_TABLE, *_BLOCK, watch, STEPS_TYPE[::1]))
    return kernel(play_block, int64(*_TURN_TABLE, *_BLOCK, watch))


@cache
def trace_kernel(actions: bool) -> Any:
    """Return `trace_round` or `trace_action_round`, compiled for any line-up."""
    if actions:
        return kernel(trace_action_round, int64(*_STEP_TABLE, *_TRACE, STEPS_TYPE[::1]))
    return kernel(trace_round, int64(*_TURN_TABLE, *_TRACE))
