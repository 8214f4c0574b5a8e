"""The outlook of a turn: with how many turns a player would survive next time.

After the turn that plays c and discards d (either may be none) there are a palette, a hand and a
canvas. A *follow-up* is a turn that the player could make from there, were it his move at once:
play e, or discard f, or both. It has a chance to survive, and the outlook of (c, d) is the sum of
the chances of all its follow-ups. Rivals either stay as they are, and chances are 0 or 1; or one of
them first adds one unseen card to his palette, any rival and any card as likely as another. Chances
are whole numbers over a common denominator, so sums are exact.

The chance of (e, f) depends on the palette with c and e, and on the rule that f's colour or,
without f, the canvas stands for. So all is known once these palettes are met with the rivals, and c
and e change places freely. With

    S[c, e]     the sum of the chances over the cards f of the hand other than c and e
    T[c]        the sum of S[c, e] over every e but c, none among them
    A[c, d]     the chance of the palette with c alone under the rule of d
    B[c]        the sum over the cards e but c of the chances of c and e under the canvas's rule

the outlook of (c, none) is T[c] + B[c], that of (c, d) is T[c] - S[c, d] - A[c, d]. Without d in
the hand, T[c] loses S[c, d] (where e is d), and for every other e and for none the chance of c and
e under the rule of d (where f is d). But with that rule on the canvas, to play e alone has just
that chance for every e but none, so that only A[c, d] stays lost.

A card that is drawn is unknown. It is taken to add as many follow-ups as a card of the hand has: h
cards make h * (h + 1) turns, so h + 1 cards make (h + 2) / h times as many; with h = 0 it adds one.

Unseen are the cards that the player does not see now, wherever they are. What he may not do
does not count. Tables are kept in `OWN.scratch`; cards of the hand go by their place in it, none by
the number of cards.
"""

import numpy as np

from red7sim.game.cards import COLOUR_OF, FULL, N_COLOURS, NO_CARD, ROW_OF
from red7sim.game.contest import LANE_OF, wins_by_lane, wins_in_lane, word_of_keys
from red7sim.game.rules import keys_with
from red7sim.game.turns import earns_draw, own_keys
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel

# Places in the scratch memory.
_STRIDE = 16  # more than the cards of any hand
_CARDS = 0
_LANES = _CARDS + _STRIDE  # of the rule that the colour of a card stands for
_WEIGHTS = _LANES + _STRIDE  # 1 for a card that may be discarded, otherwise 0
_HELD = _WEIGHTS + _STRIDE  # how many of those there are, by lane
_CHANCES = _HELD + 8  # of one palette, by lane
_TOTALS = _CHANCES + 8  # T
_STOPS = _TOTALS + _STRIDE  # B
_PAIRS = _STOPS + _STRIDE  # S
_DISCARDS = _PAIRS + _STRIDE * _STRIDE  # A
WORDS = _DISCARDS + _STRIDE * _STRIDE
"""Where the words of the player's own palette with one card lie, by place of the card."""
_UNIT = WORDS + _STRIDE  # the common denominator
_STAYS = _UNIT + 1  # the rivals' palettes, as words, in turn order after the mover
RIVAL_WORDS = _STAYS + 3
"""Where the words of the rivals' palettes with an unseen card lie, by rival in turn order after the
mover, then by card."""
RIVAL_STRIDE = 64
FREE_SCRATCH = RIVAL_WORDS + 3 * RIVAL_STRIDE
"""Where scratch memory is free for others."""


@kernel
def unseen_cards(view):
    """Return the cards that the mover does not see now."""
    seen = view.hand | view.seen
    for player in range(view.players):
        seen |= view.palettes[player]
    return FULL & ~seen


@kernel
def list_rivals(view, own, unseen):
    """Fill the words of the live rivals' palettes, as they are and with every card of `unseen`;
    return the number of rivals.
    """
    rivals = 0
    for i in range(1, view.players):
        player = (view.mover + i) % view.players
        if not view.live >> player & 1:
            continue
        keys = own_keys(view, player)
        palette, rows = view.palettes[player], view.rows[player]
        own.scratch[_STAYS + rivals] = np.int64(word_of_keys(keys))
        place = RIVAL_WORDS + rivals * RIVAL_STRIDE
        rest = unseen
        while rest:
            more = keys_with(palette, rows, keys[2], keys[4], keys[5], lowest(rest))
            own.scratch[place] = np.int64(word_of_keys(more))
            place += 1
            rest = drop_lowest(rest)
        rivals += 1
    return rivals


@kernel
def fill_chances(own, word, rivals, states):
    """Fill the chances of a palette (its word) by lane; `states` cards may be added, 0 for none."""
    scratch = own.scratch
    stays = wins_by_lane(word, np.uint64(scratch[_STAYS]))
    for rival in range(1, rivals):
        stays &= wins_by_lane(word, np.uint64(scratch[_STAYS + rival]))
    sums = stays
    if states:
        sums = np.uint64(0)
        for rival in range(rivals):
            first = RIVAL_WORDS + rival * RIVAL_STRIDE
            for state in range(first, first + states):
                sums += stays & wins_by_lane(word, np.uint64(scratch[state]))
    for lane in range(N_COLOURS):
        scratch[_CHANCES + lane] = wins_in_lane(sums, lane)


@kernel
def list_hand(view, rules, own):
    """Fill what is fixed about the cards of the hand, clear the sums, and return their number."""
    scratch = own.scratch
    for lane in range(N_COLOURS):
        scratch[_HELD + lane] = 0
    n = 0
    rest = view.hand
    while rest:
        card = lowest(rest)
        lane = LANE_OF[rules.rule_of[COLOUR_OF[card]]]
        weight = 1 - (view.barred_discards >> card & 1)
        scratch[_CARDS + n] = card
        scratch[_LANES + n] = lane
        scratch[_WEIGHTS + n] = weight
        scratch[_HELD + lane] += weight
        n += 1
        rest = drop_lowest(rest)
    for i in range(n + 1):
        scratch[_TOTALS + i] = 0
        scratch[_STOPS + i] = 0
    return n


@kernel
def add_pair(own, n, i, j, canvas):
    """Add what the present chances, those of the palette with the i-th and the j-th card, say."""
    scratch = own.scratch
    total = 0
    for lane in range(N_COLOURS):
        total += scratch[_HELD + lane] * scratch[_CHANCES + lane]
    if i < n:
        total -= scratch[_WEIGHTS + i] * scratch[_CHANCES + scratch[_LANES + i]]
    if j < n:
        total -= scratch[_WEIGHTS + j] * scratch[_CHANCES + scratch[_LANES + j]]
    stop = scratch[_CHANCES + canvas]
    scratch[_PAIRS + _STRIDE * i + j] = total
    scratch[_PAIRS + _STRIDE * j + i] = total
    scratch[_TOTALS + i] += total
    if i < n:
        scratch[_TOTALS + j] += total
        scratch[_STOPS + j] += stop
    if j < n:
        scratch[_STOPS + i] += stop
    else:
        for card in range(n):
            chance = scratch[_CHANCES + scratch[_LANES + card]]
            scratch[_DISCARDS + _STRIDE * i + card] = chance


@kernel
def look_ahead(view, rules, own, unseen):
    """Fill the tables for all turns of the mover; a rival adds a card of `unseen`, unless empty."""
    scratch = own.scratch
    rivals = list_rivals(view, own, unseen)
    states = popcount(unseen)
    scratch[_UNIT] = max(1, rivals * states)
    n = list_hand(view, rules, own)
    canvas = LANE_OF[rules.rule_of[view.canvas]]
    palette = view.palettes[view.mover]
    rows = view.rows[view.mover]
    keys = own_keys(view, view.mover)
    for i in range(n + 1):
        keys_i, palette_i, rows_i = keys, palette, rows
        if i < n:
            card = scratch[_CARDS + i]
            keys_i = keys_with(palette, rows, keys[2], keys[4], keys[5], card)
            palette_i = palette | 1 << card
            rows_i = rows | 1 << ROW_OF[card]
        for j in range(min(i + 1, n), n + 1):
            if view.barred_plays and i < n:  # by no-play, which bars all cards
                scratch[_PAIRS + _STRIDE * i + j] = 0
                scratch[_PAIRS + _STRIDE * j + i] = 0
                continue
            keys_ij = keys_i
            if j < n:
                card = scratch[_CARDS + j]
                keys_ij = keys_with(palette_i, rows_i, keys_i[2], keys_i[4], keys_i[5], card)
            word = word_of_keys(keys_ij)
            if j == n:
                scratch[WORDS + i] = np.int64(word)
            fill_chances(own, word, rivals, states)
            add_pair(own, n, i, j, canvas)


@kernel
def place_of(view, card):
    """Return the place of a card in the hand; of none, the number of its cards."""
    return popcount(view.hand & (1 << card) - 1)


@kernel
def follow_ups(view, rules, own, card, discard):
    """Return the outlook of a turn (float64), in follow-ups that are sure to survive."""
    scratch = own.scratch
    i = place_of(view, card)
    unit = scratch[_UNIT]
    if discard == NO_CARD:
        return (scratch[_TOTALS + i] + scratch[_STOPS + i]) / unit
    pair = _STRIDE * i + place_of(view, discard)
    outlook = scratch[_TOTALS + i] - scratch[_PAIRS + pair] - scratch[_DISCARDS + pair]
    size = popcount(view.palettes[view.mover]) + (card != NO_CARD)
    if earns_draw(view, rules, discard, size):
        left = popcount(view.hand) - 1 - (card != NO_CARD)
        if left == 0:
            return 1.0
        return outlook * (left + 2) / (left * unit)
    return outlook / unit
