"""How many surviving turns stand behind a step of a turn under the Action rule.

A turn up to a draw (of a 3, or after a 7's discard) counts once, since nobody knows yet how it goes
on. Different orders of several 5s are different turns. The counts run over the subsets of the 5s in
hand: behind a subset stand the turns that have played it, in any order, and go on.
"""

from red7sim.game.cards import COLOUR_OF, ROW_OF
from red7sim.game.rules import keys_with, occupied_rows, palette_keys, rules_won
from red7sim.game.ruleset import NO_VALID_SEVEN, ONE_TARGETS
from red7sim.game.steps import FIVES, ONES, PLAY, SEVENS, THREES
from red7sim.game.turns import own_keys, rival_keys
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel

NOT_FEWER_THAN_ME = ONE_TARGETS.index("not_fewer_than_me")
ILLEGAL = NO_VALID_SEVEN.index("illegal")


@kernel
def list_targets(view, steps):
    """List every card that a 1 might take, with the best rival keys once it is gone.

    A player's only palette card can never be taken.
    """
    mover = view.mover
    steps.targets = 0
    for owner in range(view.players):
        palette = view.palettes[owner]
        size = popcount(palette)
        if owner == mover or size < 2:
            continue
        rest = palette
        while rest:
            card = lowest(rest)
            i = steps.targets
            keys = palette_keys(palette ^ (1 << card))
            for rule in range(7):
                best = keys[rule]
                for player in range(view.players):
                    if player not in (mover, owner):
                        best = max(best, view.keys[player, rule])
                steps.target_keys[i, rule] = best
            steps.target_cards[i] = card
            steps.target_sizes[i] = size
            steps.targets = i + 1
            rest = drop_lowest(rest)


@kernel
def may_take(rules, steps, target, own_size):
    """Tell whether a 1 may take a listed target, its player's palette counting `own_size`."""
    return rules.one_target != NOT_FEWER_THAN_ME or steps.target_sizes[target] >= own_size


@kernel
def has_target(rules, steps, own_size):
    """Tell whether a 1 just played to a palette of `own_size` cards can act."""
    for target in range(steps.targets):
        if may_take(rules, steps, target, own_size):
            return True
    return False


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


@kernel
def endings(rules, canvas, hand, won):
    """Return how many ways there are to end a turn alive: stopping, or one discard from `hand`."""
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
def count_moves(view, rules, hand, palette, seven, rivals):
    """Return the surviving turns behind a 7 just played, and whether it can act at all.

    `palette` holds the 7; `hand` does not.
    """
    total = 0
    can_act = rules.seven_to_deck != 0
    rest = palette if rules.seven_may_move_itself else palette ^ (1 << seven)
    while rest:
        card = lowest(rest)
        left = palette ^ (1 << card)
        won = rules_won(palette_keys(left), rivals)
        to_canvas = count_to_canvas(view, rules, hand, left, card, won)
        total += to_canvas
        can_act |= to_canvas > 0
        if rules.seven_to_deck:
            total += endings(rules, view.canvas, hand, won)
        rest = drop_lowest(rest)
    return total, can_act


@kernel
def count_play(view, rules, steps, palette, hand, card, keys, rivals):
    """Return the surviving turns behind playing `card`, which is no 5.

    `palette` and `hand` are those after the play, `keys` the palette's.
    """
    won = rules_won(keys, rivals)
    here = endings(rules, view.canvas, hand, won)
    played = 1 << card
    if played & ONES:
        size = popcount(palette)
        if has_target(rules, steps, size):
            here = 0
            for target in range(steps.targets):
                if may_take(rules, steps, target, size):
                    won = rules_won(keys, keys_without_target(steps, target))
                    here += endings(rules, view.canvas, hand, won)
    elif played & THREES:
        if view.deck_size > 0:
            here = 1
    elif played & SEVENS:
        moves, can_act = count_moves(view, rules, hand, palette, card, rivals)
        if can_act:
            here = moves
        elif rules.seven_no_valid == ILLEGAL:
            here = 0
    return here


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
    all_fives = view.hand & FIVES
    n_fives = popcount(all_fives)
    last = (1 << n_fives) - 1
    for bits in range(last, -1, -1):
        fives = subset_of(all_fives, bits)
        palette = view.palettes[mover] | fives
        hand = view.hand ^ fives
        if fives:
            rows = occupied_rows(palette)
            keys = palette_keys(palette)
        else:
            rows = view.rows[mover]
            keys = own_keys(view, mover)
        total = 0
        rest = hand & ~FIVES
        while rest:
            card = lowest(rest)
            after = keys_with(palette, rows, keys[2], keys[4], keys[5], card)
            left = hand ^ (1 << card)
            count = count_play(view, rules, steps, palette | 1 << card, left, card, after, rivals)
            total += count
            if not bits:
                steps.counts[PLAY, card] = count
                steps.wins[PLAY, card] = rules_won(after, rivals)
            rest = drop_lowest(rest)
        for i in range(n_fives):
            if not bits >> i & 1:
                total += steps.chains[bits | 1 << i]
        if not hand:
            total = rules_won(keys, rivals) >> rules.rule_of[view.canvas] & 1
        steps.chains[bits] = total
    for i in range(n_fives):
        card = lowest(subset_of(all_fives, 1 << i))
        after = keys_with(
            view.palettes[mover],
            view.rows[mover],
            view.keys[mover, 2],
            view.keys[mover, 4],
            view.keys[mover, 5],
            card,
        )
        steps.counts[PLAY, card] = steps.chains[1 << i]
        steps.wins[PLAY, card] = rules_won(after, rivals)
