"""`red7sim solve`: who wins deals if both players see all cards and play perfectly."""

from pathlib import Path
from typing import Annotated

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.options import (
    ConfidenceOption,
    JsonOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    number_option,
    path_option,
    require_confidence,
    thread_count,
)
from red7sim.cli.output import print_json, progress_bar, tell_compiling
from red7sim.cli.refusals import refused_files, refused_values
from red7sim.cli.rule_options import RuleOptions
from red7sim.cli.spread import spread_options
from red7sim.cli.summary_text import print_solved


@on_cluster
@spread_options
def solve(
    rules: RuleOptions,
    deals: Annotated[int, number_option("--deals", "Deals to solve.", 10_000)] = 10_000,
    seed: SeedOption = 0,
    first_index: Annotated[
        int,
        number_option(
            "--first-index",
            "Index of the first deal; deal I is that of game I in 'red7sim simulate'.",
            metavar="I",
        ),
    ] = 0,
    confidence: ConfidenceOption = 0.95,
    threads: ThreadsOption = "auto",
    out: Annotated[
        Path | None,
        path_option(
            "--out",
            "DIR",
            "Keep the counts in a folder; repeating the command solves only what is missing.",
        ),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Solve deals of two players with open hands and print how often the first player wins.

    Both play perfectly. The rules must leave nothing to chance: one round without actions and
    draws.
    """
    require_confidence(confidence)
    from red7sim import __version__
    from red7sim.lab.orders import order_deals
    from red7sim.lab.solving import PerfectRun, summarize_solved
    from red7sim.lab.summary import FORMAT

    count = thread_count(threads)
    with refused_values():
        run = PerfectRun(rules.ruleset(2), seed=seed)
        order = order_deals(run, deals, first_index, count, out)
    tell_compiling(quiet=quiet)
    with refused_files(), progress_bar(deals, "deals", quiet=quiet) as progress:
        played = order.play(progress)
    summary = summarize_solved(played.outcome, confidence) | played.where
    if as_json:
        print_json({"format": FORMAT, "command": "solve", "version": __version__} | summary)
    else:
        print_solved(summary)
