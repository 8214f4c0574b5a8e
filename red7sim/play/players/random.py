"""`random`: uniform over all surviving turns."""

from red7sim.game.turns import as_turn
from red7sim.jit.bits import nth, popcount
from red7sim.jit.rng import bounded
from red7sim.play.policy import Player


def choose(view, rules, own):
    """Return the turn whose number in the numbering of surviving turns is drawn uniformly."""
    number = bounded(view.word, view.choices)
    lane = 0
    size = popcount(view.lane_turns[0])
    while number >= size:
        number -= size
        lane += 1
        size = popcount(view.lane_turns[lane])
    return as_turn(view.lane_cards[lane], nth(number, view.lane_turns[lane]))


PLAYER = Player("random", "Chooses uniformly among all turns that survive.", choose)
