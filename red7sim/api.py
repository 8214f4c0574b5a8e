"""The laboratory for scripts and notebooks: the same answers as the command line, as frames."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from red7sim.game.refused import InputError, not_allowed
from red7sim.game.rulefile import read_rule_file, rule_file_text
from red7sim.game.ruleset import Ruleset, preset
from red7sim.lab.answers import analyze, match, solve
from red7sim.lab.files import path_of, paths_of
from red7sim.lab.provenance import Clock, provenance
from red7sim.lab.results import MatchResult, Result
from red7sim.lab.runs import Run
from red7sim.lab.simulating import LineUp, combine, load, make_run, replay, run_of, simulate
from red7sim.lab.sprt import Sprt
from red7sim.lab.stats import checked_confidence
from red7sim.lab.studies.balance_agency import balance_agency
from red7sim.lab.studies.balance_cards import balance_cards
from red7sim.lab.studies.balance_folding import balance_folding
from red7sim.lab.studies.balance_rules import balance_rules
from red7sim.lab.studies.first_player import first_player
from red7sim.lab.studies.kept import write_study as keep_study
from red7sim.lab.studies.skill import skill
from red7sim.lab.studies.study import Study
from red7sim.lab.studies.sweep import USUAL_GAMES
from red7sim.lab.studies.sweep import sweep as sweep_run
from red7sim.lab.studies.tournament import tournament
from red7sim.lab.studies.tune import MAX_GAMES
from red7sim.lab.studies.tune import tune as tune_run
from red7sim.lab.studies.variants import Over
from red7sim.lab.summary import DEFAULT_CONFIDENCE
from red7sim.play.outside import register
from red7sim.play.policy import (
    Parameter,
    Player,
    find_player,
    player_names,
)
from red7sim.show.report import DEFAULT_TITLE, write_report
from red7sim.show.views import findings_of, keep_pictures, pictures_of

__all__ = [
    "InputError",
    "MatchResult",
    "Parameter",
    "Player",
    "Result",
    "Ruleset",
    "Run",
    "Sprt",
    "Study",
    "analyze",
    "balance_agency",
    "balance_cards",
    "balance_folding",
    "balance_rules",
    "cluster",
    "combine",
    "find_player",
    "findings_of",
    "first_player",
    "load",
    "make_run",
    "match",
    "pictures_of",
    "player_names",
    "preset",
    "read_rule_file",
    "register",
    "replay",
    "report",
    "rule_file_text",
    "simulate",
    "skill",
    "solve",
    "sweep",
    "tournament",
    "tune",
    "write_study",
]


_LOADED: Final = Clock()


def sweep(
    over: Over,
    rules: str | Ruleset | Run = "basic",
    player: LineUp | None = None,
    players: int | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int = USUAL_GAMES,
    seed: int | None = None,
    pairing: str | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Vary switches of the rules on common deals (`red7sim.lab.studies.sweep.sweep`).

    Parameters
    ----------
    over
        The values of each switch: `{"hand_size": [5, 6], "draw": "auto,never"}`; several switches
        are crossed.
    rules
        The baseline: a preset, a ruleset, or a run made by `make_run`.
    player
        As in `simulate`.
    players
        As in `simulate`.
    settings
        As in `simulate`.
    seed
        As in `simulate`.
    pairing
        As in `simulate`.
    games
        Games of each variant; deals, in a paired design.
    confidence
        Level of the intervals, between 0 and 1.
    threads
        Number of threads, by default one per processor.
    progress
        Called with the number of games of each piece that is done.
    planned
        Called once the arguments have been checked, with the total number of games that
        `progress` will report.

    Returns
    -------
    Study
        `variants`: a row per variant and measure, with its difference from the baseline.
        `refused`: combinations that the rules refuse.

    Raises
    ------
    InputError
        A value is refused; the message says why.
    """
    base = run_of(rules, player, players, settings, seed, pairing)
    return sweep_run(
        base,
        over,
        games=games,
        confidence=confidence,
        threads=threads,
        progress=progress,
        planned=planned,
    )


def tune(
    over: Over | None = None,
    rules: str | Ruleset | Run = "basic",
    player: LineUp | None = None,
    players: int | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    max_games: int = MAX_GAMES,
    seed: int | None = None,
    pairing: str | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Search the house rules that are fairest to the seats (`red7sim.lab.studies.tune.tune`).

    Parameters
    ----------
    over
        As in `sweep`; by default who starts, a start bonus, the first canvas and the hand size.
    rules
        The baseline, which takes part: a preset, a ruleset, or a run made by `make_run`.
    player
        As in `simulate`.
    players
        As in `simulate`.
    settings
        As in `simulate`.
    seed
        As in `simulate`.
    pairing
        As in `simulate`.
    max_games
        The most games of a variant; deals, in a paired design.
    confidence
        The confidence with which the fairest variant is not eliminated and all intervals of the
        unfairness hold, at all looks together.
    threads
        Number of threads, by default one per processor.
    progress
        Called with the number of games of each piece that is done.
    planned
        Called once the arguments have been checked, with the largest number of games that
        `progress` may report.

    Returns
    -------
    Study
        `variants`: a row per variant, the survivors first, with the unfairness, which is the
        largest deviation of a seat's share from 1/N. `looks`: how many were left at each look.
        `refused`: as in `sweep`.

    Raises
    ------
    InputError
        A value is refused; the message says why.
    """
    base = run_of(rules, player, players, settings, seed, pairing)
    return tune_run(
        base,
        over,
        max_games=max_games,
        confidence=confidence,
        threads=threads,
        progress=progress,
        planned=planned,
    )


def write_study(study: Study, folder: str | Path, *, pictures: bool = False) -> None:
    """Write a study into a folder for `report`, over an older one of the same kind.

    Times in its provenance are those of the process since it loaded the library.

    Parameters
    ----------
    study
        What a study has returned.
    folder
        The folder to write to; it is made if it does not exist.
    pictures
        Whether to write its pictures there too, as SVG and PNG; those of an older study go.

    Raises
    ------
    InputError
        The folder holds a study of another kind, or a file is refused.
    ImportError
        Pictures are asked for and matplotlib is not installed; the study itself is written.
    """
    if not isinstance(study, Study):
        raise not_allowed("study", study, "what a study has returned")
    place = path_of("folder", folder)
    keep_study(study, place, provenance({"command": study.command}, _LOADED))
    if pictures:
        keep_pictures(study, place)


def report(
    folders: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    title: str = DEFAULT_TITLE,
    confidence: float = DEFAULT_CONFIDENCE,
) -> None:
    """Write one HTML page of the studies and datasets in some folders, as `red7sim report` does.

    Parameters
    ----------
    folders
        What `write_study`, `--out` of studies, and `out` of `simulate` have written, in the order
        of the page; or one of them.
    out
        The page, a self-contained HTML file.
    title
        Title of the page.
    confidence
        Level of the intervals of datasets, between 0 and 1; a study has its own.

    Raises
    ------
    InputError
        A folder or a file is refused.
    ImportError
        jinja2 or matplotlib is not installed.
    """
    confidence = checked_confidence(confidence)
    write_report(paths_of("folders", folders), path_of("out", out), title, confidence)


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Let the workers of a Dask scheduler play what this thread asks for inside the block.

        with red7sim.cluster("tcp://192.168.1.5:8786"):
            red7sim.simulate("advanced", games=10**9).seats()

    Counts are the same as on any other machine. The block holds for the context (`contextvars`)
    that has entered it: for its thread, and for what copies the context inside the block, as tasks
    of asyncio and `asyncio.to_thread` do. What other threads ask for, also those of an executor
    that are started inside, is played on this machine, unless they enter a block of their own.

    Parameters
    ----------
    address
        `HOST:PORT` of the scheduler, also after `tcp://` or `tls://`.

    Raises
    ------
    red7sim.lab.cluster.ClusterError
        Nothing answers at the address, there are no workers, they have different software or a
        different version of a player from outside, or all of them have gone away.
    ImportError
        dask.distributed is not installed.
    """
    from red7sim.lab.cluster import cluster as hired  # noqa: PLC0415

    with hired(address):
        yield
