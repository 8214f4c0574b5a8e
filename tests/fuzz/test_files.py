"""Files of any contents: datasets, studies and logs are read as they were written, or refused.

`make fuzz` tries 100,000 of each kind.
"""

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from commands import answer, require_clear
from hypothesis import given
from hypothesis import strategies as st
from mutations import mutated_bytes, mutated_text

from red7sim.game.ruleset import preset
from red7sim.lab.collect import collect, combine
from red7sim.lab.dataset import read
from red7sim.lab.files import FileError
from red7sim.lab.runs import Run
from red7sim.lab.studies.kept import DESCRIPTION, read_study, write_study
from red7sim.lab.studies.study import Study

COUNTS, ROWS = "counts-000000000000.parquet", "rows-000000000000.parquet"
CELLS = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(max_size=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def dataset(folder: Path) -> Path:
    run = Run(preset("advanced", 2), ("random", "leads"), 3, "rotate")
    collect(folder / "dataset", run, 20, rounds=True)
    return folder / "dataset"


@pytest.fixture(scope="module")
def expected_copy(dataset: Path) -> tuple[str, bytes]:
    return copied(dataset)


def counted(path: Path) -> tuple[str, int]:
    """What a reader takes from the counts of a dataset."""
    found = read(path)
    return found.hash, found.ledger.games


def copied(path: Path) -> tuple[str, bytes]:
    """What a dataset becomes that is made of this one: hash and rounds."""
    copy = path.parent / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    kept = combine([path], copy)[1]
    return kept.hash, pl.read_parquet(copy / ROWS).write_csv().encode()


def require_equal_or_refused(
    path: Path, content: bytes, look: Callable[[Path], Any], expected: Any
) -> None:
    """With other bytes in one of its files, a folder says the same as before or is refused."""
    before = path.read_bytes()
    path.write_bytes(content)
    try:
        assert look(path.parent) == expected
    except FileError as error:
        assert str(path.parent) in str(error)
    finally:
        path.write_bytes(before)


@st.composite
def swapped_tables(draw: st.DrawFn, content: bytes) -> bytes:
    """The table of a Parquet file with other columns, rows or cells, and the same metadata."""
    table = pl.read_parquet(content)
    metadata = pl.read_parquet_metadata(io.BytesIO(content))
    column = draw(st.sampled_from(table.columns))
    row = draw(st.integers(0, len(table) - 1))
    kind = draw(st.sampled_from(["drop", "swap", "rows", "cell", "cast"]))
    if kind == "drop":
        table = table.drop(column)
    elif kind == "swap":
        other = draw(st.sampled_from(table.columns))
        names = {column: other, other: column}
        table = (
            table.rename(names)
            if draw(st.booleans())
            else table.select([names.get(name, name) for name in table.columns])
        )
    elif kind == "rows":
        table = table.gather_every(draw(st.integers(1, 2)), draw(st.integers(0, 1)))
    elif kind == "cell":
        cells = table[column].to_list()
        cells[row] = draw(CELLS | st.integers(-1, 9))
        table = table.with_columns(pl.Series(column, cells, strict=False))
    else:
        others = [pl.Int8, pl.Int32, pl.Float64, pl.Boolean]
        dtype = draw(st.sampled_from([pl.String] if column == "final_rule" else others))
        table = table.with_columns(table[column].cast(dtype, strict=False))
    written = io.BytesIO()
    table.write_parquet(written, metadata={key: metadata[key] for key in ("red7sim",)})
    return written.getvalue()


@given(st.data())
def test_bytes_of_counts(dataset: Path, data: st.DataObject) -> None:
    path = dataset / COUNTS
    content = data.draw(mutated_bytes(st.just(path.read_bytes())))
    require_equal_or_refused(path, content, counted, counted(dataset))


@given(st.data())
def test_tables_of_counts(dataset: Path, data: st.DataObject) -> None:
    path = dataset / COUNTS
    content = data.draw(swapped_tables(path.read_bytes()))
    require_equal_or_refused(path, content, counted, counted(dataset))


@given(st.data())
def test_bytes_of_rounds(dataset: Path, expected_copy, data: st.DataObject) -> None:
    path = dataset / ROWS
    content = data.draw(mutated_bytes(st.just(path.read_bytes())))
    require_equal_or_refused(path, content, copied, expected_copy)


@given(st.data())
def test_tables_of_rounds(dataset: Path, expected_copy, data: st.DataObject) -> None:
    path = dataset / ROWS
    content = data.draw(swapped_tables(path.read_bytes()))
    require_equal_or_refused(path, content, copied, expected_copy)


STUDY = Study(
    name="first-player",
    title="A title",
    caption="A caption.",
    command="red7sim first-player",
    parameters={"games": 5},
    tables={"seats": pl.DataFrame({"seat": [0, 1], "share": [0.25, None]})},
)


@pytest.mark.parametrize("name", [DESCRIPTION, "seats.parquet"])
@given(st.data())
def test_bytes_of_studies(folder: Path, name: str, data: st.DataObject) -> None:
    path = folder / "study" / name
    write_study(STUDY, path.parent, {})
    content = data.draw(mutated_bytes(st.just(path.read_bytes())))

    def told(place: Path) -> dict[str, Any]:
        study, provenance = read_study(place)
        return study.as_json() | {"provenance": provenance}

    require_equal_or_refused(path, content, told, STUDY.as_json() | {"provenance": {}})


WORDS = [*'[]{}",:0123456789-\n ', "null", "true", "R7", "hands", "start", "round", "red", "1e999"]


@pytest.fixture(scope="module")
def log() -> str:
    """The deals of a scored game, one a line."""
    words = ["--players", "3", "--rules", "advanced", "--end", "points", "--json", "--seed", "3"]
    lines = answer(["replay", *words]).out.splitlines()
    return "".join(line + "\n" for line in lines if '"type": "deal"' in line)


@given(st.data())
def test_logs_of_deals(folder: Path, log: str, data: st.DataObject) -> None:
    path = folder / "deals.jsonl"
    text = data.draw(mutated_text(st.just(log), WORDS) | st.sampled_from(["[" * 99_999, log]))
    path.write_bytes(text.encode(errors="surrogatepass"))
    said = answer(["simulate", "--deals", str(path), "--games", "2", "--json", "--quiet"])
    require_clear(said)
    if said.status == 0:
        assert json.loads(said.out)["games"] == 2
    else:
        assert said.status == 3 or "players" in said.err, said
