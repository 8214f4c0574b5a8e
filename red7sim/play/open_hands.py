"""Perfect play with open hands: values of positions and of their turns, and deals of a run."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64
from numpy.typing import NDArray

from red7sim.game.cards import LETTERS
from red7sim.game.contest import lanes_of_colours
from red7sim.game.notation import Position, Seat, parse_set
from red7sim.game.packed import RULES
from red7sim.game.ruleset import Ruleset
from red7sim.game.turns import discarded, played
from red7sim.game.view import VIEW
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN, deal_round
from red7sim.play.engine import new_game
from red7sim.play.position import JsonTurn, surviving_turns, turn_number
from red7sim.play.record import ROUND, Rounds, open_record
from red7sim.play.scoring import OVER_BY_ROUND
from red7sim.play.solver import SEARCH, WITHOUT_CHANCE, mover_wins, set_deal, wins_by
from red7sim.play.tally import (
    ENDED,
    N_MEASURES,
    POSITION_WINS,
    ROUND_SEAT_WINS,
    ROUNDS,
    SEAT_WINS,
    SHARE_UNIT,
    Tally,
    add_game,
)

WIN, LOSS = "win", "loss"

_LANES = int64[::1]
_SEARCH = from_dtype(SEARCH)[::1]


def solve_position(searches, palette, hand, rival_palette, rival_hand, canvas, lane_of):
    """Return whether the mover of a position wins; as `mover_wins`, on an array of one record."""
    return mover_wins(searches[0], palette, hand, rival_palette, rival_hand, canvas, lane_of)


def solve_turns(searches, palette, hand, rival_palette, rival_hands, canvas, lane_of, turns, wins):
    """Count the hands of the rival against which each surviving turn of the mover wins.

    `searches` is an array of one record, `rival_hands` int64 sets of cards, `turns` int64 numbers
    (red7sim.game.turns); `wins` (int64, one a turn) is added to.
    """
    search = searches[0]
    for i in range(len(rival_hands)):
        set_deal(search, palette, hand, rival_palette, rival_hands[i], lane_of)
        for j in range(len(turns)):
            play, discard = played(turns[j]), discarded(turns[j])
            wins[j] += wins_by(search, hand, canvas, lane_of, play, discard)


@kernel
def record_deal(row, view, hidden, winner):
    """Record a deal and who wins it in a ROUND record; what was not played is 0."""
    open_record(row, view, hidden, 0)
    for player in range(view.players):
        row.palettes[player] = view.palettes[player]
    row.winner = winner
    row.final_rule = view.canvas
    row.turns = 0
    row.points = 0
    row.draws = 0


def solve_deals(
    views, hiddens, searches, rules, lane_of, seed, first, deals, measures, tally, rows
):
    """Solve the deals `first` .. `first + deals - 1` of a seed and tally who wins.

    `views`, `hiddens`, `searches` and `rules` are arrays of one record, `measures` is int64 of
    N_MEASURES. Only rounds, wins and the reason of the end are counted. `rows` is an array of one
    ROUND record a deal, or None: what is dealt and who wins goes there.
    """
    view, hidden = views[0], hiddens[0]
    for deal in range(first, first + deals):
        new_game(view, hidden, seed, deal, measures)
        deal_round(view, hidden, rules[0])
        mover = view.start
        rival = 1 - mover
        first_wins = mover_wins(
            searches[0],
            view.palettes[mover],
            hidden.hands[mover],
            view.palettes[rival],
            hidden.hands[rival],
            view.canvas,
            lane_of,
        )
        seat = 0 if first_wins else 1
        measures[ROUNDS] = 1
        measures[ROUND_SEAT_WINS + seat] = 1
        measures[SEAT_WINS + seat] = SHARE_UNIT
        measures[POSITION_WINS + (mover if first_wins else rival)] = SHARE_UNIT
        measures[ENDED + OVER_BY_ROUND] = 1
        add_game(tally, measures)
        if rows is not None:
            record_deal(rows[deal - first], view, hidden, mover if first_wins else rival)


@cache
def _position_kernel() -> Any:
    return kernel(solve_position, types.boolean(_SEARCH, *[int64] * 5, _LANES))


@cache
def _turns_kernel() -> Any:
    return kernel(
        solve_turns,
        types.void(_SEARCH, *[int64] * 3, int64[::1], int64, _LANES, int64[::1], int64[::1]),
    )


@cache
def _deals_kernel(recorded: bool) -> Any:
    rules = types.Array(from_dtype(RULES), 1, "C", readonly=True)
    rows = from_dtype(ROUND)[::1] if recorded else types.none
    records = (from_dtype(VIEW)[::1], from_dtype(HIDDEN)[::1], _SEARCH, rules)
    counts = (uint64, int64, int64, int64[::1], int64[:, ::1])
    return kernel(solve_deals, types.void(*records, _LANES, *counts, rows))


def is_solvable(ruleset: Ruleset, position: Position) -> bool:
    """Tell whether `solve` answers: two live players, known hands, no actions, one round."""
    live = [seat for seat in position.seats if seat.live]
    return (
        all(getattr(ruleset, name) == allowed for name, allowed in WITHOUT_CHANCE.items())
        and len(live) == 2
        and all(seat.hand is not None for seat in live)
    )


def is_solvable_in_worlds(ruleset: Ruleset, position: Position) -> bool:
    """Tell whether a position can be solved once the rival's hand, which is hidden, is known."""
    mover, *rivals = (seat for seat in position.seats if seat.live)
    opened = [replace(rival, hand=rival.hand or 0) for rival in rivals]
    return any(rival.hand is None for rival in rivals) and is_solvable(
        ruleset, replace(position, seats=(mover, *opened))
    )


@dataclass(frozen=True)
class Solution:
    """What perfect play makes of a position.

    Attributes
    ----------
    value
        `win` or `loss` for the mover.
    turn_values
        The mover's value after each of his surviving turns, in their order.
    line
        Turns of both players to the end: the first turn that keeps the value, each with the
        table position of its player.
    """

    value: str
    turn_values: list[str]
    line: list[JsonTurn]


class Solver:
    """Solves positions under one ruleset; it serves one thread at a time."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._lane_of = lanes_of_colours(ruleset)
        self._searches = np.zeros(1, SEARCH).view(np.recarray)
        self._turns_kernel = _turns_kernel()

    def mover_wins(self, position: Position) -> bool:
        """Return whether the mover wins a position for which `is_solvable` holds."""
        mover, rival = (seat for seat in position.seats if seat.live)
        return bool(
            _position_kernel()(
                self._searches,
                mover.palette,
                mover.hand,
                rival.palette,
                rival.hand,
                position.canvas,
                self._lane_of,
            )
        )

    def turn_values(self, position: Position) -> list[tuple[JsonTurn, bool]]:
        """Return the surviving turns of a position with whether the mover wins by them."""
        rival = next(seat for seat in position.seats[1:] if seat.live)
        turns = surviving_turns(position, self._ruleset) or []
        wins = self.count_wins(position, turns, np.array([rival.hand], dtype=np.int64))
        return [*zip(turns, map(bool, wins), strict=True)]

    def count_wins(
        self, position: Position, turns: list[JsonTurn], rival_hands: NDArray[np.int64]
    ) -> list[int]:
        """Return for each surviving turn against how many hands of the rival it wins.

        Two players of the position are live, the mover's hand is known, and that of his rival is
        taken from `rival_hands` (int64, sets of cards).
        """
        mover, rival = (seat for seat in position.seats if seat.live)
        numbers = np.array([turn_number(turn) for turn in turns], dtype=np.int64)
        wins = np.zeros(len(turns), dtype=np.int64)
        self._turns_kernel(
            self._searches,
            mover.palette,
            mover.hand,
            rival.palette,
            rival_hands,
            position.canvas,
            self._lane_of,
            numbers,
            wins,
        )
        return [int(count) for count in wins]

    def solve(self, position: Position) -> Solution:
        """Return value, values of the turns and principal line of a position."""
        values = self.turn_values(position)
        return Solution(
            _value(any(won for _, won in values)),
            [_value(won) for _, won in values],
            [*self._line(position, values)],
        )

    def _line(self, position: Position, values: list[tuple[JsonTurn, bool]]) -> Iterator[JsonTurn]:
        players = [player for player, seat in enumerate(position.seats) if seat.live]
        while values:
            turn = max(values, key=lambda pair: pair[1])[0]
            yield {"player": players[0]} | turn
            position = after_turn(position, turn)
            players.reverse()
            values = self.turn_values(position)


def after_turn(position: Position, turn: JsonTurn) -> Position:
    """Return the position of two live players after a turn; the other one is to move."""
    mover, rival = (seat for seat in position.seats if seat.live)
    played, discarded = (parse_set(turn[name] or "") for name in ("play", "discard"))
    left = (mover.hand or 0) ^ played ^ discarded
    canvas = LETTERS.index(turn["discard"][0]) if discarded else position.canvas
    seats = (rival, Seat(mover.palette | played, left, left.bit_count()))
    return Position(canvas, seats, position.deck, position.deck_size, position.gone | discarded)


def _value(wins: bool) -> str:
    return WIN if wins else LOSS


@dataclass(frozen=True)
class SolverTable:
    """Memory to solve the deals of a ruleset; it serves one thread at a time."""

    rules: NDArray[np.void]
    lane_of: NDArray[np.int64]
    views: NDArray[np.void]
    hiddens: NDArray[np.void]
    searches: NDArray[np.void]

    def play_block(self, seed: int, first_deal: int, deals: int, tally: Tally) -> None:
        """Solve a range of deals and add who wins to the tally."""
        self._solve(seed, first_deal, deals, tally, None)

    def record_rounds(self, seed: int, first_deal: int, deals: int, tally: Tally) -> Rounds:
        """Like `play_block`; return what is dealt and who wins it too, as ROUND records.

        Their palettes are the first ones, and turns, points and the like are 0.
        """
        rows = np.zeros(deals, dtype=ROUND).view(np.recarray)
        self._solve(seed, first_deal, deals, tally, rows)
        return rows

    def _solve(
        self, seed: int, first_deal: int, deals: int, tally: Tally, rows: Rounds | None
    ) -> None:
        _deals_kernel(rows is not None)(
            self.views,
            self.hiddens,
            self.searches,
            self.rules,
            self.lane_of,
            np.uint64(seed),
            first_deal,
            deals,
            np.zeros(N_MEASURES, dtype=np.int64),
            tally,
            rows,
        )


def solver_table(ruleset: Ruleset) -> SolverTable:
    """Return a table to solve the deals of a ruleset, compiling what is not yet."""
    _deals_kernel(False)
    memory = (np.zeros(1, dtype).view(np.recarray) for dtype in (VIEW, HIDDEN, SEARCH))
    return SolverTable(ruleset.packed, lanes_of_colours(ruleset), *memory)
