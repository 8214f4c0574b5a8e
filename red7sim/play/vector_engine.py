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

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numpy.typing import NDArray

from red7sim.game.cards import FULL, N_COLOURS
from red7sim.game.lanes import (
    LANES,
    MAX_HAND,
    find_lane_turns,
    lane_of,
    lay_out,
    next_position,
    play_lane,
)
from red7sim.game.ruleset import Ruleset
from red7sim.game.turns import FOLD, discarded, played
from red7sim.game.view import VIEW
from red7sim.jit.bits import lowest, popcount
from red7sim.jit.settings import inlined, kernel
from red7sim.jit.vectors import aligned_records
from red7sim.play.engine import GAME_GOES_ON, close_game, new_game, score_round
from red7sim.play.flight import (
    FLIGHT,
    NO_GAME,
    choice_word_in_flight,
    deal_in_flight,
    draw_in_flight,
)
from red7sim.play.moves import knock_out
from red7sim.play.policy import (
    CHOOSE_BLOCK_TYPE,
    CHOOSE_TYPE,
    OWN_TYPE,
    RULES_TYPE,
    VIEW_TYPE,
    Player,
    no_block,
)
from red7sim.play.tally import DRAWS, Tally, add_game

IN_FLIGHT = 12
"""Games held at a time. A little more than half of them are played while the others wait, dealt,
to take the place of a game that ends, so that the work of a step stays the same.
"""

ASK_SINGLY = 4
"""Flag of a position whose player is asked view by view."""


@kernel
def draw_for(view, flight, lanes, player):
    """Draw a card for a player, and lay out his hand anew."""
    hand = flight.hands[player] | draw_in_flight(view, flight, 1)
    flight.hands[player] = hand
    view.hand_sizes[player] += 1
    flight.measures[DRAWS] += 1
    lay_out(lanes, player, hand, view.palettes[player])


@inlined
def carry_out(view, flight, lanes, rules, turn):
    """Carry out a surviving turn of the mover, and tell whether it earns him a draw (0 or 1).

    What is discarded, if anything, is hard to foretell, so there is no branch on it.
    """
    mover = view.mover & 3
    lane = lane_of(lanes, mover, played(turn)) & 7
    card = discarded(turn)
    number = card // N_COLOURS + 1
    shown = 1 << card & FULL  # none for NO_CARD
    hand = flight.hands[mover] & ~(lanes.bits[mover, lane] | shown)
    flight.hands[mover] = hand
    view.hand_sizes[mover] = popcount(hand)
    play_lane(view, lanes, lane)
    view.seen |= shown
    discards = np.int64(shown != 0)
    canvas = view.canvas
    view.canvas = canvas ^ (canvas ^ card % N_COLOURS) & -discards
    high = np.int64(number > popcount(view.palettes[mover]) + rules.draw_offset)
    return discards & rules.draw & high & np.int64(view.deck_size > 0)


@inlined
def next_to_act(view, players):
    """Return the next live player after the mover; there is one."""
    if players == 2:
        return 1 - view.mover
    after = view.mover + 1
    skipped = lowest((view.live | view.live << players) >> after)
    return next_position(view.mover, skipped + 1, players)


@kernel
def settle(view, flight, rules, tally):
    """Score a finished round and tell whether its game goes on; if not, tally the game."""
    measures = flight.measures
    if view.round_number == 0:
        flight.first = view.start
    winner = lowest(view.live)
    reason = score_round(view, rules, winner, measures)
    if reason == GAME_GOES_ON:
        return True
    close_game(view, flight.first, winner, reason, measures)
    add_game(tally, measures)
    return False


@inlined
def find(view, flight, lanes, rules, seats):
    """Find the mover's turns and leave in the view all that he is asked with."""
    view.hand = flight.hands[view.mover & 3]
    find_lane_turns(view, lanes, rules, len(seats))
    view.word = choice_word_in_flight(view, flight)


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
):
    """Play games `first_game` .. `first_game + games - 1` and tally them.

    `views`, `flights` and `lanes` are arrays of one record a game in flight; `rules` is an array
    of one; `owns` and the tuples of policies hold one a position. `sides` (int64, of one
    a position) tells who is asked together: positions with the number of the first of them, or a
    position with its own number and `ASK_SINGLY`. `seats` is the tuple of the positions.

    Workspace are `lists` (uint64, five rows and one a position, of one word a game in flight),
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
    drawing = lists[3]
    drawers = lists[4]
    asked = lists[5:]
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
                if flight.game != NO_GAME and settle(view, flight, rule, tally):
                    view.round_number += 1
                elif game < end:
                    new_game(view, flight, seed, game, flight.measures)
                    game += 1
                else:
                    continue
                deal_in_flight(view, flight, lanes[j], rule, seats)
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
            j = flying[i]
            view = views[j]
            find(view, flights[j], lanes[j], rule, seats)
            turns[j] = FOLD
            side = sides[view.mover & 3] & ~ASK_SINGLY
            asked[side, sizes[side]] = j
            sizes[side] += view.choices != 0
        for side in range(players):
            if sizes[side]:
                if sides[side] & ASK_SINGLY:
                    for i in range(sizes[side]):
                        j = asked[side, i]
                        turns[j] = policies[side](views[j], rule, owns[side])
                else:
                    block_policies[side](views, rule, owns, asked[side], sizes[side], turns)
        for i in range(n_flying - 1, -1, -1):
            j = flying[i]
            view = views[j]
            turn = turns[j]
            view.turn += 1
            if turn != FOLD:
                earns = carry_out(view, flights[j], lanes[j], rule, turn)
                drawing[n_drawing] = j
                drawers[n_drawing] = view.mover
                n_drawing += earns
            else:
                knock_out(view)
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
            view.mover = next_to_act(view, players)
        for i in range(n_drawing):
            j = drawing[i]
            draw_for(views[j], flights[j], lanes[j], drawers[i] & 3)


@cache
def vector_kernel(players: int) -> Any:
    """Return `play_block` compiled for a number of players, with any line-up."""
    return kernel(
        play_block,
        types.void(
            VIEW_TYPE[::1],
            from_dtype(FLIGHT)[::1],
            from_dtype(LANES)[::1],
            types.Array(RULES_TYPE, 1, "C", readonly=True),
            OWN_TYPE[::1],
            types.UniTuple(CHOOSE_TYPE, players),
            types.UniTuple(CHOOSE_BLOCK_TYPE, players),
            int64[::1],
            types.UniTuple(int64, players),
            uint64[:, ::1],
            int64[::1],
            int64[::1],
            uint64,
            int64,
            int64,
            int64[:, ::1],
        ),
        _nrt=False,  # it allocates nothing, and need not count references to its arrays
    )


def fits(ruleset: Ruleset) -> bool:
    """Tell whether the vector engine plays a ruleset: no actions, and no hand exceeds the lanes.

    Hands are largest when they are dealt, since whoever draws has just discarded.
    """
    return not ruleset.actions and ruleset.hand_size + max((0, *ruleset.start_bonus)) <= MAX_HAND


@dataclass(frozen=True)
class Fleet:
    """Compiled players and memory for a number of games in flight; serves one thread at a time."""

    kernel: Any
    policies: tuple[Any, ...]
    block_policies: tuple[Any, ...]
    sides: NDArray[np.int64]
    views: NDArray[np.void]
    flights: NDArray[np.void]
    lanes: NDArray[np.void]
    lists: NDArray[np.uint64]
    sizes: NDArray[np.int64]
    turns: NDArray[np.int64]

    def play_block(
        self,
        rules: NDArray[np.void],
        owns: NDArray[np.void],
        seed: int,
        first_game: int,
        games: int,
        tally: Tally,
    ) -> None:
        """Play a range of games and add them to the tally; `rules` and `owns` as for kernels."""
        self.kernel(
            self.views,
            self.flights,
            self.lanes,
            rules,
            owns,
            self.policies,
            self.block_policies,
            self.sides,
            tuple(range(len(self.policies))),
            self.lists,
            self.sizes,
            self.turns,
            np.uint64(seed),
            first_game,
            games,
            tally,
        )


def board(players: list[Player], in_flight: int = IN_FLIGHT) -> Fleet:
    """Return a fleet for players by table position, compiling what is not yet."""
    blocks = [player.compiled_block() for player in players]
    sides = [
        players.index(player) if block else position | ASK_SINGLY
        for position, (player, block) in enumerate(zip(players, blocks, strict=True))
    ]
    return Fleet(
        kernel=vector_kernel(len(players)),
        policies=tuple(player.compiled() for player in players),
        block_policies=tuple(block or no_block() for block in blocks),
        sides=np.array(sides, dtype=np.int64),
        views=aligned_records(VIEW, in_flight),
        flights=aligned_records(FLIGHT, in_flight),
        lanes=aligned_records(LANES, in_flight),
        lists=np.zeros((5 + len(players), in_flight), dtype=np.uint64),
        sizes=np.zeros(len(players), dtype=np.int64),
        turns=np.zeros(in_flight, dtype=np.int64),
    )
