"""What is refused because of what was given: a switch, a name, a number, a file, a card."""

from collections.abc import Mapping
from operator import index
from typing import Any

_SHOWN = 200
"""Letters of a value that a message shows."""


class InputError(ValueError):
    """Something given is not allowed; the message is one line that names it and what is allowed."""


def whole_in(
    name: str,
    value: Any,
    low: int,
    high: int,
    allowed: str = "",
    error: type[InputError] = InputError,
) -> int:
    """Return a whole number of `low` .. `high`, of Python or of numpy, as one of Python.

    Raises
    ------
    InputError
        It is none, or outside; `allowed` says in words what is allowed.
    """
    try:
        number = index(value)
    except TypeError:
        number = low - 1
    if isinstance(value, bool) or not low <= number <= high:
        raise not_allowed(name, value, allowed or f"{low}..{high:_}", error)
    return number


def real_in(
    name: str, value: Any, low: float, high: float, error: type[InputError] = InputError
) -> float:
    """Return a number between `low` and `high`, which it is not itself, as one of Python.

    Raises
    ------
    InputError
        It is none, or outside.
    """
    try:
        number = low if isinstance(value, str | bytes | bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = low
    if not low < number < high:
        raise not_allowed(name, value, f"between {low:g} and {high:g}", error)
    return number


def one_or_several(
    name: str,
    given: Any,
    one: type | tuple[type, ...],
    what: str,
    error: type[InputError] = InputError,
) -> list[Any]:
    """Return what may be given once or as several, as a list; `what` says what it is.

    Raises
    ------
    InputError
        It is neither, or there is none.
    """
    if isinstance(given, one):
        return [given]
    try:
        listed = [] if isinstance(given, str | bytes | Mapping) else [*given]
    except TypeError:
        listed = []
    if not listed:
        raise not_allowed(name, given, f"{what}, or several in a list", error)
    return listed


def not_allowed(
    name: str, value: Any, allowed: str, error: type[InputError] = InputError
) -> InputError:
    """Return the error for a value that is not allowed."""
    return error(f"{name}: {_shown(value)} is not allowed; allowed: {allowed}")


def _shown(value: Any) -> str:
    """Return a value on a line that is not too long."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # of Python, which writes no numbers of many thousand digits
        text = "a number of too many digits"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
