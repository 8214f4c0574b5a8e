"""The answer of a run: rates, means and their errors, as plain rows and as the JSON form."""

from collections.abc import Callable
from typing import Any, Final

from red7sim.game.cards import COLOURS
from red7sim.lab.runs import Outcome
from red7sim.lab.stats import (
    Estimate,
    Share,
    figure_columns,
    joint_confidence_of_shares,
    known,
    mean_share,
    per_game,
    per_round,
    variance_ratio,
    wilson_share,
)
from red7sim.lab.stopping import PrecisionTarget
from red7sim.play.tally import (
    DRAWS,
    END_REASONS,
    ENDED,
    FINAL_RULE,
    GAMES,
    POINTS,
    POSITION_WINS,
    ROUND_SEAT_WINS,
    ROUNDS,
    SEAT_WINS,
    SHARE_UNIT,
    SUM,
    TURNS,
)

FORMAT: Final = 1
"""Version of all JSON forms."""

DEFAULT_CONFIDENCE: Final = 0.95

MEANS: Final = ("turns_per_round", "draws_per_round", "points_per_round", "rounds_per_game")
"""The means of a run; each has a standard error of the same name with `_se`."""

Row = dict[str, Any]
_ShareOf = Callable[[int], Share]


def summarize(
    outcome: Outcome,
    confidence: float = DEFAULT_CONFIDENCE,
    target: PrecisionTarget | None = None,
) -> Row:
    """Return everything that a run says about seats, lengths, points and rules.

    `interval` names the kind of all intervals: `wilson` where every game is one round and a deal
    of its own, with Goodman's as the joint ones; `game` where games have several rounds, from the
    game-to-game variance; `paired` in a paired design, from the deal-to-deal variance;
    `confidence-sequence` where the run has stopped at a target. There the interval of one of the
    other kinds stands beside it as `fixed_low` and `fixed_high`, and `fixed_interval` says that
    it does not hold; the shares of rounds of longer games have no other (`low` is null).
    """
    run, tally = outcome.run, outcome.tally
    arms = len(run.arms)
    games = outcome.games * arms
    kind = _interval_kind(outcome)
    game_share, round_share = _shares(outcome, kind, confidence)
    same = run.players[0] if len(set(run.players)) == 1 else None
    seats = range(run.rules.players)

    def wins(measure: int) -> float:
        return int(tally[SUM, measure]) / SHARE_UNIT

    def watched(measure: int | None) -> Row | None:
        if target is None:
            return None
        return _sequence_bounds(target, measure, confidence, len(seats))

    def bought(measure: int) -> Row:
        return {"variance_ratio": known(variance_ratio(tally, measure, arms))} if arms > 1 else {}

    a_round = (per_round(tally, measure) for measure in (TURNS, DRAWS, POINTS))
    means = dict(zip(MEANS, (*a_round, per_game(tally, ROUNDS, arms)), strict=True))
    rules = {
        colour: per_round(tally, FINAL_RULE + rank)
        for rank, colour in reversed([*enumerate(COLOURS)])
    }
    return {
        "run_id": run.run_id,
        "rules": run.rules.as_json(),
        "players": list(run.players),
        "seed": run.seed,
        "design": run.design,
        "first_index": outcome.first_index,
        **({"deals": outcome.games} if run.paired else {}),
        "games": games,
        "rounds": int(tally[SUM, ROUNDS]),
        "elapsed_s": outcome.elapsed,
        "games_per_s": outcome.played * arms / outcome.elapsed if outcome.played else None,
        "seats": [
            {"seat": seat, "player": same, "wins": wins(SEAT_WINS + seat)}
            | _bounds(game_share(SEAT_WINS + seat), watched(SEAT_WINS + seat))
            | bought(SEAT_WINS + seat)
            for seat in seats
        ],
        "round_seats": [
            {"seat": seat, "wins": int(tally[SUM, ROUND_SEAT_WINS + seat])}
            | _bounds(
                round_share(ROUND_SEAT_WINS + seat),
                # Where a round is the game, both seats are one.
                watched(SEAT_WINS + seat if run.rules.one_round else None),
            )
            for seat in seats
        ],
        "line_up": [
            {"position": position, "player": name, "wins": wins(POSITION_WINS + position)}
            | _bounds(game_share(POSITION_WINS + position), watched(POSITION_WINS + position))
            | bought(POSITION_WINS + position)
            for position, name in enumerate(run.players)
        ],
        **figure_columns(means),
        "final_rule": {colour: known(share.value) for colour, share in rules.items()},
        "final_rule_se": {colour: known(share.error) for colour, share in rules.items()},
        "ended": {
            reason: int(tally[SUM, ENDED + i]) / games
            for i, reason in enumerate(END_REASONS)
            if tally[SUM, ENDED + i]
        },
        "interval": "confidence-sequence" if target else kind,
        "confidence": confidence,
        **(_target_row(target, kind) if target else {}),
        **run.remarks,
    }


def _interval_kind(outcome: Outcome) -> str:
    if outcome.run.paired:
        return "paired"
    return "wilson" if outcome.run.rules.one_round else "game"


def _shares(outcome: Outcome, kind: str, confidence: float) -> tuple[_ShareOf, _ShareOf]:
    """Return the functions that give the share of a measure among the games and the rounds."""
    tally, arms = outcome.tally, len(outcome.run.arms)
    units = int(tally[SUM, GAMES])
    joint = joint_confidence_of_shares(confidence, outcome.run.rules.players)

    def wilson_of_games(measure: int) -> Share:
        return wilson_share(int(tally[SUM, measure]) / SHARE_UNIT, units, confidence, joint)

    def wilson_of_rounds(measure: int) -> Share:
        return wilson_share(int(tally[SUM, measure]), units, confidence, joint)

    def by_unit(estimate: Estimate) -> Share:
        return mean_share(estimate, units, confidence, joint)

    if kind == "wilson":
        return wilson_of_games, wilson_of_rounds
    return (
        lambda measure: by_unit(per_game(tally, measure, SHARE_UNIT * arms)),
        lambda measure: by_unit(per_round(tally, measure)),
    )


def _bounds(share: Share, watched: Row | None) -> Row:
    fixed = {
        "low": share.low,
        "high": share.high,
        "joint_low": share.joint_low,
        "joint_high": share.joint_high,
    }
    if watched is not None:
        fixed = watched | {"fixed_low": share.low, "fixed_high": share.high}
    return {"win_rate": known(share.value)} | fixed


def _sequence_bounds(
    target: PrecisionTarget, measure: int | None, confidence: float, family: int
) -> Row:
    names = ("low", "high", "joint_low", "joint_high")
    if measure is None:
        return dict.fromkeys(names)
    single = target.interval(measure, confidence)
    joint = target.interval(measure, joint_confidence_of_shares(confidence, family))
    return dict(zip(names, (*single, *joint), strict=True))


def _target_row(target: PrecisionTarget, kind: str) -> Row:
    return {
        "target_half_width": target.half_width,
        "target_met": target.met,
        "fixed_interval": f"{kind}, not valid under repeated looks",
    }
