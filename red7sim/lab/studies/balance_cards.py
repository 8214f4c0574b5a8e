"""What the cards are worth: their effects where they are dealt, and what becomes of them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from red7sim.game.cards import COLOURS, N_CARDS
from red7sim.game.notation import CARD_NAMES
from red7sim.lab.detailed import play_in_detail, rounds_of, totals
from red7sim.lab.effects import effect_of, holdings
from red7sim.lab.groups import ratio
from red7sim.lab.multiple import q_values
from red7sim.lab.runs import RunError, checked_games, checked_seed
from red7sim.lab.stats import (
    as_percent,
    checked_confidence,
    figure_columns,
    joint_confidence,
    known,
)
from red7sim.lab.studies.cross import Cross
from red7sim.lab.studies.study import Study, announce, command_line
from red7sim.lab.studies.verdicts import HELPS, HURTS, OPEN
from red7sim.lab.summary import DEFAULT_CONFIDENCE
from red7sim.play.batch import HAND, START
from red7sim.play.details import GROUP_MASKS, Details
from red7sim.play.policy import DEFAULT_PLAYER
from red7sim.play.trace import TRACE_DISCARD, TRACE_DISCARD_PALETTE, TRACE_DRAW, TRACE_PLAY

NAME: Final = "balance-cards"
USUAL_GAMES: Final = 200_000

CARD, COLOUR, NUMBER = ("card", "colour", "number")
PLACES: Final = {"hand": HAND, "start": START}

FACTORS: Final = (
    *((CARD, name) for name in CARD_NAMES[:N_CARDS]),
    *((COLOUR, name) for name in COLOURS),
    *((NUMBER, str(number)) for number in range(1, 8)),
)
"""Cards, colours and numbers in the order in which they are counted."""

_SHOWN: Final = [
    *range(N_CARDS - 1, -1, -1),
    *range(N_CARDS + 6, N_CARDS - 1, -1),
    *range(N_CARDS + 13, N_CARDS + 6, -1),
]
"""Their order in tables: highest first."""

EFFECT_COLUMNS: Final = {
    "kind": pl.String,
    "factor": pl.String,
    "place": pl.String,
    "dealt": pl.Int64,
    "won": pl.Int64,
    "effect": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "joint_low": pl.Float64,
    "joint_high": pl.Float64,
    "p": pl.Float64,
    "q": pl.Float64,
    "verdict": pl.String,
}
USES: Final = ("played", "discarded", "drawn", "scored")
USE_COLUMNS: Final = {
    "kind": pl.String,
    "factor": pl.String,
    **{name: pl.Float64 for use in USES for name in (use, f"{use}_se")},
}

Row = dict[str, Any]


def balance_cards(
    rules: str = "basic",
    player: str = DEFAULT_PLAYER,
    players: int = 2,
    *,
    settings: Mapping[str, Any] | None = None,
    games: int = USUAL_GAMES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    planned: Callable[[int], None] | None = None,
) -> Study:
    """Measure what each card, colour and number is worth.

    Parameters
    ----------
    rules
        A preset.
    player
        Who plays in all seats.
    players
        Number of players, 2 to 4.
    settings
        Switches to set in the ruleset.
    games
        Games; effects are measured in their first rounds only, uses in all rounds.
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
        `effects`: what one more card of the factor in a player's opening hand (`place` hand), or
        in his palette as dealt (start), does to his chance to win the round, instead of a card
        that is none of it (red7sim.lab.effects). Joint intervals hold for all rows together
        (Bonferroni). `q` is the false discovery rate among rows with this q or a lower one; where
        it is at most 1 - confidence, `verdict` says `helps` or `hurts`, else `open`.
        `uses`: times per round that cards of the factor are played to a palette, discarded to the
        canvas, drawn, and in the set of the winner.

    Raises
    ------
    InputError
        A value is refused, or hands have different sizes; the message says what is allowed.
    """
    cross = Cross.single(players, rules, player, settings)
    [cell] = cross.cells()
    players = cell.ruleset.players
    run = cell.run(seed)
    seed = checked_seed(seed)
    confidence = checked_confidence(confidence)
    games = checked_games(games, threads)
    sizes = {"hand": _hand_size(run.rules.as_json(), players), "start": run.rules.palette_size}
    announce(planned, games)
    _, details = play_in_detail(run, games, threads, progress)
    effects = _effect_rows(details, players, sizes, confidence)
    return Study(
        name=NAME,
        title="What the cards are worth",
        caption=_caption(cross, games, seed, confidence),
        command=_command(cross, games, seed, confidence),
        parameters=cross.as_json() | {"games": games, "seed": seed, "confidence": confidence},
        tables={
            "effects": pl.DataFrame(effects, EFFECT_COLUMNS),
            "uses": pl.DataFrame(_use_rows(details), USE_COLUMNS),
        },
    )


def _hand_size(switches: Mapping[str, Any], players: int) -> int:
    bonus = [*switches["start_bonus"], 0, 0, 0, 0][:players]
    if len(set(bonus)) > 1:
        raise RunError(
            f"start_bonus: {switches['start_bonus']} is not allowed; allowed: the same for all "
            "seats, since the effect of a card is defined for hands of one size"
        )
    return int(switches["hand_size"]) + int(bonus[0])


def _effect_rows(
    details: Details, players: int, sizes: Mapping[str, int], confidence: float
) -> list[Row]:
    total = totals(details)
    held = [
        (place, factor, cards)
        for place, index in PLACES.items()
        for factor, cards in zip(FACTORS, holdings(total, index), strict=True)
    ]
    joint = joint_confidence(confidence, len(held))
    effects = [
        effect_of(cards, players, sizes[place], confidence, joint) for place, _, cards in held
    ]
    rates = q_values([effect.p for effect in effects])
    rows = [
        {"kind": kind, "factor": factor, "place": place, "dealt": cards.dealt, "won": cards.won}
        | {"effect": known(effect.value)}
        | {"low": effect.low, "high": effect.high}
        | {"joint_low": effect.joint_low, "joint_high": effect.joint_high}
        | {"p": effect.p, "q": q, "verdict": _verdict(effect.value, q, 1 - confidence)}
        for (place, (kind, factor), cards), effect, q in zip(held, effects, rates, strict=True)
    ]
    n = len(FACTORS)
    return [rows[first + i] for first in range(0, len(rows), n) for i in _SHOWN]


def _verdict(effect: float, q: float | None, rate: float) -> str:
    if q is None or q > rate:
        return OPEN
    return HELPS if effect > 0 else HURTS


def _use_rows(details: Details) -> list[Row]:
    steps = details["steps"]
    uses = {
        "played": steps[:, TRACE_PLAY],
        "discarded": steps[:, TRACE_DISCARD] + steps[:, TRACE_DISCARD_PALETTE],
        "drawn": steps[:, TRACE_DRAW],
        "scored": details["scored"],
    }
    rounds = rounds_of(details)
    rows = []
    for i in _SHOWN:
        kind, factor = FACTORS[i]
        figures = {
            use: ratio(counts[:, _members(i)].sum(axis=1), rounds) for use, counts in uses.items()
        }
        rows.append({"kind": kind, "factor": factor} | figure_columns(figures))
    return rows


def _members(factor: int) -> NDArray[np.int64]:
    """Return the cards of a factor."""
    if factor < N_CARDS:
        return np.array([factor])
    return np.flatnonzero(GROUP_MASKS[factor - N_CARDS] >> np.arange(N_CARDS) & 1)


def _caption(cross: Cross, games: int, seed: int, confidence: float) -> str:
    return (
        f"{cross.sentence()}; {games:,} games, seed {seed}. Effects on the chance to win the first "
        "round, in which all 49 cards are dealt: of holding one more card of a kind instead of "
        f"another one. Intervals are {as_percent(confidence)} (Wilson), joint ones for all effects "
        "together (Bonferroni). Effects are marked as found at a false discovery rate of "
        f"{as_percent(1 - confidence)} (Benjamini and Hochberg)."
    )


def _command(cross: Cross, games: int, seed: int, confidence: float) -> str:
    numbers = {"games": games, "seed": seed, "confidence": confidence}
    return command_line(NAME, cross.words(), **numbers)
