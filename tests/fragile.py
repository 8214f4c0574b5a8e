"""A run whose first task of a certain game ends the process that plays it."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from red7sim.lab.runs import Run


@dataclass(frozen=True)
class Fragile:
    """Plays a run; whoever comes to game `at` first is killed, as by the kernel of its machine.

    `scar` is a file that is written just before.
    """

    run: Run
    at: int
    scar: Path

    @property
    def seed(self) -> int:
        return self.run.seed

    def empty_tally(self) -> Any:
        return self.run.empty_tally()

    def table(self) -> "FragileTable":
        return FragileTable(self, self.run.table())


@dataclass(frozen=True)
class FragileTable:
    fragile: Fragile
    table: Any

    def play_block(self, seed: int, first: int, games: int, tally: Any) -> None:
        here = first <= self.fragile.at < first + games
        if here and not self.fragile.scar.exists():
            self.fragile.scar.write_text(f"{os.getpid()}")
            os.kill(os.getpid(), signal.SIGKILL)
        self.table.play_block(seed, first, games, tally)
