"""Paired designs by the plain engine: all arms of a deal, counted with the deal as the unit."""

from functools import cache
from typing import Any

from numba import from_dtype, int64, types, uint64

from red7sim.game.switches import MAX_PLAYERS
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN
from red7sim.play.engine import play_game
from red7sim.play.policy import (
    CHOOSE_STEP_TYPE,
    CHOOSE_TYPE,
    OWN_TYPE,
    RULES_TYPE,
    STEPS_TYPE,
    VIEW_TYPE,
)
from red7sim.play.tally import GAME_SQUARES, N_MEASURES, POSITION_WINS, add_game
from red7sim.play.watch import WATCHES


@kernel
def add_arm(sums, tally, measures, order):
    """Add the measures of a game to the sums of its deal (both int64 of N_MEASURES), and their
    squares to the tally. Wins by position are counted for the line-up entry, by `order`, instead.
    """
    for i in range(N_MEASURES):
        if not POSITION_WINS <= i < POSITION_WINS + MAX_PLAYERS:
            sums[i] += measures[i]
            tally[GAME_SQUARES, i] += measures[i] * measures[i]
    for position in range(MAX_PLAYERS):
        entry = POSITION_WINS + order[position]
        won = measures[POSITION_WINS + position]
        sums[entry] += won
        tally[GAME_SQUARES, entry] += won * won


@kernel
def play_deal(
    view,
    hidden,
    rules,
    steps,
    owns,
    policies,
    orders,
    seed,
    deal,
    measures,
    sums,
    tally,
    watch,
    place,
):
    """Play all arms of a deal and count the deal; returns as `play_game`.

    Arguments as for `red7sim.play.engine.play_game`, but `rules` is an array of one record an
    arm, `owns` of shape (arms, MAX_PLAYERS), `orders` int64 of that shape (which line-up entry
    sits where), and `sums` int64 of N_MEASURES. A measure of a deal is the sum over its games.
    `tally` has the row GAME_SQUARES.
    """
    sums[:] = 0
    for arm in range(orders.shape[0]):
        order = orders[arm]
        seated = (policies[order[0]], policies[order[1]], policies[order[2]], policies[order[3]])
        place = play_game(
            view, hidden, rules[arm], steps, owns[arm], seated, seed, deal, measures,
            arm, watch, place,
        )  # fmt: skip
        if place < 0:
            return place
        add_arm(sums, tally, measures, order)
    add_game(tally, sums)
    return place


def play_deals(
    views, hiddens, rules, owns, policies, orders, seed, first, measures, sums, tally, watch
):
    """Play deals from `first` on, without actions, and write down the measures of each deal.

    `sums` is int64 of shape (deals, N_MEASURES); `views` and `hiddens` are arrays of at least
    one record; `watch` is who watches (red7sim.play.watch). Returns as `play_game`.
    """
    view, hidden = views[0], hiddens[0]
    place = 0
    for i in range(sums.shape[0]):
        place = play_deal(
            view, hidden, rules, None, owns, policies, orders, seed, first + i, measures,
            sums[i], tally, watch, place,
        )  # fmt: skip
        if place < 0:
            break
    return place


def play_action_deals(
    views,
    hiddens,
    rules,
    owns,
    policies,
    orders,
    seed,
    first,
    measures,
    sums,
    tally,
    watch,
    steps,
):
    """Like `play_deals`, with actions; `steps` is an array of one STEPS record."""
    view, hidden, memory = views[0], hiddens[0], steps[0]
    place = 0
    for i in range(sums.shape[0]):
        place = play_deal(
            view, hidden, rules, memory, owns, policies, orders, seed, first + i, measures,
            sums[i], tally, watch, place,
        )  # fmt: skip
        if place < 0:
            break
    return place


@kernel
def sum_arm(sums, tally, kept, order):
    """Add the measures of one game of each deal, a row of `kept`, to the sums of the deals; arrays
    of rows, otherwise as for `add_arm`.
    """
    for i in range(len(sums)):
        add_arm(sums[i], tally, kept[i], order)


@kernel
def sum_deals(sums, tally):
    """Count deals, whose sums are complete."""
    for i in range(len(sums)):
        add_game(tally, sums[i])


@cache
def deals_kernel(actions: bool, watched: str) -> Any:
    """Return `play_deals` or `play_action_deals`, compiled for any line-up and for who watches, one
    of `red7sim.play.watch.WATCHES`.
    """
    records = (VIEW_TYPE[::1], from_dtype(HIDDEN)[::1], RULES_TYPE[::1], OWN_TYPE[:, ::1])
    choose = types.UniTuple(CHOOSE_STEP_TYPE if actions else CHOOSE_TYPE, MAX_PLAYERS)
    counts = (int64[::1], int64[:, ::1], int64[:, ::1])
    watch = WATCHES[watched]
    table = (*records, choose, int64[:, ::1], uint64, int64, *counts, watch)
    if actions:
        return kernel(play_action_deals, int64(*table, STEPS_TYPE[::1]))
    return kernel(play_deals, int64(*table))
