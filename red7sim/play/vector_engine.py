"""The vector engine: the games of the plain engine, several in flight, each turn found by vectors.

It plays hands of at most seven cards without actions. A step of the loop has phases, each over
all games in flight, so that the processor works on one game while it waits for another:

    serve    rounds that have ended: score them, deal the next; several at once, now and then
    find     all surviving turns of every game's mover, without a branch
    ask      the players, those who decide in blocks in one call
    act      carry out the turns, or fold
    draw     the cards earned

Compiled code is specialised to the number of players, which is the length of a tuple and so
a constant of the kernel's signature.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numba.extending import overload

from red7sim.game.cards import FULL, NO_CARD
from red7sim.game.lanes import (
    LANES,
    NO_DISCARD,
    find_lane_turns,
    knock_out_lanes,
    lane_of,
    lay_out,
    next_position,
    play_lane,
    set_view_keys,
    widen_view,
)
from red7sim.game.turns import FOLD, discarded, played
from red7sim.jit.bits import lowest, popcount
from red7sim.jit.settings import inlined, kernel
from red7sim.play.asking import ask, ask_block
from red7sim.play.engine import new_game
from red7sim.play.flight import (
    FLIGHT,
    NO_GAME,
    choice_word_in_flight,
    deal_in_flight,
    draw_in_flight,
)
from red7sim.play.moves import knock_out
from red7sim.play.policy import (
    OWN_TYPE,
    RULES_TYPE,
    VIEW_TYPE,
)
from red7sim.play.scoring import GAME_GOES_ON, close_game, round_points, score_round, winning_cards
from red7sim.play.tally import DRAWS, N_MEASURES, add_game
from red7sim.play.trace import TRACE_DRAW, TRACE_FOLD, TRACE_TURN
from red7sim.play.watch import (
    WATCHES,
    has_room,
    note,
    note_block,
    note_cards,
    note_deal,
    note_end,
    note_game,
    note_standing,
    note_turn,
    watcher_of_round,
)

MAX_IN_FLIGHT = 64

PLACES = MAX_IN_FLIGHT - 1
"""All places of games in flight, as bits. An index cut by it cannot be negative, which saves the
code for those that are.
"""

ASK_SINGLY = 4
"""Flag of a position whose player is asked view by view."""

WIDENED = 8
"""Flag of a position whose player reads more of a view than its squares."""

WORDED = 16
"""Flag of a position whose player reads the word of a decision."""


@kernel
def draw_for(view, flight, lanes, rules, player):
    """Draw a card for a player, lay out his hand anew, and return the card as a set."""
    card = draw_in_flight(view, flight, 1)
    hand = flight.hands[player] | card
    flight.hands[player] = hand
    flight.measures[DRAWS] += 1
    lay_out(lanes, player, hand, rules)
    return card


@inlined
def carry_out(view, flight, lanes, rules, mover, turn):
    """Carry out a surviving turn of the mover, and tell whether it earns him a draw (0 or 1).

    What is discarded, if anything, is hard to foretell, so there is no branch on it.
    """
    card = discarded(turn)
    lane = lane_of(lanes, mover, played(turn)) & 7
    slot = lane_of(lanes, mover, card) & 7
    row = np.int64(lanes[mover].rows[slot])
    column = np.int64(lanes[mover].columns[slot])
    flight.hands[mover] &= ~(1 << played(turn) | 1 << card)
    palette = play_lane(view, lanes, mover, lane, slot)
    # The colours as hexadecimal digits, the last one of no card: the canvas as it is.
    view.canvas = (0x6543210 | view.canvas << 28) >> 4 * column & 7
    high = np.int64(row >= popcount(palette) + rules.draw_offset)
    return np.int64(slot != NO_DISCARD) & rules.draw & high & np.int64(view.deck_size > 0)


@inlined
def next_to_act(view, mover, players):
    """Return the next live player after the mover; there is one."""
    if players == 2:
        return 1 - mover
    skipped = lowest((view.live | view.live << players) >> mover + 1)
    return next_position(mover, skipped + 1, players)


def keep_game(kept: Any, tally: Any, row: int, measures: Any) -> None:
    """Write down the measures of a game in a row of `kept`, or add them to the tally if that is
    None.
    """
    if kept is None:
        add_game(tally, measures)
    else:
        kept[row] = measures


@overload(keep_game)
def _keep_game(kept, tally, row, measures):  # noqa: ARG001
    # Chosen by type, so that a kernel compiles only what it does.
    if isinstance(kept, types.NoneType):
        return lambda kept, tally, row, measures: add_game(tally, measures)  # noqa: ARG005

    def keep(kept, tally, row, measures):  # noqa: ARG001
        for i in range(N_MEASURES):
            kept[row, i] = measures[i]

    return keep


@kernel
def settle(view, flight, lanes, rules, watcher):
    """Score a finished round and tell whether its game goes on; if not, close the game."""
    measures = flight.measures
    if view.round_number == 0:
        flight.first = view.start
    winner = lowest(view.live) & 3
    set_view_keys(view, lanes, winner)
    scored = winning_cards(view, rules, winner)
    points = round_points(rules, scored)
    reason = score_round(view, rules, winner, scored, points, measures)
    note_end(watcher, view, winner, scored, points, flight.drawn - rules.cards_needed)
    if reason == GAME_GOES_ON:
        note_standing(watcher, view)
        return True
    winners = close_game(view, flight.first, winner, reason, measures)
    note_game(watcher, view, winners)
    return False


@inlined
def widen(view, flight, lanes, players):
    """Set all of the view that players read who do not decide by squares."""
    widen_view(view, lanes, players)
    in_play = flight.deck
    for player in range(players):
        hand = flight.hands[player]
        view.hand_sizes[player] = popcount(hand)
        in_play |= hand | view.palettes[player]
    view.hand = flight.hands[view.mover & 3]
    view.seen = FULL ^ in_play


def play_block(
    views,
    flights,
    lanes,
    rules,
    owns,
    policies,
    block_policies,
    sides,
    seats,
    lists,
    sizes,
    turns,
    seed,
    first_game,
    games,
    tally,
    kept,
    watch,
    arm,
    place,
):
    """Play games `first_game` .. `first_game + games - 1` and tally them, or, where `kept` is not
    None, write down the measures of each in a row of it (int64, of N_MEASURES).

    Who watches (red7sim.play.watch) is told of everything; a game in play is known by its place in
    the arrays of records. `arm` is which games of their deals they are, `place` the place of
    the first record of a round. Records are in the order in which the rounds were dealt. Returns
    the place after the last record; -1 if there is no room for one, and some games are not over.

    `views` and `flights` are arrays of one record a game in flight, `lanes` of MAX_PLAYERS each;
    `rules` is an array of one; `owns` and the policies, as addresses (uint64), hold one a position.
    `sides` (int64, one a position) tells who is asked together: positions with the number of the
    first of them, or a position with its own number and `ASK_SINGLY`; and `WIDENED` and `WORDED`
    where the player needs it. `seats` is the tuple of the positions.

    Workspace are `lists` (uint64, four rows and one a position, of one word a game in flight),
    `sizes` (int64, one a position) and `turns` (int64, one a game in flight).
    """
    players = len(seats)
    rule = rules[0]
    room = len(views)
    width = room // 2 + 1
    # Places in the arrays of records; those beyond the number of each hold nothing.
    flying = lists[0]
    ready = lists[1]
    landed = lists[2]
    drawing = lists[3]  # shifted left by 2, and who draws
    asked = lists[4:]
    n_flying = 0
    n_ready = 0
    n_landed = room
    for i in range(room):
        landed[i] = i
        flights[i].game = NO_GAME
    game = first_game
    end = first_game + games
    while n_flying + n_landed:
        if n_ready == 0:
            # Those that have landed are served together: this is long code, rarely run.
            for i in range(n_landed):
                j = landed[i]
                view = views[j]
                flight = flights[j]
                goes_on = False
                if flight.game != NO_GAME:
                    watcher = watcher_of_round(watch, flight.place, j, flight.game)
                    goes_on = settle(view, flight, lanes[j], rule, watcher)
                    if not goes_on:
                        keep_game(kept, tally, flight.game - first_game, flight.measures)
                if goes_on:
                    view.round_number += 1
                elif game < end:
                    new_game(view, flight, seed, game, flight.measures)
                    game += 1
                else:
                    continue
                if not has_room(watch, place):
                    return -1
                deal_in_flight(view, flight, lanes[j], rule, seats)
                note_deal(watcher_of_round(watch, place, j, flight.game), view, flight, rule, arm)
                flight.place = place
                place += 1
                ready[n_ready] = j
                n_ready += 1
            n_landed = 0
            while n_flying < width and n_ready:
                n_ready -= 1
                flying[n_flying] = ready[n_ready]
                n_flying += 1
        n_drawing = 0
        for player in range(players):
            sizes[player] = 0
        # Both loops go downwards: so a game is found as long as possible after it was acted on.
        for i in range(n_flying - 1, -1, -1):
            j = flying[i & PLACES]
            view = views[j]
            mover = view.mover & 3
            find_lane_turns(view, lanes[j], rule, mover, players)
            turns[j] = FOLD
            side = sides[mover]
            if side & WORDED:
                view.word = choice_word_in_flight(view, flights[j])
            side &= 3
            asked[side, sizes[side] & PLACES] = j
            sizes[side] += view.choices != 0
        for side in range(players):
            if sizes[side]:
                if sides[side] & WIDENED:
                    for i in range(sizes[side]):
                        j = asked[side, i]
                        widen(views[j], flights[j], lanes[j], players)
                if sides[side] & ASK_SINGLY:
                    for i in range(sizes[side]):
                        j = asked[side, i]
                        turns[j] = ask(policies, side, views[j], rule, owns[side])
                else:
                    ask_block(
                        block_policies, side, views, rule, owns, asked[side], sizes[side], turns
                    )
        for i in range(n_flying - 1, -1, -1):
            j = flying[i & PLACES]
            view = views[j]
            flight = flights[j]
            turn = turns[j]
            mover = view.mover & 3
            watcher = watcher_of_round(watch, flight.place, j, flight.game)
            note(watcher, TRACE_TURN, NO_CARD, mover)
            if turn != FOLD:
                note_cards(watcher, played(turn), discarded(turn))
                earns = carry_out(view, flight, lanes[j], rule, mover, turn)
                note_turn(watcher, view, True)
                view.turn += 1
                drawing[n_drawing & PLACES] = np.int64(j) << 2 | mover
                n_drawing += earns
            else:
                note(watcher, TRACE_FOLD, NO_CARD)
                note_turn(watcher, view, False)
                knock_out(view)
                knock_out_lanes(lanes[j], mover)
                view.turn += 1
                if view.live & (view.live - 1) == 0:
                    landed[n_landed] = j
                    n_landed += 1
                    if n_ready:
                        n_ready -= 1
                        flying[i] = ready[n_ready]
                    else:
                        n_flying -= 1
                        flying[i] = flying[n_flying]
                    continue
            view.mover = next_to_act(view, mover, players)
        for i in range(n_drawing):
            j = drawing[i] >> 2
            card = draw_for(views[j], flights[j], lanes[j], rule, drawing[i] & 3)
            watcher = watcher_of_round(watch, flights[j].place, j, flights[j].game)
            note(watcher, TRACE_DRAW, lowest(card))
    note_block(watch)
    return place


@cache
def vector_kernel(players: int, keeps: bool, watched: str) -> Any:
    """Return `play_block` compiled for a number of players, with any line-up, for measures that are
    kept, or tallied, and for who watches, one of `red7sim.play.watch.WATCHES`.
    """
    return kernel(
        play_block,
        int64(
            VIEW_TYPE[::1],
            from_dtype(FLIGHT)[::1],
            from_dtype(LANES)[:, ::1],
            types.Array(RULES_TYPE, 1, "C", readonly=True),
            OWN_TYPE[::1],
            uint64[::1],
            uint64[::1],
            int64[::1],
            types.UniTuple(int64, players),
            uint64[:, ::1],
            int64[::1],
            int64[::1],
            uint64,
            int64,
            int64,
            types.none if keeps else int64[:, ::1],
            int64[:, ::1] if keeps else types.none,
            WATCHES[watched],
            int64,
            int64,
        ),
        _nrt=False,  # it allocates nothing, and need not count references to its arrays
    )
