"""A ruleset: every way of playing Red7 as one frozen value.

`Ruleset` holds all switches, checked; `preset` makes the published ones. A refused value raises
`RulesetError`, whose message names the switch and what is allowed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from red7sim.game.cards import COLOURS, N_CARDS, N_COLOURS
from red7sim.game.nearest import allowed_names
from red7sim.game.packed import pack
from red7sim.game.refused import InputError, not_allowed, whole_in
from red7sim.game.switches import (
    CHOICES,
    LATER_SWITCHES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    SWITCHES,
)

POINTS_TO_WIN: Final = {2: 40, 3: 35, 4: 30}
MAX_POINTS: Final = 196
MAX_WINS: Final = 1000
"""Bound of `wins:N`; keeps a game's round number within the 16 bits of the random stream."""

BASES: Final = ("basic", "advanced")

_OTHER_THAN_1_2: Final = {
    "actions": True,
    "seven_to_deck": False,
    "seven_may_move_itself": False,
    "one_target": "not_only_card",
}
PRINTED: Final[dict[str, dict[str, Any]]] = {
    "1.1": _OTHER_THAN_1_2 | {"allow_losing_one": True},
    "1.2": {"actions": True},
    "ru": _OTHER_THAN_1_2 | {"allow_losing_one": False},
}
"""What the Action rule of each printing sets."""


class RulesetError(InputError):
    """A switch or value of a ruleset that is refused; the message names it in one line."""


_SWITCH_OF: Final = {switch.name: switch for switch in SWITCHES}
_OWN_RULES: Final = dict(zip(reversed(COLOURS), reversed(COLOURS), strict=True))
_RANGES: Final = {
    "round_minimum": (0, 49),
    "draw_offset": (-7, 7),
    "hand_size": (1, 10),
    "palette_size": (1, 3),
}
_CAN_BE_EMPTY: Final = {"green": (2, 4, 6), "violet": (1, 2, 3)}
"""The rules whose set may have no card, and the numbers that count under them."""
_YES: Final = ("yes", "true")
_NO: Final = ("no", "false")
_YES_NO: Final = frozenset(s.name for s in SWITCHES if s.values == "yes|no")


def _refuse(name: str, value: object, allowed: str) -> InputError:
    return not_allowed(name, value, allowed, RulesetError)


def _refuse_to_set(*_: Any, **__: Any) -> Any:
    raise TypeError("rules_in_play cannot be set; `changed` of a ruleset returns another one")


class _Frozen(dict[str, str]):
    """A dict that stays as it is, since a ruleset is hashed and packed with it."""

    __setitem__ = __delitem__ = __ior__ = _refuse_to_set
    clear = pop = popitem = setdefault = update = _refuse_to_set

    def __reduce__(self) -> tuple[Any, ...]:
        return _Frozen, (dict(self),)  # pickle would set item by item


@dataclass(frozen=True)
class Ruleset:
    """Every switch of a game for a fixed number of players; checked when made.

    Defaults are the basic game of the current printing. `start_bonus` is stored without trailing
    zeros and `end` with its number, so that equal games are equal values.

    Raises
    ------
    RulesetError
        A value is outside its range, or a deal needs more than 49 cards.
    """

    players: int = 2
    actions: bool = False
    seven_to_deck: bool = True
    seven_may_move_itself: bool = True
    one_target: str = "not_fewer_than_me"
    allow_losing_one: bool = False
    seven_no_valid: str = "skip"
    discard_after_seven: bool = True
    draw_on_seven: bool = True
    draw: str = "never"
    draw_offset: int = 0
    score_choice: str = "tiebreak"
    round_minimum: int = 0
    end: str = "round"
    start: str = "left_of_highest"
    first_canvas: str = "red"
    hand_size: int = 7
    palette_size: int = 1
    start_bonus: tuple[int, ...] = ()
    rules_in_play: Mapping[str, str] = field(default_factory=lambda: dict(_OWN_RULES))

    def __post_init__(self) -> None:
        for name, (low, high) in {"players": (MIN_PLAYERS, MAX_PLAYERS), **_RANGES}.items():
            value = whole_in(name, getattr(self, name), low, high, error=RulesetError)
            object.__setattr__(self, name, value)
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise _refuse(name, getattr(self, name), "|".join(allowed))
        for name in _YES_NO:
            if not isinstance(getattr(self, name), bool):
                raise _refuse(name, getattr(self, name), "yes|no")
        object.__setattr__(self, "start_bonus", _checked_bonus(self.start_bonus, self.players))
        object.__setattr__(self, "end", _resolved_end(self.end, self.players))
        object.__setattr__(self, "rules_in_play", _checked_rules(self.rules_in_play))
        if self.cards_needed > N_CARDS:
            raise RulesetError(
                f"the deal needs {self.cards_needed} cards "
                f"(players {self.players} x (hand_size {self.hand_size} + palette_size "
                f"{self.palette_size}), start_bonus {sum(self.start_bonus)}, first_canvas "
                f"{self.first_canvas}); allowed: at most {N_CARDS}"
            )
        if self._may_go_on_for_ever():
            raise RulesetError(
                f"end: {self.end!r} may never come, since rounds under green and violet may have "
                "no cards left that score; allowed: round|wins:N, fewer points, a round_minimum, "
                "more cards to deal, or another first_canvas or rules_in_play"
            )

    def _may_go_on_for_ever(self) -> bool:
        """Whether a game for points can reach a state in which no set ever has a card again.

        Only the sets of green and violet can be empty. A state without points has cards alone which
        no rule counts that their colours stand for. If they suffice for a deal, all others can be
        scored before somebody has won, and the first canvas is of such a rule too, nothing ends it.
        Every card can be scored under another rule; without one, those that none counts stay.
        """
        if not self.scored or self.round_minimum:
            return False
        used, all_barren = set(self.rules_in_play.values()), set(_CAN_BE_EMPTY)
        for barren in [used] if used <= all_barren else ({"green"}, {"violet"}, all_barren):
            counted = {number for rule in barren for number in _CAN_BE_EMPTY[rule]}
            idle = [
                number
                for colour in COLOURS
                for number in range(1, N_COLOURS + 1)
                if self.rules_in_play[colour] in barren and number not in counted
            ]
            first_rule = self.rules_in_play.get(self.first_canvas)  # None where it is dealt
            nobody_wins_before = MAX_POINTS - sum(idle) <= self.players * (self.end_target - 1)
            if (
                len(idle) >= self.cards_needed
                and nobody_wins_before
                and (first_rule is None or first_rule in barren)
            ):
                return True
        return False

    def __hash__(self) -> int:
        return hash(repr(self.as_json()))

    @property
    def cards_needed(self) -> int:
        """Cards that one deal takes from the deck."""
        return (
            self.players * (self.hand_size + self.palette_size)
            + sum(self.start_bonus)
            + (self.first_canvas == "dealt")
        )

    @property
    def end_kind(self) -> str:
        """`round`, `points` or `wins`."""
        return self.end.partition(":")[0]

    @property
    def one_round(self) -> bool:
        """Whether the first round is the game."""
        return self.end_kind == "round"

    @property
    def scored(self) -> bool:
        """Whether points win the game."""
        return self.end_kind == "points"

    @property
    def end_target(self) -> int:
        """Points or rounds to win; 1 where one round is the game."""
        return int(self.end.partition(":")[2] or 1)

    def as_json(self) -> dict[str, Any]:
        """Return every switch as in the JSON forms (`rules` of a run); without the players."""
        values = {switch.name: getattr(self, switch.name) for switch in SWITCHES}
        return values | {
            "start_bonus": list(self.start_bonus),
            "rules_in_play": dict(self.rules_in_play),
        }

    def identity(self) -> dict[str, Any]:
        """Return what tells this ruleset from others in the identity of a run.

        That is every switch but those of LATER_SWITCHES at their defaults, so that runs of older
        versions keep their identity.
        """
        defaults = {name: getattr(Ruleset, name) for name in LATER_SWITCHES}
        switches = self.as_json()
        return {name: v for name, v in switches.items() if defaults.get(name) != v}

    def changed(self, settings: Mapping[str, Any]) -> "Ruleset":
        """Return this ruleset with some switches set, as text (`yes`, `8`, `0,1`) or as values.

        Raises
        ------
        RulesetError
            A switch is unknown or a value refused.
        """
        if not isinstance(settings, Mapping):
            raise _refuse("settings", settings, "switches with their values, as in hand_size: 5")
        return replace(self, **{name: _parsed(name, value) for name, value in settings.items()})

    @cached_property
    def packed(self) -> NDArray[np.void]:
        """The ruleset as kernels read it: array of shape (1,), dtype `RULES`, read-only."""
        return pack(self)

    def packed_with_start(self, position: int | None) -> NDArray[np.void]:
        """`packed`, with a table position that starts the first round; None: whom the rules say."""
        if position is None:
            return self.packed
        packed = self.packed.copy()
        packed["first_start"] = position
        packed.flags.writeable = False
        return packed


def preset(base: str, players: int, printing: str | None = None) -> Ruleset:
    """Return a published ruleset: `basic` or `advanced`, with the Action rule of a printing.

    Without `printing` there are no actions. Printings are `1.1` (2014), `1.2` and `ru` (2017).

    Raises
    ------
    RulesetError
        A name is unknown, or the number of players outside 2..4.
    """
    if base not in BASES:
        raise _refuse("rules", base, "|".join(BASES))
    settings: dict[str, Any] = {"players": players}
    if base == "advanced":
        settings |= {"draw": "auto", "end": "points"}
    return Ruleset(**settings | (printing_settings(printing) if printing is not None else {}))


def printing_settings(printing: str) -> dict[str, Any]:
    """Return the switches that the Action rule of a printing sets; refuses an unknown one."""
    if printing not in tuple(PRINTED):
        raise _refuse("printing", printing, "|".join(PRINTED))
    return PRINTED[printing]


def _checked_bonus(value: Any, players: int) -> tuple[int, ...]:
    allowed = f"at most {players} numbers of 0..3, one a player in turn order"
    try:
        given = list(value)
    except TypeError:
        raise _refuse("start_bonus", value, allowed) from None
    try:
        bonus = tuple(whole_in("start_bonus", extra, 0, 3) for extra in given)
    except InputError:
        raise _refuse("start_bonus", given, allowed) from None
    while bonus and bonus[-1] == 0:
        bonus = bonus[:-1]
    if len(bonus) > players:
        raise _refuse("start_bonus", given, allowed)
    return bonus


def _resolved_end(value: Any, players: int) -> str:
    allowed = f"round|points|points:N (1..{MAX_POINTS})|wins:N (1..{MAX_WINS})"
    if value == "round":
        return "round"
    if value == "points":
        return f"points:{POINTS_TO_WIN[players]}"
    match = re.fullmatch(r"(points|wins):([0-9]{1,4})", value) if isinstance(value, str) else None
    if match is None:
        raise _refuse("end", value, allowed)
    kind, number = match[1], int(match[2])
    if not 1 <= number <= (MAX_POINTS if kind == "points" else MAX_WINS):
        raise _refuse("end", value, allowed)
    return f"{kind}:{number}"


def _checked_rules(value: Any) -> dict[str, str]:
    allowed = f"pairs colour=rule of {', '.join(reversed(COLOURS))}"
    if not isinstance(value, Mapping):
        raise _refuse("rules_in_play", value, allowed)
    for colour, rule in value.items():
        for name in (colour, rule):
            if name not in COLOURS:
                raise _refuse("rules_in_play", name, allowed)
    return _Frozen(_OWN_RULES | dict(value))


def unknown_switch(name: str) -> RulesetError:
    """Return the error for a switch that there is none of."""
    return RulesetError(f"unknown switch {name!r}; {allowed_names(str(name), _SWITCH_OF)}")


def _parsed(name: str, value: Any) -> Any:
    """Return the value of a switch from its text; values that are not text pass unchanged."""
    if name not in _SWITCH_OF:
        raise unknown_switch(name)
    if name == "start_bonus" and isinstance(value, list):
        return tuple(value)
    if not isinstance(value, str):
        return value
    text = value.strip().lower()
    if name in _YES_NO:
        if text not in _YES + _NO:
            raise _refuse(name, value, "yes|no")
        return text in _YES
    if name in _RANGES:
        if not re.fullmatch(r"[+-]?[0-9]{1,3}", text):
            raise _refuse(name, value, _SWITCH_OF[name].values)
        return int(text)
    if name == "start_bonus":
        if not re.fullmatch(r"[0-9]{1,3}(,[0-9]{1,3})*", text):
            raise _refuse(name, value, _SWITCH_OF[name].values)
        return tuple(int(part) for part in text.split(","))
    if name == "rules_in_play":
        pairs = [part.partition("=") for part in text.split(",")]
        if not all(separator for _, separator, _ in pairs):
            raise _refuse(name, value, _SWITCH_OF[name].values)
        given = {colour.strip(): rule.strip() for colour, _, rule in pairs}
        if len(given) < len(pairs):
            raise _refuse(name, value, "each colour once")
        return given
    return text
