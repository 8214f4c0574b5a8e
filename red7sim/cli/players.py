"""`red7sim players`: who can play, and what parameters and modifiers they take."""

from typing import TYPE_CHECKING, Any

from red7sim.cli.exporting import ExportOption, check_export, export
from red7sim.cli.options import JsonOption
from red7sim.cli.output import print_json, print_table

if TYPE_CHECKING:
    from red7sim.play.policy import Player


def players(export_to: ExportOption = None, as_json: JsonOption = False) -> None:
    """List the players, how each of them chooses its turns, and which parameters it takes.

    A player is written NAME, with parameters as NAME:PARAMETER=VALUE:PARAMETER=VALUE, and with
    modifiers as NAME+MODIFIER+MODIFIER. Modifiers take turns away from any player. NAME may also be
    MODULE:NAME, a player of your own in a module that can be imported; importing it runs its code.
    Installed packages offer players through entry points of the group red7sim.players.
    """
    check_export(export_to)
    from red7sim.lab.summary import FORMAT
    from red7sim.play.outside import offered_players
    from red7sim.play.policy import DEFAULT_PLAYER, find_player, player_names
    from red7sim.play.spec import MODIFIERS

    found = [find_player(name) for name in player_names()]
    parameters = [row for player in found for row in _parameters(player)]
    export([{"name": player.name, "summary": player.summary} for player in found], export_to)
    if as_json:
        listed = [
            {
                "name": player.name,
                "summary": player.summary,
                "folds_by_choice": player.folds,
                "parameters": _parameters(player),
            }
            for player in found
        ]
        modifiers = [{"modifier": form, "summary": text} for form, text in MODIFIERS.items()]
        offered = [{"name": name, "player": text} for name, text in offered_players().items()]
        answer = {"command": "players", "players": listed, "offered": offered}
        answer |= {"modifiers": modifiers}
        print_json({"format": FORMAT} | answer)
        return
    rows = [
        [player.name + (" (default)" if player.name == DEFAULT_PLAYER else ""), player.summary]
        for player in found
    ]
    print_table(["player", "how it chooses"], rows, texts=2)
    if parameters:
        print()
        print_table(
            ["parameter", "allowed", "what it does"],
            [
                [
                    f"{row['player']}:{row['name']}={row['default']}",
                    row["allowed"],
                    row["summary"],
                ]
                for row in parameters
            ],
            texts=3,
        )
    if offered_players():
        print()
        print_table(["installed", "player"], [[*row] for row in offered_players().items()], texts=2)
    print()
    print_table(["modifier", "what it does"], [[*row] for row in MODIFIERS.items()], texts=2)


def _parameters(player: "Player") -> list[dict[str, Any]]:
    return [
        {
            "player": player.name,
            "name": parameter.name,
            "default": parameter.default,
            "allowed": parameter.allowed,
            "summary": parameter.summary,
        }
        for parameter in player.parameters
    ]
