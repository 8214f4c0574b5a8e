"""What it is worth to fold while turns survive: how often it is done, and at what price."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from red7sim.game.refused import one_or_several
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.wording import listing
from red7sim.lab.groups import ratio
from red7sim.lab.pieces import play_total, scaled
from red7sim.lab.runs import Run, RunError, checked_games, checked_seed
from red7sim.lab.scores import (
    POINT_FIGURES,
    add_points,
    empty_scores,
    points_of,
    seating_of,
)
from red7sim.lab.stats import (
    as_percent,
    checked_confidence,
    figure_columns,
    per_game,
)
from red7sim.lab.studies.cross import Cell, Cross
from red7sim.lab.studies.fair_share import FAIR_SHARE_COLUMNS, against_fair
from red7sim.lab.studies.study import Study, announce, command_line
from red7sim.lab.summary import DEFAULT_CONFIDENCE
from red7sim.play.design import NO_PAIRING
from red7sim.play.details import GROUPS
from red7sim.play.paired import PairedTable, seat_paired
from red7sim.play.policy import PlayerError, find_player, player_names
from red7sim.play.record import FOLDS, Rounds
from red7sim.play.spec import parse_player
from red7sim.play.tally import GAMES, POSITION_WINS, SHARE_UNIT, Tally

NAME: Final = "balance-folding"
PLAYER: Final = "banker"
PLAYERS: Final = (2, 3)
MINIMUMS: Final = (0, 12)
USUAL_DEALS: Final = 300

SWITCH: Final = "round_minimum"
NO_FOLD: Final = "no-fold"

MAY, MAY_NOT = SIDES = ("may fold", "may not")
"""What a player, or what his rivals are allowed."""

WON, FOLDED, FORCED_OUT = OUTCOMES = ("won", "folded", "forced out")
"""How a round ends for a player; he folds where he goes out though a turn survives."""

CELL_COLUMNS: Final = {
    "players": pl.Int64,
    "rules": pl.String,
    "player": pl.String,
    SWITCH: pl.Int64,
}
SHARE_COLUMNS: Final = CELL_COLUMNS | {"alone": pl.String} | FAIR_SHARE_COLUMNS
POINT_COLUMNS: Final = CELL_COLUMNS | {
    "alone": pl.String,
    "deals": pl.Int64,
    **{name: pl.Float64 for figure in POINT_FIGURES for name in (figure, f"{figure}_se")},
}
END_COLUMNS: Final = CELL_COLUMNS | {
    "rivals": pl.String,
    "end": pl.String,
    "rounds": pl.Int64,
    "share": pl.Float64,
    "share_se": pl.Float64,
    "points": pl.Float64,
    "points_se": pl.Float64,
}

ROUNDS_ENDED, POINTS_TAKEN = range(2)
"""Sums by how a round ends for a player: of 1, of the points that its winner takes."""

Row = dict[str, Any]
Sums = NDArray[np.int64]


@dataclass(frozen=True)
class Folding:
    """A run whose points and folds are counted by entry of the line-up; it plays the same games."""

    run: Run

    @property
    def seed(self) -> int:
        """Seed of all chance."""
        return self.run.seed

    def empty_tally(self) -> Tally:
        """Return a tally of no deals, a flat int64 array; see `split`."""
        return np.zeros(empty_scores().size + GROUPS * _OUTCOME_SUMS, dtype=np.int64)

    def split(self, tally: Tally) -> tuple[Tally, Sums]:
        """Return the tally of points (red7sim.lab.scores) and the sums by how rounds end, of shape
        (GROUPS, MAX_PLAYERS, OUTCOMES, 2): deals go to the groups in turn, and players are entries.
        """
        scores = empty_scores()
        ends = tally[scores.size :].reshape(GROUPS, MAX_PLAYERS, len(OUTCOMES), 2)
        return tally[: scores.size].reshape(scores.shape), ends

    def table(self) -> "FoldingTable":
        """Return a new table to play at, for one thread."""
        run = self.run
        return FoldingTable(self, seat_paired(run.rules, run.players, run.arms, watched="folds"))


_OUTCOME_SUMS: Final = MAX_PLAYERS * len(OUTCOMES) * 2


@dataclass(frozen=True)
class FoldingTable:
    """A table at which points and folds are counted."""

    folding: Folding
    table: PairedTable

    def play_block(self, seed: int, first_deal: int, deals: int, tally: Tally) -> None:
        """Play a range of deals and add them to the tally."""
        scores, ends = self.folding.split(tally)
        counts = scores[:, : GAMES + 1]
        played, rows = self.table.record_games(seed, first_deal, deals, counts, FOLDS)
        orders = seating_of(self.folding.run.arms)
        add_points(scores, rows, orders, first_deal, played)
        _add_ends(ends, rows, orders)


def _add_ends(ends: Sums, rows: Rounds, orders: NDArray[np.int64]) -> None:
    group = rows["game"] % GROUPS
    for position in range(orders.shape[1]):
        entry = orders[rows["arm"], position]
        folded = rows["folded"] >> position & 1
        end = np.where(rows["winner"] == position, 0, np.where(folded == 1, 1, 2))
        cell = (group * MAX_PLAYERS + entry) * len(OUTCOMES) + end
        for i, weights in ((ROUNDS_ENDED, None), (POINTS_TAKEN, rows["points"])):
            sums = np.bincount(cell, weights, minlength=ends[..., i].size)
            ends[..., i] += sums.reshape(ends.shape[:-1]).astype(np.int64)


def balance_folding(
    rules: str = "advanced",
    player: str | Sequence[str] = PLAYER,
    players: int | Sequence[int] = PLAYERS,
    *,
    minimum: int | Sequence[int] = MINIMUMS,
    settings: Mapping[str, Any] | None = None,
    games: int = USUAL_DEALS,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Measure what it is worth to fold while turns survive, so that rivals get few points.

    Parameters
    ----------
    rules, player, players
        A preset, players who fold, and numbers of players; the lists are crossed.
    minimum
        Values of the switch `round_minimum`: the points that the winner of a round scores at
        least, which is what a fold cannot deny him.
    settings
        Other switches to set in the ruleset.
    games
        Deals of each line-up.
    seed
        Seed of all random choices.
    confidence
        Level of the intervals, between 0 and 1.
    threads
        Number of threads, by default one per processor; the answer does not depend on it.
    progress
        Called with the number of games of each piece that is done.
    planned
        Called once the arguments have been checked, with the total number of games that
        `progress` will report.

    Returns
    -------
    Study
        `shares`: one player alone against the same player who may not fold, or the other way round;
        on each deal he sits once in every position, and the deal is the unit. Joint intervals hold
        for all rows together (Bonferroni). `verdict` is `costs` or `pays` where the joint interval
        excludes 0, else `open`.
        `points`: his points a game and a round; `lead` is by how much more a game these are than
        the mean of the others.
        `ends`: how a round ends for a player who may fold: he wins it, folds though a turn
        survives, or is forced out; and the points that the winner of such rounds takes.

    Raises
    ------
    InputError
        A value is refused; the message says what is allowed.
    """
    cross = Cross.of(players, rules, player, settings)
    minimums = _minimums(minimum, cross)
    cells = _checked_cells(cross)
    seed = checked_seed(seed)
    confidence = checked_confidence(confidence)
    games = checked_games(games, threads)
    family = len(minimums) * sum(len(_sides(cell)) for cell in cells)
    line_ups = sum(1 + cell.ruleset.players * len(_sides(cell)) for cell in cells)
    announce(planned, games * len(minimums) * line_ups)
    shares, points, ends = [], [], []
    for cell in cells:
        for least in minimums:
            shown = replace(cell, ruleset=cell.ruleset.changed({SWITCH: least}))
            labels = cell.labels | {SWITCH: least}
            for side in (*_sides(cell), None):
                folding = Folding(line_up_run(shown, side, seed))
                told = scaled(progress, len(folding.run.arms))
                scores, sums = folding.split(play_total(folding, 0, games, threads, told))
                if side is not None:
                    alone, table = labels | {"alone": side}, len(folding.run.arms)
                    won = per_game(scores, POSITION_WINS, SHARE_UNIT * table)
                    shares.append(alone | against_fair(won, games, table, confidence, family))
                    figures = points_of(scores, 0, table, cell.ruleset.players)
                    points.append(alone | {"deals": games} | figure_columns(figures))
                if side != MAY_NOT:
                    entries, rivals = (slice(None), MAY) if side is None else (slice(1), MAY_NOT)
                    ends += [labels | row for row in _end_rows(sums[:, entries], rivals)]
    return Study(
        name=NAME,
        title="What folding is worth",
        caption=_caption(cross, minimums, games, seed, confidence),
        command=_command(cross, minimums, games, seed, confidence),
        parameters=cross.as_json()
        | {"minimum": [*minimums], "games": games, "seed": seed, "confidence": confidence},
        tables={
            "shares": pl.DataFrame(shares, SHARE_COLUMNS),
            "points": pl.DataFrame(points, POINT_COLUMNS),
            "ends": pl.DataFrame(ends, END_COLUMNS),
        },
    )


def folding_players() -> list[str]:
    """Return the names of the players of the package who fold while turns survive."""
    return [name for name in player_names() if find_player(name).folds]


def line_up_run(cell: Cell, side: str | None, seed: int) -> Run:
    """Return the run of one player alone among those of the other side, rotated over the seats; for
    no side that of players who all may fold, whom no rotation changes.
    """
    others = cell.ruleset.players - 1
    may, may_not = cell.player, f"{cell.player}+{NO_FOLD}"
    if side is None:
        return Run(cell.ruleset, (may,) * (1 + others), seed, NO_PAIRING)
    alone, other = (may, may_not) if side == MAY else (may_not, may)
    return Run(cell.ruleset, (alone, *(other,) * others), seed, "rotate")


def _sides(cell: Cell) -> tuple[str, ...]:
    """Return who sits alone; for two the other way round is the same line-up."""
    return SIDES[:1] if cell.ruleset.players == 2 else SIDES


def _minimums(minimum: int | Sequence[int], cross: Cross) -> tuple[int, ...]:
    given = one_or_several("minimum", minimum, Integral, "a number", RunError)
    if SWITCH in cross.settings:
        raise RunError(f"{SWITCH} is not allowed among the settings; allowed: values of minimum")
    # Refuses what the switch does not allow.
    rulesets = [cell.ruleset.changed({SWITCH: least}) for least in given for cell in cross.cells()]
    return tuple(dict.fromkeys(ruleset.round_minimum for ruleset in rulesets))


def _checked_cells(cross: Cross) -> list[Cell]:
    cells = cross.cells()
    for cell in cells:
        spec = parse_player(cell.player)
        if not spec.player.folds or NO_FOLD in spec.modifiers:
            raise PlayerError(
                f"player {cell.player!r} never folds while a turn survives; allowed: "
                f"{', '.join(folding_players())}, or one of your own who does"
            )
        if not cell.ruleset.scored:
            raise RunError(
                f"end: {cell.ruleset.end!r} is not allowed; allowed: points[:N], since a fold "
                "denies points"
            )
        line_up_run(cell, MAY, 0)  # refuses rules that the player does not play by
    return cells


def _end_rows(sums: Sums, rivals: str) -> list[Row]:
    """Return a row for each way in which rounds end for some entries."""
    ended = sums.sum(axis=1)[sums[..., ROUNDS_ENDED].any(axis=(1, 2))]
    rounds, points = ended[..., ROUNDS_ENDED], ended[..., POINTS_TAKEN]
    return [
        {"rivals": rivals, "end": end, "rounds": int(rounds[:, i].sum())}
        | figure_columns(
            {
                "share": ratio(rounds[:, i], rounds.sum(axis=1)),
                "points": ratio(points[:, i], rounds[:, i]),
            }
        )
        for i, end in enumerate(OUTCOMES)
    ]


def _caption(
    cross: Cross, minimums: Sequence[int], games: int, seed: int, confidence: float
) -> str:
    least = ", ".join(map(str, minimums))
    return (
        f"{cross.rules_sentence()}, {SWITCH} {least}; {listing(cross.player)}, who may fold while "
        f"turns survive or may not; {games:,} deals of each line-up, seed {seed}. On each deal one "
        "player sits once in every position against the same player of the other kind; where all "
        f"may fold a deal is played once. Intervals are {as_percent(confidence)}, "
        "Wilson's by the variance between deals, joint ones for all shares together (Bonferroni); "
        f"standard errors of how rounds end are those of {GROUPS} groups of deals (jackknife)."
    )


def _command(
    cross: Cross, minimums: Sequence[int], games: int, seed: int, confidence: float
) -> str:
    minimum = ",".join(map(str, minimums))
    return command_line(
        NAME, cross.words(), minimum=minimum, games=games, seed=seed, confidence=confidence
    )
