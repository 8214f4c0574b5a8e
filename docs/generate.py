"""Write those parts of the documentation that the code knows itself, for `make docs`.

The pages take them in by `--8<--` lines, from build/docs.
"""

import re
import subprocess
import sys
from pathlib import Path

from red7sim.game.ruleset import PRINTED, preset
from red7sim.game.switches import SWITCHES
from red7sim.game.wording import setting_for_readers
from red7sim.play.policy import DEFAULT_PLAYER, find_player, player_names
from red7sim.play.spec import MODIFIERS

PARTS = Path(__file__).parent.parent / "build" / "docs"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    cells = [[cell.replace("|", r"\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def code(text: str) -> str:
    """Return text as code, nothing as nothing."""
    return f"`{text}`" if text else ""


def switches() -> str:
    """Return every switch with its meaning, its values and what it is in both presets."""
    basic, advanced = (preset(base, 2).as_json() for base in ("basic", "advanced"))
    rows = [
        [
            code(switch.name),
            f"{switch.meaning}<br>{', '.join(map(code, switch.values.split('|')))}",
            setting_for_readers(basic[switch.name]),
            setting_for_readers(advanced[switch.name]),
        ]
        for switch in SWITCHES
    ]
    return table(["switch", "meaning and values", "basic", "advanced"], rows)


def printings() -> str:
    """Return what each printing sets."""
    texts = {name: preset("basic", 2, name).as_json() for name in PRINTED}
    touched = {switch for values in PRINTED.values() for switch in values}
    rows = [
        [code(switch.name), *(setting_for_readers(texts[name][switch.name]) for name in PRINTED)]
        for switch in SWITCHES
        if switch.name in touched
    ]
    return table(["switch", *(f"`--printing {name}`" for name in PRINTED)], rows)


def players() -> str:
    """Return every player: what he does, whether he plays with actions, and his parameters."""
    found = [find_player(name) for name in player_names()]
    listed = table(
        ["player", "how it chooses", "actions"],
        [
            [
                code(player.name) + (" (default)" if player.name == DEFAULT_PLAYER else ""),
                player.summary,
                "yes" if player.choose_step else "no",
            ]
            for player in found
        ],
    )
    parameters = table(
        ["parameter", "allowed", "what it does"],
        [
            [code(f"{player.name}:{one.name}={one.default}"), one.allowed, one.summary]
            for player in found
            for one in player.parameters
        ],
    )
    return f"{listed}\n### Parameters\n\n{parameters}"


def modifiers() -> str:
    """Return the restrictions that any player may be given."""
    return table(
        ["modifier", "what it does"], [[code(form), text] for form, text in MODIFIERS.items()]
    )


def commands() -> str:
    """Return the help of every command, by typer's own generator."""
    typer = [sys.executable, "-m", "typer", "red7sim.cli.app", "utils", "docs", "--name", "red7sim"]
    text = subprocess.run(typer, check=True, capture_output=True, text=True).stdout
    # The title is the page's, and the short list of commands cuts their sentences: the page has
    # its own list at its side.
    text = re.sub(r"\A# .*\n+", "", text)
    return re.sub(r"\*\*Commands\*\*:\n\n(\* .*\n)+\n?", "", text)


if __name__ == "__main__":
    PARTS.mkdir(parents=True, exist_ok=True)
    for part in (switches, printings, players, modifiers, commands):
        (PARTS / f"{part.__name__}.md").write_text(part())
