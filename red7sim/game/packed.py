"""Rulesets as kernels read them: the RULES record."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import COLOURS, COLUMNS, N_CARDS, N_COLOURS
from red7sim.game.switches import (
    CHOICES,
    END_KINDS,
    MAX_PLAYERS,
    SCORE_CHOICES,
    START_RULES,
    SWITCHES,
)

END_ROUND, END_POINTS, END_WINS = map(END_KINDS.index, ("round", "points", "wins"))
START_LEFT_OF_HIGHEST, START_LOWEST = map(START_RULES.index, ("left_of_highest", "lowest_card"))
SCORE_RICHEST = SCORE_CHOICES.index("max_points")
FIRST_CANVAS_DEALT = CHOICES["first_canvas"].index("dealt")
NOT_FORCED = -1

RULES: Final = np.dtype(
    [
        ("players", np.int64),
        ("draw", np.int64),
        ("draw_offset", np.int64),
        ("score_choice", np.int64),  # index into SCORE_CHOICES
        ("round_minimum", np.int64),
        ("end", np.int64),  # index into END_KINDS
        ("target", np.int64),  # points or rounds to win
        ("start", np.int64),  # index into START_RULES
        ("first_start", np.int64),  # position forced to start the first round, or NOT_FORCED
        ("first_canvas", np.int64),  # colour rank, or FIRST_CANVAS_DEALT
        ("hand_size", np.int64),
        ("palette_size", np.int64),
        ("cards_needed", np.int64),  # by one deal
        ("actions", np.int64),
        ("seven_to_deck", np.int64),
        ("seven_may_move_itself", np.int64),
        ("one_target", np.int64),  # index into ONE_TARGETS
        ("allow_losing_one", np.int64),
        ("seven_no_valid", np.int64),  # index into NO_VALID_SEVEN
        ("discard_after_seven", np.int64),
        ("draw_on_seven", np.int64),
        ("start_bonus", np.int64, (MAX_PLAYERS,)),  # by turn order
        ("rule_of", np.int64, (N_COLOURS,)),  # rule that a canvas colour stands for, by rank
        ("cards_of", np.int64, (1 << N_COLOURS,)),  # cards whose colour's rule is in a set of rules
        # By canvas and set of rules won, the discards that end a turn alive; NO_CARD_FLAG for none.
        ("ends_of", np.int64, (N_COLOURS, 1 << N_COLOURS)),
        # For hands in lanes (red7sim.game.lanes):
        ("marks", np.int16, (N_COLOURS, 8)),  # by canvas and rule
        ("column_rules", np.int16, (8,)),  # rule of a colour, 7 of none
    ],
    align=True,
)
"""A ruleset as kernels read it: one record; yes/no switches are 1/0."""


def pack(ruleset: Any) -> NDArray[np.void]:
    """Return a Ruleset (red7sim.game.ruleset) as an array of one RULES record, read-only."""
    values = {switch.name: getattr(ruleset, switch.name) for switch in SWITCHES}
    numbers = [name for name, value in values.items() if isinstance(value, int)]  # or yes, no
    packed = np.zeros(1, RULES).view(np.recarray)
    rules = packed[0]
    for name in (*numbers, "players", "cards_needed"):
        rules[name] = getattr(ruleset, name)
    for name in ("score_choice", "start", "first_canvas", "one_target", "seven_no_valid"):
        rules[name] = CHOICES[name].index(getattr(ruleset, name))
    rules.draw = ruleset.draw == "auto"
    rules.end = END_KINDS.index(ruleset.end_kind)
    rules.target = ruleset.end_target
    rules.first_start = NOT_FORCED
    rules.start_bonus[: len(ruleset.start_bonus)] = ruleset.start_bonus
    rules.rule_of[:] = [COLOURS.index(ruleset.rules_in_play[colour]) for colour in COLOURS]
    leads = np.arange(1 << N_COLOURS)[:, np.newaxis] >> rules.rule_of & 1  # by rules won, canvas
    rules.cards_of[:] = leads @ np.array(COLUMNS)
    rules.ends_of[:] = rules.cards_of | (leads << N_CARDS).T
    for rule in range(N_COLOURS):
        rules.marks[:, rule] = (rules.rule_of == rule) << 7 | 1 << 8 + rule
    rules.column_rules[:] = [*rules.rule_of, N_COLOURS]
    packed.flags.writeable = False
    return packed
