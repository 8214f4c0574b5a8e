"""What a finished round is worth, and when a game is over."""

from red7sim.game.cards import BLUE, FULL, INDIGO, N_CARDS, RED
from red7sim.game.packed import END_ROUND, END_WINS, SCORE_RICHEST
from red7sim.game.rules import counting_set, face_value, richest_set
from red7sim.jit.bits import drop_lowest, lowest, popcount
from red7sim.jit.settings import kernel
from red7sim.play.tally import (
    ENDED,
    FINAL_RULE,
    POINTS,
    POSITION_WINS,
    ROUND_SEAT_WINS,
    ROUNDS,
    SEAT_WINS,
    SHARE_UNIT,
    TURNS,
)

LAST_ROUND = 2**15 - 1
"""No game goes on after the round of this number, the greatest of 16 bits with a sign. Players who
do without discards can keep the canvas where nothing scores any more.
"""

GAME_GOES_ON = -1
OVER_BY_ROUND, OVER_BY_POINTS, OVER_BY_WINS, OVER_BY_CARDS = range(4)
"""Why a game is over; indices into `red7sim.play.tally.END_REASONS`."""


@kernel
def winning_cards(view, rules, winner):
    """Return the set of cards that scores for the winner of a round."""
    rule = rules.rule_of[view.canvas]
    if rules.score_choice == SCORE_RICHEST:
        return richest_set(view.palettes[winner], rule)
    if rule not in (RED, BLUE, INDIGO):
        return view.keys[winner, rule] & FULL  # the other keys hold just the set
    return counting_set(view.palettes[winner], rule)


@kernel
def round_points(rules, cards):
    """Return the points that the winner of a round scores for his set."""
    return max(face_value(cards), rules.round_minimum)


@kernel
def score_round(view, rules, winner, cards, points, measures):
    """Score a finished round: its winner's `winning_cards` and what they bring (`round_points`).
    Return why the game is over, or GAME_GOES_ON.
    """
    measures[ROUNDS] += 1
    measures[TURNS] += view.turn
    measures[POINTS] += points
    measures[ROUND_SEAT_WINS + (winner - view.start) % view.players] += 1
    measures[FINAL_RULE + view.canvas] += 1
    if rules.end == END_WINS:
        view.scores[winner] += 1
        return OVER_BY_WINS if view.scores[winner] >= rules.target else GAME_GOES_ON
    view.scores[winner] += points
    if rules.end == END_ROUND:
        return OVER_BY_ROUND
    view.scored[winner] |= cards
    if view.scores[winner] >= rules.target:
        return OVER_BY_POINTS
    scored = 0
    for player in range(view.players):
        scored |= view.scored[player]
    too_few = N_CARDS - popcount(scored) < rules.cards_needed
    return OVER_BY_CARDS if too_few or view.round_number >= LAST_ROUND else GAME_GOES_ON


@kernel
def game_winners(view, reason, last_winner):
    """Return the winners of a finished game as bits; those with the most points share it where
    cards or rounds ran out.
    """
    if reason != OVER_BY_CARDS:
        return 1 << last_winner
    most = 0
    winners = 0
    for player in range(view.players):
        if view.scores[player] > most:
            most = view.scores[player]
            winners = 0
        if view.scores[player] == most:
            winners |= 1 << player
    return winners


@kernel
def close_game(view, first, last_winner, reason, measures):
    """Count who won a finished game, in whose first round the player `first` acted first; return
    the winners as bits.
    """
    measures[ENDED + reason] = 1
    winners = game_winners(view, reason, last_winner)
    share = SHARE_UNIT // popcount(winners)
    left = winners
    while left:
        position = lowest(left)
        measures[POSITION_WINS + position] = share
        measures[SEAT_WINS + (position - first) % view.players] = share
        left = drop_lowest(left)
    return winners
