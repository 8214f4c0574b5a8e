"""The legal steps at each stage of a turn under the Action rule."""

from red7sim.game.cards import BLUE, N_CARDS, NO_CARD, NO_CARD_FLAG
from red7sim.game.rules import rules_won
from red7sim.game.step_counts import (
    count_plays,
    count_to_canvas,
    endings,
    first_open_row,
    has_target,
    keys_without_target,
    list_targets,
    may_take,
)
from red7sim.game.steps import (
    DISCARD,
    FIVES,
    N_KINDS,
    ONES,
    PLAY,
    SEVENS,
    STAGE_AFTER_TAKE,
    STAGE_CHAIN,
    STAGE_END,
    STAGE_FREE,
    STAGE_MOVE,
    STAGE_STOP,
    STAGE_TAKE,
    TAKE,
    TO_CANVAS,
    TO_DECK,
)
from red7sim.game.turns import own_keys, rival_keys
from red7sim.game.winning import lines_won, won_without
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel


@kernel
def find_plays(view, rules, steps):
    """Fill the legal plays of a turn's start or of a chain; return the rules won before them.

    The targets of 1s must be listed.
    """
    won = count_plays(view, rules, steps)
    if rules.allow_losing_one:
        free = view.hand & ~(view.barred_plays | view.barred_actions)
        size = popcount(view.palettes[view.mover])
        if free & ONES and has_target(rules, steps, size + 1):
            steps.legal[PLAY] |= free & ONES
        if free & ONES and has_target(rules, steps, size + 2):
            steps.legal[PLAY] |= free & FIVES
    return won


@kernel
def find_ends(view, rules, steps, hand, won, may_stop):
    """Fill the legal ends of a turn in which the mover is winning the rules in `won`: a surviving
    discard from `hand` or, where he may, stopping as winner.
    """
    legal = endings(rules, view.canvas, hand & ~view.barred_discards, won)
    if not may_stop:
        legal &= hand
    steps.legal[DISCARD] = legal
    steps.totals[DISCARD] = popcount(legal)
    # Filling all cells takes fewer instructions than finding the legal ones.
    for card in range(N_CARDS + 1):
        steps.counts[DISCARD, card] = 1
        steps.wins[DISCARD, card] = won


@kernel
def allow_losing_stop(steps):
    """Make it legal to end the turn without winning, after a losing 1."""
    if not steps.legal[DISCARD] & NO_CARD_FLAG:
        steps.legal[DISCARD] |= NO_CARD_FLAG
        steps.counts[DISCARD, NO_CARD] = 0
        steps.wins[DISCARD, NO_CARD] = 0


@kernel
def find_takes(view, rules, steps):
    """Fill the legal takes of the 1 that the mover has just played; its targets are still listed
    from the stage before.
    """
    keys = own_keys(view, view.mover)
    size = popcount(view.palettes[view.mover])
    discards = view.hand & ~view.barred_discards
    for target in range(steps.targets):
        if may_take(rules, steps, target, size):
            card = steps.target_cards[target]
            won = rules_won(keys, keys_without_target(steps, target))
            count = popcount(endings(rules, view.canvas, discards, won))
            losing = not won >> rules.rule_of[view.canvas] & 1
            if count or (losing and rules.allow_losing_one):
                steps.legal[TAKE] |= 1 << card
                steps.totals[TAKE] += count
                steps.counts[TAKE, card] = count
                steps.wins[TAKE, card] = won


@kernel
def find_moves(view, rules, steps, seven):
    """Fill the legal moves of the 7 that the mover has just played."""
    mover = view.mover
    palette = view.palettes[mover]
    rows = view.rows[mover]
    blue = view.keys[mover, BLUE]
    rivals = rival_keys(view)
    lines = lines_won(palette, rivals)
    discards = view.hand & ~view.barred_discards
    open_row = first_open_row(view, rules, popcount(palette) - 1)
    rest = palette if rules.seven_may_move_itself else palette ^ (1 << seven)
    while rest:
        card = lowest(rest)
        won = won_without(palette, rows, blue, lines, rivals, card)
        count = count_to_canvas(rules, discards, card, open_row, won)
        if count and not view.barred_discards >> card & 1:
            steps.legal[TO_CANVAS] |= 1 << card
            steps.totals[TO_CANVAS] += count
            steps.counts[TO_CANVAS, card] = count
            steps.wins[TO_CANVAS, card] = won
        if rules.seven_to_deck:
            count = popcount(endings(rules, view.canvas, discards, won))
            if count:
                steps.legal[TO_DECK] |= 1 << card
                steps.totals[TO_DECK] += count
                steps.counts[TO_DECK, card] = count
                steps.wins[TO_DECK, card] = won
        rest = drop_lowest(rest)


@kernel
def find_steps(view, rules, steps, stage, acting, won):
    """Fill the legal steps of a stage of the mover's turn, and return how many there are.

    `acting` is the 7 just played, of use in the stage MOVE; where nothing can act in TAKE or MOVE,
    the stage becomes END. `won` is the set of rules that the mover is winning, of use
    in the stages after those.
    """
    for kind in range(N_KINDS):
        steps.legal[kind] = 0
        steps.totals[kind] = 0
    if stage == STAGE_TAKE:
        find_takes(view, rules, steps)
        if not steps.legal[TAKE]:
            stage = STAGE_END
    elif stage == STAGE_MOVE:
        find_moves(view, rules, steps, acting)
        if not steps.legal[TO_CANVAS] | steps.legal[TO_DECK]:
            stage = STAGE_END
    elif stage == STAGE_CHAIN:
        # What a 1 might take has been listed at the start of the turn.
        won = find_plays(view, rules, steps)
    elif stage == STAGE_FREE:
        steps.targets = 0
        steps.largest_target = 0
        if view.hand & ONES:
            list_targets(view, rules, steps)
        won = find_plays(view, rules, steps)
        # Doing nothing is no turn, even for a mover who is already winning.
        find_ends(view, rules, steps, view.hand, won, False)
    if stage in (STAGE_END, STAGE_AFTER_TAKE):
        find_ends(view, rules, steps, view.hand, won, True)
    elif stage == STAGE_STOP:
        find_ends(view, rules, steps, 0, won, True)
    if stage == STAGE_AFTER_TAKE and rules.allow_losing_one:
        allow_losing_stop(steps)
    steps.stage = stage
    steps.total = 0
    choices = 0
    for kind in range(N_KINDS):
        steps.total += steps.totals[kind]
        choices += popcount(steps.legal[kind])
    return choices


@kernel
def stage_after_play(view, card):
    """Return the stage that follows a play, already made; a 3's draw comes before it."""
    played = 1 << card
    if played & FIVES and view.hand:
        return STAGE_CHAIN
    if played & ONES:
        return STAGE_TAKE
    if played & SEVENS:
        return STAGE_MOVE
    return STAGE_END
