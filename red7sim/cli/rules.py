"""`red7sim rules`: the switches of the rules."""

from typing import Annotated

from red7sim.cli.options import JsonOption, PlayersOption, flag, line_up
from red7sim.cli.output import print_json, print_table
from red7sim.cli.refusals import UsageError
from red7sim.cli.rule_options import RuleOptions
from red7sim.cli.spread import spread_options


@spread_options
def rules(
    rules: RuleOptions,
    players: PlayersOption = None,
    export: Annotated[
        bool, flag("--export", "Print the text of a rule file with these values.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print every switch of the rules with its value, what it may be and what it means.

    The values are those of the chosen rules; without options, of the basic game for two.
    """
    if export and as_json:
        raise UsageError("--export does not go with --json; allowed: one of them")
    from red7sim.game.rulefile import rule_file_text
    from red7sim.game.switches import SWITCHES
    from red7sim.game.wording import setting_for_readers as text
    from red7sim.lab.summary import FORMAT

    ruleset = rules.ruleset(len(line_up(None, players)))
    if export:
        print(rule_file_text(ruleset), end="")
        return
    values = ruleset.as_json()
    if as_json:
        print_json({"format": FORMAT, "command": "rules", "rules": values})
        return
    rows = [
        [switch.name, text(values[switch.name]), f"{switch.meaning} [{switch.values}]"]
        for switch in SWITCHES
    ]
    print_table(["switch", "value", "meaning [allowed]"], rows, texts=3)
