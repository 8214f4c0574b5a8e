"""The laboratory for scripts and notebooks: the same answers as the command line, as frames."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from red7sim.game.ruleset import Ruleset, preset
from red7sim.lab import collect as collecting
from red7sim.lab import match as matching
from red7sim.lab.dataset import Dataset, DatasetError, read, read_rows
from red7sim.lab.rows import play_recorded
from red7sim.lab.runs import Run, RunError, fill_line_up, play
from red7sim.lab.sprt import Sprt
from red7sim.lab.stats import check_confidence
from red7sim.lab.stopping import PrecisionTarget, play_to_target
from red7sim.lab.studies.first_player import first_player
from red7sim.lab.studies.skill import skill
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.sweep import sweep as sweep_run
from red7sim.lab.studies.tune import MAX_GAMES
from red7sim.lab.studies.tune import tune as tune_run
from red7sim.lab.studies.variants import Over
from red7sim.lab.summary import DEFAULT_CONFIDENCE, summarize
from red7sim.lab.tables import frame, summary_rows
from red7sim.play.design import NO_PAIRING
from red7sim.play.policy import DEFAULT_PLAYER
from red7sim.play.replay import replay_game

__all__ = [
    "MatchResult",
    "Result",
    "combine",
    "first_player",
    "load",
    "make_run",
    "match",
    "replay",
    "simulate",
    "skill",
    "sweep",
    "tune",
]

Players = str | Sequence[str]


@dataclass(frozen=True)
class Result:
    """What a run says.

    Attributes
    ----------
    summary
        Everything, as in the JSON form of `red7sim simulate`.
    """

    summary: dict[str, Any]
    _rounds: Callable[[], pl.LazyFrame] | None = None

    def rounds(self) -> pl.LazyFrame:
        """Return one row for each round (`red7sim.lab.columns.round_columns`), to be collected.

        Raises
        ------
        ValueError
            The rounds were not asked for, or their files are refused.
        """
        if self._rounds is None:
            raise RunError("the rounds of this run were not kept; ask for them by rows=True")
        return self._rounds()

    def seats(self) -> pl.DataFrame:
        """Return the shares of the games by seat in turn order, with their intervals."""
        return frame(self.summary["seats"])

    def round_seats(self) -> pl.DataFrame:
        """Return the shares of the rounds by seat, each round by its own turn order."""
        return frame(self.summary["round_seats"])

    def line_up(self) -> pl.DataFrame:
        """Return the shares of the games by table position, in a paired design by entry."""
        return frame(self.summary["line_up"])

    def means(self) -> pl.DataFrame:
        """Return the means of a round and of a game, with their standard errors."""
        return self._table("means")

    def final_rules(self) -> pl.DataFrame:
        """Return the shares of the rounds by the canvas they ended on."""
        return self._table("final_rule")

    def tables(self) -> pl.DataFrame:
        """Return all tables as one, as `--export` writes it."""
        return frame(summary_rows(self.summary))

    def _table(self, name: str) -> pl.DataFrame:
        rows = [row for row in summary_rows(self.summary) if row["table"] == name]
        return frame(rows).drop("table")


@dataclass(frozen=True)
class MatchResult:
    """What a match says; `summary` is the JSON form of `red7sim match`."""

    summary: dict[str, Any]

    def measures(self) -> pl.DataFrame:
        """Return every measure of both sides, with the difference and its interval."""
        return frame(self.summary["measures"])


def make_run(
    rules: str | Ruleset = "basic",
    player: Players = DEFAULT_PLAYER,
    players: int | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    pairing: str = NO_PAIRING,
) -> Run:
    """Return a run from the words of the command line.

    Parameters
    ----------
    rules
        `basic`, `advanced`, or a ruleset; a ruleset has its number of players itself.
    player
        One name, or one a table position.
    settings
        Switches to set, as values or as text: `{"hand_size": 5}`.

    Raises
    ------
    ValueError
        A word is unknown or a number is out of range; the message says what is allowed.
    """
    names = [player] if isinstance(player, str) else [*player]
    if isinstance(rules, Ruleset):
        players = rules.players
    line_up = fill_line_up(names, players)
    ruleset = rules if isinstance(rules, Ruleset) else preset(rules, len(line_up))
    return Run(ruleset.changed(settings or {}), line_up, seed, pairing)


def simulate(
    rules: str | Ruleset | Run = "basic",
    player: Players = DEFAULT_PLAYER,
    players: int | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int | None = None,
    seed: int = 0,
    first_index: int = 0,
    pairing: str = NO_PAIRING,
    confidence: float = DEFAULT_CONFIDENCE,
    target_half_width: float | None = None,
    max_games: int | None = None,
    out: str | Path | None = None,
    rows: bool = False,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Play many games; the parameters are the options of `red7sim simulate`.

    `rules` may be a run made by `make_run`; then it brings everything that describes a run.
    `progress` is called with the number of games of each piece that is done. With `rows` and
    without `out` the rounds are kept in memory, about 100 bytes each.

    Raises
    ------
    ValueError
        A value is refused, or a file of the dataset; the message says why.
    """
    run = _run_of(rules, player, players, settings, seed, pairing)
    check_confidence(confidence)
    target = None
    if (target_half_width is None) != (max_games is None):
        raise RunError("target_half_width and max_games need each other")
    if target_half_width is not None:
        target = PrecisionTarget(run, target_half_width, confidence)
    cap = next((n for n in (max_games, games) if n is not None), 1_000_000)
    if out is not None:
        outcome, kept = collecting.collect(
            Path(out), run, cap, first_index, threads, progress, target, rows
        )
        row = {"dataset": kept.describe() | {"played": outcome.played}}
        return Result(summarize(outcome, confidence, target) | row, _reader(kept))
    if rows and target is not None:
        raise RunError("rows of a run with a target are kept on disk alone; give out too")
    if rows:
        outcome, frame_of_rounds = play_recorded(run, cap, first_index, threads, progress)
        return Result(summarize(outcome, confidence), frame_of_rounds.lazy)
    if target is not None:
        outcome = play_to_target(run, target, cap, first_index, threads, progress)
    else:
        outcome = play(run, cap, first_index, threads, progress=progress)
    return Result(summarize(outcome, confidence, target))


def _reader(dataset: Dataset) -> Callable[[], pl.LazyFrame] | None:
    return partial(read_rows, dataset.folder) if dataset.rounds else None


def load(folder: str | Path, *, confidence: float = DEFAULT_CONFIDENCE) -> Result:
    """Return what a dataset says, without playing anything.

    Raises
    ------
    ValueError
        The folder holds no dataset, or a damaged one.
    """
    kept = read(Path(folder))
    if kept.run is None:
        raise DatasetError(f"{folder} holds no dataset")
    outcome = kept.outcome(elapsed=0.0, played=0)
    return Result(summarize(outcome, confidence) | {"dataset": kept.describe()}, _reader(kept))


def combine(
    folders: Sequence[str | Path], out: str | Path, *, confidence: float = DEFAULT_CONFIDENCE
) -> Result:
    """Join datasets of one run into the one of the folder `out`.

    Raises
    ------
    ValueError
        The runs differ, or a file is refused.
    """
    outcome, kept = collecting.combine([Path(folder) for folder in folders], Path(out))
    return Result(summarize(outcome, confidence) | {"dataset": kept.describe()}, _reader(kept))


def match(
    a: Run,
    b: Run,
    *,
    measure: str = "position:0",
    games: int = 100_000,
    first_index: int = 0,
    sprt: Sprt | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
) -> MatchResult:
    """Compare two runs (`make_run`) of one seed and design on common deals.

    `games` counts deals; with a test it is the limit at which the match ends undecided.

    Raises
    ------
    ValueError
        The runs do not share their deals, or a value is refused.
    """
    pair = matching.Match(a, b)
    judged = matching.find_measure(measure, len(a.players))
    test = matching.SequentialTest(pair, judged, sprt) if sprt else None
    outcome = matching.play_match(pair, games, first_index, threads, test=test)
    return MatchResult(matching.summarize_match(outcome, confidence, judged.name, test))


def replay(run: Run, game: int) -> list[dict[str, Any]]:
    """Return the log of a game of a run, in a paired design of all games of the deal."""
    return [
        event
        for arm in run.arms
        for event in replay_game(
            run.rules, arm.seated(run.players), run.seed, game, arm.first_start
        )
    ]


def sweep(
    over: Over,
    rules: str | Ruleset | Run = "basic",
    player: Players = DEFAULT_PLAYER,
    players: int | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int = 100_000,
    seed: int = 0,
    pairing: str = NO_PAIRING,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Vary switches of the rules on common deals (`red7sim.lab.studies.sweep.sweep`).

    `over` gives the values of each switch: `{"hand_size": [5, 6], "draw": "auto,never"}`. The
    others are the options of `red7sim sweep`; `rules` may be a run made by `make_run`.

    Raises
    ------
    ValueError
        A value is refused; the message says why.
    """
    base = _run_of(rules, player, players, settings, seed, pairing)
    return sweep_run(
        base, over, games=games, confidence=confidence, threads=threads, progress=progress
    )


def tune(
    over: Over | None = None,
    rules: str | Ruleset | Run = "basic",
    player: Players = DEFAULT_PLAYER,
    players: int | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    max_games: int = MAX_GAMES,
    seed: int = 0,
    pairing: str = NO_PAIRING,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Search the house rules that are fairest to the seats (`red7sim.lab.studies.tune.tune`).

    The parameters are those of `sweep`; `max_games` are games of a variant at most.

    Raises
    ------
    ValueError
        A value is refused; the message says why.
    """
    base = _run_of(rules, player, players, settings, seed, pairing)
    return tune_run(
        base, over, max_games=max_games, confidence=confidence, threads=threads, progress=progress
    )


def _run_of(
    rules: str | Ruleset | Run,
    player: Players,
    players: int | None,
    settings: Mapping[str, Any] | None,
    seed: int,
    pairing: str,
) -> Run:
    """Return a run as it is, or one of the words of the command line."""
    if isinstance(rules, Run):
        return rules
    return make_run(rules, player, players, settings=settings, seed=seed, pairing=pairing)
