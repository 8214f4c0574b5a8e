"""What it costs to let a local Dask cluster play instead of threads.

usage: python benchmarks/cluster.py [--games N] [--workers LIST] [--pairs N]

For each number of workers a local cluster is started, and the same two players' basic games are
played by it and by as many threads, alternately. Prints games a second of both as medians, the
overhead as the median and range of the pairs, and the processor time of the client. Play alone is
timed: start-up, connection and compilation are not.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

RED7SIM = [sys.executable, "-m", "red7sim"]
WARM_UP = 1_000_000


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """Yield the address of a cluster that lives as long as the block."""
    command = [*RED7SIM, "cluster", "local", "--workers", str(workers)]
    started = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert started.stdout is not None
    try:
        yield started.stdout.readline().split()[-1]
    finally:
        os.killpg(started.pid, signal.SIGINT)
        started.wait()


def played(games: int, *where: str) -> tuple[float, float]:
    """Play games; return the seconds of play and the processor time of the process that asks."""
    words = [*RED7SIM, "simulate", "--player=random", "--player=random", "--games", str(games)]
    process = subprocess.Popen([*words, "--json", "--quiet", *where], stdout=subprocess.PIPE)
    assert process.stdout is not None
    answer = json.loads(process.stdout.read())
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return answer["elapsed_s"], used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a local cluster costs.")
    parser.add_argument("--games", type=int, default=10**8, help="games of each run")
    parser.add_argument("--workers", default="1,2,4", help="numbers of workers, by commas")
    parser.add_argument("--pairs", type=int, default=3, help="pairs of runs for each")
    options = parser.parse_args()
    print("| workers | games/s | threads' games/s | overhead | client's processor time |")
    print("| --- | --- | --- | --- | --- |")
    for workers in map(int, options.workers.split(",")):
        there, here, client = [], [], []
        with local_cluster(workers) as address:
            for games in (WARM_UP, *[options.games] * options.pairs):
                seconds, used = played(games, "--cluster", address)
                there.append(seconds)
                client.append(used)
                here.append(played(games, "--threads", str(workers))[0])
        costs = [cluster / own - 1 for cluster, own in zip(there[1:], here[1:], strict=True)]
        print(
            f"| {workers} | {options.games / statistics.median(there[1:]):,.0f} "
            f"| {options.games / statistics.median(here[1:]):,.0f} "
            f"| {statistics.median(costs):+.1%} ({min(costs):+.1%} .. {max(costs):+.1%}) "
            f"| {statistics.median(client[1:]):.1f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
