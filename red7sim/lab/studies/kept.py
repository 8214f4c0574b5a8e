"""Studies on disk: a folder with a description and one Parquet file a table.

    study.json       name, title, caption, command, parameters, SHA-256 of the tables, provenance,
                     names of its other files
    TABLE.parquet    a table

Files are whole at every moment, but a folder is one only when `study.json` is there and fits the
tables; it is written after them, and sealed (red7sim.lab.sealed). Pictures beside them are made of
the tables and are never read. What an older study has left there is removed last, by the names in
its `study.json`; other files are nobody's business.
"""

import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import polars as pl

from red7sim.game.refused import not_allowed
from red7sim.lab.dataset import COUNTS
from red7sim.lab.files import FileError, refused, remove_file, replace_file
from red7sim.lab.sealed import described, fault_of, sealed
from red7sim.lab.studies.study import Study

STUDY_FORMAT: Final = 2
"""Version of the files; raised when they change."""

DESCRIPTION: Final = "study.json"
_MEND: Final = "make the study again in another folder"
_OTHERS: Final = "others"
_OWN: Final = re.compile(r"\w+\.(parquet|svg|png)", re.ASCII)
"""What a study may call a file: no other one is written, nor removed for a description from
elsewhere.
"""

_WORDS: Final = ("name", "title", "caption", "command", "parameters")


class StudyError(FileError):
    """A folder of a study that cannot be read or written; the message says which and why."""


def claim_folder(folder: Path, name: str) -> None:
    """Make a folder for a study of that name, if there is none.

    Raises
    ------
    StudyError
        The folder cannot be made, or it holds a dataset or a study of another name.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(COUNTS.fullmatch(path.name) for path in folder.iterdir()):
            raise StudyError(f"{folder} holds a dataset; allowed: another folder")
        described_already = (folder / DESCRIPTION).exists()
    except OSError as error:
        raise refused(folder, error) from None
    if described_already:
        held = _description(folder)["name"]
        if held != name:
            raise StudyError(f"{folder} holds a study {held!r}; allowed: another folder")


@contextmanager
def claimed_folder(folder: Path, name: str) -> Iterator[None]:
    """Claim a folder, as `claim_folder`, for a study that is made inside the block; where nothing
    comes of it, the folders that were made for it go again.
    """
    try:
        made = [place for place in (folder, *folder.parents) if not place.exists()]
    except OSError as error:
        raise refused(folder, error) from None
    try:
        claim_folder(folder, name)
        yield
    except BaseException:
        for place in made:
            with suppress(OSError):  # it holds something
                place.rmdir()
        raise


def write_study(study: Study, folder: Path, provenance: dict[str, Any]) -> None:
    """Write a study into a folder, over an older one of the same name, whose pictures and other
    tables are removed.

    Raises
    ------
    StudyError
        The folder cannot be made or holds another study, or a table has a name that no file can
        have.
    FileError
        A file cannot be written or removed.
    """
    _require_own(f"{name}.parquet" for name in study.tables)
    claim_folder(folder, study.name)
    old = _description(folder) if is_study(folder) else {"tables": {}}
    digests = {}
    for name, table in study.tables.items():
        written = io.BytesIO()
        table.write_parquet(written)
        content = written.getvalue()
        digests[name] = hashlib.sha256(content).hexdigest()
        replace_file(folder / f"{name}.parquet", content)
    members = {key: getattr(study, key) for key in _WORDS}
    new = {f"{name}.parquet" for name in digests}
    left = [name for name in _files_of(old) if name not in new]
    # They are named while they are there, so that an interruption forgets none.
    members |= {"tables": digests, "provenance": provenance, _OTHERS: left}
    _describe(folder, described(STUDY_FORMAT, members))
    for name in left:
        remove_file(folder / name)


def write_pictures(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the pictures of the study in a folder, by the names of their files.

    Raises
    ------
    StudyError
        The folder holds no study, or a file has a name that it cannot have.
    FileError
        A file cannot be written.
    """
    _require_own(files)
    _describe(folder, _description(folder) | described(STUDY_FORMAT, {_OTHERS: [*files]}))
    for name, content in files.items():
        replace_file(folder / name, content)


def is_study(folder: Path) -> bool:
    """Tell whether a folder says that it holds a study; FileError if it cannot be looked at."""
    try:
        return (folder / DESCRIPTION).is_file()
    except OSError as error:
        raise refused(folder, error) from None


def read_study(folder: Path) -> tuple[Study, dict[str, Any]]:
    """Return the study of a folder and its provenance.

    Raises
    ------
    StudyError
        The folder holds no study, or one that cannot be read.
    """
    description = _description(folder)
    tables = {}
    for name, digest in description["tables"].items():
        path = folder / f"{name}.parquet"
        try:
            content = path.read_bytes()
        except OSError as error:
            raise refused(path, error) from None
        if hashlib.sha256(content).hexdigest() != digest:
            raise StudyError(f"{path} is not the table that {DESCRIPTION} tells of; {_MEND}")
        tables[name] = pl.read_parquet(content)
    words = {key: description[key] for key in _WORDS}
    return Study(**words, tables=tables), description["provenance"]


def _require_own(names: Iterable[str]) -> None:
    for name in names:
        if not _OWN.fullmatch(name):
            allowed = "letters, digits and _, then .parquet, .svg or .png"
            raise not_allowed("file of a study", name, allowed, StudyError)


def _files_of(description: dict[str, Any]) -> list[str]:
    """Return the names of files that a description tells of, those alone that a study may have."""
    others = description.get(_OTHERS)
    told = [f"{name}.parquet" for name in description["tables"]]
    told += others if isinstance(others, list) else []
    return [name for name in told if isinstance(name, str) and _OWN.fullmatch(name)]


def _describe(folder: Path, description: dict[str, Any]) -> None:
    text = json.dumps(description, indent=2, default=dict)
    replace_file(folder / DESCRIPTION, sealed(f"{text}\n".encode()))


def _description(folder: Path) -> dict[str, Any]:
    path = folder / DESCRIPTION
    try:
        content = path.read_bytes()
    except OSError as error:
        raise refused(path, error) from None
    if fault := fault_of(content, STUDY_FORMAT):
        raise StudyError(f"{path} {fault}; {_MEND}")
    description: dict[str, Any] = json.loads(content)
    return description
