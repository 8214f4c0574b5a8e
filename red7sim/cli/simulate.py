"""`red7sim simulate`: play many games and say who wins."""

from typing import Annotated, Any

import typer

from red7sim.cli.options import (
    EndOption,
    JsonOption,
    PlayerOption,
    PlayersOption,
    QuietOption,
    RuleOptions,
    RulesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    UsageError,
    make_run,
    thread_count,
    whole_number,
)
from red7sim.cli.output import message, print_json, print_table, progress_bar


def simulate(
    rules: RulesOption = "basic",
    end: EndOption = None,
    settings: SetOption = None,
    player: PlayerOption = None,
    players: PlayersOption = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", parser=whole_number, help="Games to play.")
    ] = 1_000_000,
    seed: SeedOption = 0,
    first_index: Annotated[
        int,
        typer.Option(
            "--first-index",
            metavar="I",
            parser=whole_number,
            help="Index of the first game; a run can be cut into ranges of games.",
        ),
    ] = 0,
    threads: ThreadsOption = "auto",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play many games and print how often each seat and each player wins.

    The same seed gives the same games on any number of threads and on any machine.
    """
    run = make_run(RuleOptions(rules, end, settings or []), player, players, seed)
    from red7sim import __version__
    from red7sim.jit.settings import is_cached
    from red7sim.lab.runs import RunError, play, prepare
    from red7sim.lab.summary import FORMAT, summarize

    if not is_cached():
        message("compiling kernels, once for this version (about 15 s) ...", quiet=quiet)
    prepare(run)
    try:
        with progress_bar(games, "games", quiet=quiet) as progress:
            outcome = play(run, games, first_index, thread_count(threads), progress=progress)
    except RunError as error:
        raise UsageError(str(error)) from None
    summary = summarize(outcome)
    if as_json:
        head = {"format": FORMAT, "command": "simulate", "version": __version__}
        print_json(head | summary)
    else:
        _print_summary(summary)


def _print_summary(summary: dict[str, Any]) -> None:
    names = summary["players"]
    interval = f"{summary['confidence']:.0%} interval"
    print(
        f"{summary['games']:,} games, {len(names)} players, {_describe_rules(summary['rules'])}, "
        f"seed {summary['seed']}"
    )
    rows = [
        [f"seat {row['seat']}", row["player"] or "any", *_share_cells(row)]
        for row in summary["seats"]
    ]
    if len(set(names)) > 1:
        rows += [
            [f"position {row['position']}", row["player"], *_share_cells(row)]
            for row in summary["line_up"]
        ]
    print()
    print_table(["", "player", "wins", "share", interval], rows, texts=2)
    several_rounds = summary["interval"] == "game"
    if several_rounds:
        print(f"\n{summary['rounds']:,} rounds\n")
        print_table(
            ["", "wins", "share", interval],
            [[f"seat {row['seat']}", *_share_cells(row)] for row in summary["round_seats"]],
        )
    means = ["turns_per_round", "draws_per_round", "points_per_round"]
    means += ["rounds_per_game"] if several_rounds else []
    print()
    print_table(
        ["mean", "value", "standard error"],
        [
            [name.replace("_", " "), f"{summary[name]:.4f}", _error_cell(summary[name + "_se"])]
            for name in means
        ],
    )
    print()
    print_table(
        ["final rule", *summary["final_rule"]],
        [["share of rounds", *(f"{share:.4f}" for share in summary["final_rule"].values())]],
    )
    if several_rounds:
        ended = ", ".join(f"{reason} {share:.2%}" for reason, share in summary["ended"].items())
        print(f"\nended by: {ended}")
    print(
        f"\nSeat 0 acts first{' in the first round' if several_rounds else ''}. "
        f"{summary['elapsed_s']:.2f} s, {summary['games_per_s']:,.0f} games/s."
    )


def _describe_rules(ruleset: dict[str, Any]) -> str:
    name = "advanced" if ruleset["draw"] == "auto" else "basic"
    return f"{name} rules, end {ruleset['end']}"


def _share_cells(row: dict[str, Any]) -> list[str]:
    wins = row["wins"]
    counted = f"{wins:,.0f}" if wins == int(wins) else f"{wins:,.2f}"
    return [counted, f"{row['win_rate']:.4f}", f"{row['low']:.4f} .. {row['high']:.4f}"]


def _error_cell(error: float | None) -> str:
    return "unknown" if error is None else f"{error:.4f}"
