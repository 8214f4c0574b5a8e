"""Rulesets as TOML files: the switches of the JSON form, one a line, `rules_in_play` as a table."""

import json
import tomllib
from pathlib import Path
from typing import Any

from red7sim.game.refused import InputError, not_allowed
from red7sim.game.ruleset import POINTS_TO_WIN, Ruleset, RulesetError

MAX_BYTES = 1 << 20
"""A larger file is no ruleset."""


class RuleFileError(InputError):
    """A rule file that cannot be read or says something refused; the message names the file."""


def read_rule_file(path: str | Path, base: Ruleset) -> Ruleset:
    """Return a ruleset with the switches that a file sets; those it does not name stay.

    Raises
    ------
    RuleFileError
        The file cannot be read, is no TOML, or sets something unknown or refused.
    RulesetError
        The base is no ruleset.
    """
    _require_ruleset("base", base)
    try:
        return base.changed(read_settings(path))
    except RulesetError as error:
        raise RuleFileError(f"rules file {str(path)!r}: {error}") from None


def read_settings(path: str | Path) -> dict[str, Any]:
    """Return the switches that a file sets, unchecked.

    Raises
    ------
    RuleFileError
        The file cannot be read or is no TOML.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RuleFileError(f"rules file {str(path)!r}: {error.strerror}") from None
    except (TypeError, ValueError):
        raise RuleFileError(f"rules file {path!r} is not the name of a file") from None
    if len(content) > MAX_BYTES:
        raise RuleFileError(f"rules file {str(path)!r} is larger than {MAX_BYTES} bytes")
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        # Also of numbers too long for Python, and of lists nested too deep for its parser.
        raise RuleFileError(f"rules file {str(path)!r} is not TOML: {error}") from None


def rule_file_text(ruleset: Ruleset) -> str:
    """Return the text of a file that sets every switch; `read_rule_file` gives the ruleset back.

    Raises
    ------
    RulesetError
        It is no ruleset.
    """
    _require_ruleset("ruleset", ruleset)
    lines = [f"# A Red7 ruleset for {ruleset.players} players."]
    switches = ruleset.as_json()
    if ruleset.end == f"points:{POINTS_TO_WIN[ruleset.players]}":
        switches["end"] = "points"  # whose number then is that of any number of players
    table = switches.pop("rules_in_play")
    # JSON's strings, numbers, booleans and lists are TOML's too.
    lines += [f"{name} = {json.dumps(value)}" for name, value in switches.items()]
    lines += ["", "[rules_in_play]", *(f'{colour} = "{rule}"' for colour, rule in table.items())]
    return "\n".join(lines) + "\n"


def _require_ruleset(name: str, value: Any) -> None:
    if not isinstance(value, Ruleset):
        raise not_allowed(name, value, "a Ruleset, as `preset` returns", RulesetError)
