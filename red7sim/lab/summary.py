"""The answer of a run: rates, means and their errors, as plain rows and as the JSON form."""

from collections.abc import Callable
from math import isnan
from typing import Any, Final

from red7sim.game.cards import COLOURS
from red7sim.lab.runs import Outcome
from red7sim.lab.stats import per_game, per_round, wilson
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
    Tally,
)

FORMAT: Final = 1
"""Version of all JSON forms."""

DEFAULT_CONFIDENCE: Final = 0.95

Row = dict[str, Any]


def summarize(outcome: Outcome, confidence: float = DEFAULT_CONFIDENCE) -> Row:
    """Return everything that a run says about seats, lengths, points and rules.

    Shares of games and of rounds come with Wilson intervals where every game is one round.
    Where games have several rounds the game is the sampling unit, and intervals are normal ones
    from the game-to-game variance. `interval` names the kind.
    """
    run, tally = outcome.run, outcome.tally
    players = run.rules.players
    one_round = run.rules.end == "round"
    game_share = _wilson_share if one_round else _game_share
    round_share = _wilson_share if one_round else _ratio_share
    same = run.players[0] if len(set(run.players)) == 1 else None
    rounds = int(tally[SUM, ROUNDS])
    rules = {
        colour: per_round(tally, FINAL_RULE + rank)
        for rank, colour in reversed([*enumerate(COLOURS)])
    }
    means = {
        "turns_per_round": per_round(tally, TURNS),
        "draws_per_round": per_round(tally, DRAWS),
        "points_per_round": per_round(tally, POINTS),
        "rounds_per_game": per_game(tally, ROUNDS),
    }
    return {
        "run_id": run.run_id,
        "rules": run.rules.as_json(),
        "players": list(run.players),
        "seed": run.seed,
        "first_index": outcome.first_index,
        "games": outcome.games,
        "rounds": rounds,
        "elapsed_s": outcome.elapsed,
        "games_per_s": outcome.games / outcome.elapsed if outcome.elapsed else None,
        "seats": [
            {"seat": seat, "player": same, "wins": tally[SUM, SEAT_WINS + seat] / SHARE_UNIT}
            | game_share(tally, SEAT_WINS + seat, SHARE_UNIT, confidence)
            for seat in range(players)
        ],
        "round_seats": [
            {"seat": seat, "wins": int(tally[SUM, ROUND_SEAT_WINS + seat])}
            | round_share(tally, ROUND_SEAT_WINS + seat, 1, confidence)
            for seat in range(players)
        ],
        "line_up": [
            {
                "position": position,
                "player": name,
                "wins": tally[SUM, POSITION_WINS + position] / SHARE_UNIT,
            }
            | game_share(tally, POSITION_WINS + position, SHARE_UNIT, confidence)
            for position, name in enumerate(run.players)
        ],
        **{
            key: number
            for name, mean in means.items()
            for key, number in ((name, _finite(mean.value)), (f"{name}_se", _finite(mean.error)))
        },
        "final_rule": {colour: _finite(share.value) for colour, share in rules.items()},
        "final_rule_se": {colour: _finite(share.error) for colour, share in rules.items()},
        "ended": {
            reason: int(tally[SUM, ENDED + i]) / outcome.games
            for i, reason in enumerate(END_REASONS)
            if tally[SUM, ENDED + i]
        },
        "interval": "wilson" if one_round else "game",
        "confidence": confidence,
    }


_Share = Callable[[Tally, int, int, float], Row]


def _wilson_share(tally: Tally, measure: int, unit: int, confidence: float) -> Row:
    games = int(tally[SUM, GAMES])
    wins = int(tally[SUM, measure]) / unit
    low, high = wilson(wins, games, confidence)
    return {"win_rate": wins / games, "low": low, "high": high}


def _game_share(tally: Tally, measure: int, unit: int, confidence: float) -> Row:
    share = per_game(tally, measure, unit)
    return {"win_rate": share.value} | _bounds(share.interval(confidence))


def _ratio_share(tally: Tally, measure: int, unit: int, confidence: float) -> Row:
    del unit  # rounds are won whole
    share = per_round(tally, measure)
    return {"win_rate": share.value} | _bounds(share.interval(confidence))


def _bounds(interval: tuple[float, float]) -> Row:
    low, high = interval
    if isnan(low):  # one game says nothing about the spread of games
        return {"low": 0.0, "high": 1.0}
    return {"low": max(0.0, low), "high": min(1.0, high)}


def _finite(number: float) -> float | None:
    return None if isnan(number) else number
