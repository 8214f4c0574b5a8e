"""Speed and memory as runs grow: each run is one command in a process of its own.

usage: python benchmarks/growth.py [--most N] [--player NAME] [--threads LIST] [--out DIR]

Plays two players' basic games by the powers of ten from 10^5 to N: bare, with details counted, and
with every round written to a dataset (these at most 10^8 and on as much disk as they need, 2 GB).
Prints a Markdown table; with --out also writes growth.csv, and growth.png and growth.svg.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from red7sim.show.figures import COLOURS, MARKERS, Picture, add_legend, new_figure, styled

FEWEST, MOST, MOST_ROWS = 10**5, 10**9, 10**8
MEGABYTE = 1 << 20

KINDS = {
    "bare": "simulate --games {games}",
    "details": "balance cards --games {games}",
    "rows": "simulate --games {games} --rows --out {folder}",
}
"""What is done with the games, and the command that does it."""


@dataclass(frozen=True)
class Measured:
    """A run: wall time with start-up, processor time, and the most memory that it had."""

    kind: str
    threads: int
    games: int
    seconds: float
    processor_seconds: float
    megabytes: float

    @property
    def games_per_s(self) -> float:
        return self.games / self.seconds


def measured(kind: str, games: int, threads: int, player: str) -> Measured:
    """Run a command and measure its process."""
    with tempfile.TemporaryDirectory() as folder:
        line = KINDS[kind].format(games=games, folder=f"{folder}/kept")
        seats = [f"--player={player}"] * (1 if kind == "details" else 2)
        words = [sys.executable, "-m", "red7sim", *line.split(), *seats]
        words += ["--threads", str(threads), "--json", "--quiet"]
        start = time.perf_counter()
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    unit = 1 if sys.platform == "darwin" else 1024
    memory = used.ru_maxrss * unit / MEGABYTE
    return Measured(kind, threads, games, seconds, used.ru_utime + used.ru_stime, memory)


def table_of(runs: list[Measured]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "kind": run.kind,
                "threads": run.threads,
                "games": run.games,
                "seconds": run.seconds,
                "processor_seconds": run.processor_seconds,
                "games_per_s": run.games_per_s,
                "megabytes": run.megabytes,
            }
            for run in runs
        ]
    )


def markdown(runs: list[Measured]) -> str:
    """Return games a second and megabytes, a line for each number of games."""
    columns = [*dict.fromkeys((run.kind, run.threads) for run in runs)]
    cells = {(run.kind, run.threads, run.games): run for run in runs}
    heads = [f"{kind}, {n} thread{'s' * (n > 1)}" for kind, n in columns]
    lines = [f"| games | {' | '.join(heads)} |", "| --- " * (len(columns) + 1) + "|"]
    for games in sorted({run.games for run in runs}):
        found = [cells.get((*column, games)) for column in columns]
        texts = [f"{r.games_per_s:,.0f} ({r.megabytes:.0f} MB)" if r else "" for r in found]
        lines.append(f"| 10^{round(math.log10(games))} | {' | '.join(texts)} |")
    return "\n".join(lines)


def picture_of(runs: list[Measured], player: str) -> Picture:
    """Return speed and memory against the number of games."""
    series = dict.fromkeys((run.kind, run.threads) for run in runs)
    labels = [f"{kind}, {n} thread{'s' * (n > 1)}" for kind, n in series]
    title = "Speed and memory as runs grow"
    caption = (
        f"Two players, basic rules, {player}; each point is one command in a process of its own, "
        "its start included; compiled kernels are loaded from the disk. Rows are written to it."
    )
    with styled():
        figure = new_figure(8, 3.4, title, caption, labels)
        speed, memory = figure.subplots(1, 2)
        for label, (kind, threads) in zip(labels, series, strict=True):
            own = [run for run in runs if (run.kind, run.threads) == (kind, threads)]
            i = [*KINDS].index(kind)
            style = {"color": COLOURS[i], "marker": MARKERS[i], "label": label}
            style["linestyle"] = "-" if threads > 1 else "--"
            games = [run.games for run in own]
            speed.plot(games, [run.games_per_s / 1e6 for run in own], **style)
            memory.plot(games, [run.megabytes for run in own], **style)
        for axes, label in ((speed, "million games a second"), (memory, "megabytes at most")):
            axes.set(xscale="log", xlabel="games", ylabel=label)
            axes.set_ylim(bottom=0)
        add_legend(figure, speed)
    alt = "Two panels against the number of games: games a second, and the most memory used."
    return Picture("growth", title, alt, figure)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how speed and memory grow with a run.")
    parser.add_argument("--most", type=int, default=MOST, help="games of the largest runs")
    parser.add_argument("--player", default="random", help="who plays")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, by commas")
    parser.add_argument("--out", type=Path, help="folder for table and picture")
    options = parser.parse_args()
    runs = []
    for kind in KINDS:
        for threads in map(int, options.threads.split(",")):
            measured(kind, 1000, threads, options.player)  # compiles what is not in the cache yet
            games = FEWEST
            while games <= min(options.most, MOST_ROWS if kind == "rows" else options.most):
                runs.append(measured(kind, games, threads, options.player))
                print(runs[-1], file=sys.stderr, flush=True)
                games *= 10
    print(markdown(runs))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        table_of(runs).write_csv(options.out / "growth.csv")
        picture_of(runs, options.player).write(options.out)


if __name__ == "__main__":
    main()
