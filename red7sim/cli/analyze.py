"""`red7sim analyze`: what a position offers."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from red7sim.cli.game_text import turn_text
from red7sim.cli.options import (
    ConfidenceOption,
    JsonOption,
    SeedOption,
    number_option,
    require_confidence,
)
from red7sim.cli.output import print_json, print_table, tell_compiling
from red7sim.cli.refusals import ContentError, UsageError, refused_values
from red7sim.cli.rule_options import RuleOptions, make_run
from red7sim.cli.spread import spread_options

if TYPE_CHECKING:
    from red7sim.lab.analysis import Effort

T = TypeVar("T")


@spread_options
def analyze(
    position: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION",
            help="A position such as R Y5B1G6G4/R1O3 G3V6I1O1/?2, with the player to move first; "
            "- reads positions from standard input, one per line.",
        ),
    ],
    rules: RuleOptions,
    samples: Annotated[
        int,
        number_option(
            "--samples",
            "Hands to solve if the rival's hand is unknown; all of them if there are fewer.",
            1_000,
        ),
    ] = 1_000,
    playouts: Annotated[
        int,
        number_option(
            "--playouts",
            "Also play N rounds after each turn and show how often the mover wins them.",
        ),
    ] = 0,
    player: Annotated[
        str | None,
        typer.Option(
            "--player", metavar="NAME", help="The player that plays the playouts, in all seats."
        ),
    ] = None,
    seed: SeedOption = 0,
    confidence: ConfidenceOption = 0.95,
    as_json: JsonOption = False,
) -> None:
    """Show who would be winning under each rule, every turn that survives, and who should win.

    Values say who wins if both play perfectly and see all cards. They are given if two players are
    left, the mover's hand is known, and the rules leave nothing to chance. If the rival's hand is
    unknown, they are the share of possible rival hands against which the turn wins.

    A position is '<canvas> <player> <player> ...': a colour letter, then each player as
    <palette>/<hand> in turn order; ?N is a hand of N unknown cards, - a player who is out. It may
    end with deck=<cards> and gone=<cards>.
    """
    effort = _effort(rules, samples, playouts, player, seed, confidence)
    tell_compiling(quiet=False)
    refused = []
    for text in _positions(" ".join(position)):
        answer = _answer(text, rules, effort)
        if "error" in answer:
            refused.append(f"position {text!r}: {answer['error']}")
        if as_json:
            print_json(answer)
        elif "error" not in answer:
            _print_answer(answer)
    if refused:
        more = f" (and {len(refused) - 1} more refused)" if len(refused) > 1 else ""
        raise ContentError(refused[0] + more)


def _effort(
    rules: RuleOptions,
    samples: int,
    playouts: int,
    player: str | None,
    seed: int,
    confidence: float,
) -> "Effort":
    """Refuse, before the first answer, options that are wrong for every position."""
    require_confidence(confidence)
    if player is not None and not playouts:
        raise UsageError("--player needs --playouts")
    from red7sim.game.switches import MAX_PLAYERS, MIN_PLAYERS
    from red7sim.lab.analysis import Effort

    names = None if player is None else [player]
    numbers = _allowed(rules.ruleset, range(MIN_PLAYERS, MAX_PLAYERS + 1))
    runs = _allowed(lambda number: make_run(rules, names, number, seed), numbers)
    [canonical, *_] = next(iter(runs.values())).players
    with refused_values():
        return Effort(samples, playouts, canonical, seed, confidence)


def _allowed(make: Callable[[int], T], numbers: Iterable[int]) -> dict[int, T]:
    """Return what is made for those numbers of players for which it can be made.

    Where there are none, the first refusal (UsageError or ContentError) is raised.
    """
    made, refusals = {}, []
    for number in numbers:
        try:
            made[number] = make(number)
        except (UsageError, ContentError) as error:
            refusals.append(error)
    if not made:
        raise refusals[0]
    return made


def _positions(argument: str) -> Iterator[str]:
    if argument != "-":
        yield argument
        return
    try:
        for line in sys.stdin:
            text = line.rstrip("\r\n")
            if text.strip() and not text.lstrip().startswith("#"):
                yield text
    except OSError as error:
        raise ContentError(f"standard input cannot be read: {error.strerror}") from None


def _answer(text: str, rules: RuleOptions, effort: "Effort") -> dict[str, Any]:
    from red7sim.game.notation import NotationError, parse_position
    from red7sim.lab.analysis import analyze_position
    from red7sim.lab.summary import FORMAT

    head = {"format": FORMAT, "position": text}
    try:
        position = parse_position(text)
        # Switches and players may fit some numbers of players, and not that of this position.
        run = make_run(rules, [effort.player], len(position.seats), effort.seed)
    except (NotationError, UsageError, ContentError) as error:
        return head | {"error": str(error)}
    return head | analyze_position(position, run.rules, effort)


def _print_answer(answer: dict[str, Any]) -> None:
    print(answer["position"])
    print()
    print_table(
        ["rule", "leader", "with"],
        [
            [colour, "nobody", ""]
            if player is None
            else [colour, f"player {player}", " ".join(answer["sets"][colour])]
            for colour, player in answer["leaders"].items()
        ],
        texts=3,
    )
    turns = answer["turns"]
    if turns is None:
        print("\nThe hand of the player to move is unknown.\n")
        return
    print(f"\n{len(turns)} surviving turns" + (":" if turns else ": player 0 is out."))
    _print_turns(turns)
    if hands := answer.get("hands"):
        which = "all" if hands["exact"] else f"{hands['solved']:,} of"
        print(
            f"\nHands won: the share of {which} {hands['consistent']:,} possible rival hands "
            "against which the turn\nwins with open hands and perfect play."
        )
    if "playouts" in answer and turns:
        print(
            f"\nRounds won: player 0's share of {answer['playouts']:,} rounds after each turn, "
            f"played by {answer['player']}."
        )
    if answer["value"] is not None:
        print(f"\nWith open hands and perfect play this is a {answer['value']} for player 0.")
        for turn in answer["line"]:
            print(f"  player {turn['player']}: {turn_text(turn)}")
    print()


def _print_turns(turns: list[dict[str, Any]]) -> None:
    """Print turns, with what is known of each beside it."""
    cells = [
        [
            "  " + turn_text(turn),
            *([turn["value"]] if "value" in turn else []),
            *_share_cells(turn, "hands_won", "hands_won_low", "hands_won_high"),
            *_share_cells(turn, "win_rate", "low", "high"),
        ]
        for turn in turns
    ]
    if not cells:
        return
    first = turns[0]
    headers = [
        "  turn",
        *(["value"] if "value" in first else []),
        *(["hands won", ""] if "hands_won" in first else []),
        *(["rounds won", ""] if "win_rate" in first else []),
    ]
    print_table(headers, cells)


def _share_cells(turn: dict[str, Any], share: str, low: str, high: str) -> list[str]:
    if share not in turn:
        return []
    interval = f"{turn[low]:.4f} .. {turn[high]:.4f}" if low in turn else "exact"
    return [f"{turn[share]:.4f}", interval]
