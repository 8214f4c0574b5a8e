"""What a command refuses, and the exit status that says so."""

from collections.abc import Iterator
from contextlib import contextmanager

from red7sim.game.refused import InputError

EXIT_NOT_MET, EXIT_USAGE, EXIT_CONTENT, EXIT_INTERRUPTED = 1, 2, 3, 130
"""Exit status: the asked condition was not met, wrong usage, refused content, interrupted."""


class UsageError(Exception):
    """Wrong usage: refused options or values. Exit status 2."""


class ContentError(Exception):
    """Refused content: a position or a file. Exit status 3."""


@contextmanager
def refused_values() -> Iterator[None]:
    """Turn the refusal of a value by the laboratory into wrong usage."""
    try:
        yield
    except InputError as error:
        raise UsageError(str(error)) from None


@contextmanager
def refused_files() -> Iterator[None]:
    """Turn the refusal of a file by the laboratory into refused content."""
    from red7sim.lab.files import FileError

    try:
        yield
    except FileError as error:
        raise ContentError(str(error)) from None
