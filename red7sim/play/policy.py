"""The contract that a player fulfils, and the registry of players.

A player is a function `choose(view, rules, own) -> int64`, compiled by numba:

    view   a `VIEW` record (red7sim.game.view): all that the mover may know, with the lanes of
           its surviving turns filled, less those barred to him; there is at least one
    rules  a `RULES` record (red7sim.game.ruleset)
    own    an `OWN` record: the player's parameters in the order in which he declares them, what is
           barred to him, and scratch memory that keeps its contents

and returns a turn (red7sim.game.turns): one of the surviving ones, or `FOLD`, but not where
`own.no_fold` is set. It must not write to `view` or `rules`, must not allocate, and must give the
same answer to the same view; all of its chance comes from `view.word`. A player who has no
surviving turn folds without being asked.

Under the Action rule a player decides step by step, with a second function
`choose_step(view, steps, rules, own) -> int64`:

    steps  a `STEPS` record (red7sim.game.steps): the legal steps, and how many surviving turns
           stand behind each; there is at least one

which returns a legal step, or `FOLD_STEP` where `steps.stage` is STAGE_FREE. What it is told grows
with the turn: after a draw, `view.hand` holds the card drawn. A player who declares `rough_counts`
may be told of fewer turns than survive, there and in `view.choices`, but of 0 only where none does.

Asking costs a call, which may be more than the choice. So a player may have a third function
`choose_block(views, rules, owns, asked, n, turns)`, which decides for a block of games at once:

    views  an array of `VIEW` records
    owns   an array of `OWN` records by table position: the mover of a view has owns[view.mover]
    asked  a uint64 array: the places in `views` to decide for are asked[0] .. asked[n-1]
    turns  an int64 array: the turn chosen for views[i] goes to turns[i]; nothing else is written

It must choose exactly what `choose` chooses; which of the two is asked depends on the engine.
A player who declares `by_squares` finds the turns of these views as squares of bits alone
(red7sim.game.lanes), and nothing in their WIDE_FIELDS (red7sim.game.view); one who declares
`chance=False` finds no word. What he does without, nobody has to compute.

A player lives in a module of its own in `red7sim.play.players`, which ends in

    PLAYER = Player("name", "What it does, in a sentence.", choose, choose_step, choose_block)

and is found there by its name. Adding a player touches no other file. Players from outside the
package are found as `red7sim.play.outside` says. A player with parameters
names them as well, and one who may fold though a turn survives says so by `folds=True`; how they
are written on the command line, and restrictions that any player may be given, is the business of
`red7sim.play.spec`.
"""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numba
import numba.core.config as numba_config
import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher

from red7sim.game.nearest import allowed_names
from red7sim.game.packed import RULES
from red7sim.game.refused import InputError
from red7sim.game.ruleset import Ruleset
from red7sim.game.steps import STEPS
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.view import VIEW
from red7sim.jit.settings import kernel
from red7sim.play.deal import HIDDEN
from red7sim.play.solver import SEARCH

MAX_PARAMETERS = 8
SCRATCH_WORDS = 1280

OWN = np.dtype(
    [
        ("params", np.float64, (MAX_PARAMETERS,)),
        # What is barred to the player, whatever the rules say; sets of cards as in `VIEW`.
        ("barred_plays", np.int64),
        ("barred_discards", np.int64),
        ("barred_actions", np.int64),
        ("no_fold", np.int64),  # 1: he may not fold while a turn survives
        ("rough_counts", np.int64),  # 1: of counts of turns he only asks whether they are 0
        # For a player who sees all hands, and for nobody else: the hands by table position.
        ("sees_hands", np.int64),
        ("open_hands", np.int64, (MAX_PLAYERS,)),
        ("scratch", np.int64, (SCRATCH_WORDS,)),
        ("search", SEARCH),  # memory of the solver (red7sim.play.solver)
        ("trial", VIEW),  # scratch too: a copy of the view, to try things on
        ("hidden", HIDDEN),  # scratch too: a guess of the hidden part
    ],
    align=True,
)

VIEW_TYPE, STEPS_TYPE, RULES_TYPE, OWN_TYPE = (
    numba.from_dtype(dtype) for dtype in (VIEW, STEPS, RULES, OWN)
)
CHOOSE_ARGUMENTS = (VIEW_TYPE, RULES_TYPE, OWN_TYPE)
CHOOSE_STEP_ARGUMENTS = (VIEW_TYPE, STEPS_TYPE, RULES_TYPE, OWN_TYPE)
CHOOSE = types.int64(*CHOOSE_ARGUMENTS)
CHOOSE_TYPE = types.FunctionType(CHOOSE)
CHOOSE_BLOCK_ARGUMENTS = (
    VIEW_TYPE[::1],
    RULES_TYPE,
    OWN_TYPE[::1],
    types.uint64[::1],
    types.int64,
    types.int64[::1],
)
CHOOSE_BLOCK = types.void(*CHOOSE_BLOCK_ARGUMENTS)
CHOOSE_STEP_TYPE = types.FunctionType(types.int64(*CHOOSE_STEP_ARGUMENTS))

Value = float | int | str
"""A value of a parameter."""

PLAYERS_PACKAGE = "red7sim.play.players"
DEFAULT_PLAYER = "leads"


class PlayerError(InputError):
    """A player that is unknown or breaks the contract; the message says which and why."""


@dataclass(frozen=True)
class Parameter:
    """A number that a player can be given, or a word out of several.

    Attributes
    ----------
    name
        Lower-case word.
    summary
        One sentence that says what it does.
    default
        Its type is that of all values: a whole number, a float, or one of `choices`.
    low, high
        The range of a number.
    choices
        The allowed words; their indices are what a policy finds in `OWN`.
    """

    name: str
    summary: str
    default: Value
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return ", ".join(self.choices)
        kind = "whole numbers" if isinstance(self.default, int) else "numbers"
        return f"{kind} {self.low:g}..{self.high:g}"

    def parse(self, text: str) -> Value:
        """Return the value that a text stands for.

        Raises
        ------
        ValueError
            It stands for none that is allowed.
        """
        if self.choices:
            self.choices.index(text)
            return text
        value = type(self.default)(text)
        assert not isinstance(value, str)
        if not self.low <= value <= self.high:
            raise ValueError(text)
        return value

    def encoded(self, value: Value) -> float:
        """Return a value as the number that a policy finds in `OWN`."""
        return float(self.choices.index(value) if isinstance(value, str) else value)


@dataclass(frozen=True)
class Player:
    """A named policy.

    Attributes
    ----------
    name
        Lower-case word by which the command line knows the player.
    summary
        One sentence that says how it chooses.
    choose
        The policy: a plain function that numba can compile (see the module's docstring).
    choose_step
        The policy under the Action rule; None for a player that does not play with actions.
    choose_block
        The policy for a block of views; None for a player that is asked view by view.
    parameters
        What it can be given, at most MAX_PARAMETERS.
    folds
        Whether it may fold though a turn survives.
    sees_hands
        Whether it is shown the hands of its rivals, in `OWN`, against the rules of the game.
    rough_counts
        Whether `choose_step` only asks of a count whether it is 0, which is found faster.
    by_squares
        Whether `choose_block` does without the WIDE_FIELDS of views.
    chance
        Whether he reads `view.word`.
    check
        Called with a ruleset and the values of the parameters by name; raises PlayerError where the
        player does not play so.

    Raises
    ------
    PlayerError
        There are too many parameters, or one has a default that it does not allow.
    """

    name: str
    summary: str
    choose: Callable[..., Any]
    choose_step: Callable[..., Any] | None = None
    choose_block: Callable[..., Any] | None = None
    parameters: tuple[Parameter, ...] = ()
    folds: bool = False
    sees_hands: bool = False
    rough_counts: bool = False
    by_squares: bool = False
    chance: bool = True
    check: Callable[[Ruleset, dict[str, Value]], None] | None = None

    def __post_init__(self) -> None:
        if len(self.parameters) > MAX_PARAMETERS:
            raise PlayerError(
                f"player {self.name!r} has {len(self.parameters)} parameters; allowed: at most "
                f"{MAX_PARAMETERS}"
            )
        for parameter in self.parameters:
            try:
                parameter.parse(str(parameter.default))
            except (AssertionError, TypeError, ValueError):
                raise PlayerError(
                    f"player {self.name!r}: {parameter.name} is {parameter.default!r} by default; "
                    f"allowed: {parameter.allowed}"
                ) from None

    def compiled_block(self) -> Any:
        """Return the policy for blocks of views, compiled; None where there is none."""
        if self.choose_block is None:
            return None
        return _compiled(self.name, self.choose_block, CHOOSE_BLOCK_ARGUMENTS, types.void)

    def compiled(self, *, actions: bool = False) -> Any:
        """Return the policy compiled for the one signature that the engine calls.

        Raises
        ------
        PlayerError
            The function does not compile or returns something other than an int64, or the player
            has none for actions.
        """
        if not actions:
            return _compiled(self.name, self.choose, CHOOSE_ARGUMENTS)
        if self.choose_step is None:
            raise PlayerError(f"player {self.name!r} does not play with actions")
        return _compiled(self.name, self.choose_step, CHOOSE_STEP_ARGUMENTS)


def _compiled(
    name: str,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    expected: Any = types.int64,
) -> Any:
    try:
        return _compiled_once(function, arguments, expected)
    except PlayerError as error:
        raise PlayerError(f"player {name!r} {error}") from error.__cause__


@cache
def _compiled_once(function: Callable[..., Any], arguments: tuple[Any, ...], expected: Any) -> Any:
    ours = function.__module__.startswith("red7sim.")
    if not isinstance(function, Dispatcher):
        # Without numba's memory management: policies allocate nothing, and counting the references
        # to the arrays of a block would cost more than some of them. Players from outside are not
        # cached: what they call may change without a change of any file that the cache knows of.
        compiled = kernel(function, cached=ours, _nrt=False)
    elif ours:
        compiled = function
    else:
        # What he has compiled himself he may call with other types still, so it stays as it is.
        compiled = numba.jit(**function.targetoptions)(function.py_func)
    if numba_config.DISABLE_JIT:
        return compiled
    try:
        compiled.compile(arguments)
    except Exception as error:  # whatever the compiler meets
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        said = " ".join(lines[:2])
        if isinstance(error, KeyError):
            said = f"view, rules or own has no field {said}; red7sim/game/view.py lists them"
        raise PlayerError(f"does not compile: {said}") from error
    returned = compiled.nopython_signatures[0].return_type
    if returned != expected:
        raise PlayerError(f"returns {returned}; it must return {expected}")
    compiled.disable_compile()
    return compiled


def _ask_nobody(views: Any, rules: Any, owns: Any, asked: Any, n: Any, turns: Any) -> None:
    """Stand where a tuple of block policies has a player without one."""


def no_block() -> Any:
    """Return a block policy, compiled, that is never called."""
    return _compiled("nobody", _ask_nobody, CHOOSE_BLOCK_ARGUMENTS, types.void)


@cache
def player_names() -> tuple[str, ...]:
    """Return the names of all players that come with the package, sorted; those of `register` and
    of modules (red7sim.play.outside) are not among them.
    """
    package = import_module(PLAYERS_PACKAGE)
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__)))


def find_player(name: str) -> Player:
    """Return a player by its name, out of `player_names`.

    Raises
    ------
    PlayerError
        No such player comes with the package.
    """
    if not isinstance(name, str) or name not in player_names():
        raise PlayerError(
            f"unknown player {name!r}; {allowed_names(str(name), player_names())}, "
            "or MODULE:NAME for one of your own"
        )
    player = import_module(f"{PLAYERS_PACKAGE}.{name}").PLAYER
    assert isinstance(player, Player)
    return player
