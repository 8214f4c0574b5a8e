"""Turns judged by playing on: the hidden cards are guessed, and cheap players finish the round.

A guess deals the cards whose place the mover does not know to the places where they may be, one way
as likely as another; it agrees with all that he has seen. The cards of one guess come from the
streams of red7sim.jit.rng with the word of the decision as seed and the number of the guess as
game, so every turn is judged by the same guesses.
"""

from red7sim.game.turns import FOLD, find_turns
from red7sim.jit.bits import lowest, popcount
from red7sim.jit.settings import kernel
from red7sim.play.deal import choice_word_of_turn, draw_cards
from red7sim.play.engine import carry_out
from red7sim.play.moves import knock_out, pass_on
from red7sim.play.outlook import unseen_cards
from red7sim.play.players import leads, random, thrifty
from red7sim.play.policy import SCRATCH_WORDS, Parameter
from red7sim.play.replies import FREE_AFTER_REPLIES
from red7sim.play.scoring import round_points, winning_cards
from red7sim.play.tally import N_MEASURES

PLAYOUTS = ("leads", "random", "thrifty")
_LEADS, _RANDOM, _THRIFTY = range(len(PLAYOUTS))
_MEASURES = FREE_AFTER_REPLIES  # place in the scratch memory: what is counted in playouts, unused
FREE_WORDS = _MEASURES + N_MEASURES
"""Where scratch memory is free for those who guess."""
assert FREE_WORDS <= SCRATCH_WORDS

SAMPLES = Parameter("samples", "Plays every turn on with so many guesses.", 30, 1, 100_000)
PLAYOUT = Parameter("playout", "Plays on for everybody.", "leads", choices=PLAYOUTS)

_leads, _random, _thrifty = (kernel(player.choose) for player in (leads, random, thrifty))


@kernel
def guess(view, hidden, word, number):
    """Fill the hidden part of a game with the `number`-th guess of its mover.

    `view` is his, or a copy; what he knows of hidden cards is kept.
    """
    hidden.seed = word
    hidden.game = number
    hidden.drawn = 0
    hidden.ordered = 0
    hidden.choice_pair = -1
    cards = unseen_cards(view)
    for player in range(view.players):
        cards &= ~view.known_hands[player]
    for i in range(view.stack_size):
        cards &= ~(1 << view.stack[i])
    hidden.deck = cards
    deck_size = view.deck_size
    view.deck_size = popcount(cards)
    for player in range(view.players):
        hidden.hands[player] = 0
        if player == view.mover:
            hidden.hands[player] = view.hand
        elif view.live >> player & 1:
            known = view.known_hands[player]
            unknown = view.hand_sizes[player] - popcount(known)
            hidden.hands[player] = known | draw_cards(view, hidden, unknown)
    # What is left over lies face down with players who are out.
    draw_cards(view, hidden, view.deck_size - (deck_size - view.stack_size))
    view.deck_size = deck_size


@kernel
def cheap_turn(view, hidden, rules, own, playout):
    """Return the turn of the mover of a playout; at least one survives."""
    if playout == _LEADS:
        return _leads(view, rules, own)
    if playout == _THRIFTY:
        return _thrifty(view, rules, own)
    view.word = choice_word_of_turn(view, hidden)
    return _random(view, rules, own)


@kernel
def play_on(view, rules, own, turn, number, playout):
    """Play a turn of the mover, or FOLD, and then the round to its end with the `number`-th guess.

    Returns the winner; `own.trial` is what everybody sees at the end.
    """
    mover = view.mover
    own.trial = view
    trial, hidden, measures = own.trial, own.hidden, own.scratch[_MEASURES:FREE_WORDS]
    guess(trial, hidden, view.word, number)
    if turn == FOLD:
        knock_out(trial)
    else:
        carry_out(trial, hidden, rules, turn, measures, None)
    while trial.live & (trial.live - 1):
        trial.turn += 1
        pass_on(trial)
        mine = trial.mover == mover
        trial.barred_plays = own.barred_plays if mine else 0
        trial.barred_discards = own.barred_discards if mine else 0
        trial.hand = hidden.hands[trial.mover]
        if find_turns(trial, rules):
            turn = cheap_turn(trial, hidden, rules, own, playout)
            carry_out(trial, hidden, rules, turn, measures, None)
        else:
            knock_out(trial)
    return lowest(trial.live)


@kernel
def wins_of(view, rules, own, turn, samples, playout):
    """Return the number of guesses with which the mover wins the round after a turn."""
    wins = 0
    for number in range(samples):
        wins += play_on(view, rules, own, turn, number, playout) == view.mover
    return wins


@kernel
def gain(view, rules, own, winner, bonus):
    """Return what the end of a round is worth to the mover, in points (float64).

    `view` is his, `own.trial` the end. The winner's points count as far as he needs them, `bonus`
    more where they end the game; to a rival they count against the mover, by his share of them.
    """
    points = round_points(rules, winning_cards(own.trial, rules, winner))
    needed = rules.target - view.scores[winner]
    value = float(points)
    if points >= needed:
        value = needed + bonus
    return value if winner == view.mover else -value / (view.players - 1)


@kernel
def points_of(view, rules, own, turn, samples, playout, bonus):
    """Return the sum over the guesses of the gains after a turn, or FOLD (float64)."""
    total = 0.0
    for number in range(samples):
        winner = play_on(view, rules, own, turn, number, playout)
        total += gain(view, rules, own, winner, bonus)
    return total
