"""How each study is shown: by the modules in `tables` and `plots` that have its name."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from red7sim.game.refused import InputError, not_allowed
from red7sim.lab.studies.kept import write_pictures
from red7sim.lab.studies.study import Study
from red7sim.show.cells import Sheet


class MissingExtraError(ImportError):
    """A package that a picture or a page needs is not installed; the message says how to."""


def findings_of(study: Study) -> list[str]:
    """Return what a study says, in sentences.

    Raises
    ------
    InputError
        This program does not know such a study, here and below.
    """
    found: list[str] = _module("tables", study).findings(study)
    return found


def sheets_of(study: Study) -> list[Sheet]:
    """Return the tables to read of a study."""
    found: list[Sheet] = _module("tables", study).sheets(study)
    return found


def pictures_of(study: Study) -> list[Any]:
    """Return the pictures (red7sim.show.figures.Picture) of a study.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    try:
        import_module("matplotlib")
    except ImportError:
        raise MissingExtraError(
            "pictures need matplotlib; install it with: pip install 'red7sim[plots]'"
        ) from None
    found: list[Any] = _module("plots", study).pictures(study)
    return found


def keep_pictures(study: Study, folder: Path) -> None:
    """Write the pictures of a study into the folder that holds it.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    FileError
        The folder holds no study, or a file cannot be written.
    """
    files = [file for picture in pictures_of(study) for file in picture.files().items()]
    write_pictures(folder, dict(files))


def _module(kind: str, study: Study) -> ModuleType:
    if not isinstance(study, Study):
        raise not_allowed("study", study, "what a study has returned")
    package, name = f"red7sim.show.{kind}", f"{study.name}".replace("-", "_")
    if name not in {module.name for module in iter_modules(import_module(package).__path__)}:
        raise InputError(f"a study {study.name!r} is unknown to this program")
    return import_module(f"{package}.{name}")
