"""The hidden part of a game in flight, and the deal of a round for the vector engine.

It is the deal of `red7sim.play.deal`, card for card, from words that are computed eight blocks at
a time and with the loops of that module spelt out.
"""

import numpy as np

from red7sim.game.cards import COLOUR_OF, FULL
from red7sim.game.lanes import lay_out, next_position, show_first, show_palette
from red7sim.game.packed import FIRST_CANVAS_DEALT
from red7sim.game.switches import MAX_PLAYERS
from red7sim.jit.bits import lowest, nth_bit, popcount
from red7sim.jit.machine_vectors import LANES as WIDTH
from red7sim.jit.rng import (
    PURPOSE_CHOICE,
    PURPOSE_DECK,
    mul_high,
    mul_low,
    stream_block,
    stream_blocks,
)
from red7sim.jit.settings import inlined, kernel
from red7sim.jit.vectors import from_bytes, padded, select, splat, store
from red7sim.play.deal import first_to_act
from red7sim.play.tally import N_MEASURES

NO_GAME = -1

# Word w of a stream is half w & 1 of block w >> 1: here [half, block].
FLIGHT = padded(
    [
        ("deck_words", np.uint64, (2, WIDTH)),
        ("choice_words", np.uint64, (2, WIDTH)),
        ("deck_blocks", np.int64),  # blocks in deck_words
        ("choice_first", np.int64),  # the block whose words stand in lane 0 of choice_words
        ("seed", np.uint64),
        ("game", np.int64),
        ("hands", np.int64, (MAX_PLAYERS,)),
        ("deck", np.int64),  # cards still in the deck, as a set
        ("drawn", np.int64),  # cards taken from the top so far
        ("digits", np.uint64),  # what is left of the current word of the deck stream
        ("first", np.int64),  # who acted first in the first round
        ("place", np.int64),  # of the record of its round
        ("measures", np.int64, (N_MEASURES,)),
    ]
)
"""The hidden part of a game in flight, beside its lanes; compare `red7sim.play.deal.HIDDEN`."""

_COUNT_UP = sum(lane << 8 * lane for lane in range(WIDTH))
"""Bytes 0 .. 7."""


@kernel
def shuffle(view, flight, rules):
    """Compute the words of a round's streams: as many blocks for the deck as the deal needs, and
    one more where cards are drawn; choices fill the rest.
    """
    deck_blocks = min((rules.cards_needed + 7 >> 3) + rules.draw, WIDTH - 1)
    lanes = from_bytes(_COUNT_UP)
    is_deck = splat(deck_blocks) > lanes
    even, odd = stream_blocks(
        flight.seed,
        flight.game,
        view.round_number,
        select(is_deck, PURPOSE_DECK, splat(PURPOSE_CHOICE)),
        select(is_deck, lanes, lanes - deck_blocks),
    )
    store(flight.deck_words, 0, even)
    store(flight.deck_words, 1, odd)
    store(flight.choice_words, 0, even)
    store(flight.choice_words, 1, odd)
    flight.deck_blocks = deck_blocks
    flight.choice_first = -deck_blocks


@kernel
def more_choice_words(view, flight, block):
    """Compute the choice words from a block on."""
    even, odd = stream_blocks(
        flight.seed,
        flight.game,
        view.round_number,
        splat(PURPOSE_CHOICE),
        from_bytes(_COUNT_UP) + block,
    )
    store(flight.choice_words, 0, even)
    store(flight.choice_words, 1, odd)
    flight.choice_first = block


@inlined
def choice_word_in_flight(view, flight):
    """Return the choice word of the current turn."""
    block = view.turn >> 1
    if block - flight.choice_first >= WIDTH:
        more_choice_words(view, flight, block)
    return flight.choice_words[view.turn & 1, block - flight.choice_first & 7]


@inlined
def next_card(digits, deck, left):
    """Return the next card of a deck of `left` cards, as a set, and what is left of the digits."""
    card = nth_bit(np.int64(mul_high(digits, np.uint64(left))), deck)
    return card, mul_low(digits, np.uint64(left))


@kernel
def draw_in_flight(view, flight, n):
    """Take `n` cards from the top of the deck and return them as a set; it must hold so many."""
    deck = flight.deck
    drawn = flight.drawn
    left = view.deck_size
    digits = flight.digits
    cards = 0
    for _ in range(n):
        if drawn & 3 == 0:
            block = drawn >> 3 & 7
            if drawn & 7 == 0 and block >= flight.deck_blocks:
                even, odd = stream_block(
                    flight.seed, flight.game, view.round_number, PURPOSE_DECK, 0, block
                )
                flight.deck_words[0, block] = even
                flight.deck_words[1, block] = odd
            digits = flight.deck_words[drawn >> 2 & 1, block]
        card, digits = next_card(digits, deck, left)
        cards |= card
        deck ^= card
        drawn += 1
        left -= 1
    flight.digits = digits
    flight.deck = deck
    flight.drawn = drawn
    view.deck_size = left
    return cards


@inlined
def deal_by_blocks(view, flight, lanes, players):
    """Deal seven cards to each hand and one to each palette: one block of words a player."""
    deck = flight.deck
    left = view.deck_size
    digits = np.uint64(0)
    for player in range(players):
        hand = 0
        digits = flight.deck_words[0, player]
        for _ in range(4):
            card, digits = next_card(digits, deck, left)
            deck ^= card
            hand |= card
            left -= 1
        digits = flight.deck_words[1, player]
        for _ in range(3):
            card, digits = next_card(digits, deck, left)
            deck ^= card
            hand |= card
            left -= 1
        card, digits = next_card(digits, deck, left)
        deck ^= card
        left -= 1
        flight.hands[player] = hand
        show_first(view, lanes, player, lowest(card))
    flight.deck = deck
    flight.drawn = 8 * players
    flight.digits = digits
    view.deck_size = left


@kernel
def deal_in_flight(view, flight, lanes, rules, seats):
    """Deal a round; compare `red7sim.play.deal.deal_round`."""
    players = len(seats)
    shuffle(view, flight, rules)
    scored = 0
    for player in range(players):
        scored |= view.scored[player]
    flight.deck = FULL ^ scored
    flight.drawn = 0
    view.deck_size = popcount(flight.deck)
    view.players = players
    view.lanes = WIDTH
    view.turn = 0
    view.live = (1 << players) - 1
    if rules.hand_size == 7 and rules.palette_size == 1:
        deal_by_blocks(view, flight, lanes, players)
    else:
        for player in range(players):
            flight.hands[player] = draw_in_flight(view, flight, rules.hand_size)
            show_palette(view, lanes, player, draw_in_flight(view, flight, rules.palette_size))
    start = first_to_act(view, rules, players)
    view.start = start
    view.mover = start
    for seat in range(players):
        bonus = rules.start_bonus[seat]
        if bonus:
            player = next_position(start, seat, players)
            flight.hands[player] |= draw_in_flight(view, flight, bonus)
    if rules.first_canvas == FIRST_CANVAS_DEALT:
        card = draw_in_flight(view, flight, 1)
        view.canvas = COLOUR_OF[lowest(card)]
    else:
        view.canvas = rules.first_canvas
    for player in range(players):
        lay_out(lanes, player, flight.hands[player], rules)
