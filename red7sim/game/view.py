"""What the player to move knows: one record, which is the public part of the game itself.

The engine keeps the public state of a game in a `VIEW` record and the hidden part (hands, deck)
elsewhere; before a decision it adds what the mover alone knows, so that nothing is copied and no
player can see more than the rules show. Players read it and must not write to it.

Sets of cards are int64 masks (`red7sim.game.cards`), players are table positions 0..3.
"""

import numpy as np

from red7sim.game.switches import MAX_PLAYERS
from red7sim.jit.vectors import padded

MAX_LANES = 16
"""Room for the largest possible hand (10 dealt, 3 extra) and the lane without a play."""

MAX_STACK = 16
"""Room for the cards put on the deck by actions. There are never more than 14: each was put there
by a 1 or a 7, and one of those can act again only after it has been drawn from the deck itself.
"""

# What changes in every turn of the vector engine comes first, on five cache lines.
VIEW = padded(
    [
        # --- surviving turns as squares of bits, for hands in lanes (red7sim.game.lanes)
        ("lane_keys", np.int16, (8, 8)),  # by rule, then by lane: short keys after the play
        ("slots", np.int16, (8,)),  # by rule, the slots whose discard leaves it on the canvas
        ("slot_cards", np.int16, (8,)),  # card of a lane, which is that of the slot too
        ("turn_bits", np.int64),  # surviving turns: byte by lane, bit by slot
        ("win_bits", np.int64),  # rules won: byte by lane, bit by rule
        ("choices", np.int64),  # number of surviving turns
        ("word", np.uint64),  # 64 random bits of this decision, the seed of all its chance
        # --- the round
        ("mover", np.int64),
        ("live", np.int64),  # players still in, as bits
        ("canvas", np.int64),  # colour rank of the canvas
        ("turn", np.int64),  # turns asked so far in this round
        ("deck_size", np.int64),
        ("players", np.int64),
        ("round_number", np.int64),
        ("start", np.int64),  # who acted first in this round
        ("palettes", np.int64, (MAX_PLAYERS,)),  # 0 for a player who is out
        ("rows", np.int64, (MAX_PLAYERS,)),  # numbers present in the palette, as bits
        ("keys", np.int64, (MAX_PLAYERS, 8)),  # red7sim.game.rules, by rule; 0 for a player out
        ("hand_sizes", np.int64, (MAX_PLAYERS,)),
        ("known_hands", np.int64, (MAX_PLAYERS,)),  # cards in hand that everybody knows of
        ("scores", np.int64, (MAX_PLAYERS,)),  # points, or rounds won where rounds win the game
        ("scored", np.int64, (MAX_PLAYERS,)),  # cards scored and out of the deck
        ("seen", np.int64),  # cards known out of play: canvas pile, scored, players who are out
        # Cards put on the deck that everybody has seen; the last one lies on top.
        ("stack_size", np.int64),
        ("stack", np.int64, (MAX_STACK,)),
        # --- what the mover alone knows, set before each decision
        ("hand", np.int64),
        # Restrictions of his own (red7sim.play.spec); without them all are 0.
        ("barred_plays", np.int64),  # cards that he may not play to the palette
        ("barred_discards", np.int64),  # cards that he may not discard to the canvas
        ("barred_actions", np.int64),  # cards whose action he may not perform
        # --- surviving turns by lanes (red7sim.game.turns)
        ("lanes", np.int64),  # number of lanes in use
        ("lane_cards", np.int64, (MAX_LANES,)),  # card played to the palette, or NO_CARD
        ("lane_wins", np.int64, (MAX_LANES,)),  # rules that the mover wins after it, as bits
        ("lane_turns", np.int64, (MAX_LANES,)),  # surviving discards, NO_CARD_FLAG for none
    ]
)

WIDE_FIELDS = ("keys", "lane_cards", "lane_wins", "lane_turns", "hand", "hand_sizes", "seen")
"""Fields that are not set for players who decide by squares (red7sim.play.policy)."""
