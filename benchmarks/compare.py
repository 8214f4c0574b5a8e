"""Speed of this package, and with --reference its ratio to the C programs in a folder.

usage: python benchmarks/compare.py [--reference DIR] [--pairs N] [--player NAME]
       python benchmarks/compare.py --watched [--pairs N] [--player NAME]
       python benchmarks/compare.py --decisions [--reference DIR] [--pairs N]

With --watched, instead: what it costs to record rounds, to count details and to play the rotated
line-up on every deal, as the ratio to the bare run's speed a game, in processor time of one thread.

With --decisions, instead: decisions a second of the players in self-play of two, basic rules, all
turns counted, and with --reference their ratio to the random decisions a second of the C program.

The reference folder holds a Makefile that builds `ref_sim` into $OUT. Each ratio is the median of
alternating pairs, one thread, start-up and compilation taken out; single times on a shared
machine mean little. Both sides must give the statistics of the same game, or the run fails.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from red7sim.game.ruleset import preset
from red7sim.lab.pieces import prepare
from red7sim.lab.runs import Outcome, Run, play
from red7sim.lab.stats import per_round
from red7sim.play.design import arms_of
from red7sim.play.detailed import empty_counts, seat_detailed
from red7sim.play.paired import seat_paired
from red7sim.play.table import seat
from red7sim.play.tally import GAME_SQUARES, GAMES, ROUND_SEAT_WINS, SUM, TURNS, empty_tally

SEED = 3


@dataclass(frozen=True)
class Workload:
    """What is played by both sides; `mode` is the reference program's number for the rules."""

    players: int
    base: str
    end: str
    mode: int
    games: int

    @property
    def name(self) -> str:
        return f"{self.players} players, {self.base}, end {self.end}"

    def run(self, player: str) -> Run:
        rules = preset(self.base, self.players).changed({"end": self.end})
        return Run(rules, (player,) * self.players, SEED)


WORKLOADS = (
    Workload(2, "basic", "round", 0, 1_000_000),
    Workload(3, "advanced", "round", 1, 500_000),
    Workload(4, "advanced", "points", 2, 80_000),
)


def rate(workload: Workload, player: str, threads: int = 1) -> tuple[float, Outcome]:
    """Return games a second and what was counted."""
    start = time.perf_counter()
    outcome = play(workload.run(player), workload.games, threads=threads)
    return workload.games / (time.perf_counter() - start), outcome


def reference(binary: Path, workload: Workload) -> dict[str, float | list[float]]:
    """Return what the reference program prints for a workload."""
    command = [binary, str(workload.games), str(workload.players), str(workload.mode)]
    answer: dict[str, float | list[float]] = json.loads(subprocess.check_output(command))
    return answer


def check_same_game(outcome: Outcome, answer: dict[str, float | list[float]]) -> None:
    """Fail unless both sides agree on turns and seat shares within five standard errors."""
    pairs = [(per_round(outcome.tally, TURNS), answer["turns_per_round"])]
    shares = answer["round_seat"]
    assert isinstance(shares, list)
    for number, share in enumerate(shares):
        pairs.append((per_round(outcome.tally, ROUND_SEAT_WINS + number), share))
    for mine, other in pairs:
        assert isinstance(other, float)
        # Both sides are samples of the same size, so their difference has sqrt(2) errors.
        assert abs(mine.value - other) < 5 * 2**0.5 * mine.error, (mine, other)


def watched(workload: Workload, player: str) -> dict[str, Callable[[], object]]:
    """Return functions that play the same number of games: bare, and for all that may be kept."""
    run = workload.run(player)
    games = workload.games // 20
    deals = games // workload.players
    bare = seat(run.rules, run.players)
    recorded = seat(run.rules, run.players, watched="rounds")
    detailed = seat_detailed(run.rules, run.players)
    rotated = seat_paired(run.rules, run.players, arms_of("rotate", workload.players))
    counts = np.zeros((GAME_SQUARES + 1, GAMES + 1), dtype=np.int64)
    return {
        "bare": lambda: bare.play_block(SEED, 0, games, empty_tally()),
        "with records": lambda: recorded.record_block(SEED, 0, games, empty_tally()),
        "with details": lambda: detailed.play_block(SEED, 0, games, empty_counts()),
        "rotated": lambda: rotated.play_block(SEED, 0, deals, counts),
    }


def processor_time(play_games: Callable[[], object]) -> float:
    start = time.thread_time()
    play_games()
    return time.thread_time() - start


def compare_watched(player: str, pairs: int) -> None:
    """Print the ratios to the bare run, each the median and range of alternating pairs."""
    for workload in WORKLOADS:
        kinds = watched(workload, player)
        times: dict[str, list[float]] = {name: [] for name in kinds}
        for play_games in kinds.values():
            play_games()
        for _ in range(pairs):
            for name, play_games in kinds.items():
                times[name].append(processor_time(play_games))
        line = f"{workload.name:32s}"
        for name in [*kinds][1:]:
            ratios = [bare / own for bare, own in zip(times["bare"], times[name], strict=True)]
            line += f"   {name} {statistics.median(ratios):.2f}"
            line += f" ({min(ratios):.2f} .. {max(ratios):.2f})"
        print(line, flush=True)


PLAYERS = ("random", "leads", "thrifty", "greedy", "mobility", "foresight", "pressure", "rollout")
SECONDS = 1.0


def decision_rate(player: str, games: int) -> tuple[float, float]:
    """Return decisions a second, and games a second."""
    start = time.perf_counter()
    outcome = play(WORKLOADS[0].run(player), games, threads=1)
    seconds = time.perf_counter() - start
    return int(outcome.tally[SUM, TURNS]) / seconds, games / seconds


def compare_decisions(binary: Path | None, pairs: int) -> None:
    """Print decisions a second, and ratios to the C program's, as medians and ranges."""
    for player in PLAYERS:
        prepare(WORKLOADS[0].run(player))
        decision_rate(player, 64)
        games = max(64, int(SECONDS * decision_rate(player, 2000)[1]))
        rates, ratios = [], []
        for _ in range(pairs):
            rates.append(decision_rate(player, games)[0])
            if binary:
                answer = reference(binary, WORKLOADS[0])
                speed, turns = answer["games_per_s"], answer["turns_per_round"]
                assert isinstance(speed, int | float)
                assert isinstance(turns, float)
                ratios.append(rates[-1] / (speed * turns))
        line = f"{player:12s} {statistics.median(rates):12,.0f} decisions/s"
        if ratios:
            line += f"   ratio to C's random {statistics.median(ratios):.4f}"
            line += f" ({min(ratios):.4f} .. {max(ratios):.4f})"
        print(line, flush=True)


def built(folder: Path | None) -> Path | None:
    """Return the reference program, built from the sources of a folder."""
    if folder is None:
        return None
    out = tempfile.mkdtemp()
    subprocess.run(["make", "-s", "-C", str(folder), f"OUT={out}"], check=True)
    return Path(out) / "ref_sim"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the speed of red7sim.")
    parser.add_argument("--reference", type=Path, help="folder with the C programs")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of measurements")
    parser.add_argument("--player", default="random", help="who plays on our side")
    parser.add_argument("--watched", action="store_true", help="what keeping more costs")
    parser.add_argument("--decisions", action="store_true", help="how fast players decide")
    options = parser.parse_args()
    if options.watched:
        compare_watched(options.player, options.pairs)
        return
    binary = built(options.reference)
    if options.decisions:
        compare_decisions(binary, options.pairs)
        return
    for workload in WORKLOADS:
        prepare(workload.run(options.player))
        rates, ratios, gains = [], [], []
        for _ in range(options.pairs):
            single, outcome = rate(workload, options.player)
            rates.append(single)
            if binary:
                answer = reference(binary, workload)
                if options.player == "random":
                    check_same_game(outcome, answer)
                assert isinstance(answer["games_per_s"], int | float)
                ratios.append(single / answer["games_per_s"])
            gains.append(rate(workload, options.player, threads=2)[0] / single)
        line = f"{workload.name:32s} {statistics.median(rates):10,.0f} games/s"
        line += f"   two threads x{statistics.median(gains):.2f}"
        if ratios:
            line += f"   ratio to C {statistics.median(ratios):.2f}"
            line += f" ({min(ratios):.2f} .. {max(ratios):.2f})"
        print(line, flush=True)


if __name__ == "__main__":
    main()
