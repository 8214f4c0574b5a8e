"""`red7sim players`: who can play."""

from red7sim.cli.options import JsonOption
from red7sim.cli.output import print_json, print_table
from red7sim.cli.study_options import ExportOption, check_export, export


def players(export_to: ExportOption = None, as_json: JsonOption = False) -> None:
    """List the players and how each of them chooses its turns."""
    check_export(export_to)
    from red7sim.lab.summary import FORMAT
    from red7sim.play.policy import DEFAULT_PLAYER, find_player, player_names

    found = [find_player(name) for name in player_names()]
    listed = [{"name": player.name, "summary": player.summary} for player in found]
    export(listed, export_to)
    if as_json:
        print_json({"format": FORMAT, "command": "players", "players": listed})
        return
    rows = [
        [player.name + (" (default)" if player.name == DEFAULT_PLAYER else ""), player.summary]
        for player in found
    ]
    print_table(["player", "how it chooses"], rows, texts=2)
