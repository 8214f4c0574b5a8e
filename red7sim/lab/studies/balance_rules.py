"""What the seven rules do in play: how often they hold, what they bring, what their lack costs."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import polars as pl

from red7sim.game.cards import COLOURS, N_COLOURS
from red7sim.lab.detailed import play_in_detail, rounds_of
from red7sim.lab.groups import ratio
from red7sim.lab.pieces import scaled
from red7sim.lab.runs import Run, checked_count, checked_games, checked_seed, play
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
from red7sim.play.details import ENDS, GROUPS, POINTS_WON, Details
from red7sim.play.policy import DEFAULT_PLAYER
from red7sim.play.spec import ACTING_NUMBERS
from red7sim.play.tally import POSITION_WINS, SHARE_UNIT

NAME: Final = "balance-rules"
USUAL_GAMES: Final = 200_000
USUAL_DEALS: Final = 20_000

RANKS: Final = tuple(range(N_COLOURS - 1, -1, -1))
"""The colours in the order of tables, red first."""

RULE_COLUMNS: Final = {
    "rule": pl.String,
    **{
        name: pl.Float64
        for figure in ("shown", "ended", "points", "changes", "won")
        for name in (figure, f"{figure}_se")
    },
}
TRANSITION_COLUMNS: Final = {
    "before": pl.String,
    "after": pl.String,
    "discards": pl.Int64,
    "share": pl.Float64,
    "share_se": pl.Float64,
}
RESTRICTION_COLUMNS: Final = {"restriction": pl.String} | FAIR_SHARE_COLUMNS

Row = dict[str, Any]


def balance_rules(
    rules: str = "basic",
    player: str = DEFAULT_PLAYER,
    players: int = 2,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int = USUAL_GAMES,
    deals: int = USUAL_DEALS,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Measure what each of the seven rules does in play, and what it is worth to be able to use it.

    Parameters
    ----------
    rules
        A preset.
    player
        Who plays in all seats.
    players
        Number of players, 2 to 4.
    settings
        Switches to set in the ruleset.
    games
        Games without a restriction.
    deals
        Deals for each restriction; on each the restricted player sits once in every position,
        against the same player without restriction in the others.
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
        `rules`, by colour of the canvas: the shares of the turns that begin under it (`shown`) and
        of the rounds that end on it (`ended`), points of such a round, `changes` a round by which
        another colour gives way to it, and the share of them whose maker wins the round (`won`).
        `transitions`: how the discards made under one colour are shared among the colours they
        bring; discards of the colour that lies there already are on the diagonal.
        `restrictions`: the share of the games that a restricted player wins, and its difference to
        the fair share, which is what he would win without the restriction. The deal is the unit;
        joint intervals hold for all restrictions together (Bonferroni). `verdict` is `costs` or
        `pays` where the joint interval excludes 0, else `open`.

    Raises
    ------
    InputError
        A value is refused; the message says what is allowed.
    """
    cross = Cross.single(players, rules, player, settings)
    [cell] = cross.cells()
    players = cell.ruleset.players
    seed = checked_seed(seed)
    confidence = checked_confidence(confidence)
    games, deals = checked_games(games, threads), checked_count("deals", deals)
    runs = [(name, restricted_run(cell, name, seed)) for name in restrictions(cell)]
    announce(planned, games + deals * players * len(runs))
    _, details = play_in_detail(cell.run(seed), games, threads, progress)
    told = scaled(progress, players)
    restricted = []
    for name, run in runs:
        tally = play(run, deals, threads=threads, progress=told).tally
        estimate = per_game(tally, POSITION_WINS, SHARE_UNIT * players)
        row = against_fair(estimate, deals, players, confidence, len(runs))
        restricted.append({"restriction": name} | row)
    return Study(
        name=NAME,
        title="What the rules do",
        caption=_caption(cross, games, deals, seed, confidence),
        command=_command(cross, games, deals, seed, confidence),
        parameters=cross.as_json()
        | {"games": games, "deals": deals, "seed": seed, "confidence": confidence},
        tables={
            "rules": pl.DataFrame(_rule_rows(details), RULE_COLUMNS),
            "transitions": pl.DataFrame(_transition_rows(details), TRANSITION_COLUMNS),
            "restrictions": pl.DataFrame(restricted, RESTRICTION_COLUMNS),
        },
    )


def restrictions(cell: Cell) -> list[str]:
    """Return the modifiers (red7sim.play.spec) that are measured."""
    names = [f"no-rule:{COLOURS[rank]}" for rank in RANKS]
    names += ["no-discard", "no-play"]
    return names + [f"no-action:{number}" for number in ACTING_NUMBERS if cell.ruleset.actions]


def restricted_run(cell: Cell, restriction: str, seed: int) -> Run:
    """Return the run of one restricted player among the others, who is rotated over the seats."""
    others = cell.ruleset.players - 1
    line_up = (f"{cell.player}+{restriction}", *(cell.player,) * others)
    return Run(cell.ruleset, line_up, seed, "rotate")


def _rule_rows(details: Details) -> list[Row]:
    shown = details["canvas_turns"]
    ended, points = details["finals"][:, :, ENDS], details["finals"][:, :, POINTS_WON]
    rounds = rounds_of(details)
    discards = details["discards"]
    rows = []
    for rank in RANKS:
        changes = discards[:, :, rank].sum(axis=1) - discards[:, rank, rank]
        figures = {
            "shown": ratio(shown[:, rank], shown.sum(axis=1)),
            "ended": ratio(ended[:, rank], rounds),
            "points": ratio(points[:, rank], ended[:, rank]),
            "changes": ratio(changes, rounds),
            "won": ratio(details["changes_won"][:, rank], changes),
        }
        rows.append({"rule": COLOURS[rank]} | figure_columns(figures))
    return rows


def _transition_rows(details: Details) -> list[Row]:
    rows = []
    for before in RANKS:
        discards = details["discards"][:, before]
        for after in RANKS:
            share = ratio(discards[:, after], discards.sum(axis=1))
            rows.append(
                {"before": COLOURS[before], "after": COLOURS[after]}
                | {"discards": int(discards[:, after].sum())}
                | figure_columns({"share": share})
            )
    return rows


def _caption(cross: Cross, games: int, deals: int, seed: int, confidence: float) -> str:
    return (
        f"{cross.sentence()}; {games:,} games and {deals:,} deals for each restriction, seed "
        f"{seed}. On each deal a restricted player sits once in every position against the same "
        f"player without restriction. Intervals are {as_percent(confidence)}, Wilson's by the "
        "variance between deals, joint ones for all restrictions together (Bonferroni); standard "
        f"errors are those of {GROUPS} groups of games (jackknife)."
    )


def _command(cross: Cross, games: int, deals: int, seed: int, confidence: float) -> str:
    return command_line(
        NAME, cross.words(), games=games, deals=deals, seed=seed, confidence=confidence
    )
