"""Decisions judged by perfect play: which of them throw a won position away.

A position is won if perfect play with open hands wins it for the mover. Rounds are played by
several players in turns, and in every position each of them is asked what he would do; all are
judged by the same positions, whoever has played up to there.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numpy.typing import NDArray

from red7sim.game.contest import lanes_of_colours
from red7sim.game.ruleset import Ruleset
from red7sim.game.turns import FOLD, as_turn, find_turns
from red7sim.game.view import VIEW
from red7sim.jit.bits import drop_lowest, lowest
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN, choice_word_of_turn, deal_round
from red7sim.play.engine import brief, carry_out, new_game
from red7sim.play.moves import knock_out, pass_on
from red7sim.play.policy import (
    CHOOSE_TYPE,
    OWN,
    OWN_TYPE,
    RULES_TYPE,
    VIEW_TYPE,
    PlayerError,
)
from red7sim.play.solver import SEARCH, require_solvable, set_deal, wins_by
from red7sim.play.spec import PlayerSpec, parse_line_up
from red7sim.play.tally import N_MEASURES

MAX_JUDGED = 8
"""The most players that can be judged at once."""

JUDGED_TURNS = 16
"""Turns of a round are told apart up to the 15th; the last row holds all later ones too."""

(
    DECISIONS,  # turns with at least one surviving turn
    CHOICES,  # surviving turns of them
    FORCED,  # decisions with exactly one
    WON,  # decisions in won positions
    FREE,  # of those, the ones with more than one surviving turn
    CHANCE,  # sum over the free ones of the share of their turns that lose, in CHANCE_UNIT
) = range(6)

CHANCE_UNIT = 1 << 30

JUDGEMENTS = np.dtype(
    [
        ("turns", np.int64, (JUDGED_TURNS, 6)),  # by number of the turn; DECISIONS .. CHANCE
        ("thrown", np.int64, (JUDGED_TURNS, MAX_JUDGED)),  # free ones that a player would lose
        # --- sums over rounds, for the errors: of squares, and of free times thrown decisions
        ("rounds", np.int64),
        ("free_squares", np.int64),
        ("thrown_squares", np.int64, (MAX_JUDGED,)),
        ("products", np.int64, (MAX_JUDGED,)),
    ]
)
"""Counts of decisions; int64 throughout, so that a record is an array of numbers too."""


@kernel
def judge(view, search, lane_of, rival_hand, chosen, n, thrown, row):
    """Judge the mover's decision, for which `n` players would take the turns `chosen`.

    The view holds the surviving turns. Sets `thrown` (int64, one a player) to 1 where the turn
    loses a won position and adds to `row`, the counts of the turn's number; returns 1 if the
    decision was free in a won position.
    """
    rival = 1 - view.mover
    set_deal(
        search, view.palettes[view.mover], view.hand, view.palettes[rival], rival_hand, lane_of
    )
    for i in range(n):
        thrown[i] = chosen[i] == FOLD
    losing = 0
    for lane in range(view.lanes):
        play = view.lane_cards[lane]
        turns = view.lane_turns[lane]
        while turns:
            discard = lowest(turns)
            turns = drop_lowest(turns)
            if not wins_by(search, view.hand, view.canvas, lane_of, play, discard):
                losing += 1
                for i in range(n):
                    thrown[i] |= chosen[i] == as_turn(play, discard)
    row[DECISIONS] += 1
    row[CHOICES] += view.choices
    row[FORCED] += view.choices == 1
    row[WON] += losing < view.choices
    if view.choices in (1, losing):
        return 0
    row[FREE] += 1
    row[CHANCE] += CHANCE_UNIT * losing // view.choices
    return 1


@kernel
def add_round(counts, n, free, thrown):
    """Add the numbers of free and of thrown decisions of one round to the sums over rounds."""
    counts.rounds += 1
    counts.free_squares += free * free
    for i in range(n):
        counts.thrown_squares[i] += thrown[i] * thrown[i]
        counts.products[i] += free * thrown[i]


def judge_rounds(
    views, hiddens, searches, rules, owns, policies, n, lane_of, chosen, measures,
    seed, first, games, counts,
):  # fmt: skip
    """Play games `first` .. `first + games - 1` of one round, and judge `n` players.

    Game i is played by player i modulo n at position 0 and player i // n modulo n at position 1,
    so that n * n games in a row seat every pair. `views`, `hiddens`, `searches`, `rules` and
    `counts` are arrays of one record, `owns` and `policies` have one a player; `chosen` is
    workspace, int64 of shape (3, MAX_JUDGED), and so is `measures` of N_MEASURES.
    """
    view, hidden, rule, count = views[0], hiddens[0], rules[0], counts[0]
    thrown = chosen[1]
    total = chosen[2]
    for game in range(first, first + games):
        seated = (game % n, game // n % n)
        new_game(view, hidden, seed, game, measures)
        deal_round(view, hidden, rule)
        free = 0
        total[:] = 0
        while view.live & (view.live - 1):
            view.hand = hidden.hands[view.mover]
            turn = FOLD
            if find_turns(view, rule):
                view.word = choice_word_of_turn(view, hidden)
                for i in range(n):
                    brief(view, hidden, owns[i])
                    chosen[0, i] = policies[i](view, rule, owns[i])
                turn = chosen[0, seated[view.mover]]
                row = min(view.turn, JUDGED_TURNS - 1)
                if judge(
                    view,
                    searches[0],
                    lane_of,
                    hidden.hands[1 - view.mover],
                    chosen[0],
                    n,
                    thrown,
                    count.turns[row],
                ):
                    free += 1
                    for i in range(n):
                        total[i] += thrown[i]
                        count.thrown[row, i] += thrown[i]
            if turn == FOLD:
                knock_out(view)
            else:
                carry_out(view, hidden, rule, turn, measures, None)
            view.turn += 1
            pass_on(view)
        add_round(count, n, free, total)


@cache
def _judge_kernel() -> Any:
    return kernel(
        judge_rounds,
        types.void(
            VIEW_TYPE[::1],
            from_dtype(HIDDEN)[::1],
            from_dtype(SEARCH)[::1],
            types.Array(RULES_TYPE, 1, "C", readonly=True),
            OWN_TYPE[::1],
            types.UniTuple(CHOOSE_TYPE, MAX_JUDGED),
            int64,
            int64[::1],
            int64[:, ::1],
            int64[::1],
            uint64,
            int64,
            int64,
            from_dtype(JUDGEMENTS)[::1],
        ),
    )


@dataclass(frozen=True)
class JudgedTable:
    """Compiled players who are judged, and memory; it serves one thread at a time."""

    policies: tuple[Any, ...]
    n_players: int
    owns: NDArray[np.void]
    rules: NDArray[np.void]
    lane_of: NDArray[np.int64]
    views: NDArray[np.void]
    hiddens: NDArray[np.void]
    searches: NDArray[np.void]

    def play_block(self, seed: int, first_game: int, games: int, tally: NDArray[np.int64]) -> None:
        """Play a range of games and add the judgements, seen as int64, to the tally."""
        _judge_kernel()(
            self.views,
            self.hiddens,
            self.searches,
            self.rules,
            self.owns,
            self.policies,
            self.n_players,
            self.lane_of,
            np.zeros((3, MAX_JUDGED), dtype=np.int64),
            np.zeros(N_MEASURES, dtype=np.int64),
            np.uint64(seed),
            first_game,
            games,
            tally.view(JUDGEMENTS).view(np.recarray),
        )


def empty_judgements() -> NDArray[np.int64]:
    """Return a tally of no decisions: a JUDGEMENTS record as a vector of int64."""
    return np.zeros(JUDGEMENTS.itemsize // 8, dtype=np.int64)


def parse_judged(ruleset: Ruleset, players: tuple[str, ...]) -> tuple[PlayerSpec, ...]:
    """Return players (red7sim.play.spec) who can be judged under a ruleset.

    Raises
    ------
    RulesetError
        The rules leave something to chance.
    PlayerError
        A player is refused, or has a restriction, or there are too many.
    """
    require_solvable(ruleset)
    if not 1 <= len(players) <= MAX_JUDGED:
        raise PlayerError(f"{len(players)} players to judge; allowed: 1..{MAX_JUDGED}")
    specs = parse_line_up(players, ruleset)
    for spec in specs:
        if spec.modifiers:
            raise PlayerError(f"player {spec.text!r} has a restriction; allowed here: none")
    return specs


def seat_judged(ruleset: Ruleset, players: tuple[str, ...]) -> JudgedTable:
    """Return a table at which players are judged, compiling what is not yet.

    Raises
    ------
    RulesetError, PlayerError
        As `parse_judged`.
    """
    specs = parse_judged(ruleset, players)
    policies = [spec.player.compiled() for spec in specs]
    owns = np.zeros(len(specs), OWN).view(np.recarray)
    for spec, own in zip(specs, owns, strict=True):
        spec.write(own)
    _judge_kernel()
    views, hiddens, searches = (
        np.zeros(1, dtype).view(np.recarray) for dtype in (VIEW, HIDDEN, SEARCH)
    )
    return JudgedTable(
        policies=(*policies, *policies[:1] * (MAX_JUDGED - len(policies))),
        n_players=len(specs),
        owns=owns,
        rules=ruleset.packed,
        lane_of=lanes_of_colours(ruleset),
        views=views,
        hiddens=hiddens,
        searches=searches,
    )
