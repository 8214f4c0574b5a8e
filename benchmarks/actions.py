"""Measure what the Action rule costs: time a turn with actions, in times a turn without.

    python benchmarks/actions.py [--pairs N] [--base basic|advanced] [--players 2 3 4]
        [--printings 1.1 1.2 ru] [--names random thrifty greedy leads]

Both sides are the plain engine, one thread, with the same players and preset. Each ratio is the
median of alternating pairs of blocks of games, by processor time and per turn asked.
"""

import argparse
import statistics
import time

from red7sim.game.ruleset import PRINTED, preset
from red7sim.play.table import Table, seat
from red7sim.play.tally import SUM, TURNS, empty_tally

SEED = 5
TURNS_A_BLOCK = 40_000


def played(table: Table, games: int) -> tuple[float, int]:
    """Return processor seconds and turns of a block of games, always the same ones."""
    tally = empty_tally()
    start = time.process_time()
    table.play_block(SEED, 0, games, tally)
    return time.process_time() - start, int(tally[SUM, TURNS])


def block_size(table: Table) -> int:
    """Return how many games have about `TURNS_A_BLOCK` turns."""
    _, turns = played(table, 100)
    return 100 * TURNS_A_BLOCK // turns


def ns_a_turn(table: Table, games: int) -> float:
    seconds, turns = played(table, games)
    return 1e9 * seconds / turns


def measure(base: str, players: int, printing: str, name: str, pairs: int) -> str:
    """Return a line of a table: both times a turn, and the ratio with its range over the pairs."""
    line_up = (name,) * players
    plain = seat(preset(base, players), line_up, vectors=False)
    acting = seat(preset(base, players, printing), line_up)
    plain_games, acting_games = block_size(plain), block_size(acting)
    times = [(ns_a_turn(plain, plain_games), ns_a_turn(acting, acting_games)) for _ in range(pairs)]
    without, with_actions = (statistics.median(side) for side in zip(*times, strict=True))
    ratios = [acting / plain for plain, acting in times]
    return (
        f"{base:8s} {players} {printing:3s} {name:8s} {without:6.0f} ns {with_actions:6.0f} ns   "
        f"{statistics.median(ratios):.2f} ({min(ratios):.2f} .. {max(ratios):.2f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what the Action rule costs.")
    parser.add_argument("--pairs", type=int, default=9, help="pairs of measurements")
    parser.add_argument("--base", choices=("basic", "advanced"), default="advanced")
    parser.add_argument("--players", type=int, nargs="+", default=(2, 3, 4))
    parser.add_argument("--printings", nargs="+", choices=PRINTED, default=[*PRINTED])
    parser.add_argument("--names", nargs="+", default=("random", "thrifty", "greedy", "leads"))
    options = parser.parse_args()
    for name in options.names:
        for players in options.players:
            for printing in options.printings:
                line = measure(options.base, players, printing, name, options.pairs)
                print(line, flush=True)


if __name__ == "__main__":
    main()
