"""`red7sim rules`: the switches of the rules."""

from typing import Any

from red7sim.cli.options import (
    EndOption,
    JsonOption,
    PlayersOption,
    RuleOptions,
    RulesOption,
    SetOption,
    line_up,
)
from red7sim.cli.output import print_json, print_table
from red7sim.cli.study_options import ExportOption, check_export, export


def rules(
    base: RulesOption = "basic",
    end: EndOption = None,
    settings: SetOption = None,
    players: PlayersOption = None,
    export_to: ExportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print every switch of the rules with its value, what it may be and what it means.

    The values are those of the chosen rules; without options, of the basic game for two.
    """
    check_export(export_to)
    from red7sim.game.ruleset import SWITCHES
    from red7sim.lab.summary import FORMAT

    ruleset = RuleOptions(base, end, settings or []).ruleset(len(line_up(None, players)))
    values = ruleset.as_json()
    rows = [
        {
            "switch": switch.name,
            "value": _value_text(values[switch.name]),
            "allowed": switch.values,
            "meaning": switch.meaning,
        }
        for switch in SWITCHES
    ]
    export(rows, export_to)
    if as_json:
        print_json({"format": FORMAT, "command": "rules", "rules": values})
        return
    print_table(
        ["switch", "value", "meaning [allowed]"],
        [[row["switch"], row["value"], f"{row['meaning']} [{row['allowed']}]"] for row in rows],
        texts=3,
    )


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(map(str, value)) or "none"
    if isinstance(value, dict):
        changed = [f"{colour}={rule}" for colour, rule in value.items() if colour != rule]
        return ",".join(changed) or "own"
    return str(value)
