"""Studies on disk: a folder with a description and one Parquet file a table.

    study.json       name, title, caption, command, parameters, names of the tables, provenance
    TABLE.parquet    a table

Files are whole at every moment, but a folder is one only when `study.json` is there, which is
written last. Pictures beside them are made of the tables and are never read.
"""

import io
import json
from pathlib import Path
from typing import Any, Final

import polars as pl

from red7sim.lab.files import FileError, refused, replace_file
from red7sim.lab.studies.study import Study

STUDY_FORMAT: Final = 1
"""Version of the files; raised when they change."""

DESCRIPTION: Final = "study.json"
_KINDS: Final[dict[str, type]] = {
    "name": str, "title": str, "caption": str, "command": str, "parameters": dict,
}  # fmt: skip


class StudyError(FileError):
    """A folder of a study that cannot be read or written; the message says which and why."""


def claim_folder(folder: Path, name: str) -> None:
    """Make a folder for a study of that name, if there is none.

    Raises
    ------
    StudyError
        The folder cannot be made, or it holds a study of another name.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(folder, error) from None
    if (folder / DESCRIPTION).exists():
        held = _description(folder)["name"]
        if held != name:
            raise StudyError(f"{folder} holds a study {held!r}; allowed: another folder")


def write_study(study: Study, folder: Path, provenance: dict[str, Any]) -> None:
    """Write a study into a folder, over an older one of the same name.

    Raises
    ------
    StudyError
        The folder cannot be made or holds another study.
    FileError
        A file cannot be written.
    """
    claim_folder(folder, study.name)
    for name, table in study.tables.items():
        content = io.BytesIO()
        table.write_parquet(content)
        replace_file(folder / f"{name}.parquet", content.getbuffer())
    words = {key: getattr(study, key) for key in _KINDS}
    description = {"format": STUDY_FORMAT, **words, "tables": [*study.tables]}
    text = json.dumps(description | {"provenance": provenance}, indent=2, default=dict)
    replace_file(folder / DESCRIPTION, f"{text}\n".encode())


def is_study(folder: Path) -> bool:
    """Tell whether a folder says that it holds a study."""
    return (folder / DESCRIPTION).is_file()


def read_study(folder: Path) -> tuple[Study, dict[str, Any]]:
    """Return the study of a folder and its provenance.

    Raises
    ------
    StudyError
        The folder holds no study, or one that cannot be read.
    """
    description = _description(folder)
    tables = {}
    for name in description["tables"]:
        path = folder / f"{name}.parquet"
        try:
            tables[name] = pl.read_parquet(path)
        except OSError as error:
            raise refused(path, error) from None
        except pl.exceptions.PolarsError as error:
            raise StudyError(f"{path}: {error}") from None
    words = {key: description[key] for key in _KINDS}
    return Study(**words, tables=tables), description["provenance"]


def _description(folder: Path) -> dict[str, Any]:
    path = folder / DESCRIPTION
    try:
        description = json.loads(path.read_bytes())
    except OSError as error:
        raise refused(path, error) from None
    except ValueError as error:
        raise StudyError(f"{path} is not JSON: {error}") from None
    if not isinstance(description, dict) or "format" not in description:
        raise StudyError(f"{path} does not describe a study")
    if description["format"] != STUDY_FORMAT:
        raise StudyError(f"{path}: format {description['format']}, not {STUDY_FORMAT}")
    kinds = _KINDS | {"tables": list, "provenance": dict}
    if not all(isinstance(description.get(key), kind) for key, kind in kinds.items()):
        raise StudyError(f"{path} does not describe a study")
    if not all(isinstance(name, str) and name.isidentifier() for name in description["tables"]):
        raise StudyError(f"{path} names tables that are none: {description['tables']}")
    return description
