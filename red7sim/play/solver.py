"""Two players with open hands and no chance: who wins if both play perfectly.

A player without a surviving turn loses. Nothing is drawn, so every card of a player is one of those
in his hand at the start: still there, in his palette, or gone. A *subset* names cards by their
place in that hand. A position is one word, together with a canvas, which is the lane of its rule
(red7sim.game.contest):

    bit  0        12 13      25 26        38 39      51   52
        +-----------+----------+------------+----------+------+
        |  palette  |   hand   |  palette   |   hand   | side |     side: which player of the
        +-----------+----------+------------+----------+------+     start the mover is
         of the mover           of his rival

What makes the search short:

- Where a turn with a discard leads does not depend on the canvas before it. So a position is kept
  once for all canvases, and such a turn wins or fails for all of them.
- A card more in hand or palette never harms. So a discard that leaves the canvas as it is need not
  be searched: the play without it, or the card played instead, survives too and is no worse.
- Who has spent his last card wins at once or not at all.
- Turns that leave the rival few replies are searched first.

The table keeps the facts known of a position. An entry holds the whole position, so it never
speaks about another one; a newer one replaces an older one.

    bit  0     6 7      13    14
        +-------+---------+------------+
        | wins  |  losses | no discard |     sets of canvases on which the mover wins or loses, by
        +-------+---------+------------+     lane; and whether no turn with a discard wins
"""

from typing import Final

import numpy as np

from red7sim.game.cards import COLOUR_OF, FULL, N_COLOURS
from red7sim.game.contest import lanes_won, palette_word
from red7sim.game.notation import LARGEST_HAND
from red7sim.game.ruleset import Ruleset, RulesetError
from red7sim.game.turns import canvas_after
from red7sim.game.wording import setting_text
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import inlined, kernel

_SUBSETS = 1 << LARGEST_HAND
_MAX_TURNS = (LARGEST_HAND + 1) * LARGEST_HAND
_MAX_DEPTH = 2 * LARGEST_HAND
_TABLE_BITS = 14  # more would not fit the processor's cache

SEARCH = np.dtype(
    [
        # What is fixed during a search, by player of the start.
        ("words", np.uint64, (2, _SUBSETS)),  # of his first palette with a subset added
        ("discards", np.int64, (2, 1 << N_COLOURS)),  # subset that makes a rule of a set of lanes
        ("lanes", np.int64, (2, LARGEST_HAND)),  # of the rule that a card makes, by place
        ("palettes", np.int64, (_SUBSETS,)),  # scratch, by subset
        # The line being searched, by depth.
        ("positions", np.int64, (_MAX_DEPTH,)),
        ("canvases", np.int64, (_MAX_DEPTH,)),
        ("turns", np.int64, (_MAX_DEPTH, _MAX_TURNS)),  # still to be searched
        ("n_turns", np.int64, (_MAX_DEPTH,)),
        ("tried", np.int64, (_MAX_DEPTH,)),  # the turn that leads to the next depth
        # The table, by hash of the position.
        ("keys", np.int64, (1 << _TABLE_BITS,)),
        ("facts", np.int64, (1 << _TABLE_BITS,)),
        ("nodes", np.int64),  # positions examined
    ],
    align=True,
)
"""Memory of a search, for one thread."""

_SUBSET = _SUBSETS - 1
_HAND_SHIFT = LARGEST_HAND
_RIVAL_SHIFT = 2 * LARGEST_HAND
_OWN_MASK = (1 << _RIVAL_SHIFT) - 1
_SIDE_SHIFT = 4 * LARGEST_HAND

# A turn still to be searched: what the mover has after it, the canvas, and how good it looks.
#
#     bit  0        12 13      25 26    28     29     30
#         +-----------+----------+--------+---------+-------+
#         |  palette  |   hand   | canvas | discard | score |     discard: 1 if it has one
#         +-----------+----------+--------+---------+-------+     score: the lowest is best
_CANVAS_SHIFT = _RIVAL_SHIFT
_DISCARD_FLAG = 1 << _CANVAS_SHIFT + 3
_SCORE_SHIFT = _CANVAS_SHIFT + 4

_ALL_LANES = (1 << N_COLOURS) - 1
_LOSSES_SHIFT = N_COLOURS
_NO_DISCARD_WINS = 1 << 2 * N_COLOURS

# What is known of a position: nothing, its value on one canvas, or that it is won on every canvas.
_UNKNOWN, _LOST, _WON, _WON_ANYWHERE = range(4)

# _COUNTS[lanes]: a one in byte k for every lane k of a set.
_COUNTS = np.array(
    [
        sum((lanes >> lane & 1) << 8 * lane for lane in range(N_COLOURS))
        for lanes in range(1 << N_COLOURS)
    ],
    dtype=np.int64,
)
_HASH = np.uint64(0x9E3779B97F4A7C15)
_HASH_SHIFT = np.uint64(64 - _TABLE_BITS)


@kernel
def _place(position):
    return np.int64(np.uint64(position) * _HASH >> _HASH_SHIFT)


@kernel
def _set_player(search, side, palette, hand, lane_of):
    """Write down what is fixed of a player: his words, his discards, his lanes."""
    words = search.words[side]
    lanes = search.lanes[side]
    discards = search.discards[side]
    palettes = search.palettes
    palettes[0] = palette
    words[0] = palette_word(palette)
    discards[:] = 0
    place = 0
    while hand:
        card = lowest(hand)
        lane = lane_of[COLOUR_OF[card]]
        lanes[place] = lane
        discards[1 << lane] |= 1 << place
        for subset in range(1 << place):
            palettes[1 << place | subset] = palettes[subset] | 1 << card
            words[1 << place | subset] = palette_word(palettes[1 << place | subset])
        hand = drop_lowest(hand)
        place += 1
    for won in range(1, 1 << N_COLOURS):
        discards[won] = discards[won & -won] | discards[drop_lowest(won)]


@kernel
def _count_replies(search, side, palette, hand, word):
    """Count the turns with which a player survives against a rival's word.

    Returns those with a discard, and as bytes by lane the plays alone on each canvas.
    """
    words = search.words[side]
    discards = search.discards[side]
    n_discards = popcount(discards[lanes_won(words[palette], word)] & hand)
    plays = 0
    rest = hand
    while rest:
        play = rest & -rest
        won = lanes_won(words[palette | play], word)
        n_discards += popcount(discards[won] & (hand ^ play))
        plays += _COUNTS[won]
        rest ^= play
    return n_discards, plays


@inlined
def _scored(palette, hand, canvas, flag, replies):
    return replies << _SCORE_SHIFT | flag | canvas << _CANVAS_SHIFT | hand << _HAND_SHIFT | palette


@kernel
def _list_turns(search, depth, discards_fail):
    """List the turns of the position at `depth` that must be searched.

    Returns what is known of the position without that. `discards_fail` says that no turn with a
    discard needs to be listed. Modifies `turns` and `n_turns`.
    """
    position = search.positions[depth]
    canvas = search.canvases[depth]
    side = position >> _SIDE_SHIFT
    palette = position & _SUBSET
    hand = position >> _HAND_SHIFT & _SUBSET
    rival_palette = position >> _RIVAL_SHIFT & _SUBSET
    rival_hand = position >> _RIVAL_SHIFT + _HAND_SHIFT & _SUBSET
    words = search.words[side]
    rival_word = search.words[1 - side, rival_palette]
    lanes = search.lanes[side]
    turns = search.turns[depth]
    n = 0
    plays = hand
    while True:
        play = plays & -plays  # 0, no play, comes last
        after = palette | play
        left = hand ^ play
        won = lanes_won(words[after], rival_word)
        cards = 0 if discards_fail else search.discards[side, won & ~(1 << canvas)] & left
        stays = play != 0 and won >> canvas & 1 != 0
        if cards or stays:
            n_discards, n_plays = _count_replies(
                search, 1 - side, rival_palette, rival_hand, words[after]
            )
            if stays:
                replies = 4 * (n_plays >> 8 * canvas & 0xFF) + n_discards
                if replies == 0:
                    return _WON
                if left:
                    turns[n] = _scored(after, left, canvas, 0, replies)
                    n += 1
            while cards:
                card = cards & -cards
                lane = lanes[lowest(card)]
                replies = 4 * (n_plays >> 8 * lane & 0xFF) + n_discards
                if replies == 0:
                    return _WON_ANYWHERE
                if left != card:
                    # A card less in hand is worth about a reply more.
                    turns[n] = _scored(after, left ^ card, lane, _DISCARD_FLAG, replies + 4)
                    n += 1
                cards ^= card
        if play == 0:
            break
        plays ^= play
    search.n_turns[depth] = n
    return _UNKNOWN if n else _LOST


@kernel
def _take_turn(search, depth):
    """Take the turn of the lowest score off the list at `depth`."""
    turns = search.turns[depth]
    last = search.n_turns[depth] - 1
    best = last
    for i in range(last):
        if turns[i] < turns[best]:
            best = i
    turn = turns[best]
    turns[best] = turns[last]
    search.n_turns[depth] = last
    return turn


@kernel
def _remember(search, depth, known):
    """Write down in the table what is known of the position at `depth`."""
    position = search.positions[depth]
    canvas = search.canvases[depth]
    place = _place(position)
    facts = search.facts[place] if search.keys[place] == position else 0
    if known == _WON_ANYWHERE:
        facts |= _ALL_LANES
    elif known == _WON:
        facts |= 1 << canvas
    else:
        facts |= 1 << _LOSSES_SHIFT + canvas | _NO_DISCARD_WINS
    search.keys[place] = position
    search.facts[place] = facts


@kernel
def _examine(search, depth):
    """Return what is known of the position at `depth`; where it is nothing, list its turns."""
    position = search.positions[depth]
    canvas = search.canvases[depth]
    place = _place(position)
    facts = search.facts[place] if search.keys[place] == position else 0
    if facts >> canvas & 1:
        return _WON
    if facts >> _LOSSES_SHIFT + canvas & 1:
        return _LOST
    search.nodes += 1
    known = _list_turns(search, depth, facts & _NO_DISCARD_WINS != 0)
    if known != _UNKNOWN:
        _remember(search, depth, known)
    return known


@kernel
def _descend(search, depth, turn):
    """Write down the position after a turn at `depth` as that of the next depth."""
    position = search.positions[depth]
    search.tried[depth] = turn
    search.positions[depth + 1] = (
        (position >> _RIVAL_SHIFT & _OWN_MASK)
        | (turn & _OWN_MASK) << _RIVAL_SHIFT
        | (position >> _SIDE_SHIFT ^ 1) << _SIDE_SHIFT
    )
    search.canvases[depth + 1] = turn >> _CANVAS_SHIFT & 7


@kernel
def _search(search):
    """Search the position at depth 0 and return whether its mover wins."""
    depth = 0
    known = _examine(search, 0)
    while True:
        if known == _UNKNOWN:
            _descend(search, depth, _take_turn(search, depth))
            depth += 1
            known = _examine(search, depth)
        elif depth == 0:
            return known != _LOST
        else:
            depth -= 1
            if known == _LOST:
                known = _WON_ANYWHERE if search.tried[depth] & _DISCARD_FLAG else _WON
            else:
                known = _UNKNOWN if search.n_turns[depth] else _LOST
            if known != _UNKNOWN:
                _remember(search, depth, known)


@kernel
def set_deal(search, palette, hand, rival_palette, rival_hand, lane_of):
    """Prepare a search of the positions that come of two palettes and two hands, the mover's first.

    All are sets of cards, hands of at most LARGEST_HAND; `lane_of` is int64 of 7, see
    `lanes_of_colours`. Modifies `search`, and forgets what it knows.
    """
    search.keys[:] = -1  # which no position has
    _set_player(search, 0, palette, hand, lane_of)
    _set_player(search, 1, rival_palette, rival_hand, lane_of)
    search.positions[0] = _all_places(hand) << _HAND_SHIFT | _all_places(rival_hand) << (
        _RIVAL_SHIFT + _HAND_SHIFT
    )


@inlined
def _all_places(hand):
    return (1 << popcount(hand)) - 1


@kernel
def wins_by(search, hand, canvas, lane_of, play, discard):
    """Return whether the mover of the deal that is set wins by a surviving turn.

    `hand` is his hand, `play` and `discard` are cards of it or NO_CARD, `canvas` is a colour rank,
    `lane_of` as for `set_deal`. What was found out is kept for the next turn of the same deal.
    """
    start = search.positions[0]
    places = _all_places(hand)
    palette = _place_of(hand, 1 << play & FULL)
    left = places ^ palette ^ _place_of(hand, 1 << discard & FULL)
    search.positions[0] = (
        start >> _RIVAL_SHIFT | (left << _HAND_SHIFT | palette) << _RIVAL_SHIFT | 1 << _SIDE_SHIFT
    )
    search.canvases[0] = lane_of[canvas_after(canvas, discard)]
    rival_wins = _search(search)
    search.positions[0] = start
    return not rival_wins


@inlined
def _place_of(hand, card):
    """Return the place of a card of a hand, as a subset; none for no card."""
    return np.int64(card != 0) << popcount(hand & (card - 1))


@kernel
def mover_wins(search, palette, hand, rival_palette, rival_hand, canvas, lane_of):
    """Return whether the player to move wins; `canvas` is a colour rank, see `set_deal`."""
    set_deal(search, palette, hand, rival_palette, rival_hand, lane_of)
    search.canvases[0] = lane_of[canvas]
    return _search(search)


WITHOUT_CHANCE: Final = {"actions": False, "draw": "never", "end": "round"}
"""The switches under which open hands leave nothing to chance."""


def require_solvable(ruleset: Ruleset) -> None:
    """Refuse (RulesetError) rules under which open hands leave something to chance."""
    for name, allowed in {"players": 2, **WITHOUT_CHANCE}.items():
        if (value := getattr(ruleset, name)) != allowed:
            raise RulesetError(
                f"{name}: {setting_text(value)} cannot be solved; "
                f"allowed: {setting_text(allowed)}, "
                "since perfect play needs two players and one round without actions and draws"
            )
