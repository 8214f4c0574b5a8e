"""`red7sim check-player`: whether a player keeps the contract."""

from typing import Annotated, Any

import typer

from red7sim.cli.options import JsonOption, number_option
from red7sim.cli.output import print_json, print_table
from red7sim.cli.refusals import EXIT_NOT_MET, refused_values
from red7sim.game.refused import whole_in

_MOST_POSITIONS = 1_000_000


def check_player(
    player: Annotated[
        str, typer.Argument(metavar="NAME", help="The player, with parameters and modifiers.")
    ],
    positions: Annotated[
        int, number_option("--positions", "Positions to try the player on.")
    ] = 2000,
    as_json: JsonOption = False,
) -> None:
    """Try a player on many positions and report whether it keeps the contract of players.

    A player must make legal turns, give the same answer to the same question, ignore cards that it
    cannot know, and leave alone what is not its own. Exit status 1 means that it does not.
    """
    from red7sim.lab.summary import FORMAT
    from red7sim.play import conformance
    from red7sim.play.spec import parse_player

    with refused_values():
        positions = whole_in("positions", positions, 1, _MOST_POSITIONS)
        spec = parse_player(player)
        report = conformance.check_player(spec, positions)
    points: list[dict[str, Any]] = [
        {"point": name, "demand": demand, "fault": report.faults.get(name)}
        for name, demand in conformance.POINTS.items()
        if name != "blocks" or spec.player.choose_block is not None
    ]
    if as_json:
        answer = {"command": "check-player", "player": spec.text, "positions": report.positions}
        print_json({"format": FORMAT} | answer | {"points": points})
    else:
        print(f"{spec.text}, {report.positions:,} positions\n")
        kept = "kept" if report.positions else "not tried"
        rows = [
            [p["point"], "FAULT" if p["fault"] else kept, p["fault"] or p["demand"]] for p in points
        ]
        print_table(["point", "", "what was found"], rows, texts=3)
    if report.faults:
        raise typer.Exit(EXIT_NOT_MET)
