"""What a seat is worth: by the rules, with a forced start, from round to round, in points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import polars as pl

from red7sim.game.ruleset import RulesetError
from red7sim.game.switches import MAX_PLAYERS
from red7sim.lab.pieces import play_total, scaled
from red7sim.lab.runs import Outcome, Run, checked_count, checked_games, checked_seed, play
from red7sim.lab.solving import PERFECT, PerfectRun
from red7sim.lab.stats import (
    Estimate,
    as_percent,
    checked_confidence,
    joint_confidence_of_shares,
    known,
    per_round,
    wilson_share,
)
from red7sim.lab.studies.cross import Cell, Cross
from red7sim.lab.studies.seat_rounds import (
    MAX_ROUND,
    NUMBERED_WINS,
    SEAT_LEAD,
    SEAT_POINTS,
    SeatRounds,
)
from red7sim.lab.studies.study import Study, announce, command_line
from red7sim.lab.studies.verdicts import ABOVE, BELOW, OPEN
from red7sim.lab.summary import DEFAULT_CONFIDENCE, summarize
from red7sim.play.solver import require_solvable
from red7sim.play.tally import SUM, Tally

NAME: Final = "first-player"
BY_THE_RULES, FORCED = "by the rules", "forced"
_DESIGNS: Final = {BY_THE_RULES: "none", FORCED: "force-start"}

PLAYERS: Final = (2, 3, 4)
RULES: Final = ("basic", "advanced")
PLAYER: Final = ("random", "greedy")
USUAL_GAMES: Final = 1_000_000
GAMES_PER_DEAL: Final = 20
"""Games to play by the rules for each deal with a forced start, where nothing else is asked."""
GAMES_PER_SOLVED: Final = 100
"""Games to play by the rules for each deal to solve, where nothing else is asked."""

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
    games: int = USUAL_GAMES,
    deals: int | None = None,
    solved: int | None = None,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Measure the share of every seat, for numbers of players x rulesets x self-play players.

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
        Games of each run by the rules.
    deals
        Deals on each of which every position starts once, and games whose rounds are told apart;
        by default games / 20, at least 1.
    solved
        Deals to solve for the rows of perfect play, which two players with rules that leave nothing
        to chance have; by default games / 100, at least 1. 0 leaves these rows out.
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
        `seats`: shares of the games by seat in turn order (of the first round), by the rules and
        with a forced start; those of perfect play with open hands have the player `perfect`.
        `verdict` is `above` or `below` where the joint interval excludes
        the fair share, else `open`.
        `rounds`: for games of several rounds, shares of the rounds by number of the round and
        seat in that round, among games that come so far (at most 16 rounds are told apart).
        `points`: for games of several rounds, points a round won from a seat of the round, and
        what that is above the mean of all seats (`worth`), the game being the unit.

    Raises
    ------
    InputError
        A value is refused; the message says what is allowed.
    """
    cross = Cross.of(players, rules, player, settings)
    cells = cross.cells()
    runs = [
        (cell, start, cell.run(seed, design))
        for cell in cells
        for start, design in _DESIGNS.items()
    ]
    seed = checked_seed(seed)
    confidence = checked_confidence(confidence)
    games = checked_games(games, threads)
    sizes = Sizes.of(cells, games, deals, solved)
    announce(planned, sizes.in_all(cells))

    seats: list[Row] = []
    for cell, start, run in runs:
        outcome = play(
            run,
            sizes.games if start == BY_THE_RULES else sizes.deals,
            threads=threads,
            progress=scaled(progress, len(run.arms)),
        )
        seats += _seat_rows(cell, start, outcome, confidence)
    for cell in _solvable(cells) if sizes.solved else ():
        solving = PerfectRun(cell.ruleset, seed=seed)
        outcome = play(solving, sizes.solved, threads=threads, progress=progress)
        seats += _seat_rows(cell, BY_THE_RULES, outcome, confidence)
    order = [*dict.fromkeys((cell.ruleset.players, cell.base) for cell in cells)]
    seats.sort(key=lambda row: order.index((row["players"], row["rules"])))
    rounds: list[Row] = []
    points: list[Row] = []
    for cell in (cell for cell in cells if not cell.ruleset.one_round):
        tally = _play_rounds(cell.run(seed), sizes.deals, threads, progress)
        rounds += _round_rows(cell, tally, confidence)
        points += _point_rows(cell, tally, sizes.deals, confidence)
    return Study(
        name=NAME,
        title="What the seat is worth",
        caption=_caption(cross, sizes, seed, confidence, bool(rounds)),
        command=_command(cross, sizes, seed, confidence),
        parameters=cross.as_json() | asdict(sizes) | {"seed": seed, "confidence": confidence},
        tables={
            "seats": pl.DataFrame(seats, SEAT_COLUMNS),
            "rounds": pl.DataFrame(rounds, ROUND_COLUMNS),
            "points": pl.DataFrame(points, POINT_COLUMNS),
        },
    )


@dataclass(frozen=True)
class Sizes:
    """How much is played.

    Attributes
    ----------
    games
        Games of each run by the rules.
    deals
        Deals with a forced start, and games whose rounds are told apart.
    solved
        Deals solved for each row of perfect play; 0 where there is none.
    """

    games: int
    deals: int
    solved: int

    @classmethod
    def of(
        cls, cells: Sequence[Cell], games: int, deals: int | None, solved: int | None
    ) -> "Sizes":
        """Return the sizes for some cells, those not given as fractions of the games.

        Raises
        ------
        RunError
            A number is out of range.
        """
        games = checked_count("games", games)
        deals = max(1, games // GAMES_PER_DEAL) if deals is None else deals
        solved = max(1, games // GAMES_PER_SOLVED) if solved is None else solved
        deals, solved = checked_count("deals", deals), checked_count("solved", solved, low=0)
        return cls(games, deals, solved if _solvable(cells) else 0)

    def in_all(self, cells: Sequence[Cell]) -> int:
        """Return how many games a study of these cells plays or solves in all."""
        played = sum(
            self.games + self.deals * (cell.ruleset.players + (not cell.ruleset.one_round))
            for cell in cells
        )
        return played + self.solved * len(_solvable(cells))


def _solvable(cells: Sequence[Cell]) -> list[Cell]:
    """Return a cell of perfect play for each ruleset that leaves nothing to chance."""
    found = {}
    for cell in cells:
        try:
            require_solvable(cell.ruleset)
        except RulesetError:
            continue
        found[cell.base] = replace(cell, player=PERFECT)
    return [*found.values()]


def _play_rounds(
    run: Run, games: int, threads: int | None, progress: Callable[[int], None] | None
) -> Tally:
    return play_total(SeatRounds(run), 0, games, threads, progress)


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
    fair, joint = 1 / players, joint_confidence_of_shares(confidence, players)
    rows = []
    wins = tally[SUM, NUMBERED_WINS:].reshape(MAX_ROUND, MAX_PLAYERS)[:, :players]
    for number, won in enumerate(wins.tolist(), start=1):
        # A game has one round of a number, so its rounds are independent trials.
        rounds = sum(won)
        for seat, n in enumerate(won if rounds else []):
            share = wilson_share(n, rounds, confidence, joint)
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
        lead = per_round(tally, SEAT_LEAD + seat)
        worth = Estimate(lead.value / players, lead.error / players, lead.degrees)
        low, high = worth.interval(confidence)
        figures = {"points": points.value, "points_se": points.error, "worth": worth.value}
        figures |= {"worth_se": worth.error, "low": low, "high": high}
        row = cell.labels | {"seat": seat, "games": games}
        rows.append(row | {name: known(value) for name, value in figures.items()})
    return rows


def _verdict(low: float, high: float, fair: float) -> str:
    return ABOVE if low > fair else BELOW if high < fair else OPEN


def _caption(cross: Cross, sizes: Sizes, seed: int, confidence: float, has_rounds: bool) -> str:
    deals = f"{sizes.deals:,}"
    rounds = f"; single rounds and points from the first {deals} games" if has_rounds else ""
    perfect = f" Perfect play: {sizes.solved:,} deals, open hands." if sizes.solved else ""
    return (
        f"{cross.sentence()}; seed {seed}. A run by the rules has {sizes.games:,} games; one with "
        f"a forced start has {deals} deals, on each of which every position starts once{rounds}."
        f"{perfect} "
        f"Intervals are {as_percent(confidence)}, joint ones for all seats of a run together "
        "(Goodman; with a forced start and for games of several rounds Wilson's, by the variance "
        "between deals or games, the error split among the seats), not for all runs together."
    )


def _command(cross: Cross, sizes: Sizes, seed: int, confidence: float) -> str:
    numbers = asdict(sizes) | {"seed": seed, "confidence": confidence}
    return command_line(NAME, cross.words(), **numbers)
