"""Commands whose options come in groups: dataclasses with one field an option."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any


def spread_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with each parameter whose type is a dataclass spread into its fields.

    The fields are annotated as options of the command line are; the command gets an object of the
    dataclass.
    """
    signature = inspect.signature(command)
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if is_dataclass(parameter.annotation)
    }

    @wraps(command)
    def spread_command(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    found = [*_single_parameters(signature)]
    # What has no default is an argument, and those come first.
    parameters = sorted(found, key=lambda p: p.default is not inspect.Parameter.empty)
    spread_command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    spread_command.__annotations__ = {p.name: p.annotation for p in parameters}
    return spread_command


def _single_parameters(signature: inspect.Signature) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a command, those of its groups in their places."""
    for parameter in signature.parameters.values():
        if is_dataclass(parameter.annotation):
            for field in fields(parameter.annotation):
                yield inspect.Parameter(
                    field.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=field.default,
                    annotation=field.type,
                )
        else:
            yield parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
