"""For the library reference: defaults of parameters as values, not as names of constants."""

from importlib import import_module
from typing import Any

import griffe


class Defaults(griffe.Extension):
    """Puts the value of a module's constant where a signature names it."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Look at a function that has been read."""
        for parameter in func.parameters:
            if isinstance(parameter.default, griffe.ExprName):
                module = import_module(func.module.path)
                value = getattr(module, parameter.default.name)
                parameter.default = f"{value:_}" if type(value) is int else repr(value)
