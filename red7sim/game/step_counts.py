"""How many surviving turns stand behind a step of a turn under the Action rule.

A turn up to a draw (of a 3, or after a 7's discard) counts once, since nobody knows yet how it goes
on. Turns that are barred to the mover (see the VIEW record) do not count. Different orders of
several 5s are different turns. The counts run over the subsets of the 5s in hand: behind a subset
stand the turns that have played it, in any order, and go on.
"""

from red7sim.game.cards import COLOUR_OF, ROW_OF
from red7sim.game.rules import keys_with, keys_without, rules_won
from red7sim.game.ruleset import NO_VALID_SEVEN, ONE_TARGETS
from red7sim.game.steps import FIVES, ONES, PLAY, SEVENS, THREES
from red7sim.game.turns import keys_after_play, own_keys, rival_keys
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import inlined, kernel

NOT_FEWER_THAN_ME = ONE_TARGETS.index("not_fewer_than_me")
ILLEGAL = NO_VALID_SEVEN.index("illegal")


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
        own = own_keys(view, owner)
        rest = palette
        while rest:
            card = lowest(rest)
            keys = keys_without(palette, view.rows[owner], own, card)
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
    """Return how many ways there are to end a turn alive: stopping, or one discard from `hand`,
    the cards that may be discarded.
    """
    return popcount(hand & rules.cards_of[won]) + (won >> rules.rule_of[canvas] & 1)


@kernel
def draws_after_seven(view, rules, card, size):
    """Tell whether a 7's discard of `card` earns a draw, `size` cards being left in the palette."""
    return (
        rules.draw
        and rules.draw_on_seven
        and view.deck_size > 0
        and ROW_OF[card] + 1 > size + rules.draw_offset
    )


@kernel
def count_to_canvas(view, rules, hand, palette, card, won):
    """Return the surviving turns behind a 7's discard of `card`, which leaves `palette`.

    0 unless the mover is winning the card's rule at once.
    """
    canvas = COLOUR_OF[card]
    if not won >> rules.rule_of[canvas] & 1:
        return 0
    if draws_after_seven(view, rules, card, popcount(palette)) or not rules.discard_after_seven:
        return 1
    return endings(rules, canvas, hand, won)


@kernel
def count_moves(view, rules, hand, palette, rows, keys, seven, rivals):
    """Return the surviving turns behind a 7 just played, and whether it can act at all.

    `palette`, `rows` and `keys` are those with the 7; `hand` holds what may be discarded then. A 7
    can act by the rules, also where all that it could do is barred to the mover.
    """
    total = 0
    can_act = rules.seven_to_deck != 0
    rest = palette if rules.seven_may_move_itself else palette ^ (1 << seven)
    while rest:
        card = lowest(rest)
        left = palette ^ (1 << card)
        won = rules_won(keys_without(palette, rows, keys, card), rivals)
        to_canvas = count_to_canvas(view, rules, hand, left, card, won)
        if not view.barred_discards >> card & 1:
            total += to_canvas
        can_act |= to_canvas > 0
        if rules.seven_to_deck:
            total += endings(rules, view.canvas, hand, won)
        rest = drop_lowest(rest)
    return total, can_act


@kernel
def count_action(view, rules, steps, palette, rows, hand, card, keys, won, rivals):
    """Return the surviving turns behind playing `card`, a 1 or a 7.

    `palette`, `rows` and `keys` are those after the play, `won` the rules won then; `hand` holds
    what may be discarded.
    """
    barred = view.barred_actions >> card & 1
    if 1 << card & ONES:
        size = popcount(palette)
        if has_target(rules, steps, size):
            if barred:
                return 0
            total = 0
            for target in range(steps.targets):
                if may_take(rules, steps, target, size):
                    more = rules_won(keys, keys_without_target(steps, target))
                    total += endings(rules, view.canvas, hand, more)
            return total
    else:
        moves, can_act = count_moves(view, rules, hand, palette, rows, keys, card, rivals)
        if can_act:
            return 0 if barred else moves
        if rules.seven_no_valid == ILLEGAL:
            return 0
    return endings(rules, view.canvas, hand, won)


@kernel
def subset_of(cards, bits):
    """Return the subset of `cards` whose n-th member (ascending) is in it if bit n is set."""
    subset = 0
    while bits:
        if bits & 1:
            subset |= cards & -cards
        cards = drop_lowest(cards)
        bits >>= 1
    return subset


@kernel
def count_plays(view, rules, steps):
    """Fill the counts of all plays; the targets of 1s must be listed.

    Subsets of the 5s in hand are done in descending order, so that behind each subset the larger
    ones are known. Only the empty subset's plays are steps of the present moment.
    """
    mover = view.mover
    rivals = rival_keys(view)
    all_fives = view.hand & FIVES & ~view.barred_plays
    n_fives = popcount(all_fives)
    for bits in range((1 << n_fives) - 1, -1, -1):
        palette = view.palettes[mover]
        rows = view.rows[mover]
        keys = own_keys(view, mover)
        fives = subset_of(all_fives, bits)
        hand = view.hand ^ fives
        while fives:
            card = lowest(fives)
            keys = keys_with(palette, rows, keys[2], keys[4], keys[5], card)
            palette |= 1 << card
            rows |= 1 << ROW_OF[card]
            fives = drop_lowest(fives)
        if not hand:
            steps.chains[bits] = rules_won(keys, rivals) >> rules.rule_of[view.canvas] & 1
            continue
        if bits and view.barred_actions & FIVES:
            steps.chains[bits] = 0
            continue
        total = 0
        rest = hand & ~(FIVES | view.barred_plays)
        while rest:
            card = lowest(rest)
            after = keys_with(palette, rows, keys[2], keys[4], keys[5], card)
            won = rules_won(after, rivals)
            left = hand & ~(1 << card | view.barred_discards)
            if 1 << card & (ONES | SEVENS):
                count = count_action(
                    view,
                    rules,
                    steps,
                    palette | 1 << card,
                    rows | 1 << ROW_OF[card],
                    left,
                    card,
                    after,
                    won,
                    rivals,
                )
            elif 1 << card & THREES and view.deck_size > 0:
                count = 1 - (view.barred_actions >> card & 1)  # up to the draw
            else:
                count = endings(rules, view.canvas, left, won)
            total += count
            if not bits:
                steps.counts[PLAY, card] = count
                steps.wins[PLAY, card] = won
            rest = drop_lowest(rest)
        for i in range(n_fives):
            if not bits >> i & 1:
                total += steps.chains[bits | 1 << i]
        steps.chains[bits] = total
    count_fives(view, steps, all_fives, rivals)


@kernel
def count_fives(view, steps, fives, rivals):
    """Fill the counts of the plays of 5s from the chains that begin with them."""
    first = 1
    while fives:
        card = lowest(fives)
        steps.counts[PLAY, card] = steps.chains[first]
        steps.wins[PLAY, card] = rules_won(keys_after_play(view, card), rivals)
        first <<= 1
        fives = drop_lowest(fives)
