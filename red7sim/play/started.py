"""Rounds played from given starts instead of deals.

What a start leaves open is dealt anew in every game, from the game's deck stream: first the cards
of unknown hands, in the order of the positions, then the deck.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numba.extending import overload
from numpy.typing import NDArray

from red7sim.game.ruleset import Ruleset
from red7sim.game.switches import MAX_PLAYERS
from red7sim.jit.bits import popcount
from red7sim.jit.settings import kernel
from red7sim.play.action_turn import play_action_turn
from red7sim.play.deal import HIDDEN, draw_cards
from red7sim.play.engine import carry_out, play_round
from red7sim.play.moves import knock_out, pass_on
from red7sim.play.policy import (
    CHOOSE_STEP_TYPE,
    CHOOSE_TYPE,
    OWN_TYPE,
    RULES_TYPE,
    STEPS_TYPE,
    VIEW_TYPE,
)
from red7sim.play.scoring import OVER_BY_ROUND, close_game, round_points, score_round, winning_cards
from red7sim.play.starts import NO_SCRIPT, Starts
from red7sim.play.table import Table, seat
from red7sim.play.tally import Tally, add_game


@kernel
def fill_in(view, hidden):
    """Deal what a start leaves open: cards of unknown hands, then the deck.

    On entry `hidden.deck` is the set of the cards that the start does not place.
    """
    deck_size = view.deck_size
    view.deck_size = popcount(hidden.deck)
    for player in range(view.players):
        missing = view.hand_sizes[player] - popcount(hidden.hands[player])
        hidden.hands[player] |= draw_cards(view, hidden, missing)
    if hidden.ordered == 0 and view.deck_size > deck_size:
        # The others are out of play, and nobody knows which they are.
        hidden.deck = draw_cards(view, hidden, deck_size)
    view.deck_size = deck_size


def play_script(view, hidden, rules, steps, own, policy, measures, script):
    """Play the mover's turn as scripted; return whether he is still in."""
    if steps is None:
        carry_out(view, hidden, rules, int(script[0]), measures, None)
        return True
    return play_action_turn(view, hidden, rules, steps, own, policy, measures, None, script)


@overload(play_script)
def _play_script(view, hidden, rules, steps, own, policy, measures, script):  # noqa: ARG001
    if isinstance(steps, types.NoneType):

        def plain(view, hidden, rules, steps, own, policy, measures, script):  # noqa: ARG001
            carry_out(view, hidden, rules, script[0], measures, None)
            return True

        return plain

    def acting(view, hidden, rules, steps, own, policy, measures, script):
        return play_action_turn(view, hidden, rules, steps, own, policy, measures, None, script)

    return acting


@kernel
def play_start(
    views, hiddens, rules, steps, owns, policies, start, seed, game, script, measures, tally
):
    """Play one round from the start that `views[1 + start]` and `hiddens[1 + start]` hold.

    It is played in the first record of both arrays and tallied as a game. The first turn is that
    of the script, unless it is empty.
    """
    views[0] = views[1 + start]
    hiddens[0] = hiddens[1 + start]
    view, hidden, rule = views[0], hiddens[0], rules[0]
    hidden.seed = seed
    hidden.game = game
    measures[:] = 0
    fill_in(view, hidden)
    if len(script):
        mover = view.mover
        if not play_script(
            view, hidden, rule, steps, owns[mover], policies[mover], measures, script
        ):
            knock_out(view)
        view.turn += 1
        pass_on(view)
    winner = play_round(view, hidden, rule, steps, owns, policies, measures, None)
    scored = winning_cards(view, rule, winner)
    score_round(view, rule, winner, scored, round_points(rule, scored), measures)
    close_game(view, view.start, winner, OVER_BY_ROUND, measures)
    add_game(tally, measures)


def play_starts(
    views, hiddens, rules, owns, policies, script, seed, first_game, games, measures, tally
):
    """Play games `first_game` .. `first_game + games - 1` without actions and tally them.

    Game i begins from start i modulo the number of starts. `views` and `hiddens` hold one record
    more than there are starts, the first one for the game; the others as in `play_block`.
    """
    n = len(views) - 1
    for game in range(first_game, first_game + games):
        play_start(
            views,
            hiddens,
            rules,
            None,
            owns,
            policies,
            game % n,
            seed,
            game,
            script,
            measures,
            tally,
        )


def play_action_starts(
    views, hiddens, rules, owns, policies, script, seed, first_game, games, measures, tally, steps
):
    """Like `play_starts` with actions; `steps` is an array of one STEPS record."""
    n = len(views) - 1
    for game in range(first_game, first_game + games):
        play_start(
            views,
            hiddens,
            rules,
            steps[0],
            owns,
            policies,
            game % n,
            seed,
            game,
            script,
            measures,
            tally,
        )


@cache
def _starts_kernel(actions: bool) -> Any:
    arrays = (
        VIEW_TYPE[::1],
        from_dtype(HIDDEN)[::1],
        types.Array(RULES_TYPE, 1, "C", readonly=True),
        OWN_TYPE[::1],
    )
    rest = (int64[::1], uint64, int64, int64, int64[::1], int64[:, ::1])
    choose = types.UniTuple(CHOOSE_STEP_TYPE if actions else CHOOSE_TYPE, MAX_PLAYERS)
    if actions:
        return kernel(play_action_starts, types.void(*arrays, choose, *rest, STEPS_TYPE[::1]))
    return kernel(play_starts, types.void(*arrays, choose, *rest))


@dataclass(frozen=True)
class StartsTable:
    """A ruleset, starts and compiled players; it serves one thread at a time.

    Attributes
    ----------
    script
        The first turn of every game, or NO_SCRIPT; see `script_of`.
    """

    table: Table
    kernel: Any
    views: NDArray[np.void]
    hiddens: NDArray[np.void]
    script: NDArray[np.int64]

    def play_block(self, seed: int, first_game: int, games: int, tally: Tally) -> None:
        """Play a range of games, one round each, and add them to the tally."""
        table = self.table
        self.kernel(
            self.views,
            self.hiddens,
            table.rules,
            table.owns,
            table.policies,
            self.script,
            np.uint64(seed),
            first_game,
            games,
            table.measures,
            tally,
            *table.steps,
        )


def seat_at(
    starts: Starts,
    ruleset: Ruleset,
    players: tuple[str, ...],
    script: NDArray[np.int64] = NO_SCRIPT,
) -> StartsTable:
    """Return a table to play one round from each start, compiling what is not yet; see `seat`.

    Raises
    ------
    PlayerError
        A name is unknown, or a player does not play with actions.
    """
    table = seat(ruleset, players, vectors=False)
    views, hiddens = _with_room(starts)
    return StartsTable(table, _starts_kernel(ruleset.actions), views, hiddens, script)


@kernel
def fill_in_hands(views, hiddens, seed, player, hands):
    """Fill `hands` (int64) with hands that a player may hold at a start, one a game from 0 on.

    The start is the last record of both arrays, the first one is for the game.
    """
    for game in range(len(hands)):
        views[0] = views[1]
        hiddens[0] = hiddens[1]
        hiddens[0].seed = seed
        hiddens[0].game = game
        fill_in(views[0], hiddens[0])
        hands[game] = hiddens[0].hands[player]


def sample_hands(starts: Starts, player: int, n: int, seed: int) -> NDArray[np.int64]:
    """Return n hands of a player, drawn as games from the first start of a seed would deal them.

    Returns
    -------
    int64 array of n sets of cards, each uniform among what the start leaves open.
    """
    hands = np.zeros(n, dtype=np.int64)
    fill_in_hands(*_with_room(starts), np.uint64(seed), player, hands)
    return hands


def _with_room(starts: Starts) -> Iterator[NDArray[np.void]]:
    """Yield the records of starts, each array with one in front for the game."""
    for records in (starts.views, starts.hiddens):
        yield np.concatenate([records[:1], records]).view(np.recarray)
