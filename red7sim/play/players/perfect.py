"""`perfect`: sees the hands of both players and makes no mistake."""

from red7sim.game.cards import N_COLOURS, NO_CARD
from red7sim.game.contest import LANE_OF
from red7sim.game.ruleset import Ruleset, RulesetError
from red7sim.game.turns import as_turn
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.play.policy import Parameter, Player, PlayerError, Value
from red7sim.play.solver import require_solvable, set_deal, wins_by


def choose(view, rules, own):
    """Return a turn that wins against every defence, if there is one.

    Of several such turns, and where there is none, it is the one that `leads` likes best: after
    which most cards of the hand belong to rules that the player leads, then that leads most rules,
    then that discards nothing; of equal ones the first in the numbering of turns.
    """
    rival = 1 - view.mover
    lane_of = own.scratch[:N_COLOURS]
    for colour in range(N_COLOURS):
        lane_of[colour] = LANE_OF[rules.rule_of[colour]]
    set_deal(
        own.search,
        view.palettes[view.mover],
        view.hand,
        view.palettes[rival],
        own.open_hands[rival],
        lane_of,
    )
    best = 0
    best_value = -1
    for lane in range(view.lanes):
        play = view.lane_cards[lane]
        turns = view.lane_turns[lane]
        led = popcount(turns) << 3 | popcount(view.lane_wins[lane])
        while turns:
            discard = lowest(turns)
            turns = drop_lowest(turns)
            value = led << 1 | (discard == NO_CARD)
            if value + _WON <= best_value:
                continue
            if wins_by(own.search, view.hand, view.canvas, lane_of, play, discard):
                value += _WON
            if value > best_value:
                best_value = value
                best = as_turn(play, discard)
    return best


_WON = 1 << 12
"""More than any other value."""


def check(ruleset: Ruleset, values: dict[str, Value]) -> None:
    """Refuse (PlayerError) rules that leave something to chance, and hidden hands."""
    if values["hands"] != "open":
        raise PlayerError(
            "player 'perfect' sees the hands of both players; "
            "allowed: perfect:hands=open, which asks for it"
        )
    try:
        require_solvable(ruleset)
    except RulesetError as error:
        raise PlayerError(f"player 'perfect': {error}") from None


PLAYER = Player(
    "perfect",
    "Cheats: sees both hands and makes no mistake; two players, rules without chance.",
    choose,
    parameters=(
        Parameter(
            "hands",
            "Must be `open`, so that nobody is shown hidden hands by accident.",
            "hidden",
            choices=("hidden", "open"),
        ),
    ),
    sees_hands=True,
    check=check,
)
