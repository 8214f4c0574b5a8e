"""Files that are whole at every moment."""

import os
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from red7sim.game.refused import InputError, not_allowed, one_or_several

TEMPORARY: Final = ".writing-"
"""How the names of files begin that are not yet finished."""


class FileError(InputError):
    """A file that cannot be read or written as asked; the message says which and why."""


def path_of(name: str, path: str | Path) -> Path:
    """Return the path of a file or folder; FileError refuses what is none, and an empty one."""
    if not isinstance(path, str | Path) or not str(path) or "\0" in str(path):
        raise not_allowed(name, path, "the name of a file or folder", FileError)
    return Path(path)


def paths_of(name: str, paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return one path, or several, as a list; refuse what `path_of` does, and an empty list."""
    return [path_of(name, path) for path in one_or_several(name, paths, (str, Path), "a folder")]


def refused(path: Path, error: OSError) -> FileError:
    """Return the error for a path that the operating system refuses."""
    return FileError(f"{error.filename or path}: {error.strerror}")


def remove_file(path: Path) -> None:
    """Remove a file, if it is there.

    Raises
    ------
    FileError
        It cannot be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise refused(path, error) from None


def place_of(path: Path) -> Path:
    """Return where the file of a name is, or would be: links are followed.

    Raises
    ------
    FileError
        There is something else than a file, or it cannot be looked at.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise FileError(f"{path} is no file; allowed: the name of a file, or of none yet")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise refused(path, error) from None
    return Path(os.path.realpath(path))


def require_place(path: Path) -> None:
    """Refuse (FileError) a name under which no file can be written."""
    folder = place_of(path).parent
    if not folder.is_dir():
        raise FileError(f"{path}: there is no folder {folder}")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None


def replace_file(path: Path, content: bytes | memoryview) -> None:
    """Write a file so that its name always stands for all of the old or all of the new content.

    Of a link the file is written that it leads to.

    Raises
    ------
    FileError
        The file cannot be written; an old one is as it was.
    """
    place = place_of(path)
    # A name of its own for each call, of any thread, process or machine.
    temporary = place.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
    try:
        try:
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(place)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        folder = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
