"""How often players throw a won position away."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from red7sim.game.ruleset import Ruleset, preset
from red7sim.game.wording import listing, setting_words, with_settings
from red7sim.lab.pieces import play_total
from red7sim.lab.runs import Run, checked_games, checked_seed, checked_settings
from red7sim.lab.spread import luck_share, replay_deals
from red7sim.lab.stats import Estimate, as_percent, checked_confidence, known, ratio_error, wilson
from red7sim.lab.studies.cross import canonical_players
from red7sim.lab.studies.study import Study, announce, command_line, player_words
from red7sim.lab.summary import DEFAULT_CONFIDENCE
from red7sim.play.judged import (
    CHANCE,
    CHANCE_UNIT,
    CHOICES,
    DECISIONS,
    FORCED,
    FREE,
    JUDGEMENTS,
    WON,
    JudgedTable,
    empty_judgements,
    parse_judged,
    seat_judged,
)
from red7sim.play.tally import Tally

NAME: Final = "skill"
PLAYER: Final = ("random", "thrifty", "greedy", "leads")
USUAL_GAMES: Final = 10_000
PLAYOUTS: Final = 20
"""Times that a deal is played to tell its luck from that of the choices."""
GAMES_PER_REPLAYED: Final = 5
"""Games to judge for each deal that is played again and again."""

Row = dict[str, Any]

PLAYER_COLUMNS: Final = {
    "player": pl.String,
    "judged": pl.Int64,
    "thrown": pl.Int64,
    "regret": pl.Float64,
    "regret_se": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "regret_of_all": pl.Float64,
    "chance": pl.Float64,
    "luck": pl.Float64,
    "luck_low": pl.Float64,
    "luck_high": pl.Float64,
}
TURN_COLUMNS: Final = {
    "turn": pl.Int64,
    "decisions": pl.Int64,
    "choices": pl.Float64,
    "forced": pl.Float64,
    "won": pl.Float64,
    "judged": pl.Int64,
    "chance": pl.Float64,
}
REGRET_COLUMNS: Final = {
    "player": pl.String,
    "turn": pl.Int64,
    "judged": pl.Int64,
    "thrown": pl.Int64,
    "regret": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


@dataclass(frozen=True)
class Judged:
    """Rounds whose decisions are judged: rules, players and a seed.

    Raises
    ------
    RulesetError, PlayerError
        As `red7sim.play.judged.parse_judged`.
    RunError
        The seed is out of range.
    """

    rules: Ruleset
    players: tuple[str, ...]
    seed: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", checked_seed(self.seed))
        parse_judged(self.rules, self.players)

    def empty_tally(self) -> Tally:
        """Return a tally of nothing: a JUDGEMENTS record as int64."""
        return empty_judgements()

    def table(self) -> JudgedTable:
        """Return a new table to play at, for one thread."""
        return seat_judged(self.rules, self.players)


def skill(
    player: str | Sequence[str] = PLAYER,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int = USUAL_GAMES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Ask players what they would do in positions that are won, and count what loses.

    Two players play one round by the basic rules; all ordered pairs of the listed players are
    seated in turns. In every position each of them is asked, and judged by perfect play with open
    hands. So nobody can reach no regret who does not see the hand of his rival.

    Parameters
    ----------
    player
        The players, each once; at most `red7sim.play.judged.MAX_JUDGED`.
    settings
        Switches to set in the basic rules; they must leave nothing to chance.
    games
        Rounds to play.
    seed
        Seed of all chance.
    confidence
        Level of the intervals, between 0 and 1.
    threads
        How many play at once, by default all processors; the answer does not depend on it.
    progress
        Called with the number of games of each piece that is done.
    planned
        Called once what is given is checked, with how many games `progress` is told of in all.

    Returns
    -------
    Study
        `players`: a row a player. `judged` counts the decisions in won positions with more than
        one surviving turn, `thrown` those of them whose turn loses, `regret` is their ratio, with
        the round as the unit of its error; `regret_of_all` is the share among all decisions, and
        `chance` the regret of who chooses uniformly in these positions.
        `luck` is the share of the deal in the variance of who wins, where the player meets
        himself (red7sim.lab.spread): 1 for players who choose without chance.
        `turns`: by number of the turn in its round (the last one holds later ones too): all
        decisions, the mean number of surviving turns, the shares of forced and of won ones, and
        `chance`, as above.
        `regrets`: `regret` by player and turn, with Wilson's interval.

    Raises
    ------
    InputError
        A value is refused; the message says what is allowed.
    """
    names = canonical_players(player)
    settings = checked_settings(settings)
    judged = Judged(preset("basic", 2).changed(settings), names, seed)
    confidence = checked_confidence(confidence)
    games = checked_games(games, threads)
    announce(planned, games + len(names) * _deals(games) * PLAYOUTS)
    tally = play_total(judged, 0, games, threads, progress)
    luck = [
        luck_share(
            replay_deals(
                Run(judged.rules, (name, name), judged.seed),
                _deals(games),
                PLAYOUTS,
                threads,
                progress,
            ),
            PLAYOUTS,
        )
        for name in names
    ]
    counts = tally.view(JUDGEMENTS)[0]
    asked = int(counts["turns"][:, DECISIONS].sum())
    return Study(
        name=NAME,
        title="How often won positions are thrown away",
        caption=_caption(judged, settings, games, asked, confidence),
        command=_command(judged, settings, games, confidence),
        parameters={"rules": judged.rules.as_json(), "player": [*names], "seed": judged.seed}
        | {"games": games, "confidence": confidence},
        tables={
            "players": pl.DataFrame(_player_rows(counts, names, luck, confidence), PLAYER_COLUMNS),
            "turns": pl.DataFrame(_turn_rows(counts), TURN_COLUMNS),
            "regrets": pl.DataFrame(_regret_rows(counts, names, confidence), REGRET_COLUMNS),
        },
    )


def _deals(games: int) -> int:
    return max(1, games // GAMES_PER_REPLAYED)


def _player_rows(
    counts: Any, names: tuple[str, ...], luck: list[Estimate], confidence: float
) -> list[Row]:
    free, rounds = int(counts["turns"][:, FREE].sum()), int(counts["rounds"])
    decisions = int(counts["turns"][:, DECISIONS].sum())
    chance = int(counts["turns"][:, CHANCE].sum()) / CHANCE_UNIT
    rows: list[Row] = []
    for i, name in enumerate(names):
        thrown = int(counts["thrown"][:, i].sum())
        row: Row = {"player": name, "judged": free, "thrown": thrown}
        if free:
            row |= {"regret": thrown / free, "regret_of_all": thrown / decisions}
            row |= {"chance": chance / free}
        if free and rounds > 1:
            squares = int(counts["thrown_squares"][i])
            products = int(counts["products"][i])
            error = ratio_error(
                rounds, free, int(counts["free_squares"]), thrown, squares, products
            )
            low, high = Estimate(thrown / free, error, rounds - 1).interval(confidence)
            if error == 0:  # as good as nothing is known of the variance
                low, high = wilson(thrown, free, confidence)
            row |= {"regret_se": error, "low": max(0.0, low), "high": min(1.0, high)}
        low, high = luck[i].interval(confidence)
        figures = {"luck": luck[i].value, "luck_low": low, "luck_high": high}
        rows.append(row | {key: known(value) for key, value in figures.items()})
    return rows


def _turn_rows(counts: Any) -> list[Row]:
    rows = []
    for number, sums in enumerate(counts["turns"].tolist(), start=1):
        asked, free = sums[DECISIONS], sums[FREE]
        if asked:
            row = {"turn": number, "decisions": asked, "choices": sums[CHOICES] / asked}
            row |= {"forced": sums[FORCED] / asked, "won": sums[WON] / asked, "judged": free}
            rows.append(row | {"chance": sums[CHANCE] / CHANCE_UNIT / free if free else None})
    return rows


def _regret_rows(counts: Any, names: tuple[str, ...], confidence: float) -> list[Row]:
    rows = []
    for i, name in enumerate(names):
        # A round has one turn of a number, so its decisions are independent trials.
        pairs = np.column_stack([counts["turns"][:, FREE], counts["thrown"][:, i]]).tolist()
        for number, (free, thrown) in enumerate(pairs, start=1):
            if free:
                low, high = wilson(thrown, free, confidence)
                row = {"player": name, "turn": number, "judged": free, "thrown": thrown}
                rows.append(row | {"regret": thrown / free, "low": low, "high": high})
    return rows


def _caption(
    judged: Judged, settings: Mapping[str, Any], games: int, asked: int, confidence: float
) -> str:
    rules = with_settings("2 players, basic rules", settings)
    return (
        f"{rules}, {listing(judged.players)} in all pairs, seed {judged.seed}: {games:,} rounds "
        f"with {asked:,} decisions, before each of which every player was asked. Judged are those "
        "in positions that perfect play with open hands wins, with more than one surviving turn. "
        f"Luck: {_deals(games):,} deals, {PLAYOUTS} times each. Intervals are "
        f"{as_percent(confidence)}, each for itself; the round or the deal is the unit."
    )


def _command(judged: Judged, settings: Mapping[str, Any], games: int, confidence: float) -> str:
    words = [*player_words(judged.players), *setting_words(settings)]
    return command_line(NAME, words, games=games, seed=judged.seed, confidence=confidence)
