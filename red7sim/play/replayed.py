"""Deals played again and again with other choices, all cards in their places, in the deck too."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numpy.typing import NDArray

from red7sim.game.ruleset import Ruleset
from red7sim.game.switches import MAX_PLAYERS
from red7sim.jit.bits import lowest
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN, deal_round, draw_cards
from red7sim.play.engine import new_game, play_round
from red7sim.play.policy import (
    CHOOSE_STEP_TYPE,
    CHOOSE_TYPE,
    OWN_TYPE,
    RULES_TYPE,
    STEPS_TYPE,
    VIEW_TYPE,
)
from red7sim.play.table import Table, seat


@kernel
def fix_deck(view, hidden):
    """Give the deck of a round just dealt its order, which no longer depends on the streams."""
    cards = view.deck_size
    for place in range(cards - 1, -1, -1):
        hidden.order[place] = lowest(draw_cards(view, hidden, 1))
    hidden.ordered = cards
    view.deck_size = cards


@kernel
def replay_deal(views, hiddens, rules, steps, owns, policies, seed, deal, playouts, measures, wins):
    """Play the first round of game `deal` again and again and count who wins it, by position.

    The choices are those of the games `deal` * `playouts` and following. `views` and `hiddens` are
    arrays of two records, of which the second keeps the deal; `wins` is int64 of MAX_PLAYERS.
    """
    view, hidden = views[0], hiddens[0]
    new_game(view, hidden, seed, deal, measures)
    deal_round(view, hidden, rules)
    fix_deck(view, hidden)
    views[1] = view
    hiddens[1] = hidden
    for number in range(playouts):
        views[0] = views[1]
        hiddens[0] = hiddens[1]
        hidden.game = deal * playouts + number
        wins[play_round(view, hidden, rules, steps, owns, policies, measures, None)] += 1


def replay_deals(views, hiddens, rules, owns, policies, seed, first, playouts, measures, wins):
    """Play the deals from `first` on again and again, without actions.

    `wins` is int64 of shape (deals, MAX_PLAYERS), all 0; the others are as for `replay_deal`.
    """
    for i in range(len(wins)):
        replay_deal(
            views, hiddens, rules[0], None, owns, policies, seed, first + i, playouts, measures,
            wins[i],
        )  # fmt: skip


def replay_action_deals(
    views, hiddens, rules, owns, policies, seed, first, playouts, measures, wins, steps
):
    """Like `replay_deals`, with actions; `steps` is an array of one STEPS record."""
    for i in range(len(wins)):
        replay_deal(
            views, hiddens, rules[0], steps[0], owns, policies, seed, first + i, playouts, measures,
            wins[i],
        )  # fmt: skip


@cache
def replayed_kernel(actions: bool) -> Any:
    """Return `replay_deals` or `replay_action_deals`, compiled for any line-up."""
    records = (
        VIEW_TYPE[::1],
        from_dtype(HIDDEN)[::1],
        types.Array(RULES_TYPE, 1, "C", readonly=True),
        OWN_TYPE[::1],
    )
    choose = types.UniTuple(CHOOSE_STEP_TYPE if actions else CHOOSE_TYPE, MAX_PLAYERS)
    table = (*records, choose, uint64, int64, int64, int64[::1], int64[:, ::1])
    if actions:
        return kernel(replay_action_deals, types.void(*table, STEPS_TYPE[::1]))
    return kernel(replay_deals, types.void(*table))


@dataclass(frozen=True)
class ReplayedTable:
    """A table at which deals are played again and again. It serves one thread at a time."""

    table: Table
    kernel: Any
    views: NDArray[np.void]
    hiddens: NDArray[np.void]

    def replay(self, seed: int, first: int, deals: int, playouts: int) -> NDArray[np.int64]:
        """Play each deal of a range `playouts` times; return who won how often.

        Returns
        -------
        int64 of shape (deals, MAX_PLAYERS), by table position.
        """
        wins = np.zeros((deals, MAX_PLAYERS), dtype=np.int64)
        table = self.table
        self.kernel(
            self.views,
            self.hiddens,
            table.rules,
            table.owns,
            table.policies,
            np.uint64(seed),
            first,
            playouts,
            table.measures,
            wins,
            *table.steps,
        )
        return wins


def seat_replayed(ruleset: Ruleset, players: tuple[str, ...]) -> ReplayedTable:
    """Return a table with the named players, compiling what is not yet; see `seat`."""
    table = seat(ruleset, players, vectors=False)
    views, hiddens = (
        np.concatenate([records, records]).view(np.recarray)
        for records in (table.views, table.hiddens)
    )
    return ReplayedTable(table, replayed_kernel(ruleset.actions), views, hiddens)
