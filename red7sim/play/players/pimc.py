"""`pimc`: perfect information Monte Carlo. It solves guessed deals and takes the turn that wins
most of them.

A guess is a deal that the player cannot tell from the true one (red7sim.play.playout). In each all
his turns are solved with open hands (red7sim.play.solver); of turns that win equally often he takes
the most promising (red7sim.play.promising). In each guess both sides know all cards, so he never
plays to learn or to hide something.
"""

from dataclasses import replace

import numpy as np

from red7sim.game.cards import N_COLOURS
from red7sim.game.contest import LANE_OF
from red7sim.game.notation import LARGEST_HAND
from red7sim.game.ruleset import Ruleset, RulesetError
from red7sim.game.turns import FOLD
from red7sim.jit.bits import drop_lowest, lowest
from red7sim.jit.settings import kernel
from red7sim.play.playout import FREE_WORDS, SAMPLES, guess
from red7sim.play.policy import SCRATCH_WORDS, Player, PlayerError, Value
from red7sim.play.promising import next_best, prepare_worth
from red7sim.play.solver import require_solvable, set_deal, wins_by

# Places in the scratch memory.
_LANE_OF = FREE_WORDS  # lane of the rule of each colour
_WINS = _LANE_OF + N_COLOURS  # guesses won, by number of the turn
assert _WINS + LARGEST_HAND * (LARGEST_HAND + 1) <= SCRATCH_WORDS


@kernel
def solve_guess(view, own, number, lane_of, wins):
    """Solve a guess, and count it for the turns that win it; `wins` is int64, by number of turn."""
    rival = 1 - view.mover
    own.trial = view
    guess(own.trial, own.hidden, view.word, number)
    palettes = view.palettes
    rival_hand = own.hidden.hands[rival]
    set_deal(own.search, palettes[view.mover], view.hand, palettes[rival], rival_hand, lane_of)
    turn = 0
    for lane in range(view.lanes):
        play = view.lane_cards[lane]
        discards = view.lane_turns[lane]
        while discards:
            discard = lowest(discards)
            discards = drop_lowest(discards)
            wins[turn] += wins_by(own.search, view.hand, view.canvas, lane_of, play, discard)
            turn += 1


def choose(view, rules, own):
    """Return the turn that wins most of the guesses; of several the most promising."""
    lane_of = own.scratch[_LANE_OF : _LANE_OF + N_COLOURS]
    wins = own.scratch[_WINS : _WINS + view.choices]
    for colour in range(N_COLOURS):
        lane_of[colour] = LANE_OF[rules.rule_of[colour]]
    wins[:] = 0
    if view.choices > 1:
        for number in range(np.int64(own.params[0])):
            solve_guess(view, own, number, lane_of, wins)
    most = 0
    for turn in range(view.choices):
        most = max(most, wins[turn])
    prepare_worth(view, rules, own)
    bound = np.inf
    number = -1
    turn = FOLD
    while number < 0 or wins[number] < most:
        turn, bound, number = next_best(view, rules, own, bound, number)
    return turn


def check(ruleset: Ruleset, values: dict[str, Value]) -> None:
    """Refuse (PlayerError) rules that leave something to chance besides the deal."""
    try:
        require_solvable(ruleset)
    except RulesetError as error:
        raise PlayerError(f"player 'pimc': {error}") from None


PLAYER = Player(
    "pimc",
    "Solves guessed deals, and takes the turn that wins most of them; two players, basic rules.",
    choose,
    parameters=(replace(SAMPLES, summary="Solves so many guesses."),),
    check=check,
)
