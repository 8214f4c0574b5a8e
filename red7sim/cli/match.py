"""`red7sim match`: two line-ups or two rulesets on the same deals."""

import re
from dataclasses import replace
from math import isfinite, nan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from red7sim.cli.cluster_options import on_cluster
from red7sim.cli.exporting import ExportOption, check_export, export
from red7sim.cli.options import (
    ConfidenceOption,
    JsonOption,
    PairingOption,
    PlayerOption,
    PlayersOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    number_option,
    require_confidence,
    thread_count,
)
from red7sim.cli.output import message, print_json, print_table, progress_bar, tell_compiling
from red7sim.cli.refusals import EXIT_NOT_MET, UsageError, refused_values
from red7sim.cli.rule_options import RuleOptions, make_run
from red7sim.cli.spread import spread_options
from red7sim.cli.summary_text import percent_of
from red7sim.show.cells import interval, number

if TYPE_CHECKING:
    from red7sim.lab.match import Match


@on_cluster
@spread_options
def match(
    side_a: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="Players by position, as in 'leads,random'; or switches, as in 'hand_size=5'; or "
            "basic or advanced; or several of these with spaces between them.",
        ),
    ],
    side_b: Annotated[str, typer.Argument(metavar="B", help="The other side, in the same form.")],
    rules: RuleOptions,
    player: PlayerOption = None,
    players: PlayersOption = None,
    games: Annotated[
        int | None, number_option("--games", "Deals to play, by both sides.", 100_000)
    ] = None,
    seed: SeedOption = 0,
    first_index: Annotated[
        int,
        number_option("--first-index", "Index of the first deal.", metavar="I"),
    ] = 0,
    pairing: PairingOption = "none",
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure",
            metavar="M",
            help="What to judge by: seat:K or position:K for a share of the games, or rounds, "
            "turns, draws or points a game; by default position:0 for line-ups, seat:0 for rules.",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="D0,D1",
            help="Test after every block whether the difference A - B is D0 or D1, and stop when "
            "it is decided; needs --max-games.",
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            "--alpha",
            metavar="P",
            help="How often --sprt may say D1 for D0, 0.05 by default.",
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            "--beta",
            metavar="P",
            help="How often --sprt may say D0 for D1, 0.05 by default.",
        ),
    ] = None,
    max_games: Annotated[
        int | None,
        number_option(
            "--max-games",
            "Deals to play at most for --sprt; status 1 if the test has not decided by then.",
        ),
    ] = None,
    confidence: ConfidenceOption = 0.95,
    threads: ThreadsOption = "auto",
    export_to: ExportOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare two line-ups or two rulesets on common deals.

    A single name on both sides is a duel of two players: A leads against B at position 0, and B
    against A on the same deals.
    """
    require_confidence(confidence)
    check_export(export_to)
    errors = {name: p for name, p in (("alpha", alpha), ("beta", beta)) if p is not None}
    if errors and sprt is None:
        raise UsageError(f"--{next(iter(errors))} needs --sprt")
    from red7sim import __version__
    from red7sim.lab.match_order import order_match
    from red7sim.lab.sprt import Sprt
    from red7sim.lab.summary import FORMAT

    pair = _match(side_a, side_b, rules, player, players, seed, pairing)
    count = thread_count(threads)
    with refused_values():
        test = None if sprt is None else Sprt(*_hypotheses(sprt), **errors)
        order = order_match(pair, measure, games, first_index, count, test, max_games)
    tell_compiling(quiet=quiet)
    with progress_bar(order.deals, "deals", quiet=quiet) as progress:
        outcome = order.play(progress)
    summary = order.summary(outcome, confidence)
    export(summary["measures"], export_to)
    if as_json:
        print_json({"format": FORMAT, "command": "match", "version": __version__} | summary)
    else:
        _print_match(summary, side_a, side_b)
    if order.test is not None and order.test.decision is None:
        message(f"the test has not decided after {order.deals:,} deals", quiet=quiet)
        raise typer.Exit(EXIT_NOT_MET)


def _match(
    side_a: str,
    side_b: str,
    rules: RuleOptions,
    player: list[str] | None,
    players: int | None,
    seed: int,
    pairing: str,
) -> "Match":
    """Return the match of two sides, each a list of players, switches or a preset."""
    from red7sim.lab.match import Match

    (rules_a, names_a), (rules_b, names_b) = (_side(text, rules) for text in (side_a, side_b))
    if names_a and names_b and len(names_a) == len(names_b) == 1:
        if players not in (None, 2):
            raise UsageError(
                f"a duel of {names_a[0]!r} and {names_b[0]!r} has 2 players, not {players}; "
                "allowed: name whole line-ups, as in 'leads,random,random'"
            )
        names_a, names_b = [*names_a, *names_b], [*names_b, *names_a]
    if player and names_a and names_b:
        raise UsageError("--player does not go with sides that name their players")
    runs = [
        make_run(rules_a, names_a or player, players, seed, pairing),
        make_run(rules_b, names_b or player, players, seed, pairing),
    ]
    with refused_values():
        return Match(*runs)


def _side(text: str, rules: RuleOptions) -> tuple[RuleOptions, list[str] | None]:
    """Return the rule options and the players, if it names any, of one side."""
    from red7sim.game.ruleset import BASES

    words = text.split()
    settings = [word for word in words if re.match(r"\w+=", word)]
    bases = [word for word in words if word in BASES]
    line_ups = [word for word in words if word not in (*settings, *bases)]
    for given, kind, allowed in (
        (line_ups, "line-ups", "one, with commas between its players, as in leads,random"),
        (bases, "presets", "one"),
    ):
        if len(given) > 1:
            raise UsageError(f"side {text!r} names {len(given)} {kind}; allowed: {allowed}")
    if settings:
        rules = replace(rules, settings=[*(rules.settings or []), *settings])
    if bases:
        rules = replace(rules, base=bases[0])
    return rules, line_ups[0].split(",") if line_ups else None


def _hypotheses(text: str) -> tuple[float, float]:
    try:
        null, alternative = map(float, text.split(","))
    except ValueError:  # another number of numbers, too
        null = alternative = nan
    if not (isfinite(null) and isfinite(alternative)):
        raise UsageError(f"--sprt {text!r} is not D0,D1; allowed: two numbers, as in 0,0.01")
    return null, alternative


def _print_match(summary: dict[str, Any], side_a: str, side_b: str) -> None:
    percent = percent_of(summary)
    print(f"A is {side_a}, B is {side_b}")
    print(
        f"{summary['deals']:,} deals, {summary['games']:,} games, seed {summary['seed']}, "
        f"judged by {summary['measure']}\n"
    )
    print_table(
        ["a game", "A", "B", "A - B", f"{percent} interval", "variance ratio"],
        [
            [
                row["measure"],
                number(row["a"], unknown="unknown"),
                number(row["b"], unknown="unknown"),
                number(row["difference"], "+.4f", "unknown"),
                interval(row["low"], row["high"], "+.4f"),
                number(row["variance_ratio"], ".3f"),
            ]
            for row in summary["measures"]
        ],
    )
    if "sprt" in summary:
        _print_test(summary, percent)
    print(
        "\nThe variance ratio is that of the difference on common to that on separate deals.\n"
        f"{summary['elapsed_s']:.2f} s, {summary['games_per_s']:,.0f} games/s."
    )


def _print_test(summary: dict[str, Any], percent: str) -> None:
    test = summary["sprt"]
    low, high = test["bounds"]
    null, alternative = f"D0 = {test['null']:g}", f"D1 = {test['alternative']:g}"
    verdict = {
        "null": f"accepts {null} against {alternative}",
        "alternative": f"accepts {alternative} against {null}",
        None: f"has not decided between {null} and {alternative}",
    }[test["decision"]]
    print(
        f"\nThe sequential test of {summary['measure']} {verdict}:\n"
        f"log-likelihood ratio {test['log_likelihood_ratio']:.2f}, "
        f"decided at {low:.2f} or {high:.2f}"
    )
    if summary["low"] is not None:
        sequence = interval(summary["low"], summary["high"], "+.4f")
        print(f"A - B, {percent} confidence sequence: {sequence}")
    print("The intervals of the table are not valid under repeated looks.")
