"""How much is left to the players: choices, early ends, changes of the lead, luck of the deal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from red7sim.lab.choices import turn_figures
from red7sim.lab.detailed import play_in_detail, rounds_of
from red7sim.lab.groups import ratio, share_interval
from red7sim.lab.runs import checked_count, checked_games, checked_seed
from red7sim.lab.spread import chance_spread, checked_playouts, luck_share, replay_deals
from red7sim.lab.stats import (
    Estimate,
    as_percent,
    checked_confidence,
    figure_columns,
    joint_confidence,
    known,
    wilson,
)
from red7sim.lab.studies.cross import Cell, Cross
from red7sim.lab.studies.study import Study, announce, command_line
from red7sim.lab.summary import DEFAULT_CONFIDENCE
from red7sim.play.details import (
    ASKED,
    CHOICES,
    FORCED,
    GROUPS,
    NO_CHOICE,
    TURN_BINS,
    Details,
)
from red7sim.play.tally import END_REASONS, ENDED, GAMES, SUM, Tally

NAME: Final = "balance-agency"
PLAYERS: Final = 2
RULES: Final = ("basic", "advanced")
PLAYER: Final = ("random", "leads")
USUAL_GAMES: Final = 50_000
USUAL_DEALS: Final = 4_096
PLAYOUTS: Final = 20

_LABELS: Final = {"players": pl.Int64, "rules": pl.String, "player": pl.String}
TURN_COLUMNS: Final = {
    **_LABELS,
    "turn": pl.Int64,
    "asked": pl.Int64,
    "choices": pl.Float64,
    "choices_se": pl.Float64,
    "none": pl.Float64,
    "none_se": pl.Float64,
    "forced": pl.Float64,
    "forced_se": pl.Float64,
}
LENGTH_COLUMNS: Final = {**_LABELS, "turns": pl.Int64, "rounds": pl.Int64, "share": pl.Float64}
SEAT_COLUMNS: Final = {
    **_LABELS,
    "seat": pl.Int64,
    "rounds": pl.Int64,
    "out_early": pl.Int64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "joint_low": pl.Float64,
    "joint_high": pl.Float64,
}
FIGURE_COLUMNS: Final = {
    **_LABELS,
    "figure": pl.String,
    "value": pl.Float64,
    "se": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}

FIGURES: Final = {
    "choices_per_turn": "surviving turns to choose from, per turn",
    "forced_turns": "share of turns with exactly one surviving turn",
    "turns_without_choice": "share of turns with none, so that the player is out",
    "turns_per_round": "turns per round, those that put a player out included",
    "leader_changes": "changes of the leader per round",
    "luck_of_deal": "share of the variance in who wins the round that is due to the deal",
    "chance_spread": "standard deviation over deals of the chance to win",
    "comebacks": "share of games of several rounds won by a player who had been behind",
    "ended_by_cards": "share of games that ended because the cards ran out",
}
"""Every figure in words; the last two are of games of several rounds alone."""

Row = dict[str, Any]


def balance_agency(
    rules: str | Sequence[str] = RULES,
    player: str | Sequence[str] = PLAYER,
    players: int | Sequence[int] = PLAYERS,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int = USUAL_GAMES,
    deals: int = USUAL_DEALS,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Measure how much the players decide, for numbers of players x rulesets x self-play players.

    Parameters
    ----------
    rules
        Presets to cross.
    player
        Players to cross; each plays in all seats.
    players
        Numbers of players to cross, 2 to 4.
    settings
        Switches that are set in all rulesets.
    games
        Games of each run.
    deals
        Deals that are replayed many times, as single rounds.
    playouts
        How often each of them is played.
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
        `turns`, by number of the turn in its round: mean number of surviving turns, shares of the
        turns with none and with exactly one; the last row holds all later turns as well.
        `lengths`: rounds by the number of turns asked; the last row holds longer ones as well.
        `seats`: share of the rounds in which a seat is out before it has survived a turn; joint
        intervals are for the seats of a run together.
        `figures`: see `FIGURES`. The leader changes where another player, or nobody, led after the
        last turn that was survived, or by the deal. A comeback is a game of several rounds that is
        won by somebody who had a lower score than another after one of its rounds, the last
        excepted. The share of the deal is explained in red7sim.lab.spread; for players who choose
        without chance it is 1.

    Raises
    ------
    InputError
        A value is refused; the message says what is allowed.
    """
    cross = Cross.of(players, rules, player, settings)
    cells = cross.cells()
    seed = checked_seed(seed)
    confidence = checked_confidence(confidence)
    games, deals = checked_games(games, threads), checked_count("deals", deals)
    playouts = checked_playouts(playouts)
    runs = [cell.run(seed) for cell in cells]  # refuses players whom the rules do not fit
    announce(planned, len(cells) * (games + deals * playouts))
    rows: dict[str, list[Row]] = {"turns": [], "lengths": [], "seats": [], "figures": []}
    for cell, run in zip(cells, runs, strict=True):
        tally, details = play_in_detail(run, games, threads, progress)
        sums = replay_deals(run, deals, playouts, threads, progress)
        rows["turns"] += _turn_rows(cell, details)
        rows["lengths"] += _length_rows(cell, details)
        rows["seats"] += _seat_rows(cell, details, confidence)
        figures = turn_figures(details)
        figures["luck_of_deal"] = luck_share(sums, playouts)
        figures["chance_spread"] = chance_spread(sums, playouts, cell.ruleset.players)
        rows["figures"] += _figure_rows(cell, figures, confidence)
        if not cell.ruleset.one_round:
            rows["figures"] += _game_rows(cell, tally, details, confidence)
    columns = (TURN_COLUMNS, LENGTH_COLUMNS, SEAT_COLUMNS, FIGURE_COLUMNS)
    numbers = {"games": games, "deals": deals, "playouts": playouts, "seed": seed}
    return Study(
        name=NAME,
        title="How much is left to the players",
        caption=_caption(cross, games, deals, playouts, seed, confidence),
        command=_command(cross, numbers | {"confidence": confidence}),
        parameters=cross.as_json() | numbers | {"confidence": confidence},
        tables={
            name: pl.DataFrame(rows[name], schema)
            for name, schema in zip(rows, columns, strict=True)
        },
    )


def _turn_rows(cell: Cell, details: Details) -> list[Row]:
    rows = []
    for number in range(TURN_BINS):
        counts = details["turns"][:, number]
        asked = counts[:, ASKED]
        if asked.sum() == 0:
            continue
        figures = {
            name: ratio(counts[:, column], asked)
            for name, column in (("choices", CHOICES), ("none", NO_CHOICE), ("forced", FORCED))
        }
        counted = {"turn": number + 1, "asked": int(asked.sum())}
        rows.append(cell.labels | counted | figure_columns(figures))
    return rows


def _length_rows(cell: Cell, details: Details) -> list[Row]:
    counts = details["lengths"].sum(axis=0)
    rounds = int(counts.sum())
    return [
        cell.labels | {"turns": turns, "rounds": int(counts[turns])}
        | {"share": int(counts[turns]) / rounds}
        for turns in np.flatnonzero(counts).tolist()
    ]  # fmt: skip


def _seat_rows(cell: Cell, details: Details, confidence: float) -> list[Row]:
    players, rounds = cell.ruleset.players, int(rounds_of(details).sum())
    rows = []
    for seat in range(players):
        early = details["out_early"][:, seat]
        share = ratio(early, rounds_of(details))
        bounds: Row = {}
        # Two seats are two questions: both may be in or out.
        for name, level in (("", confidence), ("joint_", joint_confidence(confidence, players))):
            low, high = share_interval(share, rounds, level)
            bounds |= {f"{name}low": low, f"{name}high": high}
        counted = {"rounds": rounds, "out_early": int(early.sum())}
        rows.append(cell.labels | {"seat": seat} | counted | {"share": share.value} | bounds)
    return rows


def _figure_rows(cell: Cell, figures: Mapping[str, Estimate], confidence: float) -> list[Row]:
    rows = []
    for name, figure in figures.items():
        low, high = figure.interval(confidence)
        numbers = {"value": figure.value, "se": figure.error, "low": low, "high": high}
        row = cell.labels | {"figure": name}
        rows.append(row | {key: known(number) for key, number in numbers.items()})
    return rows


def _game_rows(cell: Cell, tally: Tally, details: Details, confidence: float) -> list[Row]:
    """Return the figures of whole games, which are independent trials."""
    longer = int(details["long_games"].sum())
    exhausted = int(tally[SUM, ENDED + END_REASONS.index("cards")])
    rows = []
    for name, n, trials in (
        ("comebacks", int(details["comebacks"].sum()), longer),
        ("ended_by_cards", exhausted, int(tally[SUM, GAMES])),
    ):
        low, high = wilson(n, trials, confidence)
        value = n / trials if trials else None
        error = None if value is None or trials < 2 else (value * (1 - value) / trials) ** 0.5
        rows.append(
            cell.labels | {"figure": name, "value": value, "se": error, "low": low, "high": high}
        )
    return rows


def _caption(
    cross: Cross, games: int, deals: int, playouts: int, seed: int, confidence: float
) -> str:
    return (
        f"{cross.sentence()}; seed {seed}. {games:,} games a run; {deals:,} deals, each played "
        f"{playouts} times as a single round with other choices. Intervals are "
        f"{as_percent(confidence)}, from the spread between {GROUPS} groups of games or deals "
        "(jackknife, Student's t), for seats and whole games Wilson's; joint ones for the seats of "
        "a run together (Bonferroni)."
    )


def _command(cross: Cross, numbers: Mapping[str, Any]) -> str:
    return command_line(NAME, cross.words(), **numbers)
