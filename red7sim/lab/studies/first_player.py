"""What a seat is worth: by the rules, with a forced start, from round to round, in points."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from math import isnan
from typing import Any, Final

import polars as pl

from red7sim.game.ruleset import MAX_PLAYERS
from red7sim.lab.runs import Outcome, Run, check_range, check_seed, play, play_pieces
from red7sim.lab.stats import Estimate, check_confidence, per_round, wilson_share
from red7sim.lab.studies.cross import Cell, Cross
from red7sim.lab.studies.seat_rounds import (
    MAX_ROUND,
    NUMBERED_WINS,
    SEAT_EXCESS,
    SEAT_POINTS,
    SeatRounds,
)
from red7sim.lab.studies.study import Study
from red7sim.lab.summary import DEFAULT_CONFIDENCE, summarize
from red7sim.play.tally import SUM, Tally

NAME: Final = "first-player"
BY_THE_RULES, FORCED = "by the rules", "forced"
_DESIGNS: Final = {BY_THE_RULES: "none", FORCED: "force-start"}

PLAYERS: Final = (2, 3, 4)
RULES: Final = ("basic", "advanced")
PLAYER: Final = ("random", "greedy")
GAMES: Final = 1_000_000
GAMES_PER_DEAL: Final = 20
"""Games to play by the rules for each deal with a forced start, where nothing else is asked."""

Row = dict[str, Any]

SEAT_COLUMNS: Final = {
    "players": pl.Int64,
    "rules": pl.String,
    "player": pl.String,
    "start": pl.String,
    "seat": pl.Int64,
    "games": pl.Int64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "joint_low": pl.Float64,
    "joint_high": pl.Float64,
    "fair": pl.Float64,
    "verdict": pl.String,
}
ROUND_COLUMNS: Final = {
    "players": pl.Int64,
    "rules": pl.String,
    "player": pl.String,
    "round": pl.Int64,
    "seat": pl.Int64,
    "rounds": pl.Int64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "joint_low": pl.Float64,
    "joint_high": pl.Float64,
    "fair": pl.Float64,
    "verdict": pl.String,
}
POINT_COLUMNS: Final = {
    "players": pl.Int64,
    "rules": pl.String,
    "player": pl.String,
    "seat": pl.Int64,
    "games": pl.Int64,
    "points": pl.Float64,
    "points_se": pl.Float64,
    "worth": pl.Float64,
    "worth_se": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


def first_player(
    rules: str | Sequence[str] = RULES,
    player: str | Sequence[str] = PLAYER,
    players: int | Sequence[int] = PLAYERS,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int = GAMES,
    deals: int | None = None,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Measure the share of every seat, for numbers of players x rulesets x self-play players.

    Parameters
    ----------
    rules, player, players
        What is crossed: presets, players (each plays in all seats), numbers of players.
    settings
        Switches that are set in all rulesets.
    games
        Games of each run by the rules.
    deals
        Deals on each of which every position starts once, and games whose rounds are told apart;
        by default games / 20, at least 1.
    progress
        Called with the number of games of each piece that is done; `games_to_play` says of how
        many.

    Returns
    -------
    Study
        `seats`: shares of the games by seat in turn order (of the first round), by the rules and
        with a forced start. `verdict` is `above` or `below` where the joint interval excludes
        the fair share, else `open`.
        `rounds`: for games of several rounds, shares of the rounds by number of the round and
        seat in that round, among games that come so far (at most 16 rounds are told apart).
        `points`: for games of several rounds, points a round won from a seat of the round, and
        what that is above the mean of all seats (`worth`), the game being the unit.

    Raises
    ------
    ValueError
        A value is refused; the message says what is allowed.
    """
    cross = Cross.of(players, rules, player, settings)
    cells = cross.cells()
    runs = [
        (cell, start, cell.run(seed, design))
        for cell in cells
        for start, design in _DESIGNS.items()
    ]
    deals = deals_of(games, deals)
    check_seed(seed)
    check_confidence(confidence)
    for number in (games, deals):
        check_range(number, 0, threads)

    seats: list[Row] = []
    for cell, start, run in runs:
        outcome = play(
            run,
            games if start == BY_THE_RULES else deals,
            threads=threads,
            progress=_games_of(run, progress),
        )
        seats += _seat_rows(cell, start, outcome, confidence)
    rounds: list[Row] = []
    points: list[Row] = []
    for cell in filter(_has_rounds, cells):
        tally = _play_rounds(cell.run(seed), deals, threads, progress)
        rounds += _round_rows(cell, tally, confidence)
        points += _point_rows(cell, tally, deals, confidence)
    return Study(
        name=NAME,
        title="What the seat is worth",
        caption=_caption(cross, games, deals, seed, confidence, bool(rounds)),
        command=_command(cross, games, deals, seed, confidence),
        parameters=cross.as_json()
        | {"games": games, "deals": deals, "seed": seed, "confidence": confidence},
        tables={
            "seats": pl.DataFrame(seats, SEAT_COLUMNS),
            "rounds": pl.DataFrame(rounds, ROUND_COLUMNS),
            "points": pl.DataFrame(points, POINT_COLUMNS),
        },
    )


def deals_of(games: int, deals: int | None) -> int:
    """Return the number of deals with a forced start that go with a number of games."""
    return max(1, games // GAMES_PER_DEAL) if deals is None else deals


def games_to_play(cells: Sequence[Cell], games: int, deals: int) -> int:
    """Return how many games a study of these cells plays in all."""
    return sum(games + deals * (cell.ruleset.players + _has_rounds(cell)) for cell in cells)


def _has_rounds(cell: Cell) -> bool:
    return cell.ruleset.end != "round"


def _games_of(run: Run, progress: Callable[[int], None] | None) -> Callable[[int], None] | None:
    """Return a progress of deals that reports their games."""
    if progress is None:
        return None
    return lambda deals: progress(deals * len(run.arms))


def _play_rounds(
    run: Run, games: int, threads: int | None, progress: Callable[[int], None] | None
) -> Tally:
    counted = SeatRounds(run)
    tally = counted.empty_tally()
    with closing(play_pieces(counted, [(0, games)], threads, progress=progress)) as pieces:
        for piece in pieces:
            tally += piece.tally
    return tally


def _seat_rows(cell: Cell, start: str, outcome: Outcome, confidence: float) -> list[Row]:
    summary = summarize(outcome, confidence)
    fair = 1 / cell.ruleset.players
    return [
        cell.labels
        | {"start": start, "seat": row["seat"], "games": summary["games"]}
        | {"share": row["win_rate"], "fair": fair}
        | {name: row[name] for name in ("low", "high", "joint_low", "joint_high")}
        | {"verdict": _verdict(row["joint_low"], row["joint_high"], fair)}
        for row in summary["seats"]
    ]


def _round_rows(cell: Cell, tally: Tally, confidence: float) -> list[Row]:
    players = cell.ruleset.players
    fair = 1 / players
    rows = []
    wins = tally[SUM, NUMBERED_WINS:].reshape(MAX_ROUND, MAX_PLAYERS)[:, :players]
    for number, won in enumerate(wins.tolist(), start=1):
        # A game has one round of a number, so its rounds are independent trials.
        rounds = sum(won)
        for seat, n in enumerate(won if rounds else []):
            share = wilson_share(n, rounds, confidence, players)
            rows.append(
                cell.labels
                | {"round": number, "seat": seat, "rounds": rounds, "share": share.value}
                | {"low": share.low, "high": share.high, "fair": fair}
                | {"joint_low": share.joint_low, "joint_high": share.joint_high}
                | {"verdict": _verdict(share.joint_low, share.joint_high, fair)}
            )
    return rows


def _point_rows(cell: Cell, tally: Tally, games: int, confidence: float) -> list[Row]:
    players = cell.ruleset.players
    rows = []
    for seat in range(players):
        points = per_round(tally, SEAT_POINTS + seat)
        excess = per_round(tally, SEAT_EXCESS + seat)
        worth = Estimate(excess.value / players, excess.error / players)
        low, high = worth.interval(confidence)
        figures = {"points": points.value, "points_se": points.error, "worth": worth.value}
        figures |= {"worth_se": worth.error, "low": low, "high": high}
        known = {name: None if isnan(value) else value for name, value in figures.items()}
        rows.append(cell.labels | {"seat": seat, "games": games} | known)
    return rows


def _verdict(low: float, high: float, fair: float) -> str:
    return "above" if low > fair else "below" if high < fair else "open"


def _caption(
    cross: Cross, games: int, deals: int, seed: int, confidence: float, has_rounds: bool
) -> str:
    rounds = f"; single rounds and points from the first {deals:,} games" if has_rounds else ""
    return (
        f"{cross.sentence()}; seed {seed}. A run by the rules has {games:,} games; one with a "
        f"forced start has {deals:,} deals, on each of which every position starts once{rounds}. "
        f"Intervals are {100 * confidence:g} %, joint ones for all seats of a run together "
        "(Goodman; with a forced start and for games of several rounds normal, from the variance "
        "between deals or games, the error split among the seats), not for all runs together."
    )


def _command(cross: Cross, games: int, deals: int, seed: int, confidence: float) -> str:
    words = ["red7sim", NAME, *cross.words(), "--games", str(games), "--deals", str(deals)]
    return shlex.join([*words, "--seed", str(seed), "--confidence", f"{confidence:g}"])
