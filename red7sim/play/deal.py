"""The hidden part of a game and the deal of a round.

The deck of a round is fixed by its deck stream alone. Its k-th card (k = 0 is the top) is the
d-th of the cards not yet dealt, in ascending order, where the digit d is uniform below their
number. Four digits come out of one 64-bit word x in mixed radix: the digit is the upper half of
x * n, the lower half is the next x. The radices of one word multiply to less than 2**23, so no
card is off its share by more than a factor 2**-41. Word k >> 2 of the stream serves card k, so
the cards can be drawn one by one, whenever they are needed.
"""

import numpy as np

from red7sim.game.cards import COLOUR_OF, FULL, N_CARDS
from red7sim.game.packed import FIRST_CANVAS_DEALT, NOT_FORCED, START_LEFT_OF_HIGHEST, START_LOWEST
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.turns import set_palette
from red7sim.jit.bits import lowest, nth_bit, popcount
from red7sim.jit.rng import (
    PURPOSE_CHOICE,
    PURPOSE_DECK,
    PURPOSE_STEP,
    mul_high,
    mul_low,
    stream_block,
)
from red7sim.jit.settings import inlined, kernel

HIDDEN = np.dtype(
    [
        ("seed", np.uint64),
        ("game", np.int64),  # index of the game, or of the deal in a paired design
        ("hands", np.int64, (MAX_PLAYERS,)),
        ("deck", np.int64),  # cards still in the deck, as a set
        ("drawn", np.int64),  # cards taken from the top so far
        # Cards on top of the others whose order was given, the next one last; none in a deal.
        ("ordered", np.int64),  # how many
        ("order", np.int64, (N_CARDS,)),
        ("digits", np.uint64),  # what is left of the current word of the deck stream
        ("next_word", np.uint64),  # the word after it
        ("choice_words", np.uint64, (2,)),  # choice words of the current pair of turns
        ("choice_pair", np.int64),  # which pair that is
    ],
    align=True,
)


@kernel
def draw_cards(view, hidden, n):
    """Take `n` cards from the top of the deck and return them as a set.

    The deck must hold so many, and none put there during the round.
    """
    deck = hidden.deck
    drawn = hidden.drawn
    left = view.deck_size
    digits = hidden.digits
    cards = 0
    for _ in range(n):
        if drawn & 7 == 0:
            even, odd = stream_block(
                hidden.seed, hidden.game, view.round_number, PURPOSE_DECK, 0, drawn >> 3
            )
            digits = even
            hidden.next_word = odd
        elif drawn & 7 == 4:
            digits = hidden.next_word
        card = nth_bit(np.int64(mul_high(digits, np.uint64(left))), deck)
        digits = mul_low(digits, np.uint64(left))
        cards |= card
        deck ^= card
        drawn += 1
        left -= 1
    hidden.digits = digits
    hidden.deck = deck
    hidden.drawn = drawn
    view.deck_size = left
    return cards


@inlined
def first_to_act(view, rules, players):
    """Return the table position that acts first, from the palettes just dealt."""
    if rules.first_start != NOT_FORCED and view.round_number == 0:
        return rules.first_start
    holder = 0
    best = 0
    for player in range(players):
        # Palettes are disjoint: as integers they compare by their highest cards.
        palette = view.palettes[player]
        value = FULL ^ (palette & -palette) if rules.start == START_LOWEST else palette
        if value > best:
            best = value
            holder = player
    if rules.start == START_LEFT_OF_HIGHEST:
        holder += 1
    return holder if holder < players else 0


@kernel
def deal_round(view, hidden, rules):
    """Deal a round: hands, palettes, first canvas, and who acts first.

    The deck is every card not scored; `view.round_number` and the scores are left as they are.
    """
    players = rules.players
    scored = 0
    for player in range(players):
        scored |= view.scored[player]
    hidden.deck = FULL ^ scored
    hidden.drawn = 0
    hidden.ordered = 0
    hidden.choice_pair = -1
    view.deck_size = popcount(hidden.deck)
    view.players = players
    view.stack_size = 0
    view.seen = scored
    view.turn = 0
    view.live = (1 << players) - 1
    for player in range(players):
        hidden.hands[player] = draw_cards(view, hidden, rules.hand_size)
        palette = draw_cards(view, hidden, rules.palette_size)
        set_palette(view, player, palette)
        view.known_hands[player] = 0
    view.start = first_to_act(view, rules, rules.players)
    view.mover = view.start
    for seat in range(players):
        player = (view.start + seat) % players
        hidden.hands[player] |= draw_cards(view, hidden, rules.start_bonus[seat])
        view.hand_sizes[player] = rules.hand_size + rules.start_bonus[seat]
    if rules.first_canvas == FIRST_CANVAS_DEALT:
        card = draw_cards(view, hidden, 1)
        view.canvas = COLOUR_OF[lowest(card)]
        view.seen |= card
    else:
        view.canvas = rules.first_canvas


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
def choice_word_of_step(view, hidden, number):
    """Return the choice word of the `number`-th step of the current turn, computing the words in
    pairs.
    """
    part = number >> 1
    pair = view.turn << 12 | part  # fewer parts than that
    if hidden.choice_pair != pair:
        even, odd = stream_block(
            hidden.seed, hidden.game, view.round_number, PURPOSE_STEP, part, view.turn
        )
        hidden.choice_words[0] = even
        hidden.choice_words[1] = odd
        hidden.choice_pair = pair
    return hidden.choice_words[number & 1]
