"""The laboratory for scripts and notebooks: the same answers as the command line, as frames."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from red7sim.game.notation import parse_position
from red7sim.game.ruleset import Ruleset, preset
from red7sim.lab import collect as collecting
from red7sim.lab import match as matching
from red7sim.lab.analysis import Effort, analyze_position
from red7sim.lab.dataset import Dataset, DatasetError, read, read_rows
from red7sim.lab.results import MatchResult, Result
from red7sim.lab.rows import play_recorded
from red7sim.lab.runs import Run, RunError, fill_line_up, play
from red7sim.lab.solving import PerfectRun, summarize_solved
from red7sim.lab.sprt import Sprt
from red7sim.lab.starting import run_from_deals, run_from_position
from red7sim.lab.stats import check_confidence
from red7sim.lab.stopping import PrecisionTarget, play_to_target
from red7sim.lab.studies.balance_agency import balance_agency
from red7sim.lab.studies.balance_cards import balance_cards
from red7sim.lab.studies.balance_rules import balance_rules
from red7sim.lab.studies.first_player import first_player
from red7sim.lab.studies.skill import skill
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.sweep import sweep as sweep_run
from red7sim.lab.studies.tournament import tournament
from red7sim.lab.studies.tune import MAX_GAMES
from red7sim.lab.studies.tune import tune as tune_run
from red7sim.lab.studies.variants import Over
from red7sim.lab.summary import DEFAULT_CONFIDENCE, summarize
from red7sim.play.design import NO_PAIRING
from red7sim.play.outside import register
from red7sim.play.policy import DEFAULT_PLAYER, Player
from red7sim.play.replay import replay_game
from red7sim.show.report import DEFAULT_TITLE, write_report
from red7sim.show.views import findings_of, pictures_of

__all__ = [
    "MatchResult",
    "Player",
    "Result",
    "analyze",
    "balance_agency",
    "balance_cards",
    "balance_rules",
    "combine",
    "findings_of",
    "first_player",
    "load",
    "make_run",
    "match",
    "pictures_of",
    "register",
    "replay",
    "report",
    "simulate",
    "skill",
    "solve",
    "sweep",
    "tournament",
    "tune",
]

Players = str | Sequence[str]


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
    start: str | Sequence[dict[str, Any]] | None = None,
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
    `start` is a position as text, or deals as `replay` logs them: from there one round a game is
    played. `progress` is called with the number of games of each piece that is done. With `rows`
    and without `out` the rounds are kept in memory, about 100 bytes each.

    Raises
    ------
    ValueError
        A value is refused, or a file of the dataset; the message says why.
    """
    if start is None:
        run = _run_of(rules, player, players, settings, seed, pairing)
    else:
        if isinstance(rules, Run) or pairing != NO_PAIRING or out is not None or rows:
            raise RunError("start goes neither with a run nor with pairing, out or rows")
        run = _run_from(start, rules, player, players, settings, seed)
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


def _run_from(
    start: str | Sequence[dict[str, Any]],
    rules: str | Ruleset,
    player: Players,
    players: int | None,
    settings: Mapping[str, Any] | None,
    seed: int,
) -> Run:
    """Return the run of one-round games from a position or from deals."""
    position = parse_position(start) if isinstance(start, str) else None
    deals = [] if isinstance(start, str) else [e for e in start if e.get("type") == "deal"]
    if players is None and (position or deals):
        players = len(position.seats if position else deals[0].get("hands", ()))
    plain = make_run(rules, player, players, settings=settings, seed=seed)
    if position is not None:
        return run_from_position(position, plain.rules, plain.players, seed)
    return run_from_deals(deals, plain.rules, plain.players, seed)


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


def solve(
    rules: str | Ruleset = "basic",
    *,
    settings: Mapping[str, Any] | None = None,
    deals: int = 10_000,
    seed: int = 0,
    first_index: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Return how often the first of two players wins deals by perfect play with open hands.

    The parameters are the options of `red7sim solve`, the answer is its JSON form.

    Raises
    ------
    ValueError
        The rules leave something to chance, or a value is refused.
    """
    ruleset = rules if isinstance(rules, Ruleset) else preset(rules, 2)
    check_confidence(confidence)
    run = PerfectRun(ruleset.changed(settings or {}), seed=seed)
    return summarize_solved(play(run, deals, first_index, threads, progress=progress), confidence)


def analyze(
    position: str,
    rules: str | Ruleset = "basic",
    *,
    settings: Mapping[str, Any] | None = None,
    samples: int = 1_000,
    playouts: int = 0,
    player: str = DEFAULT_PLAYER,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
) -> dict[str, Any]:
    """Return what a position offers; parameters and answer are those of `red7sim analyze --json`.

    Raises
    ------
    ValueError
        The position or another value is refused.
    """
    parsed = parse_position(position)
    ruleset = rules if isinstance(rules, Ruleset) else preset(rules, len(parsed.seats))
    check_confidence(confidence)
    effort = Effort(samples, playouts, player, seed, confidence)
    return analyze_position(parsed, ruleset.changed(settings or {}), effort)


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


def report(
    folders: Sequence[str | Path],
    out: str | Path,
    *,
    title: str = DEFAULT_TITLE,
    confidence: float = DEFAULT_CONFIDENCE,
) -> None:
    """Write one HTML page of the studies and datasets in some folders, as `red7sim report` does.

    Raises
    ------
    ValueError
        A folder or a file is refused.
    ImportError
        jinja2 or matplotlib is not installed.
    """
    check_confidence(confidence)
    write_report([Path(folder) for folder in folders], Path(out), title, confidence)


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
