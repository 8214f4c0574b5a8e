"""What switches of the rules do: every variant on the same deals."""

from collections.abc import Callable
from typing import Any, Final

import polars as pl

from red7sim.lab.common import CommonCounts, CommonDeals, play_common
from red7sim.lab.match import find_measure
from red7sim.lab.runs import Run, checked_games
from red7sim.lab.stats import Estimate, as_percent, checked_confidence, known, per_round
from red7sim.lab.studies.study import Study, announce, command_line
from red7sim.lab.studies.variants import Over, Variant, Variants, run_sentence, run_words, vary
from red7sim.lab.summary import DEFAULT_CONFIDENCE, summarize
from red7sim.play.tally import POINTS, TURNS

NAME: Final = "sweep"
USUAL_GAMES: Final = 100_000

GAME_MEASURES: Final = ("rounds", "turns", "draws", "points")
ROUND_MEASURES: Final = {"turns_per_round": TURNS, "points_per_round": POINTS}

Row = dict[str, Any]

_FIGURES: Final = (
    "value",
    "low",
    "high",
    "joint_low",
    "joint_high",
    "difference_value",
    "difference_low",
    "difference_high",
    "variance_ratio",
)


def sweep(
    base: Run,
    over: Over,
    *,
    games: int = USUAL_GAMES,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Play all combinations of values of some switches on the deals of one run.

    Parameters
    ----------
    base
        The baseline: rules, line-up, seed and design.
    over
        The values of each switch.
    games
        Games of each variant; deals, in a paired design.
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
        `variants`: one row a variant and measure, with the switches as columns. Measures are
        `seat:K` (share of the games), `rounds`, `turns`, `draws` and `points` a game, and
        `turns_per_round` and `points_per_round`. `difference_value` is the difference to the
        baseline on common deals, with its paired interval; `variance_ratio` is its variance over
        that on separate deals. They are null for the baseline and for measures a round.
        `refused`: combinations that the rules refuse, with the reason.

    Raises
    ------
    InputError
        A value is refused; the message says what is allowed.
    """
    confidence = checked_confidence(confidence)
    games = checked_games(games, threads)
    variants = vary(base, over)
    common = CommonDeals(tuple(variant.run for variant in variants.played))
    announce(planned, games * common.games_a_deal)
    counts = play_common(common, games, threads=threads, progress=progress)
    rows = [
        row
        for i, variant in enumerate(variants.played)
        for row in _rows(variant, counts, i, confidence)
    ]
    return Study(
        name=NAME,
        title=f"What {' and '.join(variants.over)} do{'es' if len(variants.over) == 1 else ''}",
        caption=_caption(base, variants, games, confidence),
        command=_command(base, variants, games, confidence),
        parameters={"run": base.as_json(), "games": games, "confidence": confidence}
        | {"over": {name: [*values] for name, values in variants.over.items()}},
        tables={"variants": _frame(rows, variants), "refused": variants.refused_frame()},
    )


def _rows(variant: Variant, counts: CommonCounts, i: int, confidence: float) -> list[Row]:
    summary = summarize(counts.outcome(i), confidence)
    labels = {"variant": variant.label, **variant.values}
    rows = []
    for seat in summary["seats"]:
        name = f"seat:{seat['seat']}"
        share = {key: seat[key] for key in ("low", "high", "joint_low", "joint_high")}
        share |= {"measure": name, "value": seat["win_rate"]}
        rows.append(labels | share | _difference(counts, i, name, confidence))
    for name in GAME_MEASURES:
        mean = counts.mean(i, find_measure(name, counts.common.players))
        figures = {"measure": name} | _figures("", mean, mean.interval(confidence))
        rows.append(labels | figures | _difference(counts, i, name, confidence))
    for name, measure in ROUND_MEASURES.items():
        mean = per_round(counts.counts[i], measure)
        rows.append(labels | {"measure": name} | _figures("", mean, mean.interval(confidence)))
    return rows


def _difference(counts: CommonCounts, i: int, name: str, confidence: float) -> Row:
    if i == 0:
        return {}
    found = counts.difference(i, find_measure(name, counts.common.players))
    ratio = known(found.variance_ratio)
    bounds = found.interval(confidence)
    return _figures("difference_", found.difference, bounds) | {"variance_ratio": ratio}


def _figures(prefix: str, estimate: Estimate, bounds: tuple[float, float]) -> Row:
    """Return an estimate with its interval as columns, unknown numbers as null."""
    low, high = bounds
    figures = {f"{prefix}value": estimate.value, f"{prefix}low": low, f"{prefix}high": high}
    return {key: known(value) for key, value in figures.items()}


def _frame(rows: list[Row], variants: Variants) -> pl.DataFrame:
    words = ("variant", *variants.over, "measure")
    schema = dict.fromkeys(words, pl.String) | dict.fromkeys(_FIGURES, pl.Float64)
    return pl.DataFrame(rows, schema)


def _caption(base: Run, variants: Variants, games: int, confidence: float) -> str:
    unit = "deals" if base.paired else "games"
    return (
        f"{run_sentence(base)}, varied: {variants.sentence()}. Every variant plays the "
        f"same {games:,} {unit}; differences are taken deal by deal. Intervals are "
        f"{as_percent(confidence)}, joint ones for the seats of a variant together, none for all "
        "variants together."
    )


def _command(base: Run, variants: Variants, games: int, confidence: float) -> str:
    words = [*variants.words(), *run_words(base)]
    return command_line(NAME, words, games=games, confidence=confidence)
