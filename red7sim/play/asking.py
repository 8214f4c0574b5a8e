"""Players asked by the addresses of their compiled policies (red7sim.jit.addresses)."""

from typing import Any

from numba import types
from numba.extending import intrinsic, overload

from red7sim.jit.addresses import call_of
from red7sim.play.policy import CHOOSE, CHOOSE_BLOCK


def ask(policies: Any, i: int, view: Any, rules: Any, own: Any) -> int:
    """Return the turn that policy number `i` chooses; see `red7sim.play.policy`."""
    return int(policies[i](view, rules, own))


@intrinsic
def _choose(_context: Any, address: Any, view: Any, rules: Any, own: Any) -> Any:
    return CHOOSE.return_type(types.uint64, *CHOOSE.args), call_of(CHOOSE)


@overload(ask)
def _ask(policies, i, view, rules, own):
    return lambda policies, i, view, rules, own: _choose(policies[i], view, rules, own)


def ask_block(
    policies: Any, i: int, views: Any, rules: Any, owns: Any, asked: Any, n: int, turns: Any
) -> None:
    """Let policy number `i` choose for a block of views; see `red7sim.play.policy`."""
    policies[i](views, rules, owns, asked, n, turns)


@intrinsic
def _choose_block(
    _context: Any,
    address: Any,
    views: Any,
    rules: Any,
    owns: Any,
    asked: Any,
    n: Any,
    turns: Any,
) -> Any:
    return CHOOSE_BLOCK.return_type(types.uint64, *CHOOSE_BLOCK.args), call_of(CHOOSE_BLOCK)


@overload(ask_block)
def _ask_block(policies, i, views, rules, owns, asked, n, turns):
    return lambda policies, i, views, rules, owns, asked, n, turns: _choose_block(
        policies[i], views, rules, owns, asked, n, turns
    )
