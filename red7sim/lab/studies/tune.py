"""The house rules that treat the seats most alike: a search by successive elimination."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl

from red7sim.lab.choices import turn_figures
from red7sim.lab.common import CommonDeals, play_common
from red7sim.lab.detailed import play_in_detail
from red7sim.lab.fairest import NOBODY, FairestSearch
from red7sim.lab.runs import Outcome, Run, checked_games
from red7sim.lab.stats import as_percent, checked_confidence, figure_columns
from red7sim.lab.studies.study import Study, announce, command_line
from red7sim.lab.studies.variants import Over, Variants, run_sentence, run_words, vary
from red7sim.lab.summary import DEFAULT_CONFIDENCE, MEANS, summarize
from red7sim.play.design import NO_PAIRING
from red7sim.play.tally import SEAT_WINS, SHARE_UNIT, SUM, Tally

NAME: Final = "tune"
MAX_GAMES: Final = 100_000
FIRST_LOOK: Final = 1024
"""Deals before the first look; each look doubles them."""

CHOICE_GAMES: Final = 4096
"""Games of a variant at most, from the first on, whose choices are counted too."""

OVER: Final[Over] = {
    "start": "left_of_highest,highest_card",
    "start_bonus": "0/1/0,1",
    "first_canvas": "red,dealt",
    "hand_size": "6,7",
}
"""What is searched where nothing else is asked."""

SURVIVES, ELIMINATED = "survives", "eliminated"
_CHOICES: Final = ("choices_per_turn", "forced_turns")

Row = dict[str, Any]


@dataclass(frozen=True)
class Look:
    """What a look has left: `variants` that may still be the fairest, after `deals` deals."""

    deals: int
    variants: int


def tune(
    base: Run,
    over: Over | None = None,
    *,
    max_games: int = MAX_GAMES,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
    on_look: Callable[[Look], None] | None = None,
) -> Study:
    """Search the combinations of values of some switches for the one that is fairest to the seats.

    Unfairness is the largest deviation of a seat's share from 1/N. The search and what it proves
    are those of `red7sim.lab.fairest`; it ends when one variant is left, or with the deals.

    Parameters
    ----------
    base
        The baseline, which takes part: rules, line-up, seed and design.
    over
        The values of each switch; by default OVER.
    max_games
        Games of a variant at most; deals, in a paired design.
    confidence
        That of the search, and of all intervals together, between 0 and 1.
    threads
        How many play at once, by default all processors; the answer does not depend on it.
    progress
        Called with the number of games of each piece that is done.
    planned
        Called once what is given is checked, with how many games `progress` is told of at most.
    on_look
        Called after each look.

    Returns
    -------
    Study
        `variants`: one row a variant, the survivors first and the fairest of them at the top;
        `state`, `deals` played, `beaten_by` (one that is proven fairer), the estimate of
        `unfairness` with its interval at the asked confidence for all variants and all looks
        together, shares of the seats, means of a round and a game, and with standard errors
        `choices_per_turn`, surviving turns to choose from, and `forced_turns`, the share of turns
        with exactly one: in up to CHOICE_GAMES games without pairing.
        `looks`: deals, and variants left after them.
        `refused`: combinations that the rules refuse, with the reason.

    Raises
    ------
    InputError
        A value is refused; the message says what is allowed.
    """
    confidence = checked_confidence(confidence)
    max_games = checked_games(max_games, threads, "max_games")
    variants = vary(base, OVER if over is None else over)
    runs = [variant.run for variant in variants.played]
    players = len(base.players)
    announce(planned, len(runs) * (len(base.arms) * max_games + min(max_games, CHOICE_GAMES)))
    search = FairestSearch(len(runs), players, confidence)
    tallies = np.stack([run.empty_tally() for run in runs])
    deals = np.zeros(len(runs), dtype=np.int64)
    looks: list[Look] = []
    done, goal = 0, FIRST_LOOK
    while done < max_games and search.alive.sum() > 1:
        end = min(goal, max_games)
        alive = np.flatnonzero(search.alive)
        common = CommonDeals(tuple(runs[i] for i in alive), shares=True)
        counts = play_common(common, end - done, done, threads, progress)
        tallies[alive] += counts.counts[:, : tallies.shape[1]]
        deals[alive] += end - done
        search.look(
            end - done, *_shares(counts.counts, counts.share_products, alive, len(runs), base)
        )
        done, goal = end, 2 * goal
        looks.append(Look(done, int(search.alive.sum())))
        if on_look:
            on_look(looks[-1])
    outcomes = [
        Outcome(run, 0, int(n), tally, 0.0, 0)
        for run, n, tally in zip(runs, deals, tallies, strict=True)
    ]
    choices = [_choices(outcome, threads, progress) for outcome in outcomes]
    return Study(
        name=NAME,
        title="The fairest house rules",
        caption=_caption(base, variants, done, confidence),
        command=_command(base, variants, max_games, confidence),
        parameters={"run": base.as_json(), "max_games": max_games, "confidence": confidence}
        | {"over": {name: [*values] for name, values in variants.over.items()}},
        tables={
            "variants": _frame(variants, outcomes, choices, search),
            "looks": pl.DataFrame(
                [(look.deals, look.variants) for look in looks],
                {"deals": pl.Int64, "variants": pl.Int64},
                orient="row",
            ),
            "refused": variants.refused_frame(),
        },
    )


def _shares(
    counts: Tally, products: Tally, alive: np.ndarray[Any, Any], variants: int, base: Run
) -> tuple[Any, Any]:
    """Return the sums of the shares and of their products, with zeros where nobody played."""
    players = len(base.players)
    unit = SHARE_UNIT * len(base.arms)
    totals = np.zeros((variants, players))
    totals[alive] = counts[:, SUM, SEAT_WINS : SEAT_WINS + players] / unit
    squared = np.zeros((variants, players, variants, players))
    shape = (len(alive), players, len(alive), players)
    places = np.ix_(alive, np.arange(players), alive, np.arange(players))
    squared[places] = products.reshape(shape) / unit**2
    return totals, squared


def _frame(
    variants: Variants,
    outcomes: list[Outcome],
    choices: list[dict[str, float | None]],
    search: FairestSearch,
) -> pl.DataFrame:
    labels = [variant.label for variant in variants.played]
    rows = []
    for i, variant in enumerate(variants.played):
        summary = summarize(outcomes[i])
        shares = [row["win_rate"] for row in summary["seats"]]
        prover = int(search.beaten_by[i])
        rows.append(
            {"variant": variant.label, **variant.values}
            | {"state": SURVIVES if search.alive[i] else ELIMINATED, "deals": outcomes[i].games}
            | {"beaten_by": None if prover == NOBODY else labels[prover]}
            | {"unfairness": max(abs(share - 1 / len(shares)) for share in shares)}
            | {"unfairness_low": float(search.low[i]), "unfairness_high": float(search.high[i])}
            | {f"seat_{seat}": share for seat, share in enumerate(shares)}
            | {name: summary[name] for name in MEANS}
            | choices[i]
        )
    texts = ("variant", *variants.over, "state", "beaten_by")
    columns: dict[str, Any] = dict.fromkeys(texts, pl.String)
    columns |= {f"{name}{error}": pl.Float64 for name in _CHOICES for error in ("", "_se")}
    table = pl.DataFrame(rows, schema_overrides=columns)
    # Who has played longer was nearer to the fairest.
    order = [pl.col("state") == ELIMINATED, -pl.col("deals"), pl.col("unfairness")]
    return table.sort(order, maintain_order=True)


def _choices(
    outcome: Outcome, threads: int | None, progress: Callable[[int], None] | None
) -> dict[str, float | None]:
    run = replace(outcome.run, design=NO_PAIRING)
    games = min(outcome.games, CHOICE_GAMES)
    figures = turn_figures(play_in_detail(run, games, threads, progress)[1])
    return figure_columns({name: figures[name] for name in _CHOICES})


def _caption(base: Run, variants: Variants, deals: int, confidence: float) -> str:
    unit = "deals" if base.paired else "games"
    return (
        f"{run_sentence(base)}, varied: {variants.sentence()}. Variants play the same "
        f"{unit}, up to {deals:,}; after each look those are eliminated that are proven less fair "
        f"than another. With {as_percent(confidence)} confidence, for all looks and all variants "
        "together, the fairest is not eliminated and all intervals of the unfairness hold."
    )


def _command(base: Run, variants: Variants, max_games: int, confidence: float) -> str:
    words = [*variants.words(), *run_words(base)]
    return command_line(NAME, words, max_games=max_games, confidence=confidence)
