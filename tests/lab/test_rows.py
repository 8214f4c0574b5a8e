"""Rounds on disk: complete, once, in order, those of the counts."""

import io
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab import rows as lab_rows
from red7sim.lab import writer
from red7sim.lab.collect import collect, combine
from red7sim.lab.columns import count_columns, round_columns
from red7sim.lab.dataset import DatasetError, read, read_rows
from red7sim.lab.ledger import BLOCK_GAMES, Ledger
from red7sim.lab.rows import (
    Recorded,
    RowFiles,
    frame_of,
    play_recorded,
    records_of,
    segment_games,
)
from red7sim.lab.runs import MAX_INDEX, Run, play
from red7sim.lab.sealed import sealed
from red7sim.play.record import checksum
from red7sim.play.tally import POINTS, ROUNDS, SUM, TURNS

GAMES = 2 * BLOCK_GAMES + 1000


@pytest.fixture(scope="module", autouse=True)
def small_files():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_rows, "_ROUNDS_OF_A_FILE", BLOCK_GAMES)
        yield


@pytest.fixture(scope="module")
def run() -> Run:
    return Run(preset("basic", 3), ("random", "leads", "greedy"), seed=11)


@pytest.fixture(scope="module")
def undisturbed(run: Run, tmp_path_factory) -> tuple[str, pl.DataFrame]:
    folder = tmp_path_factory.mktemp("undisturbed") / "d"
    kept = collect(folder, run, GAMES, rounds=True)[1]
    return kept.hash, read_rows(folder).collect()


def check(folder: Path, undisturbed: tuple[str, pl.DataFrame]) -> None:
    assert read(folder).hash == undisturbed[0]
    assert read_rows(folder).collect().equals(undisturbed[1])


def test_rounds_add_up_to_the_counts(run: Run, undisturbed) -> None:
    rounds = undisturbed[1]
    counts = play(run, GAMES).tally[SUM]
    assert rounds["game"].to_list() == [*range(GAMES)]
    assert len(rounds) == counts[ROUNDS]
    assert rounds["turns"].sum() == counts[TURNS]
    assert rounds["points"].sum() == counts[POINTS]


@pytest.mark.parametrize("design", ["none", "rotate"])
@pytest.mark.parametrize("rules", [preset("basic", 2), preset("advanced", 4)], ids=str)
def test_frames_hold_all_of_the_records(rules, design: str) -> None:
    run = Run(rules, ("random", "leads", "greedy", "thrifty")[: rules.players], 5, design)
    records = Recorded(run).table().play_block(5, 0, 40, run.empty_tally())
    frame = frame_of([records], run)
    columns = round_columns(rules.players, len(run.arms))
    assert frame.columns == [column.name for column in columns]
    for column in columns:
        assert frame.schema[column.name] == getattr(pl, column.dtype)
        assert column.unit
        assert column.meaning.endswith(".")
    assert (records_of(frame, run) == records).all()
    assert checksum(records_of(frame, run)) == checksum(records)
    seats = (frame["winner"] - frame["start"]) % rules.players
    assert frame["winner_seat"].to_list() == seats.to_list()
    out = frame["out_before_playing"].to_numpy()
    assert ((out & frame["acted"].to_numpy()) == 0).all()
    assert ((out >> frame["winner"].to_numpy()) & 1 == 0).all()


def test_continued_and_combined_datasets_are_equal(run: Run, undisturbed, tmp_path: Path) -> None:
    for games in (100, BLOCK_GAMES + 5, GAMES):
        collect(tmp_path / "continued", run, games, rounds=True)
    check(tmp_path / "continued", undisturbed)
    for first in (GAMES - 30, 0):
        collect(tmp_path / "backwards", run, GAMES - first, first_index=first, rounds=True)
    check(tmp_path / "backwards", undisturbed)
    collect(tmp_path / "a", run, BLOCK_GAMES + 50, rounds=True)
    collect(tmp_path / "b", run, GAMES - BLOCK_GAMES, first_index=BLOCK_GAMES, rounds=True)
    for _ in range(2):
        combine([tmp_path / "b", tmp_path / "a"], tmp_path / "both")
        check(tmp_path / "both", undisturbed)


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("moment", range(1, 9))
def test_death_between_rows_and_counts(run: Run, undisturbed, tmp_path, monkeypatch, moment):
    """The process dies at one of the renames, of rows or of counts, and writes nothing after."""
    renames = [0]
    real = Path.replace

    def replace(path: Path, target: Path) -> None:
        renames[0] += 1
        if renames[0] >= moment:
            raise Killed
        real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(writer, "FLUSH_SECONDS", -1)
    with pytest.raises(Killed):
        collect(tmp_path, run, GAMES, rounds=True)
    monkeypatch.undo()
    collect(tmp_path, run, GAMES, rounds=True)
    check(tmp_path, undisturbed)


def test_rounds_that_are_not_counted_are_dropped(run: Run, tmp_path: Path) -> None:
    collect(tmp_path, run, 5000, rounds=True)
    [counts] = tmp_path.glob("counts-*")
    counts.unlink()  # as after a kill before the first counts
    collect(tmp_path, run, 100, rounds=True)
    assert read_rows(tmp_path).collect()["game"].to_list() == [*range(100)]


@pytest.mark.parametrize("line", ["counts", "rounds", "complete"])
@pytest.mark.parametrize("moment", [1, 3])
def test_an_interrupt_between_rounds_and_counts_loses_nothing(
    run: Run, undisturbed, tmp_path: Path, monkeypatch, line: str, moment: int
) -> None:
    """Ctrl-C may come between any two lines of the writer."""
    place = {
        "counts": (Ledger, "add"),
        "rounds": (RowFiles, "add"),
        "complete": (RowFiles, "write_if_complete"),
    }[line]
    real = getattr(*place)
    calls = [0]

    def interrupted(*arguments):
        calls[0] += 1
        if calls[0] == moment:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(*place, interrupted)
    folder = tmp_path / "a"
    with pytest.raises(KeyboardInterrupt):
        collect(folder, run, GAMES, rounds=True)
    monkeypatch.undo()
    kept = read(folder)
    if kept.run is not None:
        rounds = read_rows(folder).collect()
        assert rounds["game"].n_unique() == kept.ledger.games
    collect(folder, run, GAMES, rounds=True)
    check(folder, undisturbed)
    assert combine([folder], tmp_path / "b")[1].hash == undisturbed[0]


def test_an_interrupted_combination_has_no_counts_without_rounds(
    run: Run, tmp_path: Path, monkeypatch
) -> None:
    games = segment_games(run) + 100
    collect(tmp_path / "a", run, games, rounds=True)
    real, calls = RowFiles.replace, [0]

    def interrupted(files: RowFiles, rows: pl.DataFrame) -> None:
        calls[0] += 1
        if calls[0] == 2:
            raise KeyboardInterrupt
        real(files, rows)

    monkeypatch.setattr(RowFiles, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        combine([tmp_path / "a"], tmp_path / "b")
    monkeypatch.undo()
    assert read(tmp_path / "b").ledger.games == 0
    assert combine([tmp_path / "a"], tmp_path / "b")[1].hash == read(tmp_path / "a").hash
    assert read_rows(tmp_path / "b").collect().equals(read_rows(tmp_path / "a").collect())


def test_rounds_that_are_not_counted_are_not_read(run: Run, tmp_path: Path) -> None:
    collect(tmp_path, run, 1000, rounds=True)
    [counts] = tmp_path.glob("counts-*")
    older = counts.read_bytes()
    collect(tmp_path, run, 3000, rounds=True)
    counts.write_bytes(older)  # as after a kill between rounds and counts
    assert read(tmp_path).ledger.games == 1000
    assert read_rows(tmp_path).collect()["game"].unique().to_list() == [*range(1000)]


def test_other_rounds_than_those_counted_do_not_combine(run: Run, tmp_path: Path) -> None:
    collect(tmp_path / "a", run, 500, rounds=True)
    [path] = (tmp_path / "a").glob("rows-*")
    text = pl.read_parquet_metadata(path)["red7sim"]
    head = json.loads(text) | {"seal": "0" * 64}
    rows = pl.read_parquet(path).with_columns(pl.col("turns") + 1)
    content = io.BytesIO()
    rows.write_parquet(content, metadata={"red7sim": json.dumps(head)})
    path.write_bytes(sealed(content.getvalue()))
    with pytest.raises(DatasetError, match="rounds are not those of its counts"):
        combine([tmp_path / "a"], tmp_path / "b")


@pytest.mark.parametrize("fault", ["is missing", "lacks rounds"])
def test_rounds_that_are_lost_are_noticed(run: Run, tmp_path: Path, fault: str) -> None:
    for name, games in (("a", 500), ("older", 499), ("whole", 600)):
        collect(tmp_path / name, run, games, rounds=True)
    [path] = (tmp_path / "a").glob("rows-*")
    if fault == "is missing":
        path.unlink()
    else:
        path.write_bytes((tmp_path / "older" / path.name).read_bytes())
    found = f"{path.name} {fault}.* move counts-000000000000.parquet elsewhere"
    with pytest.raises(DatasetError, match=found):
        read_rows(tmp_path / "a")
    with pytest.raises(DatasetError, match=found):
        combine([tmp_path / "a"], tmp_path / "b")
    with pytest.raises(DatasetError, match=found):
        collect(tmp_path / "a", run, 600, rounds=True)
    [counts] = (tmp_path / "a").glob("counts-*")
    counts.unlink()
    collect(tmp_path / "a", run, 600, rounds=True)
    check(tmp_path / "a", (read(tmp_path / "whole").hash, read_rows(tmp_path / "whole").collect()))


def test_a_lost_file_of_a_complete_segment_is_noticed(run: Run, tmp_path: Path) -> None:
    games = segment_games(run) + 1
    collect(tmp_path, run, games, rounds=True)
    (tmp_path / "rows-000000000000.parquet").unlink()
    for look in (
        lambda: read_rows(tmp_path),
        lambda: collect(tmp_path, run, games + 1, rounds=True),
        lambda: combine([tmp_path], tmp_path.parent / "joined"),
    ):
        with pytest.raises(DatasetError, match=r"rows-000000000000.parquet is missing"):
            look()


def test_indices_of_many_digits_are_read_again(run: Run, tmp_path: Path) -> None:
    first = MAX_INDEX - 200
    for games in (100, 200):
        collect(tmp_path, run, games, first, rounds=True)
    assert read_rows(tmp_path).collect()["game"].unique().to_list() == [*range(first, first + 200)]


def test_a_folder_may_be_named_like_a_pattern(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "a[1]*?"
    collect(folder, run, 10, rounds=True)
    assert read_rows(folder).collect()["game"].n_unique() == 10


def test_rounds_of_another_run_are_refused(run: Run, tmp_path: Path) -> None:
    collect(tmp_path / "a", run, 50, rounds=True)
    collect(tmp_path / "other", Run(run.rules, run.players, run.seed + 1), 50, rounds=True)
    [path] = (tmp_path / "a").glob("rows-*")
    path.write_bytes((tmp_path / "other" / path.name).read_bytes())
    with pytest.raises(DatasetError, match="are different runs, seed"):
        read_rows(tmp_path / "a")


def test_with_and_without_rows_do_not_mix(run: Run, tmp_path: Path) -> None:
    collect(tmp_path / "with", run, 10, rounds=True)
    collect(tmp_path / "without", run, 10)
    with pytest.raises(DatasetError, match="was written with rows"):
        collect(tmp_path / "with", run, 20)
    with pytest.raises(DatasetError, match="was written without rows"):
        collect(tmp_path / "without", run, 20, rounds=True)
    with pytest.raises(DatasetError, match="one with rows, one without"):
        combine([tmp_path / "with", tmp_path / "without"], tmp_path / "both")
    with pytest.raises(DatasetError, match="holds no rounds"):
        read_rows(tmp_path / "without")
    assert read(tmp_path / "with").hash != read(tmp_path / "without").hash


def test_rounds_in_memory_are_those_on_disk(run: Run, undisturbed) -> None:
    outcome, rounds = play_recorded(run, GAMES)
    assert rounds.equals(undisturbed[1])
    assert (outcome.tally == play(run, GAMES).tally).all()


def test_files_of_longer_games_hold_fewer_of_them() -> None:
    sizes = [
        segment_games(Run(rules, ("random",) * rules.players, 1, design))
        for rules, design in (
            (preset("basic", 2), "none"),
            (preset("advanced", 2), "none"),
            (preset("advanced", 4), "all"),
        )
    ]
    assert np.all(np.diff(sizes) <= 0)
    assert all(size % BLOCK_GAMES == 0 for size in sizes)


def test_the_documentation_lists_every_column() -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "dataset.md").read_text()
    derived = ("_squared", "_times_rounds")
    columns = [c for c in count_columns(3, rounds=True) if not c.name.endswith(derived)]
    for column in columns + round_columns(4, 2):
        line = f"| `{column.name}` | {column.dtype} | {column.unit} | {column.meaning} |"
        assert line in text
