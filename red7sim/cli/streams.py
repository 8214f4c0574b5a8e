"""The standard streams and signals of the process that runs the command line.

Output that cannot be written is an error of its own, no file or connection can be taken for it,
and no text is refused because a terminal or a locale does not know its letters.
"""

import io
import os
import signal
import sys
from errno import EPIPE
from typing import Final, NoReturn, TextIO

_INPUT, _OUTPUT, _ERRORS = range(3)
_REPLACING: Final = "backslashreplace"


class OutputError(Exception):
    """Standard output cannot be written."""


class ReaderGoneError(OutputError):
    """Whoever read standard output has closed it, as `| head` does."""


class _Output(io.TextIOWrapper):
    """Standard output, whose errors are told from those of all other files."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self._refuse(error)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._refuse(error)

    def _refuse(self, error: OSError) -> NoReturn:
        _discard(_OUTPUT)
        if error.errno == EPIPE:
            raise ReaderGoneError from None
        raise OutputError(f"standard output: {error.strerror}") from None


class _Errors(io.TextIOWrapper):
    """Standard error: where it cannot be written, there is nobody to tell."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError:
            _discard(_ERRORS)
            return len(text)


def prepare_streams() -> None:
    """Make the standard streams of this process those that this module describes."""
    # A file that is opened later must not take the place of a closed stream.
    for stream, mode in ((_INPUT, os.O_WRONLY), (_OUTPUT, os.O_RDONLY), (_ERRORS, os.O_WRONLY)):
        try:
            os.fstat(stream)
        except OSError:
            os.dup2(os.open(os.devnull, mode), stream)
    sys.stdin = _remade(sys.stdin, _INPUT, io.TextIOWrapper)
    sys.stdout = _remade(sys.stdout, _OUTPUT, _Output)
    sys.stderr = _remade(sys.stderr, _ERRORS, _Errors)


def _remade(stream: TextIO | None, number: int, kind: type[io.TextIOWrapper]) -> TextIO:
    """Return a stream of another kind in the place of one, which is None if it was closed."""
    if not isinstance(stream, io.TextIOWrapper):
        buffer = open(number, "rb" if number == _INPUT else "wb", closefd=False)  # noqa: SIM115
        return kind(buffer, encoding="utf-8", errors=_REPLACING)
    encoding, lines, through = stream.encoding, stream.line_buffering, stream.write_through
    return kind(
        stream.detach(),
        encoding=encoding,
        errors=_REPLACING,
        line_buffering=lines,
        write_through=through,
    )


def _discard(number: int) -> None:
    """Let what is still to be written to a stream go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def end_by_interrupt() -> None:
    """Let SIGTERM, and SIGHUP where it is not ignored, end a command as Ctrl-C does."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
