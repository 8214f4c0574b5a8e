"""`red7sim analyze`: what a position offers."""

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from red7sim.cli.game_text import turn_text
from red7sim.cli.options import ContentError, JsonOption
from red7sim.cli.output import print_json, print_table
from red7sim.cli.rule_options import RuleOptions, takes_rules


@takes_rules
def analyze(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="A position such as 'R Y5B1G6G4/R1O3 G3V6I1O1/?2', the player to move first; "
            "- reads one a line from standard input.",
        ),
    ],
    rules: RuleOptions,
    as_json: JsonOption = False,
) -> None:
    """Show who would be winning under each rule, every turn that survives, and who should win.

    Values say who wins if both play perfectly and see all cards. They are given where two players
    are left, both hands are known, and the rules leave nothing to chance.

    A position is '<canvas> <player> <player> ...': a colour letter, then each player as
    <palette>/<hand> in turn order; ?N is a hand of N unknown cards, - a player who is out. It may
    end with deck=<cards> and gone=<cards>.
    """
    rules.ruleset(2)  # refuse wrong options before the first answer
    refused = []
    for text in _positions(position):
        answer = _answer(text, rules)
        if "error" in answer:
            refused.append(f"position {text!r}: {answer['error']}")
        if as_json:
            print_json(answer)
        elif "error" not in answer:
            _print_answer(answer)
    if refused:
        more = f" (and {len(refused) - 1} more refused)" if len(refused) > 1 else ""
        raise ContentError(refused[0] + more)


def _positions(argument: str) -> Iterator[str]:
    if argument != "-":
        yield argument
        return
    for line in sys.stdin:
        text = line.rstrip("\r\n")
        if text.strip() and not text.lstrip().startswith("#"):
            yield text


def _answer(text: str, rules: RuleOptions) -> dict[str, Any]:
    from red7sim.game.notation import NotationError, parse_position
    from red7sim.lab.summary import FORMAT
    from red7sim.play.open_hands import Solver, is_solvable
    from red7sim.play.position import leaders, leading_set, surviving_turns

    try:
        position = parse_position(text)
    except NotationError as error:
        return {"format": FORMAT, "position": text, "error": str(error)}
    ruleset = rules.ruleset(len(position.seats))
    leading = leaders(position, ruleset)
    turns = surviving_turns(position, ruleset)
    solution = Solver(ruleset).solve(position) if is_solvable(ruleset, position) else None
    if solution is not None:
        values = solution.turn_values
        turns = [turn | {"value": value} for turn, value in zip(turns or [], values, strict=True)]
    return {
        "format": FORMAT,
        "position": text,
        "leaders": leading,
        "sets": {
            colour: None if player is None else leading_set(position, ruleset, colour, player)
            for colour, player in leading.items()
        },
        "turns": turns,
        "value": solution and solution.value,
        "line": solution and solution.line,
    }


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
    for turn in turns:
        value = f"  ({turn['value']})" if "value" in turn else ""
        print("  " + turn_text(turn) + value)
    if answer["value"] is not None:
        print(f"\nWith open hands and perfect play this is a {answer['value']} for player 0.")
        for turn in answer["line"]:
            print(f"  player {turn['player']}: {turn_text(turn)}")
    print()
