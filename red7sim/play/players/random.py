"""`random`: uniform over all surviving turns."""

from red7sim.game.lanes import turn_at
from red7sim.game.steps import FOLD_STEP, as_step
from red7sim.game.turns import as_turn
from red7sim.jit.bits import drop_lowest, lowest, nth, popcount
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


def choose_block(views, rules, owns, asked, n, turns):
    """Choose the same turns for a block of views: squares are in the order of the numbering."""
    for i in range(n):
        view = views[asked[i]]
        place = nth(bounded(view.word, view.choices), view.turn_bits)
        turns[asked[i]] = turn_at(view, place >> 3, place & 7)


def choose_step(view, steps, rules, own):
    """Return a step with the share of the surviving turns that stand behind it, so that complete
    turns are uniform; fold where none survives.
    """
    if steps.total == 0:
        return FOLD_STEP
    number = bounded(view.word, steps.total)
    kind = 0
    while number >= steps.totals[kind]:
        number -= steps.totals[kind]
        kind += 1
    cards = steps.legal[kind]
    card = lowest(cards)
    while number >= steps.counts[kind, card]:
        number -= steps.counts[kind, card]
        cards = drop_lowest(cards)
        card = lowest(cards)
    return as_step(kind, card)


PLAYER = Player(
    "random",
    "Chooses uniformly among all turns that survive.",
    choose,
    choose_step,
    choose_block,
    by_squares=True,
)
