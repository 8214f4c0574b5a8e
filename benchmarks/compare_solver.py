"""Speed of the open-hand solver, and with --reference its ratio to a C program in a folder.

usage: python benchmarks/compare_solver.py [--reference DIR] [--pairs N] [--deals N]

The reference folder holds a Makefile that builds `ref_solve` into $OUT. The ratio is the median of
alternating pairs, one thread, start-up and compilation taken out. Before that both sides must give
the same value for every one of 1,000 deals, or the run fails.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

from red7sim.game.cards import N_CARDS, RED
from red7sim.game.notation import Position, Seat
from red7sim.game.ruleset import preset
from red7sim.play.open_hands import Solver, solver_table
from red7sim.play.tally import empty_tally

SEED = 3
CHECKED_DEALS = 1000


def rate(first: int, deals: int) -> tuple[float, float, float]:
    """Return deals a second, positions a deal, and nanoseconds a position."""
    table = solver_table(preset("basic", 2))
    start = time.perf_counter()
    table.play_block(SEED, first, deals, empty_tally())
    seconds = time.perf_counter() - start
    positions = int(table.searches[0]["nodes"])
    return deals / seconds, positions / deals, 1e9 * seconds / positions


def random_deal(random: Random) -> Position:
    """A deal of seven cards and a palette card each; the lower palette card is to act."""
    cards = random.sample(range(N_CARDS), 16)
    hands = [sum(1 << card for card in cards[i : i + 7]) for i in (0, 7)]
    palettes = sorted(1 << card for card in cards[14:])
    seats = (Seat(palettes[0], hands[0], 7), Seat(palettes[1], hands[1], 7))
    return Position(RED, seats, None, N_CARDS - 16, 0)


def check_values(binary: Path) -> None:
    """Fail unless both sides give the same value for every deal."""
    solver, random = Solver(preset("basic", 2)), Random(SEED)
    deals = [random_deal(random) for _ in range(CHECKED_DEALS)]
    lines = [
        f"{RED - deal.canvas} " + " ".join(f"{seat.palette} {seat.hand}" for seat in deal.seats)
        for deal in deals
    ]
    answer = subprocess.run(
        [binary, "-"], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    assert [value == "1" for value in answer.stdout.split()] == [*map(solver.mover_wins, deals)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the speed of the open-hand solver.")
    parser.add_argument("--reference", type=Path, help="folder with the C program")
    parser.add_argument("--pairs", type=int, default=7, help="pairs of measurements")
    parser.add_argument("--deals", type=int, default=10_000, help="deals of a measurement")
    options = parser.parse_args()
    binary = None
    if options.reference:
        folder = tempfile.mkdtemp()
        command = ["make", "-s", "-C", str(options.reference), f"OUT={folder}"]
        subprocess.run(command, check=True)
        binary = Path(folder) / "ref_solve"
        check_values(binary)
    rate(0, 10)
    measured, ratios = [], []
    for pair in range(options.pairs):
        measured.append(rate(pair * options.deals, options.deals))
        if binary:
            answer = json.loads(subprocess.check_output([binary, str(options.deals)]))
            ratios.append(measured[-1][0] / answer["deals_per_s"])
    speed, positions, nanoseconds = (
        statistics.median(column) for column in zip(*measured, strict=True)
    )
    line = f"{speed:,.0f} deals/s, {positions:.0f} positions a deal, {nanoseconds:.0f} ns each"
    if ratios:
        line += f"   ratio to C {statistics.median(ratios):.2f}"
        line += f" ({min(ratios):.2f} .. {max(ratios):.2f})"
    print(line)


if __name__ == "__main__":
    main()
