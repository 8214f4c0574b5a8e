"""Measure what decides a deal that is played perfectly with open hands.

usage: python docs/measure_perfect_play.py [DEALS] > tables.md     prints the tables of
docs/perfect_play.md, with progress on standard error
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import COLOUR_OF, COLOURS, N_COLOURS, ROW_OF
from red7sim.game.ruleset import preset
from red7sim.lab.pieces import available_threads
from red7sim.lab.stats import wilson
from red7sim.play.open_hands import solver_table
from red7sim.play.record import Rounds
from red7sim.play.tally import empty_tally

DEALS = 1_000_000
SEED = 0
PIECE = 5_000
CARDS = 1 << np.arange(len(ROW_OF), dtype=np.int64)
RANKS, NUMBERS = np.array(COLOUR_OF), np.array(ROW_OF) + 1
ONES = np.ones(len(ROW_OF), dtype=np.int64)


def solved(first: int) -> Rounds:
    """Solve one piece of the deals."""
    table = solver_table(preset("basic", 2))
    rows = table.record_rounds(SEED, first, PIECE, empty_tally())
    print(f"\r{first + PIECE:,} deals", end="", file=sys.stderr)
    return rows


def share(name: str, won: NDArray[np.bool_]) -> str:
    """Return a row of a table: how often the first player wins some deals, with the interval."""
    wins, deals = int(won.sum()), len(won)
    low, high = wilson(wins, deals, 0.95)
    return f"| {name} | {deals:,} | {wins / deals:.4f} | {low:.4f} .. {high:.4f} |"


def table(title: str, keys: NDArray[np.int64], won: NDArray[np.bool_], names=str) -> None:
    """Print a table of the first player's share by a key of the deal."""
    print(f"\n| {title} | deals | first player | 95% interval |\n| --- | --- | --- | --- |")
    for key in np.unique(keys):
        print(share(names(int(key)), won[keys == key]))


def total(sets: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sum of a value over the cards of each set."""
    return ((sets[:, None] & CARDS != 0) * values).sum(axis=1)


def more_of(name: str, cards: int, hands: list[NDArray[np.int64]], won: NDArray[np.bool_]) -> str:
    """Return a row: how often the hand with more cards of a kind wins, first player or not."""
    difference = total(hands[0] & cards, ONES) - total(hands[1] & cards, ONES)
    differ = difference != 0
    return share(name, won[differ] == (difference[differ] > 0))


def main() -> None:
    """Solve the deals and print the tables."""
    deals = int(sys.argv[1].replace("_", "")) if len(sys.argv) > 1 else DEALS
    with ThreadPoolExecutor(available_threads()) as executor:
        rows = np.concatenate([*executor.map(solved, range(0, deals, PIECE))])
    first, place = rows["start"].astype(np.int64), np.arange(len(rows))
    won = rows["winner"] == first
    hands = [rows["hands"][place, player] for player in (first, 1 - first)]
    palettes = [rows["palettes"][place, player] for player in (first, 1 - first)]
    print("| | deals | first player | 95% interval |\n| --- | --- | --- | --- |")
    print(share("all", won))
    own_number, rival_number = (total(palette, NUMBERS) for palette in palettes)
    table("first player's palette card", own_number, won)
    table("leader's palette card", rival_number, won)
    table(
        "colour of the leader's palette card",
        N_COLOURS - 1 - total(palettes[1], RANKS),
        won,
        lambda key: COLOURS[N_COLOURS - 1 - key],
    )
    values = total(hands[0], NUMBERS) - total(hands[1], NUMBERS)
    edges = np.array([-12, -8, -4, 0, 4, 8, 12])
    table(
        "value of the first hand less the second",
        np.digitize(values, edges + 1),
        won,
        lambda key: _between(edges, key),
    )
    print("\n| more cards of | deals | that hand | 95% interval |\n| --- | --- | --- | --- |")
    for colour in reversed(range(N_COLOURS)):
        print(more_of(COLOURS[colour], CARDS[colour == RANKS].sum(), hands, won))
    for number in reversed(range(1, 8)):
        print(more_of(f"{number}s", CARDS[number == NUMBERS].sum(), hands, won))


def _between(edges: NDArray[np.int64], key: int) -> str:
    if key == 0:
        return f"at most {edges[0]}"
    if key == len(edges):
        return f"above {edges[-1]}"
    return f"{edges[key - 1] + 1} to {edges[key]}"


if __name__ == "__main__":
    main()
