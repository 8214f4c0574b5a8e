"""How many turns the next player would have after a turn of the mover.

His m hand cards are taken to be any m of the U cards that the mover does not see. With plays,
discards and pairs for the number of unseen cards, or ordered pairs of them, with which he would
survive by playing one, by discarding one, or by playing the first and discarding the second, he is
expected to have

    (plays + discards) * m / U + pairs * m * (m - 1) / (U * (U - 1))

surviving turns. The others are met with the palettes that they have.
"""

import numpy as np

from red7sim.game.cards import COLOUR_OF, N_COLOURS
from red7sim.game.contest import LANE_OF, palette_word, wins_by_lane, wins_in_lane
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.turns import canvas_after
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel
from red7sim.play.outlook import FREE_SCRATCH, RIVAL_WORDS, WORDS, place_of, unseen_cards

# Places in the scratch memory; the first three by place of the card played.
_PLAYS = FREE_SCRATCH  # plays by lane, as a sum of `wins_by_lane`
_DISCARDS = _PLAYS + 16
_PAIRS = _DISCARDS + 16
_OTHERS = _PAIRS + 16  # words of the palettes of the players after the next
FREE_AFTER_REPLIES = _OTHERS + MAX_PLAYERS - 2
"""Where scratch memory is free for those who need these counts."""


@kernel
def list_others(view, own):
    """Fill the words of the live players after the next one; return him, and their number."""
    replier = -1
    others = 0
    for i in range(1, view.players):
        player = (view.mover + i) % view.players
        if view.live >> player & 1:
            if replier < 0:
                replier = player
            else:
                own.scratch[_OTHERS + others] = np.int64(palette_word(view.palettes[player]))
                others += 1
    return replier, others


@kernel
def wins_over_all(own, word, mine, others):
    """Return the rules that a reply wins against everybody, as `wins_by_lane`; `mine` is the word
    of the mover's palette.
    """
    wins = wins_by_lane(word, mine)
    for i in range(others):
        wins &= wins_by_lane(word, np.uint64(own.scratch[_OTHERS + i]))
    return wins


@kernel
def count_replies(view, rules, own, unseen, replier, others, place):
    """Fill the counts of replies to turns that play the card at a place of the hand, or none."""
    scratch = own.scratch
    mine = np.uint64(scratch[WORDS + place])
    plays = np.uint64(0)
    pairs = 0
    state = RIVAL_WORDS  # the next player is the first rival there
    rest = unseen
    while rest:
        wins = wins_over_all(own, np.uint64(scratch[state]), mine, others)
        plays += wins
        # A card does not go with itself.
        pairs -= wins_in_lane(wins, LANE_OF[rules.rule_of[COLOUR_OF[lowest(rest)]]])
        rest = drop_lowest(rest)
        state += 1
    wins = wins_over_all(own, palette_word(view.palettes[replier]), mine, others)
    discards = 0
    for rule in range(N_COLOURS):
        lane = LANE_OF[rule]
        cards = popcount(unseen & rules.cards_of[1 << rule])
        discards += cards * wins_in_lane(wins, lane)
        pairs += cards * wins_in_lane(plays, lane)
    scratch[_PLAYS + place] = np.int64(plays)
    scratch[_DISCARDS + place] = discards
    scratch[_PAIRS + place] = pairs


@kernel
def expected_replies(view, rules, own, card, discard):
    """Return the expected number of replies to a turn."""
    unseen = popcount(unseen_cards(view))
    if unseen == 0:
        return 0.0
    canvas = canvas_after(view.canvas, discard)
    place = place_of(view, card)
    lane = LANE_OF[rules.rule_of[canvas]]
    singles = wins_in_lane(np.uint64(own.scratch[_PLAYS + place]), lane)
    singles += own.scratch[_DISCARDS + place]
    held = view.hand_sizes[list_others(view, own)[0]]
    replies = singles * held / unseen
    if unseen > 1:
        pairs = own.scratch[_PAIRS + place]
        replies += pairs * (held * (held - 1)) / (unseen * (unseen - 1))
    return replies


@kernel
def look_at_replies(view, rules, own, unseen):
    """Fill the tables for all turns of the mover; those of `look_ahead` must be filled, with the
    same unseen cards.
    """
    replier, others = list_others(view, own)
    for place in range(popcount(view.hand) + 1):
        count_replies(view, rules, own, unseen, replier, others, place)
