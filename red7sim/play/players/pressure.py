"""`pressure`: keeps turns open for itself and leaves few to the next player.

It weighs the outlook of `foresight` against the replies that it expects (red7sim.play.prospect),
which was found good for two players; with more of them `foresight` alone is better.
"""

from red7sim.play.policy import Parameter, Player
from red7sim.play.prospect import BASE, THREAT, best_step, best_turn

_PARAMETERS = (
    Parameter("threat", "Weighs the turns left to the next player.", THREAT, 0, 10),
    Parameter("base", "Is added to the numbers of turns before their logarithms.", BASE, 0.001, 10),
)
_THREAT, _BASE = range(2)


def choose(view, rules, own):
    """Return the turn of the greatest worth; of several the first."""
    return best_turn(view, rules, own, True, own.params[_THREAT], own.params[_BASE])


def choose_step(view, steps, rules, own):
    """Return the step of the greatest worth; of several the first."""
    return best_step(view, steps, rules, own, True, own.params[_THREAT], own.params[_BASE])


PLAYER = Player(
    "pressure",
    "Keeps turns open for itself and leaves few to the next player.",
    choose,
    choose_step,
    parameters=_PARAMETERS,
)
