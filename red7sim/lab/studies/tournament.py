"""Players against each other: shares of every pairing on common deals, and ratings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from red7sim.game.refused import whole_in
from red7sim.game.ruleset import RulesetError, preset
from red7sim.game.switches import MAX_PLAYERS, MIN_PLAYERS
from red7sim.game.wording import listing, setting_words, with_settings
from red7sim.lab.pieces import play_total, scaled
from red7sim.lab.ratings import ELO, strengths, win_chances
from red7sim.lab.runs import Run, RunError, checked_games, checked_seed, checked_settings
from red7sim.lab.scores import (
    POINT_FIGURES,
    add_points,
    empty_scores,
    points_of,
    seating_of,
)
from red7sim.lab.stats import (
    Estimate,
    as_percent,
    checked_confidence,
    figure_columns,
    known,
    mean_share,
    per_game,
    variance_ratio,
)
from red7sim.lab.studies.cross import canonical_players
from red7sim.lab.studies.study import Study, announce, command_line, player_words
from red7sim.lab.summary import DEFAULT_CONFIDENCE
from red7sim.play.bootstrap import fill_weights
from red7sim.play.paired import PairedTable, seat_paired
from red7sim.play.tally import POSITION_WINS, SHARE_UNIT, SUM, Tally

NAME: Final = "tournament"
PLAYER: Final = ("random", "thrifty", "greedy", "leads")
USUAL_DEALS: Final = 10_000
DESIGN: Final = "rotate"
REPLICATES: Final = 200
FEWEST: Final = 10
"""Games that players must win from others, and lose to them, for ratings to have errors. Ratings of
players whom fewer connect rest on the wins that are added to keep them finite
(red7sim.lab.ratings), which no bootstrap varies."""

Row = dict[str, Any]

SHARE_COLUMNS: Final = {
    "player": pl.String,
    "rivals": pl.String,
    "games": pl.Int64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "fair": pl.Float64,
    "predicted": pl.Float64,
    "variance_ratio": pl.Float64,
}
POINT_COLUMNS: Final = {
    "player": pl.String,
    "rivals": pl.String,
    "games": pl.Int64,
    **{name: pl.Float64 for figure in POINT_FIGURES for name in (figure, f"{figure}_se")},
    "low": pl.Float64,
    "high": pl.Float64,
}
RATING_COLUMNS: Final = {
    "player": pl.String,
    "rating": pl.Float64,
    "rating_se": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


@dataclass(frozen=True)
class Field:
    """Who plays whom: line-ups of some players, all on the same deals, seats rotated.

    Attributes
    ----------
    players
        Canonical texts, each once.
    seats
        Players at a table.
    base, settings
        The rules: a preset, and switches to set.

    Raises
    ------
    RunError
        There are fewer than two players.
    """

    players: tuple[str, ...]
    seats: int
    base: str
    settings: Mapping[str, Any]
    seed: int

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise RunError(f"player: {len(self.players)} given; allowed: two or more")

    @cached_property
    def line_ups(self) -> list[tuple[int, ...]]:
        """Players by index: every pair; at larger tables one among equals, then all different."""
        indices = range(len(self.players))
        if self.seats == 2:
            return [*combinations(indices, 2)]
        among = [(one, *[other] * (self.seats - 1)) for one, other in permutations(indices, 2)]
        return [*among, *combinations(indices, self.seats)]

    @cached_property
    def runs(self) -> list[Run]:
        """One run a line-up."""
        rules = preset(self.base, self.seats).changed(self.settings)
        names = [tuple(self.players[i] for i in line_up) for line_up in self.line_ups]
        return [Run(rules, line_up, self.seed, DESIGN) for line_up in names]

    @property
    def scored(self) -> bool:
        """Whether points win the games."""
        return self.runs[0].rules.scored

    @cached_property
    def seat_counts(self) -> NDArray[np.float64]:
        """How many seats each player has in each line-up: shape (line-ups, players)."""
        counts = [[line_up.count(i) for i in range(len(self.players))] for line_up in self.line_ups]
        return np.array(counts, dtype=np.float64)

    def empty_tally(self) -> Tally:
        """Return a tally of no deals, a flat int64 array; see `split`."""
        return np.zeros(self._counts() + REPLICATES * (1 + self._entries()), dtype=np.int64)

    def split(self, tally: Tally) -> tuple[Tally, NDArray[np.int64]]:
        """Return the tallies of points (red7sim.lab.scores) of the line-ups, and the sums of the
        replicates.

        Shapes (line-ups, 4, N_COLUMNS) and (REPLICATES, 1 + line-ups x seats): the weights of the
        deals, then the weighted wins of the entries, in SHARE_UNITs.
        """
        size = self._counts()
        shape = (len(self.runs), *empty_scores().shape)
        return tally[:size].reshape(shape), tally[size:].reshape(REPLICATES, -1)

    def table(self) -> "FieldTable":
        """Return new tables to play at, for one thread."""
        watched = "rounds" if self.scored else "nobody"
        tables = [seat_paired(r.rules, r.players, r.arms, watched=watched) for r in self.runs]
        return FieldTable(self, tables)

    def _counts(self) -> int:
        return len(self.runs) * empty_scores().size

    def _entries(self) -> int:
        return len(self.runs) * self.seats


@dataclass(frozen=True)
class FieldTable:
    """Tables of all line-ups, at which the same deals are played."""

    field: Field
    tables: list[PairedTable]

    def play_block(self, seed: int, first_deal: int, deals: int, tally: Tally) -> None:
        """Play a range of deals in all line-ups and add them to the tally."""
        counts, replicates = self.field.split(tally)
        wins = slice(POSITION_WINS, POSITION_WINS + self.field.seats)
        found = [
            self._play(i, seed, first_deal, deals, count)[:, wins] for i, count in enumerate(counts)
        ]
        weights = np.empty((deals, REPLICATES))
        fill_weights(np.uint64(seed), first_deal, weights)
        # Floats hold these whole numbers exactly, and are multiplied much faster.
        entries = np.concatenate([np.ones((deals, 1)), *found], axis=1)
        replicates += (weights.T @ entries).astype(np.int64)

    def _play(
        self, line_up: int, seed: int, first_deal: int, deals: int, counts: Tally
    ) -> NDArray[np.int64]:
        """Play the deals in a line-up, count them, and return the measures of each."""
        table, run = self.tables[line_up], self.field.runs[line_up]
        tally = run.empty_tally()
        if self.field.scored:
            measures, rows = table.record_games(seed, first_deal, deals, tally)
            add_points(counts, rows, seating_of(run.arms), first_deal, measures)
        else:
            measures = table.record_deals(seed, first_deal, deals, tally)
        counts[:, : tally.shape[1]] += tally
        return measures


def tournament(
    rules: str = "basic",
    player: str | Sequence[str] = PLAYER,
    players: int = 2,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int = USUAL_DEALS,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Let players meet each other on common deals, seats rotated, and rate them.

    Two at a table play every pair. At larger tables each plays alone among equals of every other
    one, and all different ones that fit a table play too.

    Parameters
    ----------
    rules
        A preset.
    player
        Who takes part: two or more.
    players
        Players at a table, 2 to 4.
    settings
        Switches to set in the ruleset.
    games
        Deals; on each, every line-up plays one game in every rotation of its seats.
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
        `shares`: a row for one player against the others of a line-up. `share` is that of his
        games, with the deal as the unit; `fair` is one seat's share, `predicted` what the ratings
        say, and `variance_ratio` what rotating the seats did (below 1, it helped).
        `ratings`: strengths of the Plackett-Luce model (Bradley-Terry for two) in Elo points
        around their mean; errors by a Poisson bootstrap over the deals, null where some have
        won fewer than FEWEST games from the others.
        `points`, of scored games alone: points of the player a game and a round; `lead` is by how
        much more a game these are than the mean of the others, with its interval.

    Raises
    ------
    InputError
        A value is refused; the message says what is allowed.
    """
    names = canonical_players(player)
    seats = whole_in("players", players, MIN_PLAYERS, MAX_PLAYERS, error=RulesetError)
    field = Field(names, seats, rules, checked_settings(settings), checked_seed(seed))
    confidence = checked_confidence(confidence)
    games = checked_games(games, threads)
    games_a_deal = sum(len(run.arms) for run in field.runs)
    announce(planned, games * games_a_deal)
    tally = play_total(field, 0, games, threads, scaled(progress, games_a_deal))
    counts, replicates = field.split(tally)
    rated = _rated(field, games, counts, replicates)
    connected = _is_connected(field, counts)
    tables = {
        "shares": pl.DataFrame(
            _share_rows(field, games, counts, rated[0], confidence), SHARE_COLUMNS
        ),
        "ratings": pl.DataFrame(_rating_rows(field, rated, connected, confidence), RATING_COLUMNS),
    }
    if field.scored:
        rows = _point_rows(field, games, counts, confidence)
        tables["points"] = pl.DataFrame(rows, POINT_COLUMNS)
    return Study(
        name=NAME,
        title="Players against each other",
        caption=_caption(field, games, confidence),
        command=_command(field, games, confidence),
        parameters={"rules": field.runs[0].rules.as_json(), "player": [*names]}
        | {"players": field.seats, "seed": field.seed, "games": games, "confidence": confidence},
        tables=tables,
    )


def _rated(
    field: Field, games: int, counts: Tally, replicates: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the strengths by all deals, then by each replicate: (1 + REPLICATES, players)."""
    own = counts[:, 0, POSITION_WINS : POSITION_WINS + field.seats].reshape(1, -1)
    wins = np.concatenate([own, replicates[:, 1:]]) / SHARE_UNIT
    deals = np.concatenate([[games], replicates[:, 0]])
    # An entry of a line-up belongs to a player; his wins are those of all his entries.
    players = np.array(field.line_ups).reshape(-1)
    by_player = np.stack(
        [wins[:, players == i].sum(axis=1) for i in range(len(field.players))], axis=1
    )
    played = np.repeat(deals[:, None] * float(field.seats), len(field.line_ups), axis=1)
    return strengths(field.seat_counts, played, by_player)


def _is_connected(field: Field, counts: Tally) -> bool:
    """Whether everybody is connected to everybody by players of whom one has won FEWEST games from
    the next: then ratings rest on games (Hunter's condition, with more than one game).
    """
    won = np.zeros((len(field.players),) * 2)
    for line_up, tally in zip(field.line_ups, counts, strict=True):
        for entry, player in enumerate(line_up):
            rivals = [rival for rival in {*line_up} if rival != player]
            won[player, rivals] += tally[SUM, POSITION_WINS + entry] / SHARE_UNIT
    beaten = (won >= FEWEST) | np.eye(len(won), dtype=bool)
    return bool(np.linalg.matrix_power(beaten, len(won)).all())


def _shown(field: Field) -> Iterator[tuple[int, int, Row]]:
    """Yield every line-up with each entry that has a row, and the words of the row."""
    for i, (line_up, run) in enumerate(zip(field.line_ups, field.runs, strict=True)):
        equals = len(set(line_up)) < field.seats
        for entry in range(1 if equals else field.seats):
            others = [*run.players[:entry], *run.players[entry + 1 :]]
            rivals = f"{len(others)} x {others[0]}" if equals else ", ".join(others)
            yield i, entry, {"player": run.players[entry], "rivals": rivals}


def _point_rows(field: Field, games: int, counts: Tally, confidence: float) -> list[Row]:
    rows = []
    for i, entry, row in _shown(field):
        row["games"] = games * field.seats
        figures = points_of(counts[i], entry, field.seats, field.seats)
        low, high = figures["lead"].interval(confidence)
        rows.append(row | figure_columns(figures) | {"low": known(low), "high": known(high)})
    return rows


def _share_rows(
    field: Field, games: int, counts: Tally, strength: NDArray[np.float64], confidence: float
) -> list[Row]:
    predicted = win_chances(field.seat_counts, strength)
    rows = []
    for i, entry, row in _shown(field):
        wins = POSITION_WINS + entry
        estimate = per_game(counts[i], wins, SHARE_UNIT * field.seats)
        share = mean_share(estimate, games, confidence, confidence)
        chance = float(predicted[i][field.line_ups[i][entry]])
        rows.append(
            row
            | {"games": games * field.seats}
            | {"share": share.value, "low": share.low, "high": share.high}
            | {"fair": 1 / field.seats, "predicted": chance}
            | {"variance_ratio": known(variance_ratio(counts[i], wins, field.seats))}
        )
    return rows


def _rating_rows(
    field: Field, rated: NDArray[np.float64], connected: bool, confidence: float
) -> list[Row]:
    points = ELO * np.log(rated)
    errors = points[1:].std(axis=0, ddof=1)
    if not connected:
        errors[:] = np.nan
    errors[errors == 0] = np.nan  # all deals are alike
    rows = []
    for name, rating, error in zip(field.players, points[0], errors, strict=True):
        low, high = Estimate(float(rating), float(error)).interval(confidence)
        figures = {"rating": float(rating), "rating_se": float(error), "low": low, "high": high}
        rows.append({"player": name} | {key: known(value) for key, value in figures.items()})
    return sorted(rows, key=lambda row: -row["rating"])


def _caption(field: Field, games: int, confidence: float) -> str:
    rules = with_settings(f"{field.base} rules", field.settings)
    return (
        f"{field.seats} players, {rules}, seed {field.seed}: {len(field.line_ups)} line-ups of "
        f"{listing(field.players)}, each in all {field.seats} rotations on the same {games:,} "
        f"deals. Intervals are {as_percent(confidence)}, each for itself, with the deal as the "
        f"unit; those of ratings by a Poisson bootstrap with {REPLICATES} replicates."
    )


def _command(field: Field, games: int, confidence: float) -> str:
    words = [*player_words(field.players), "--players", str(field.seats), "--rules", field.base]
    words += setting_words(field.settings)
    return command_line(NAME, words, games=games, seed=field.seed, confidence=confidence)
