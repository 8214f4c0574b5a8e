"""Players as they are written: a name, parameters, and restrictions.

    NAME[:parameter=value ...][+modifier ...]        pressure:threat=0.7:base=0.3+no-rule:blue

NAME may be that of a player from outside, too: MODULE:ATTRIBUTE (red7sim.play.outside).

A modifier takes turns away from a player, whoever he is, before he chooses among the others; so a
match of `leads` against `leads+no-rule:blue` tells what it is worth to make blue the rule. If no
turn is left he is out. Turns that gamble on a draw stay open to him: if then nothing that he may
do survives, he is out as well.

Every player has one canonical text: parameters in the order of their declaration without those
at their defaults, then modifiers in the order of `MODIFIERS` without those that others imply. It is
what a run keeps, so equal players make equal runs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from red7sim.game.cards import COLOURS, COLUMNS, FULL, ROWS
from red7sim.game.refused import not_allowed
from red7sim.game.ruleset import Ruleset
from red7sim.play.outside import find_outside
from red7sim.play.policy import Player, PlayerError, Value, find_player, player_names

ACTING_NUMBERS = (1, 3, 5, 7)

MODIFIERS = {
    "no-rule:COLOUR": "Never makes a colour the rule: discards no card of it to the canvas.",
    "no-discard": "Discards no card to the canvas, neither from hand nor by a 7.",
    "no-play": "Plays no card to the palette.",
    "no-action:N": "Performs no action of a 1, 3, 5 or 7, so plays none that has to act.",
    "no-fold": "Does not fold while a turn survives.",
}
"""The forms of all modifiers, each with a sentence that says what it does."""

_NO_RULES = tuple(f"no-rule:{colour}" for colour in reversed(COLOURS))
_NO_ACTIONS = tuple(f"no-action:{number}" for number in ACTING_NUMBERS)
_ALL_MODIFIERS = (*_NO_RULES, "no-discard", "no-play", *_NO_ACTIONS, "no-fold")
_VALUES = {"no-rule": COLOURS[::-1], "no-action": tuple(map(str, ACTING_NUMBERS))}


@dataclass(frozen=True)
class PlayerSpec:
    """A player with all that he is given.

    Attributes
    ----------
    values
        One for each of his parameters.
    modifiers
        Canonical: ordered, none twice, none implied by another.
    origin
        What a run calls a player from outside (red7sim.play.outside), instead of by his name.
    """

    player: Player
    values: tuple[Value, ...]
    modifiers: tuple[str, ...]
    origin: str | None = None

    @property
    def text(self) -> str:
        """The canonical text."""
        given = [
            f":{parameter.name}={_number_text(value)}"
            for parameter, value in zip(self.player.parameters, self.values, strict=True)
            if value != parameter.default
        ]
        name = self.origin or self.player.name
        return name + "".join(given) + "".join(f"+{name}" for name in self.modifiers)

    @property
    def needs_plain_engine(self) -> bool:
        """Whether the player needs the plain engine, which alone bars turns and shows hands."""
        return self.player.sees_hands or any(name != "no-fold" for name in self.modifiers)

    def check(self, ruleset: Ruleset) -> None:
        """Refuse (PlayerError) a modifier that could not have an effect under a ruleset, and rules
        or parameters with which the player does not play.
        """
        if self.player.check is not None:
            names = (parameter.name for parameter in self.player.parameters)
            self.player.check(ruleset, dict(zip(names, self.values, strict=True)))
        if ruleset.actions and self.player.choose_step is None:
            raise PlayerError(f"player {self.player.name!r} does not play with actions")
        if not ruleset.actions and (barred := set(self.modifiers) & set(_NO_ACTIONS)):
            raise PlayerError(
                f"player {self.text!r}: {min(barred)} needs the Action rule; allowed without it: "
                + ", ".join(form for form in MODIFIERS if not form.startswith("no-action"))
            )

    def write(self, own: Any) -> None:
        """Write parameters and restrictions into an `OWN` record."""
        own.sees_hands = self.player.sees_hands
        own.rough_counts = self.player.rough_counts
        for i, parameter in enumerate(self.player.parameters):
            own.params[i] = parameter.encoded(self.values[i])
        for name in self.modifiers:
            match name.partition(":"):
                case "no-rule", _, colour:
                    own.barred_discards |= COLUMNS[COLOURS.index(colour)]
                case "no-discard", _, _:
                    own.barred_discards = FULL
                case "no-play", _, _:
                    own.barred_plays = FULL
                case "no-action", _, number:
                    own.barred_actions |= ROWS[int(number) - 1]
                case "no-fold", _, _:
                    own.no_fold = 1


def parse_player(text: str) -> PlayerSpec:
    """Return the player that a text describes.

    Raises
    ------
    PlayerError
        The name, a parameter or a modifier is unknown or has a value that is not allowed.
    """
    if not isinstance(text, str):
        raise not_allowed("player", text, "a name, as in leads", PlayerError)
    base, *modifiers = text.split("+")
    name, *settings = base.split(":")
    if settings and "=" not in settings[0] and name not in player_names():
        name = f"{name}:{settings.pop(0)}"
    origin, player = find_outside(name) or (None, find_player(name))
    values = {parameter.name: parameter.default for parameter in player.parameters}
    given = set()
    for setting in settings:
        key, _, value = setting.partition("=")
        if key in given:
            raise PlayerError(f"player {name!r}: {key} is given twice; allowed: once")
        given.add(key)
        values[key] = _value(player, key, value)
    return PlayerSpec(player, tuple(values.values()), _modifiers(player, modifiers), origin)


def parse_line_up(texts: Iterable[str], ruleset: Ruleset) -> tuple[PlayerSpec, ...]:
    """Return the players of a line-up, checked against the ruleset.

    Raises
    ------
    PlayerError
        As `parse_player`, or a modifier could not have an effect.
    """
    specs = tuple(map(parse_player, texts))
    for spec in specs:
        spec.check(ruleset)
    return specs


def _value(player: Player, key: str, text: str) -> Value:
    """Return the value of a parameter."""
    known = {parameter.name: parameter for parameter in player.parameters}
    if not known:
        raise PlayerError(f"player {player.name!r} has no parameter {key!r}; it has none")
    if key not in known:
        raise PlayerError(
            f"player {player.name!r}: unknown parameter {key!r}; allowed: {', '.join(known)}"
        )
    try:
        return known[key].parse(text)
    except ValueError:
        raise PlayerError(
            f"player {player.name!r}: {key} {text!r} is not allowed; allowed: {known[key].allowed}"
        ) from None


def _modifiers(player: Player, given: list[str]) -> tuple[str, ...]:
    """Return modifiers in their canonical form."""
    for modifier in given:
        if modifier not in _ALL_MODIFIERS:
            kind, _, value = modifier.partition(":")
            allowed = _VALUES.get(kind)
            raise PlayerError(
                f"player {player.name!r}: unknown modifier {modifier!r}; allowed: "
                + ", ".join(MODIFIERS)
                if allowed is None
                else f"player {player.name!r}: {kind} {value!r} is not allowed; allowed: "
                + ", ".join(allowed)
            )
    names = set(given)
    if "no-fold" in names and not player.folds:
        raise PlayerError(
            f"player {player.name!r} never folds while a turn survives; no-fold has no effect"
        )
    if names.issuperset(_NO_RULES):
        names.add("no-discard")
    if "no-discard" in names:
        names.difference_update(_NO_RULES)
    if "no-play" in names:
        names.difference_update(_NO_ACTIONS)
    return tuple(name for name in _ALL_MODIFIERS if name in names)


def _number_text(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else f"{value}"
