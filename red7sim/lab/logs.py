"""Single games of a run, written down step by step."""

from collections.abc import Iterator
from typing import Any

from red7sim.lab.runs import Run
from red7sim.play.replay import replay_game


def logs_of(run: Run, index: int) -> Iterator[list[dict[str, Any]]]:
    """Yield the events of a game, in a paired design of each game of a deal.

    The first event of a game says which it is and who plays; see `red7sim replay --json`.
    """
    for number, arm in enumerate(run.arms):
        players = arm.seated(run.players)
        head = {
            "type": "game",
            "game": index,
            **({"deal": index, "arm": number} if run.paired else {}),
            "seed": run.seed,
            "rules": run.rules.as_json(),
            "players": list(players),
        }
        yield [head, *replay_game(run.rules, players, run.seed, index, arm.first_start)]
