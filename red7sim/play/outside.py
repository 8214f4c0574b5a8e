"""Players from outside the package: of a script or a notebook, of a module, or installed.

    NAME              one that was registered in this process, or that an installed package offers
    MODULE:ATTRIBUTE  one of a module that can be imported, also from the working folder

A package offers players by entry points of the group `red7sim.players`, whose values have the
second form. To find such a player its module is imported, which runs its code; nothing else in
red7sim runs code that does not come with it, and what is read from files does not name modules to
import (`refuse_to_import`).

A run names such a player with a fingerprint of its code: `MODULE:ATTRIBUTE@1f2e3d4c`, or
`NAME@1f2e3d4c` for one that was registered. So runs of different code have different identities,
and a run goes on only with the code that began it. The fingerprint covers the file that defines the
player's functions, or their own text where there is no such file, as in a notebook; and how the
player is declared. It does not cover what that code imports or finds elsewhere.
"""

import hashlib
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from red7sim.play.policy import Player, PlayerError, player_names

GROUP = "red7sim.players"
"""The entry points by which installed packages offer players."""

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_DIGITS = 8

_registered: dict[str, Player] = {}


def register(player: Player) -> Player:
    """Make a player known by its name for as long as this process lives, and return it.

    A second one of the same name takes the place of the first.

    Raises
    ------
    PlayerError
        It is no player, its name is taken or no lower-case word, or its text cannot be read.
    """
    if not isinstance(player, Player):
        raise PlayerError(f"{player!r} is no Player")
    if not _NAME.fullmatch(player.name):
        raise PlayerError(
            f"player name {player.name!r} is not allowed; allowed: lower-case letters, digits, "
            "- and _, a letter first"
        )
    if player.name in player_names():
        raise PlayerError(f"player name {player.name!r} is taken by a player of the package")
    _fingerprint(player)  # now, since its file may be another one later
    _registered[player.name] = player
    return player


@cache
def offered_players() -> dict[str, str]:
    """Return the players that installed packages offer, as MODULE:ATTRIBUTE by name."""
    return {point.name: point.value for point in entry_points(group=GROUP)}


def find_outside(text: str) -> tuple[str, Player] | None:
    """Return a player from outside with its name in a run; None where the text names none.

    Raises
    ------
    PlayerError
        There is no such module or attribute, or it is no player, or its code is not that of the
        fingerprint in the text.
    """
    name, _, fingerprint = text.partition("@")
    if name in player_names():
        return None
    if ":" not in name and name not in _registered:
        name = offered_players().get(name, name)
    if ":" in name:
        player = _imported(name)
    elif name in _registered:
        player = _registered[name]
    elif fingerprint:
        raise PlayerError(f"player {text!r} is unknown here; register it first")
    else:
        return None
    found = _fingerprint(player)
    if fingerprint not in ("", found):
        raise PlayerError(f"player {text!r} is another one now: its code is {name}@{found}")
    return f"{name}@{found}", player


def refuse_to_import(texts: Iterable[str]) -> None:
    """Refuse (PlayerError) players for whom a module would be imported that is not imported yet.

    Modules of players that installed packages offer are not refused.
    """
    for text in texts:
        name = text.partition("+")[0].partition("@")[0]
        path, _, attribute = name.partition(":")
        is_module = attribute != "" and "=" not in attribute.partition(":")[0]
        if is_module and path not in sys.modules and name not in offered_players().values():
            raise PlayerError(
                f"player {text!r} is from outside, and files do not say what code runs: import "
                "his module, or name him in the command"
            )


def _imported(name: str) -> Player:
    """Return the player MODULE:ATTRIBUTE."""
    path, _, attribute = name.partition(":")
    if not all(part.isidentifier() for part in path.split(".")):
        raise PlayerError(
            f"player {name!r}: {path!r} is not the name of a module; allowed: MODULE:ATTRIBUTE, as "
            "in my_players:cautious"
        )
    module = _module(name, path)
    found = getattr(module, attribute, None)
    if isinstance(found, Player):
        return found
    players = sorted(key for key, value in vars(module).items() if isinstance(value, Player))
    what = f"has no {attribute!r}" if found is None else f"has {attribute!r}, which is no Player"
    if callable(found):
        what += f' (wrap it: Player("{attribute.lower()}", "What he does.", {attribute}))'
    raise PlayerError(
        f"player {name!r}: module {path!r} {what}; players there: {', '.join(players) or 'none'}"
    )


def _module(name: str, path: str) -> ModuleType:
    try:
        with _working_folder():
            return import_module(path)
    except (Exception, SystemExit) as error:  # whatever the code of others does
        if isinstance(error, ModuleNotFoundError) and f"{path}.".startswith(f"{error.name}."):
            reason = f"there is no module {error.name!r}"
        else:
            lines = str(error).splitlines() or [""]
            reason = f"module {path!r} cannot be imported: {type(error).__name__}: {lines[0]}"
        raise PlayerError(f"player {name!r}: {reason}") from error


@contextmanager
def _working_folder() -> Iterator[None]:
    """Let modules of the working folder be imported, after all others."""
    folder = str(Path.cwd())
    sys.path.append(folder)
    try:
        yield
    finally:
        # The very text that was added: the user may have the same folder there, before others.
        sys.path[:] = [place for place in sys.path if place is not folder]


@cache
def _fingerprint(player: Player) -> str:
    """Return hex digits that change with the code of a player."""
    declared: tuple[Any, ...] = (player.name, player.parameters, player.folds, player.sees_hands)
    # Only where they are not the usual ones, so that older fingerprints stay.
    for name in ("rough_counts", "by_squares", "chance"):
        if (value := getattr(player, name)) != getattr(Player, name):
            declared += (name, value)
    digest = hashlib.sha256(repr(declared).encode())
    functions = (player.choose, player.choose_step, player.choose_block, player.check)
    for function in filter(None, functions):
        digest.update(_source(player, getattr(function, "py_func", function)))
    return digest.hexdigest()[:_DIGITS]


def _source(player: Player, function: Any) -> bytes:
    file = Path(function.__code__.co_filename)
    try:
        return file.read_bytes() if file.is_file() else inspect.getsource(function).encode()
    except OSError:
        raise PlayerError(
            f"player {player.name!r}: the text of {function.__name__}() cannot be read; allowed: "
            "players from a file or a notebook"
        ) from None
