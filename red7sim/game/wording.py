"""Rulesets in words, and as options of the command line."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from red7sim.game.ruleset import BASES, PRINTED, Ruleset, preset


def listing(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: `a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def setting_text(value: Any) -> str:
    """Return the text form of the value of a switch, as `--set` reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):  # colours not named stand for their own rules
        others = {colour: rule for colour, rule in value.items() if colour != rule}
        return ",".join(f"{colour}={rule}" for colour, rule in (others or value).items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(map(str, value)) or "0"
    return str(value)


def setting_for_readers(value: Any) -> str:
    """Return the value of a switch in words: `setting_text`, but for what is empty."""
    if isinstance(value, Mapping) and all(colour == rule for colour, rule in value.items()):
        return "own"
    if isinstance(value, (tuple, list)) and not value:
        return "none"
    return setting_text(value)


def setting_words(settings: Mapping[str, Any]) -> list[str]:
    """Return the options of the command line that set switches."""
    return [
        word
        for name, value in settings.items()
        for word in ("--set", f"{name}={setting_text(value)}")
    ]


def with_settings(rules: str, settings: Mapping[str, Any]) -> str:
    """Return rules in words, and the switches that are set: `basic rules with a=1 and b=2`."""
    changed = [f"{name}={setting_text(value)}" for name, value in settings.items()]
    return rules + (f" with {listing(changed)}" if changed else "")


def nearest_preset(
    rules: Ruleset, printing: str | None = None, ignored: Collection[str] = ()
) -> tuple[str, dict[str, Any]]:
    """Return the preset that is nearest to a ruleset, among those with the Action rule of a
    printing, and the switches that differ from it; some switches are ignored.
    """
    found = []
    for base in BASES:
        own = preset(base, rules.players, printing).as_json()
        differing = {n: v for n, v in rules.as_json().items() if own[n] != v and n not in ignored}
        found.append((base, differing))
    return min(found, key=lambda pair: len(pair[1]))


def rules_in_words(rules: Ruleset, ignored: Collection[str] = ()) -> str:
    """Return a ruleset in words, but for some switches: `advanced rules with hand_size=5`."""
    printings = PRINTED if rules.actions else (None,)
    nearest = [(nearest_preset(rules, printing, ignored), printing) for printing in printings]
    (base, settings), printing = min(nearest, key=lambda pair: len(pair[0][1]))
    words = f"{base} rules"
    if printing is not None:
        words += f", Action rule of {printing}" + ("," if settings else "")
    return with_settings(words, settings)
