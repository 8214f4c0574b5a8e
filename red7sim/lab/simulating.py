"""Runs for scripts and notebooks, from the words of the command line to their answers."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from red7sim.game.notation import parse_position
from red7sim.game.refused import one_or_several
from red7sim.game.ruleset import Ruleset, preset
from red7sim.lab import collect as collecting
from red7sim.lab.dataset import Dataset, DatasetError, read
from red7sim.lab.files import path_of, paths_of
from red7sim.lab.logs import logs_of
from red7sim.lab.orders import order_games
from red7sim.lab.results import Result
from red7sim.lab.runs import (
    Outcome,
    Run,
    RunError,
    checked_index,
    checked_settings,
    fill_line_up,
    require_run,
)
from red7sim.lab.solving import PerfectRun, summarize_solved
from red7sim.lab.starting import players_of, run_from_deals, run_from_position
from red7sim.lab.stats import checked_confidence
from red7sim.lab.summary import DEFAULT_CONFIDENCE, summarize
from red7sim.play.design import NO_PAIRING
from red7sim.play.policy import DEFAULT_PLAYER
from red7sim.play.starts import StartError

LineUp = str | Sequence[str]
"""Who plays: one name for all positions, or one a table position."""


def make_run(
    rules: str | Ruleset = "basic",
    player: LineUp = DEFAULT_PLAYER,
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
        One name for all positions, or one a table position; `leads` by default. Parameters and
        modifiers may follow, as on the command line.
    players
        Number of players, 2 to 4; by default that of the names, at least 2.
    settings
        Switches to set, as values or as text: `{"hand_size": 5}`.
    seed
        Seed of all chance, 0 to 2**64 - 1.
    pairing
        Games on each deal: `none`, `rotate`, `all` or `force-start`. With any but `none` the deal
        is the unit, and numbers of games and indices count deals.

    Raises
    ------
    InputError
        A word is unknown or a number is out of range; the message says what is allowed.
    """
    names = one_or_several("player", player, str, "a player", RunError)
    if isinstance(rules, Ruleset):
        if players not in (None, rules.players):
            raise RunError(
                f"players: {players} does not fit a ruleset for {rules.players}; allowed: the same "
                "number, or none beside it"
            )
        players = rules.players
    line_up = fill_line_up(names, players)
    ruleset = rules if isinstance(rules, Ruleset) else preset(rules, len(line_up))
    return Run(ruleset.changed(checked_settings(settings)), line_up, seed, pairing)


def simulate(
    rules: str | Ruleset | Run = "basic",
    player: LineUp | None = None,
    players: int | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int | None = None,
    seed: int | None = None,
    first_index: int = 0,
    pairing: str | None = None,
    start: str | Sequence[dict[str, Any]] | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    target_half_width: float | None = None,
    max_games: int | None = None,
    out: str | Path | None = None,
    rows: bool = False,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Play many games and count them, as `red7sim simulate` does.

    Parameters
    ----------
    rules
        A preset, a ruleset, or a run made by `make_run`, which brings all that describes a run:
        then `player`, `players`, `settings`, `seed` and `pairing` are not given.
    player
        As in `make_run`; `leads` by default.
    players
        As in `make_run`.
    settings
        As in `make_run`.
    seed
        As in `make_run`; 0 by default.
    pairing
        As in `make_run`; `none` by default.
    games
        Games to play, of a paired design deals; by default a million, or each deal of `start` once.
    first_index
        Index of the first game; a run can be cut into ranges of indices.
    start
        A position as text, or deals as `replay` logs them: from there one round a game is played.
    confidence
        Level of the intervals, between 0 and 1; 0.95 by default.
    target_half_width
        Stop once every share is known to this much on either side, by a confidence sequence that
        holds at all looks; needs `max_games`.
    max_games
        Games at which to stop in any case; needs `target_half_width`.
    out
        Folder of a dataset to keep the counts in, and to go on from.
    rows
        Keep every round: in the folder, or without `out` in memory, about 100 bytes each.
    threads
        How many play at once, by default all processors; the answer does not depend on it.
    progress
        Called with the number of games of each piece that is done.

    Raises
    ------
    InputError
        A value is refused, or a file of the dataset; the message says why.
    """
    if start is None:
        run = run_of(rules, player, players, settings, seed, pairing)
    else:
        paired = pairing not in (None, NO_PAIRING)
        if isinstance(rules, Run) or paired or out is not None or rows:
            raise RunError("start goes neither with a run nor with pairing, out or rows")
        run = _run_from(start, rules, player, players, settings, seed)
    confidence = checked_confidence(confidence)
    folder = None if out is None else path_of("out", out)
    order = order_games(
        run, games, first_index, threads, confidence, target_half_width, max_games, folder, rows
    )
    played = order.play(progress)
    return Result(played.summary(confidence), played.rounds)


def _run_from(
    start: str | Sequence[dict[str, Any]],
    rules: str | Ruleset,
    player: LineUp | None,
    players: int | None,
    settings: Mapping[str, Any] | None,
    seed: int | None,
) -> Run:
    """Return the run of one-round games from a position or from deals."""
    position = parse_position(start) if isinstance(start, str) else None
    deals = [] if isinstance(start, str) else start_deals(start)
    if players is None and not isinstance(rules, Ruleset):
        players = len(position.seats) if position else players_of(deals)
    plain = run_of(rules, player, players, settings, seed, None)
    if position is not None:
        return run_from_position(position, plain.rules, plain.players, plain.seed)
    return run_from_deals(deals, plain.rules, plain.players, plain.seed)


def start_deals(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the deals among the events of a log.

    Raises
    ------
    StartError
        What is given are no events.
    """
    what = "a position, or the events of a log"
    listed = one_or_several("start", events, dict, what, StartError)
    if not all(isinstance(event, dict) for event in listed):
        raise StartError("start: not all are events; allowed: a position, or what replay returns")
    return [event for event in listed if event.get("type") == "deal"]


def load(folder: str | Path, *, confidence: float = DEFAULT_CONFIDENCE) -> Result:
    """Return what a dataset says, without playing anything.

    Parameters
    ----------
    folder
        What `out` of `simulate` or of `solve` has written.
    confidence
        Level of the intervals, between 0 and 1.

    Raises
    ------
    InputError
        The folder holds no dataset, or a damaged one.
    """
    confidence = checked_confidence(confidence)
    kept = read(path_of("folder", folder))
    if kept.run is None:
        raise DatasetError(f"{folder} holds no dataset")
    return _result(kept.outcome(elapsed=0.0, played=0), kept, confidence)


def combine(
    folders: Sequence[str | Path], out: str | Path, *, confidence: float = DEFAULT_CONFIDENCE
) -> Result:
    """Join datasets of one run into one, equal to that of an uninterrupted run.

    Parameters
    ----------
    folders
        The datasets to join; games that several of them hold are counted once.
    out
        Folder of the joined dataset; what is there already is kept.
    confidence
        Level of the intervals, between 0 and 1.

    Raises
    ------
    InputError
        The runs differ, or a file is refused.
    """
    confidence = checked_confidence(confidence)
    outcome, kept = collecting.combine(paths_of("folders", folders), path_of("out", out))
    return _result(outcome, kept, confidence)


def _result(outcome: Outcome, kept: Dataset, confidence: float) -> Result:
    """Return what a dataset says, of games or of solved deals."""
    solved = isinstance(outcome.run, PerfectRun)
    summary = (summarize_solved if solved else summarize)(outcome, confidence)
    return Result(summary | {"dataset": kept.describe()}, kept.reader)


def replay(run: Run, game: int) -> list[dict[str, Any]]:
    """Return what happens in a game of a run, step by step.

    Parameters
    ----------
    run
        What is played.
    game
        Index of the game; in a paired design of the deal, all of whose games are returned.

    Returns
    -------
    list
        Events in order, as `red7sim replay --json` prints them: dictionaries whose `type` is
        `game`, `deal`, `turn`, `round_end` or `game_end`. Cards are written as in `R7`.

    Raises
    ------
    InputError
        There is no game of that index.
    """
    require_run("run", run)
    return [event for log in logs_of(run, checked_index("game", game)) for event in log]


def run_of(
    rules: str | Ruleset | Run,
    player: LineUp | None,
    players: int | None,
    settings: Mapping[str, Any] | None,
    seed: int | None,
    pairing: str | None,
) -> Run:
    """Return a run as it is, or one of the words of the command line; None is what is not given.

    Raises
    ------
    InputError
        Something is given beside a run, or refused by `make_run`.
    """
    words = {"player": player, "players": players, "settings": settings}
    words |= {"seed": seed, "pairing": pairing}
    given: dict[str, Any] = {name: value for name, value in words.items() if value is not None}
    if not isinstance(rules, Run):
        return make_run(rules, **given)
    if given:
        raise RunError(
            "a run has its own players, settings, seed and pairing; allowed: none beside it"
        )
    return rules
