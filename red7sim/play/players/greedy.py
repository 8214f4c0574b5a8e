"""`greedy`: wins by as much as it can, now."""

from red7sim.game.cards import COLUMNS, FULL, N_COLOURS, NO_CARD
from red7sim.game.lanes import BARS, NO_DISCARD, NO_PLAY, turn_at
from red7sim.game.rules import COUNT_SHIFT
from red7sim.game.short_keys import COUNTS
from red7sim.game.steps import DISCARD, FOLD_STEP, N_KINDS, PLAY, as_step
from red7sim.game.turns import FOLD, as_turn, canvas_after, keys_after_play, rival_keys
from red7sim.jit.bits import drop_lowest, highest, lowest, popcount
from red7sim.jit.settings import inlined, kernel
from red7sim.jit.vectors import (
    extract,
    first_greatest,
    load,
    maximum,
    select,
    short_splat,
    shorts_from_bytes,
    spread,
)
from red7sim.play.policy import Player

NO_MARGIN = -(1 << 20)
"""Below every margin."""


@kernel
def margin(own_key, rival_key):
    """Return by how much a key wins: difference of counts, then of the highest cards' ids."""
    counts = (own_key >> COUNT_SHIFT) - (rival_key >> COUNT_SHIFT)
    return counts * 128 + highest(own_key & FULL) - highest(rival_key & FULL)


def choose(view, rules, own):
    """Return the turn with the largest margin to the best rival under the rule that it leaves;
    of several the one of fewer cards.
    """
    best = FOLD
    best_value = 0
    rivals = rival_keys(view)
    for lane in range(view.lanes):
        turns = view.lane_turns[lane]
        if turns:
            card = view.lane_cards[lane]
            keys = keys_after_play(view, card)
            while turns:
                discard = lowest(turns)
                turns = drop_lowest(turns)
                canvas = canvas_after(view.canvas, discard)
                rule = rules.rule_of[canvas]
                cards = 2 - (card == NO_CARD) - (discard == NO_CARD)
                value = margin(keys[rule], rivals[rule]) * 4 - cards
                if best == FOLD or value > best_value:
                    best_value = value
                    best = as_turn(card, discard)
    return best


def choose_block(views, rules, owns, asked, n, turns):
    """Choose the same turns for a block of views, all lanes of a view at once."""
    for i in range(n):
        view = views[asked[i]]
        surviving = shorts_from_bytes(view.turn_bits)
        slots = load(view.slots, 0)
        bars = load(view.lane_keys, BARS)
        no_play = shorts_from_bytes(1 << 8 * NO_PLAY)
        most = short_splat(0)
        best = short_splat(0)
        for rule in range(N_COLOURS):
            # Of the turns that leave the rule, the one without a discard is best, or else all are
            # equal; a card less counts less than a step of the margin.
            leave = surviving & spread(slots, rule)
            alone = leave & 1 << NO_DISCARD
            margin = wide(load(view.lane_keys, rule)) - wide(spread(bars, rule))
            value = (margin << 2) + (alone >> NO_DISCARD) + no_play
            value = select(leave == 0, 0, value)
            equal = select(alone == 0, leave, alone)
            equal = select(value == most, best | equal, equal)
            best = select(most > value, best, equal)
            most = maximum(most, value)
        lane = first_greatest(most)
        turns[asked[i]] = turn_at(view, lane, lowest(extract(best, lane)))


@inlined
def wide(key):
    """Return short keys with their counts doubled, so that a difference is a margin."""
    return key + (key & COUNTS)


@kernel
def best_margin(view, rules, hand, keys, rivals, won):
    """Return the largest margin with which a turn could end: under the present rule, or under that
    of a card of `hand`; NO_MARGIN where none is won.
    """
    best = NO_MARGIN
    for canvas in range(N_COLOURS):
        rule = rules.rule_of[canvas]
        if won >> rule & 1 and (canvas == view.canvas or hand & COLUMNS[canvas]):
            best = max(best, margin(keys[rule], rivals[rule]))
    return best


def choose_step(view, steps, rules, own):
    """Return the step with the largest margin that the turn could end with; of several the one of
    fewer cards. Actions of a 1 or 7 are chosen by the number of rules that they win.
    """
    best = FOLD_STEP
    best_value = 0
    rivals = rival_keys(view)
    for kind in range(N_KINDS):
        cards = steps.legal[kind]
        while cards:
            card = lowest(cards)
            cards = drop_lowest(cards)
            if steps.counts[kind, card] == 0:
                continue
            won = steps.wins[kind, card]
            value = popcount(won)
            if kind == PLAY:
                left = view.hand & ~(1 << card | view.barred_discards)
                keys = keys_after_play(view, card)
                value = best_margin(view, rules, left, keys, rivals, won) * 4 - 1
            elif kind == DISCARD:
                keys = keys_after_play(view, NO_CARD)
                canvas = canvas_after(view.canvas, card)
                rule = rules.rule_of[canvas]
                value = margin(keys[rule], rivals[rule]) * 4 - (card != NO_CARD)
            if best == FOLD_STEP or value > best_value:
                best_value = value
                best = as_step(kind, card)
    return best


PLAYER = Player(
    "greedy",
    "Wins by the largest margin under the rule that its turn leaves.",
    choose,
    choose_step,
    choose_block,
    rough_counts=True,
    by_squares=True,
    chance=False,
)
