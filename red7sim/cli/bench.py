"""`red7sim bench`: how fast this machine plays."""

from typing import Any

from red7sim.cli.exporting import ExportOption, check_export, export
from red7sim.cli.options import JsonOption, QuietOption, ThreadsOption, thread_count
from red7sim.cli.output import message, print_json, print_table

_SECONDS = 1.0
_WORKLOADS = ((2, "basic", "round"), (3, "advanced", "round"), (4, "advanced", "points"))


def bench(
    threads: ThreadsOption = "1",
    export_to: ExportOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Measure how many games per second each player plays on this machine, by players and rules."""
    check_export(export_to)
    import time

    from red7sim.game.ruleset import preset
    from red7sim.jit.bits import has_pdep
    from red7sim.lab.pieces import prepare
    from red7sim.lab.runs import Run, play
    from red7sim.lab.summary import FORMAT
    from red7sim.play.policy import find_player, player_names
    from red7sim.play.table import seat

    count = thread_count(threads)
    rows: list[dict[str, Any]] = []
    for name in player_names():
        if find_player(name).check is not None:  # does not play all of them
            continue
        for players, base, end in _WORKLOADS:
            message(f"{name}, {players} players, {base} rules, end {end} ...", quiet=quiet)
            run = Run(preset(base, players).changed({"end": end}), (name,) * players)
            prepare(run)
            games, elapsed = 1, 0.0
            while elapsed < _SECONDS / 2:
                games = int(games * min(10.0, _SECONDS / max(elapsed, 0.01)))
                start = time.perf_counter()
                play(run, games, threads=count)
                elapsed = time.perf_counter() - start
            rows.append(
                {
                    "player": name,
                    "players": players,
                    "rules": base,
                    "end": run.rules.end,
                    "engine": seat(run.rules, run.players).engine,
                    "games": games,
                    "games_per_s": games / elapsed,
                }
            )
    export(rows, export_to)
    selection = "pdep (BMI2)" if has_pdep() else "portable"
    if as_json:
        print_json(
            {"format": FORMAT, "command": "bench", "bit_select": selection, "workloads": rows}
        )
        return
    print(f"bit select: {selection}; threads: {threads}\n")
    print_table(
        ["player", "players", "rules", "end", "engine", "games/s"],
        [
            [
                row["player"],
                str(row["players"]),
                row["rules"],
                row["end"],
                row["engine"],
                f"{row['games_per_s']:,.0f}",
            ]
            for row in rows
        ],
    )
