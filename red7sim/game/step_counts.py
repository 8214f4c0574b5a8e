"""How many surviving turns stand behind a step of a turn under the Action rule.

A turn up to a draw (of a 3, or after a 7's discard) counts once, since nobody knows yet how it goes
on. Turns that are barred to the mover (see the VIEW record) do not count. Different orders of
several 5s are different turns. The counts run over the subsets of the 5s in hand: behind a subset
stand the turns that have played it, in any order, and go on.

Where rough counts are enough, a count may stop as soon as it is above 0.
"""

from red7sim.game.cards import COLOUR_OF, NO_CARD, NO_CARD_FLAG, ROW_OF, ROWS
from red7sim.game.rules import keys_with, palette_keys, rules_won
from red7sim.game.steps import FIVES, ONES, PLAY, SEVENS, THREES
from red7sim.game.switches import NO_VALID_SEVEN, ONE_TARGETS
from red7sim.game.turns import own_keys, rival_keys
from red7sim.game.winning import lines_won, won_without
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import inlined, kernel

NOT_FEWER_THAN_ME = ONE_TARGETS.index("not_fewer_than_me")
ILLEGAL = NO_VALID_SEVEN.index("illegal")
FIRST_FIVE = lowest(FIVES)
N_ROWS = len(ROWS)


@kernel
def best_of_others(view, owner):
    """Return, rule by rule, the best key among the players who are neither mover nor `owner`."""
    keys = view.keys
    best = (0, 0, 0, 0, 0, 0, 0)
    for player in range(view.players):
        if player not in (view.mover, owner):
            best = (
                max(best[0], keys[player, 0]),
                max(best[1], keys[player, 1]),
                max(best[2], keys[player, 2]),
                max(best[3], keys[player, 3]),
                max(best[4], keys[player, 4]),
                max(best[5], keys[player, 5]),
                max(best[6], keys[player, 6]),
            )
    return best


@kernel
def list_targets(view, rules, steps):
    """List every card that a 1 might take in this turn, with the best rival keys once it is gone.

    A player's only palette card can never be taken.
    """
    i = 0
    least = 2
    if rules.one_target == NOT_FEWER_THAN_ME:
        least = max(least, popcount(view.palettes[view.mover]) + 1)
    steps.largest_target = 0
    for owner in range(view.players):
        palette = view.palettes[owner]
        size = popcount(palette)
        if owner == view.mover or size < least:
            continue
        steps.largest_target = max(steps.largest_target, size)
        others = best_of_others(view, owner)
        rest = palette
        while rest:
            card = lowest(rest)
            keys = palette_keys(palette ^ (1 << card))
            best = steps.target_keys
            best[i, 0] = max(keys[0], others[0])
            best[i, 1] = max(keys[1], others[1])
            best[i, 2] = max(keys[2], others[2])
            best[i, 3] = max(keys[3], others[3])
            best[i, 4] = max(keys[4], others[4])
            best[i, 5] = max(keys[5], others[5])
            best[i, 6] = max(keys[6], others[6])
            steps.target_cards[i] = card
            steps.target_sizes[i] = size
            i += 1
            rest = drop_lowest(rest)
    steps.targets = i


@inlined
def may_take(rules, steps, target, own_size):
    """Tell whether a 1 may take a listed target, its player's palette counting `own_size`."""
    return rules.one_target != NOT_FEWER_THAN_ME or steps.target_sizes[target] >= own_size


@kernel
def has_target(rules, steps, own_size):
    """Tell whether a 1 just played to a palette of `own_size` cards can act."""
    least = own_size if rules.one_target == NOT_FEWER_THAN_ME else 2
    return steps.largest_target >= least


@kernel
def keys_without_target(steps, target):
    """Return the best rival keys once a listed target is gone, as a tuple."""
    keys = steps.target_keys
    return (
        keys[target, 0],
        keys[target, 1],
        keys[target, 2],
        keys[target, 3],
        keys[target, 4],
        keys[target, 5],
        keys[target, 6],
    )


@inlined
def endings(rules, canvas, hand, won):
    """Return the ways to end a turn alive, as a set: those cards of `hand`, which holds what may be
    discarded, whose rules are in `won`, and NO_CARD_FLAG where the canvas's rule is.
    """
    return (hand | NO_CARD_FLAG) & rules.ends_of[canvas, won]


@inlined
def first_drawing_row(view, rules, size):
    """Return the lowest row of which a 7's discard earns a draw, `size` cards being left in the
    palette; it may lie outside 0 .. 6.
    """
    if rules.draw and rules.draw_on_seven and view.deck_size > 0:
        return size + rules.draw_offset
    return N_ROWS


@inlined
def first_open_row(view, rules, size):
    """Return the lowest row of which a 7's discard counts once: the turn ends with it, or goes on
    as nobody knows yet.
    """
    return first_drawing_row(view, rules, size) if rules.discard_after_seven else 0


@inlined
def count_to_canvas(rules, hand, card, open_row, won):
    """Return the surviving turns behind a 7's discard of `card`, after which the mover wins the
    rules in `won`: 0 unless that of the card is among them.
    """
    ends = endings(rules, COLOUR_OF[card], hand, won)
    return (ends >> NO_CARD) * (1 if ROW_OF[card] >= open_row else popcount(ends))


@inlined
def count_moves(view, rules, rough, hand, palette, rows, blue, seven, rivals):
    """Return the surviving turns behind a 7 just played, and whether it can act at all.

    `palette`, `rows` and the `blue` key are those with the 7; `hand` holds what may be discarded
    then. A 7 can act by the rules, also where all that it could do is barred to the mover.
    """
    lines = lines_won(palette, rivals)
    open_row = first_open_row(view, rules, popcount(palette) - 1)
    total = 0
    can_act = rules.seven_to_deck != 0
    rest = palette if rules.seven_may_move_itself else palette ^ (1 << seven)
    while rest and not (total and rough):
        moved = lowest(rest)
        won = won_without(palette, rows, blue, lines, rivals, moved)
        to_canvas = count_to_canvas(rules, hand, moved, open_row, won)
        total += 0 if view.barred_discards >> moved & 1 else to_canvas
        can_act |= to_canvas > 0
        if rules.seven_to_deck:
            total += popcount(endings(rules, view.canvas, hand, won))
        rest = drop_lowest(rest)
    return total, can_act


@inlined
def count_takes(view, rules, steps, hand, size, keys):
    """Return the surviving turns behind a 1 just played that takes a card.

    `size` and `keys` are those of the palette with the 1; `hand` holds what may be discarded.
    """
    total = 0
    for target in range(steps.targets):
        won = rules_won(keys, keys_without_target(steps, target))
        count = popcount(endings(rules, view.canvas, hand, won))
        total += count if may_take(rules, steps, target, size) else 0
        if total and steps.rough_counts:
            break
    return total


@kernel
def count_chain(view, rules, steps, rivals, fives, chain):
    """Return the surviving turns behind the 5s of `chain`, all of them played, and the rules won
    then. `fives` are all 5s that may be played.

    The counts of longer chains must be known. Fills what is kept of the plays that go on.
    """
    mover = view.mover
    palette = view.palettes[mover] | chain
    rows = view.rows[mover]
    keys = own_keys(view, mover)
    if chain:
        rows |= 1 << ROW_OF[lowest(chain)]
        keys = palette_keys(palette)
    won_before = rules_won(keys, rivals)
    canvas = view.canvas
    hand = view.hand ^ chain
    if not hand:
        return popcount(endings(rules, canvas, 0, won_before)), won_before
    if chain & view.barred_actions:
        return 0, won_before
    discards = hand & ~view.barred_discards
    size = popcount(palette) + 1
    ones = ONES if has_target(rules, steps, size) else 0
    gambles = THREES if view.deck_size > 0 else 0
    total = 0
    legal = 0
    rest = fives ^ chain
    while rest:
        card = lowest(rest)
        count = steps.chains[(chain | 1 << card) >> FIRST_FIVE]
        total += count
        legal |= (count > 0) << card
        rest = drop_lowest(rest)
    rough = chain and steps.rough_counts  # each play of a turn's own start is looked at
    rest = hand & ~(FIVES | view.barred_plays)
    while rest and not (total and rough):
        card = lowest(rest)
        played = 1 << card
        left = discards & ~played
        after = keys_with(palette, rows, keys[2], keys[4], keys[5], card)
        won = rules_won(after, rivals)
        count = popcount(endings(rules, canvas, left, won))
        acts = played & (ones | gambles) != 0
        if played & gambles:
            count = 1  # up to the draw
        if played & ones:
            count = count_takes(view, rules, steps, left, size, after)
        elif played & SEVENS:
            moves, acts = 0, rules.seven_to_deck != 0
            # What is not won now is not won with a card less.
            if won:
                moves, acts = count_moves(
                    view,
                    rules,
                    steps.rough_counts,
                    left,
                    palette | played,
                    rows | 1 << ROW_OF[card],
                    after[2],
                    card,
                    rivals,
                )
            if acts:
                count = moves
            elif rules.seven_no_valid == ILLEGAL:
                count = 0
        if acts and view.barred_actions & played:
            count = 0
        total += count
        legal |= (count > 0) << card
        steps.counts[PLAY, card] = count
        steps.wins[PLAY, card] = won
        rest = drop_lowest(rest)
    steps.legal[PLAY] = legal
    steps.totals[PLAY] = total
    return total, won_before


@kernel
def count_plays(view, rules, steps):
    """Fill the legal plays and what stands behind them, and return the rules won before them; the
    targets of 1s must be listed.

    Chains are done in descending order, so that behind each one the longer ones are known, and what
    is kept in the end is what goes on from no chain at all.
    """
    rivals = rival_keys(view)
    fives = view.hand & FIVES & ~view.barred_plays
    chain = fives
    while True:
        count, won = count_chain(view, rules, steps, rivals, fives, chain)
        if not chain:
            return won
        card = lowest(chain)
        steps.chains[chain >> FIRST_FIVE] = count
        steps.counts[PLAY, card] = count
        steps.wins[PLAY, card] = won
        chain = chain - 1 & fives
