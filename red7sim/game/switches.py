"""Every switch of a ruleset: which values it takes, and what it means."""

from dataclasses import dataclass
from typing import Final

from red7sim.game.cards import COLOURS

START_RULES: Final = ("left_of_highest", "lowest_card", "highest_card")
DRAW_RULES: Final = ("never", "auto")
SCORE_CHOICES: Final = ("tiebreak", "max_points")
ONE_TARGETS: Final = ("not_only_card", "not_fewer_than_me")
NO_VALID_SEVEN: Final = ("skip", "illegal")
END_KINDS: Final = ("round", "points", "wins")
CHOICES: Final = {
    "one_target": ONE_TARGETS,
    "seven_no_valid": NO_VALID_SEVEN,
    "draw": DRAW_RULES,
    "score_choice": SCORE_CHOICES,
    "start": START_RULES,
    "first_canvas": (*COLOURS, "dealt"),
}
"""The values of switches that are one of several words."""

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4


@dataclass(frozen=True)
class Switch:
    """What a switch of the ruleset means and which values it takes, in words."""

    name: str
    values: str
    meaning: str


SWITCHES: Final = (
    Switch("actions", "yes|no", "A 1, 3, 5 or 7 played from hand to the palette acts."),
    Switch("seven_to_deck", "yes|no", "A 7 may put its card face down on top of the deck."),
    Switch("seven_may_move_itself", "yes|no", "A 7 may choose itself as the card it moves."),
    Switch(
        "one_target",
        "|".join(ONE_TARGETS),
        "Whom a 1 may take from: anyone with another card left, or nobody with fewer cards.",
    ),
    Switch("allow_losing_one", "yes|no", "A 1 may take its card although its player goes out."),
    Switch(
        "seven_no_valid", "|".join(NO_VALID_SEVEN), "A 7 that can move no card is idle, or barred."
    ),
    Switch(
        "discard_after_seven", "yes|no", "After a 7's discard a hand card may be discarded too."
    ),
    Switch("draw_on_seven", "yes|no", "A 7's discard to the canvas may earn a draw."),
    Switch("draw", "|".join(DRAW_RULES), "Draw after discarding a high enough card."),
    Switch("draw_offset", "-7..7", "Draw if the number exceeds palette size plus this."),
    Switch(
        "score_choice",
        "|".join(SCORE_CHOICES),
        "Which of several equal sets scores: the one that wins ties, or the richest.",
    ),
    Switch("round_minimum", "0..49", "Points that the winner of a round scores at least."),
    Switch("end", "round|points[:N]|wins:N", "When the game ends; plain points is 40/35/30."),
    Switch("start", "|".join(START_RULES), "Who acts first in a round."),
    Switch("first_canvas", "a colour|dealt", "The rule at the start of a round."),
    Switch("hand_size", "1..10", "Cards dealt to each hand."),
    Switch("palette_size", "1..3", "Cards dealt to each palette."),
    Switch("start_bonus", "e.g. 0,0,1", "Extra hand cards (0..3) by turn order."),
    Switch(
        "rules_in_play",
        "e.g. blue=red,red=blue",
        "Which rule a canvas colour stands for; colours not named stand for their own.",
    ),
)
"""Every switch, in the order in which it is printed and stored."""

LATER_SWITCHES: Final = ("round_minimum",)
"""Switches that were added when runs had identities already; see `Ruleset.identity`."""
