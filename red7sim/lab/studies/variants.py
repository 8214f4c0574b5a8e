"""Variants of a ruleset: switches over values, crossed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any, Final

import polars as pl

from red7sim.game.refused import not_allowed
from red7sim.game.ruleset import Ruleset, RulesetError, unknown_switch
from red7sim.game.switches import SWITCHES
from red7sim.game.wording import (
    listing,
    nearest_preset,
    rules_in_words,
    setting_text,
    setting_words,
)
from red7sim.lab.runs import Run, RunError
from red7sim.lab.studies.study import player_words

MAX_VARIANTS: Final = 100
BASELINE: Final = "baseline"

Over = Mapping[str, Any]
"""Switches with their values: one, a list, or text such as `5..9`, `auto,never` or `0/0,1`."""

_RANGE: Final = re.compile(r"([+-]?[0-9]{1,3})\.\.([+-]?[0-9]{1,3})")


@dataclass(frozen=True)
class Variant:
    """A ruleset of a study, as a run.

    Attributes
    ----------
    label
        What is changed in the baseline, as in `hand_size=5 draw=auto`; that of the baseline is
        `baseline`.
    values
        The text of each switch that the study varies.
    """

    label: str
    values: Mapping[str, str]
    run: Run


@dataclass(frozen=True)
class Variants:
    """The variants of a study, the baseline first, and those that the rules refuse.

    Attributes
    ----------
    over
        The text of all values of each switch.
    refused
        Labels of combinations that cannot be played, with the reason.
    """

    over: Mapping[str, tuple[str, ...]]
    played: tuple[Variant, ...]
    refused: Mapping[str, str]

    def words(self) -> list[str]:
        """Return the options of the command line that ask for these variants."""
        return [
            word
            for name, values in self.over.items()
            for word in ("--over", f"{name}={joined_values(values)}")
        ]

    def refused_frame(self) -> pl.DataFrame:
        """Return the combinations that the rules refuse, with the reason."""
        refused = {"variant": [*self.refused], "reason": [*self.refused.values()]}
        return pl.DataFrame(refused, dict.fromkeys(refused, pl.String))

    def sentence(self) -> str:
        """Return what is varied in words, and how much of it is refused, for a caption."""
        varied = listing([f"{name} over {joined_values(v)}" for name, v in self.over.items()])
        return varied + (f"; {len(self.refused)} refused by the rules" if self.refused else "")


def vary(base: Run, over: Over) -> Variants:
    """Return the variants of a run: all combinations of the values of some switches.

    The run as it stands is the baseline and always among them. A combination that the rules
    refuse, such as hands that the deck does not suffice for, is left out, with the reason.

    Raises
    ------
    RunError
        Nothing is varied, a value is given in a wrong form, no variant can be played, or there
        are more than MAX_VARIANTS.
    RulesetError
        A switch is unknown.
    """
    if not isinstance(over, Mapping):
        raise not_allowed("over", over, "switches with values, as in draw: auto,never", RunError)
    if not over:
        raise RunError(
            "over: nothing is varied; allowed: switches with values, as in draw=auto,never"
        )
    texts = {name: values_of(name, values) for name, values in over.items()}
    count = prod(map(len, texts.values()))
    if count > MAX_VARIANTS:
        raise RunError(f"over: {count} variants are not allowed; allowed: at most {MAX_VARIANTS}")
    own = {name: _value_text(base.rules, name) for name in texts}
    played = {base.rules: Variant(BASELINE, own, base)}
    refused: dict[str, str] = {}
    for combination in product(*texts.values()):
        values = dict(zip(texts, combination, strict=True))
        try:
            rules = base.rules.changed(values)
        except RulesetError as error:
            refused[_label(values)] = str(error)
            continue
        shown = {name: _value_text(rules, name) for name in texts}
        changed = {name: value for name, value in shown.items() if value != own[name]}
        played.setdefault(rules, Variant(_label(changed), shown, replace(base, rules=rules)))
    if len(played) == 1:
        reason = "; " + next(iter(refused.values())) if refused else ""
        raise RunError(f"over: no variant but the baseline can be played{reason}")
    return Variants(texts, tuple(played.values()), refused)


def values_of(name: str, values: str | Sequence[Any]) -> tuple[str, ...]:
    """Return the text of each value of a switch, once.

    In text, values stand between commas, or between slashes where they have commas themselves
    (`start_bonus=0/0,1/0,0,1`, and a single one ends in a slash); `5..9` are the whole numbers
    from 5 to 9.

    Raises
    ------
    RulesetError
        The switch is unknown.
    RunError
        There is no value, or a range is empty.
    """
    if name not in [switch.name for switch in SWITCHES]:
        raise unknown_switch(name)
    listed: Sequence[Any]
    if isinstance(values, str):
        listed = values.removesuffix("/").split("/" if "/" in values else ",")
    else:
        several = isinstance(values, Iterable) and not isinstance(values, Mapping)
        listed = [*values] if several else [values]
    found: list[str] = []
    for value in listed:
        text = setting_text(value).strip()
        if re.fullmatch(r"[0-9]+-[0-9]+", text):
            raise RunError(f"over: {name}={text} is no range; allowed: {text.replace('-', '..')}")
        bounds = _RANGE.fullmatch(text)
        if bounds is None:
            found.append(text)
            continue
        first, last = int(bounds[1]), int(bounds[2])
        if first > last:
            raise RunError(f"over: {name}={text} is empty; allowed: the smaller number first")
        found += [str(number) for number in range(first, last + 1)]
    if not found or "" in found:
        raise RunError(f"over: {name} needs values; allowed: as in {name}=A,B or {name}=1..3")
    return tuple(dict.fromkeys(found))


def joined_values(values: Sequence[str]) -> str:
    """Return the text of values as `values_of` reads it."""
    if any("," in value for value in values):
        return "/".join(values) + ("/" if len(values) == 1 else "")
    chains: list[list[str]] = []
    for value in values:
        if chains and _is_next(value, chains[-1][-1]):
            chains[-1].append(value)
        else:
            chains.append([value])
    return ",".join(f"{c[0]}..{c[-1]}" if len(c) > 2 else ",".join(c) for c in chains)


def run_words(run: Run) -> list[str]:
    """Return the options of the command line that ask for a run."""
    same = len(set(run.players)) == 1
    names = run.players[:1] if same else run.players
    words = player_words(names)
    words += ["--players", str(len(run.players))] if same else []
    base, settings = nearest_preset(run.rules)
    words += ["--rules", base, *setting_words(settings), "--seed", str(run.seed)]
    return words + (["--pairing", run.design] if run.paired else [])


def run_sentence(run: Run) -> str:
    """Return rules, players, seed and design of a run in words, for a caption."""
    same = len(set(run.players)) == 1
    who = f"{run.players[0]} in all seats" if same else f"{listing(run.players)} at the table"
    design = f", pairing {run.design}" if run.paired else ""
    return (
        f"{len(run.players)} players, {rules_in_words(run.rules)}, {who}{design}; seed {run.seed}"
    )


def _label(values: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items())


def _is_next(value: str, before: str) -> bool:
    """Tell whether a range that ends in one value may go on with another."""
    bounds = _RANGE.fullmatch(f"{before}..{value}")
    plain = bounds is not None and [before, value] == [str(int(before)), str(int(value))]
    return plain and int(value) == int(before) + 1


def _value_text(rules: Ruleset, name: str) -> str:
    return setting_text(rules.as_json()[name])
