"""The turns of a player: which ones survive, how they are numbered, what they do.

A turn is a number: the card played to the palette and the card discarded to the canvas, each
`NO_CARD` where there is none. Neither is a fold.

    turn = play << 6 | discard

Surviving turns are kept by *lane*: one lane for each hand card that could be played, in ascending
order, then one for "no play". Each lane holds a mask of the discards with which the turn ends
winning; `NO_CARD_FLAG` in it says that the play alone does. There may be lanes without any turn,
whose other fields mean nothing. The numbering of the turns of a position goes lane by lane, within
a lane by ascending discard, "no discard" last; players that find several turns equally good take
the first in this numbering.
"""

from red7sim.game.cards import COLOUR_OF, NO_CARD, NO_CARD_FLAG, ROW_OF
from red7sim.game.rules import keys_with, occupied_rows, palette_keys, rules_won
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import inlined, kernel

PLAY_SHIFT = 6
DISCARD_MASK = (1 << PLAY_SHIFT) - 1
FOLD = NO_CARD << PLAY_SHIFT | NO_CARD


@inlined
def as_turn(play, discard):
    """Return the turn that plays one card and discards another; either may be `NO_CARD`."""
    return play << PLAY_SHIFT | discard


@inlined
def played(turn):
    """Return the card that a turn plays to the palette, or `NO_CARD`."""
    return turn >> PLAY_SHIFT


@inlined
def discarded(turn):
    """Return the card that a turn discards to the canvas, or `NO_CARD`."""
    return turn & DISCARD_MASK


@inlined
def cheapest_turn(card, discards):
    """Return the turn that plays a card and discards nothing if it can, or else the lowest card;
    `discards` is a set as in a lane, not empty.
    """
    return as_turn(card, NO_CARD if discards & NO_CARD_FLAG else lowest(discards))


@kernel
def own_keys(view, player):
    """Return the seven keys of a player's palette as a tuple."""
    keys = view.keys
    return (
        keys[player, 0],
        keys[player, 1],
        keys[player, 2],
        keys[player, 3],
        keys[player, 4],
        keys[player, 5],
        keys[player, 6],
    )


@inlined
def set_keys(view, player, keys):
    """Store a tuple of seven keys as those of a player's palette."""
    stored = view.keys
    stored[player, 0] = keys[0]
    stored[player, 1] = keys[1]
    stored[player, 2] = keys[2]
    stored[player, 3] = keys[3]
    stored[player, 4] = keys[4]
    stored[player, 5] = keys[5]
    stored[player, 6] = keys[6]


@kernel
def rival_keys(view):
    """Return, rule by rule, the best key among the mover's rivals, as a tuple."""
    keys = view.keys
    mover = view.mover
    best_0 = best_1 = best_2 = best_3 = best_4 = best_5 = best_6 = 0
    for player in range(view.players):
        if player != mover:
            best_0 = max(best_0, keys[player, 0])
            best_1 = max(best_1, keys[player, 1])
            best_2 = max(best_2, keys[player, 2])
            best_3 = max(best_3, keys[player, 3])
            best_4 = max(best_4, keys[player, 4])
            best_5 = max(best_5, keys[player, 5])
            best_6 = max(best_6, keys[player, 6])
    return best_0, best_1, best_2, best_3, best_4, best_5, best_6


@kernel
def keys_after_play(view, card):
    """Return the mover's seven keys after a play to the palette; `card` may be `NO_CARD`."""
    mover = view.mover
    if card == NO_CARD:
        return own_keys(view, mover)
    keys = view.keys
    return keys_with(
        view.palettes[mover],
        view.rows[mover],
        keys[mover, 2],
        keys[mover, 4],
        keys[mover, 5],
        card,
    )


@kernel
def find_turns(view, rules):
    """Fill the lanes of a view with all surviving turns of its mover, less those barred to him, and
    return their number.

    Modifies `choices`, `lanes`, `lane_cards`, `lane_wins` and `lane_turns` of the view.
    """
    discards = view.hand & ~view.barred_discards
    mover = view.mover
    rule = rules.rule_of[view.canvas]
    rivals = rival_keys(view)
    palette = view.palettes[mover]
    rows = view.rows[mover]
    keys = own_keys(view, mover)
    lane = 0
    choices = 0
    rest = view.hand & ~view.barred_plays
    while rest:
        card = lowest(rest)
        won = rules_won(keys_with(palette, rows, keys[2], keys[4], keys[5], card), rivals)
        play_only = (won >> rule & 1) << NO_CARD
        turns = discards & ~(1 << card) & rules.cards_of[won] | play_only
        view.lane_cards[lane] = card
        view.lane_wins[lane] = won
        view.lane_turns[lane] = turns
        choices += popcount(turns)
        lane += 1
        rest = drop_lowest(rest)
    # Doing nothing is no turn, even for a mover who is already winning.
    won = rules_won(keys, rivals)
    turns = discards & rules.cards_of[won]
    view.lane_cards[lane] = NO_CARD
    view.lane_wins[lane] = won
    view.lane_turns[lane] = turns
    view.lanes = lane + 1
    view.choices = choices + popcount(turns)
    return view.choices


@kernel
def add_to_palette(view, card):
    """Put a card on the mover's palette."""
    mover = view.mover
    set_keys(view, mover, keys_after_play(view, card))
    view.palettes[mover] |= 1 << card
    view.rows[mover] |= 1 << ROW_OF[card]


@kernel
def set_palette(view, player, palette):
    """Give a player this palette, with its keys and rows."""
    set_keys(view, player, palette_keys(palette))
    view.palettes[player] = palette
    view.rows[player] = occupied_rows(palette)


@kernel
def remove_from_palette(view, player, card):
    """Take a card off a player's palette, which must hold another."""
    set_palette(view, player, view.palettes[player] ^ (1 << card))


@inlined
def canvas_after(canvas, discard):
    """Return the canvas after the discard that ends a turn, a card or NO_CARD."""
    return canvas if discard == NO_CARD else COLOUR_OF[discard]


@kernel
def earns_draw(view, rules, card, size):
    """Tell whether a discard to the canvas earns a draw, with a palette of `size` cards."""
    return rules.draw and view.deck_size > 0 and ROW_OF[card] >= size + rules.draw_offset


@kernel
def draws_after_seven(view, rules, card, size):
    """Tell whether a 7's discard of `card` earns a draw, `size` cards being left in the palette."""
    return rules.draw_on_seven and earns_draw(view, rules, card, size)
