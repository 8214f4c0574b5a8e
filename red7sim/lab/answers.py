"""Matches, perfect play and positions for scripts and notebooks."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from red7sim.game.notation import parse_position
from red7sim.game.refused import not_allowed
from red7sim.game.ruleset import Ruleset, preset
from red7sim.lab.analysis import Effort, analyze_position
from red7sim.lab.files import path_of
from red7sim.lab.match import Match
from red7sim.lab.match_order import order_match
from red7sim.lab.orders import order_deals
from red7sim.lab.results import MatchResult
from red7sim.lab.runs import Run, RunError, checked_settings
from red7sim.lab.solving import PerfectRun, summarize_solved
from red7sim.lab.sprt import Sprt
from red7sim.lab.stats import checked_confidence
from red7sim.lab.summary import DEFAULT_CONFIDENCE
from red7sim.play.policy import DEFAULT_PLAYER


def match(
    a: Run,
    b: Run,
    *,
    measure: str | None = None,
    games: int | None = None,
    first_index: int = 0,
    sprt: Sprt | None = None,
    max_games: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Compare two runs (`make_run`) of one seed and design on common deals.

    Parameters
    ----------
    a, b
        The sides; they may differ in players and in rules.
    measure
        What is judged: `seat:K` or `position:K`, a share of the games, or `rounds`, `turns`,
        `draws` or `points` a game; by default the share of the first seat where the line-ups are
        equal, otherwise that of the first of the line-up.
    games
        Deals, by default 100,000; none with a test.
    first_index
        Index of the first deal.
    sprt
        A test of the judged difference A - B that is made after every block, and stops the match
        once it is decided; needs `max_games`.
    max_games
        Deals at which a test ends undecided.
    confidence
        Level of the intervals, between 0 and 1.
    threads
        How many play at once, by default all processors.
    progress
        Called with the number of deals of each piece that is done.

    Raises
    ------
    InputError
        The runs do not share their deals, or a value is refused.
    """
    confidence = checked_confidence(confidence)
    if sprt is not None and not isinstance(sprt, Sprt):
        raise not_allowed("sprt", sprt, "a test, as in Sprt(0, 0.01)", RunError)
    order = order_match(Match(a, b), measure, games, first_index, threads, sprt, max_games)
    return MatchResult(order.summary(order.play(progress), confidence))


def solve(
    rules: str | Ruleset = "basic",
    *,
    settings: Mapping[str, Any] | None = None,
    deals: int = 10_000,
    seed: int = 0,
    first_index: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    out: str | Path | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Return how often the first of two players wins deals by perfect play with open hands.

    Parameters
    ----------
    rules
        A preset or a ruleset for two players.
    settings
        Switches to set in it.
    deals
        Number of deals.
    first_index
        Index of the first deal.
    seed
        Seed of the deals, which are those of `simulate`.
    confidence
        Level of Wilson's interval, between 0 and 1.
    out
        Folder of a dataset to keep the counts in, and to go on from; then they are of all deals
        that it holds.
    threads
        How many solve at once, by default all processors.
    progress
        Called with the number of deals of each piece that is done.

    Returns
    -------
    dict
        As `red7sim solve --json` prints it: among others `deals`, `first_wins`, and their ratio
        `rate` with the interval `low` .. `high`.

    Raises
    ------
    InputError
        The rules leave something to chance, or a value or a file of the dataset is refused.
    """
    ruleset = rules if isinstance(rules, Ruleset) else preset(rules, 2)
    confidence = checked_confidence(confidence)
    run = PerfectRun(ruleset.changed(checked_settings(settings)), seed=seed)
    folder = None if out is None else path_of("out", out)
    order = order_deals(run, deals, first_index, threads, folder)
    played = order.play(progress)
    return summarize_solved(played.outcome, confidence) | played.where


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
    """Return what a position offers, as `red7sim analyze` does.

    Parameters
    ----------
    position
        Canvas, then `<palette>/<hand>` of each player, the mover first: `R Y5B1/R1O3 G3V6/?2`.
    rules
        A preset or a ruleset.
    settings
        Switches to set in it.
    samples
        Hidden hands to solve for, where not all of them can be; at least 1.
    playouts
        Rounds to play on from each turn; 0 for none.
    player
        Who plays these rounds, in all positions.
    seed
        Seed of what is drawn: hands and rounds.
    confidence
        Level of the intervals, between 0 and 1.

    Returns
    -------
    dict
        As `red7sim analyze --json` prints it: `leaders` and `sets` by rule, `turns` that survive,
        and what is known of their values.

    Raises
    ------
    InputError
        The position or another value is refused.
    """
    parsed = parse_position(position)
    seats = len(parsed.seats)
    ruleset = rules if isinstance(rules, Ruleset) else preset(rules, seats)
    if ruleset.players != seats:
        raise RunError(
            f"a ruleset for {ruleset.players} players does not fit a position of {seats}; "
            "allowed: the same number"
        )
    effort = Effort(samples, playouts, player, seed, confidence)
    return analyze_position(parsed, ruleset.changed(checked_settings(settings)), effort)
