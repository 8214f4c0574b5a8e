"""Runs on disk: continued, killed, joined, damaged; the contents are always those of one run."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab import files, writer
from red7sim.lab.collect import collect, combine
from red7sim.lab.columns import MEASURES, count_columns
from red7sim.lab.dataset import DatasetError, read, read_rows
from red7sim.lab.files import FileError
from red7sim.lab.ledger import BLOCK_GAMES, Piece
from red7sim.lab.provenance import Clock, provenance
from red7sim.lab.runs import Run, play
from red7sim.lab.solving import PerfectRun
from red7sim.lab.writer import open_writer

GAMES = 3 * BLOCK_GAMES + 1000


@pytest.fixture(scope="module")
def run() -> Run:
    return Run(preset("basic", 3), ("random", "leads", "greedy"), seed=11)


@pytest.fixture(scope="module")
def undisturbed(run: Run, tmp_path_factory) -> str:
    """The hash of a run that was played in one go."""
    return collect(tmp_path_factory.mktemp("undisturbed") / "d", run, GAMES)[1].hash


def test_a_dataset_counts_what_play_counts(run: Run, undisturbed: str, tmp_path: Path) -> None:
    outcome, kept = collect(tmp_path / "new" / "folder", run, GAMES)
    assert (outcome.tally == play(run, GAMES).tally).all()
    assert (outcome.games, outcome.played) == (GAMES, GAMES)
    assert kept.hash == undisturbed == read(tmp_path / "new" / "folder").hash


def test_asking_again_plays_nothing(run: Run, tmp_path: Path) -> None:
    collect(tmp_path, run, GAMES)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    outcome, _ = collect(tmp_path, run, GAMES)
    assert (outcome.games, outcome.played) == (GAMES, 0)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_asking_for_more_continues(run: Run, undisturbed: str, tmp_path: Path) -> None:
    for games, new in ((100, 100), (150, 50), (BLOCK_GAMES + 1, BLOCK_GAMES - 149), (GAMES, None)):
        outcome, kept = collect(tmp_path, run, games)
        assert new is None or outcome.played == new
    assert kept.hash == undisturbed


def test_a_range_in_the_middle_is_filled_around(run: Run, undisturbed: str, tmp_path) -> None:
    collect(tmp_path, run, 1000, first_index=20_000)
    outcome, kept = collect(tmp_path, run, GAMES)
    assert outcome.played == GAMES - 1000
    assert kept.hash == undisturbed


def test_parts_combine_to_the_whole(run: Run, undisturbed: str, tmp_path: Path) -> None:
    cut = BLOCK_GAMES + 123
    one, two, whole = (tmp_path / name for name in ("one", "two", "whole"))
    collect(one, run, cut)
    collect(two, run, GAMES - cut, first_index=cut)
    for _ in range(2):
        outcome, kept = combine([two, one, two], whole)
        assert kept.hash == undisturbed
        assert (outcome.tally == play(run, GAMES).tally).all()
    assert combine([one, whole], tmp_path / "again")[1].hash == undisturbed


@pytest.mark.parametrize("design", ["none", "rotate", "all", "force-start"])
def test_every_design_can_be_kept(design: str, tmp_path: Path) -> None:
    run = Run(preset("advanced", 2), ("random", "leads"), 3, design)
    outcome, _ = collect(tmp_path, run, 300)
    kept = read(tmp_path)
    assert kept.run == run
    assert (kept.ledger.add_to(run.empty_tally()) == outcome.tally).all()


def test_the_hash_covers_counts_and_identity_but_no_provenance(
    run: Run, tmp_path: Path, monkeypatch
) -> None:
    hashes = [
        collect(tmp_path / "a", run, 100)[1].hash,
        collect(tmp_path / "b", Run(run.rules, run.players, 12), 100)[1].hash,
        collect(tmp_path / "c", run, 101)[1].hash,
    ]
    assert len(set(hashes)) == 3
    monkeypatch.setattr(writer, "provenance", lambda *_: {"elsewhere": True})
    assert collect(tmp_path / "d", run, 100)[1].hash == hashes[0]


def test_unlike_runs_are_refused_with_the_field_that_differs(run: Run, tmp_path: Path) -> None:
    collect(tmp_path / "a", run, 10)
    others = {
        "seed: 11 against 12": Run(run.rules, run.players, 12),
        'players: .*"greedy"': Run(run.rules, ("random", "leads", "leads"), 11),
        "rules.hand_size: 7 against 5": Run(run.rules.changed({"hand_size": 5}), run.players, 11),
        'design: "none" against "rotate"': Run(run.rules, run.players, 11, "rotate"),
    }
    for i, (culprit, other) in enumerate(others.items()):
        collect(tmp_path / str(i), other, 10)
        with pytest.raises(DatasetError, match=culprit):
            combine([tmp_path / "a", tmp_path / str(i)], tmp_path / "out")
        with pytest.raises(DatasetError, match=culprit):
            collect(tmp_path / str(i), run, 10)


def test_another_stream_version_is_refused(run: Run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("red7sim.lab.runs.STREAM_VERSION", 99)
    collect(tmp_path, run, 10)
    monkeypatch.undo()
    with pytest.raises(DatasetError, match="stream_version 99"):
        collect(tmp_path, run, 10)


def test_overlapping_blocks_that_differ_are_refused(run: Run, tmp_path: Path) -> None:
    """A planted fault: one of two datasets has other games under the same identity."""
    collect(tmp_path / "a", run, 100)
    wrong = Run(run.rules, run.players, 12)
    with open_writer(tmp_path / "b", run) as opened:
        opened.add(Piece(0, 100, play(wrong, 100).tally))
    with pytest.raises(DatasetError, match=r"games 0\.\.99 .*different results"):
        combine([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    collect(tmp_path / "d", run, 50)
    with pytest.raises(DatasetError, match=r"games 0\.\.99 .*different results"):
        combine([tmp_path / "d", tmp_path / "b"], tmp_path / "e")
    assert combine([tmp_path / "d", tmp_path / "a"], tmp_path / "f")[0].games == 100


def test_a_folder_without_a_dataset_does_not_combine(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="holds no dataset"):
        combine([tmp_path / "absent"], tmp_path / "out")


# --- what goes wrong on disks


def test_a_foreign_file_is_refused(run: Run, tmp_path: Path) -> None:
    collect(tmp_path, run, 100)
    good = read(tmp_path).hash
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(DatasetError, match=r"thesis\.txt"):
        collect(tmp_path, run, 200)
    assert (tmp_path / "thesis.txt").read_text() == "precious"
    (tmp_path / "thesis.txt").unlink()
    assert read(tmp_path).hash == good
    foreign = tmp_path / "other"
    foreign.mkdir()
    pl.DataFrame({"a": [1]}).write_parquet(foreign / "counts-000000000000.parquet")
    with pytest.raises(DatasetError, match="no file of red7sim; move it elsewhere"):
        collect(foreign, run, 200)


def test_a_file_in_place_of_the_folder_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="file"):
        collect(tmp_path / "file", run, 100)


def rewritten(path: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Write a file anew with another frame and what it said of itself."""
    head = pl.read_parquet_metadata(path)
    change(pl.read_parquet(path)).write_parquet(path, metadata={"red7sim": head["red7sim"]})


@pytest.mark.parametrize("kind", ["counts", "rows"])
@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame,
        lambda frame: frame.with_columns(pl.col("turns") + 1),
        lambda frame: frame.select(reversed(frame.columns)),
    ],
)
def test_what_another_program_has_written_is_refused(
    run: Run, tmp_path: Path, kind: str, change: Callable[[pl.DataFrame], pl.DataFrame]
) -> None:
    collect(tmp_path, run, 50, rounds=True)
    [path] = tmp_path.glob(f"{kind}-*")
    rewritten(path, change)
    with pytest.raises(DatasetError, match=rf"{kind}-0+\.parquet is damaged"):
        collect(tmp_path, run, 100, rounds=True)
    with pytest.raises(DatasetError, match=rf"{kind}-0+\.parquet is damaged"):
        read_rows(tmp_path)


def test_files_of_another_format_are_refused(run: Run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(writer, "DATASET_FORMAT", 1)
    collect(tmp_path, run, 50)
    with pytest.raises(DatasetError, match="is of format 1; this program reads format 2; move"):
        read(tmp_path)


def test_a_truncated_or_altered_file_is_refused_and_left(run: Run, tmp_path: Path) -> None:
    collect(tmp_path, run, 100)
    [path] = tmp_path.glob("counts-*")
    content = path.read_bytes()
    altered = content[:99] + bytes([content[99] ^ 1]) + content[100:]
    for damaged in (b"", content[:3], content[: len(content) // 2], content[:-1], altered):
        path.write_bytes(damaged)
        with pytest.raises(DatasetError, match=r"counts-0+\.parquet is damaged"):
            collect(tmp_path, run, 200)
        assert path.read_bytes() == damaged


def test_a_full_disk_leaves_the_good_part(run: Run, tmp_path: Path, monkeypatch) -> None:
    collect(tmp_path, run, 100)
    good = read(tmp_path).hash

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(FileError, match=r"counts-.*No space left on device"):
        collect(tmp_path, run, 200)
    monkeypatch.undo()
    assert read(tmp_path).hash == good
    assert not [*tmp_path.glob(".writing-*")]


def test_two_writers_are_kept_apart(run: Run, tmp_path: Path) -> None:
    with open_writer(tmp_path, run):
        command = (
            "from pathlib import Path; import sys; "
            "from red7sim.lab.writer import open_writer; "
            "from red7sim.lab.runs import Run; from red7sim.game.ruleset import preset; "
            "run = Run(preset('basic', 3), ('random', 'leads', 'greedy'), 11)\n"
            "with open_writer(Path(sys.argv[1]), run): pass"
        )
        done = subprocess.run(
            [sys.executable, "-c", command, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert "is being written by another process" in done.stderr


def test_an_interrupt_keeps_what_was_played(run: Run, undisturbed: str, tmp_path: Path) -> None:
    done: list[int] = []

    def interrupt(games: int) -> None:
        done.append(games)
        if len(done) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(tmp_path, run, GAMES, progress=interrupt)
    held = read(tmp_path).ledger.games
    assert 0 < held < GAMES
    outcome, kept = collect(tmp_path, run, GAMES)
    assert outcome.played == GAMES - held
    assert kept.hash == undisturbed


class Killed(BaseException):
    """Stands for the end of the process: nothing after it is carried out."""


@pytest.mark.parametrize("moment", ["before the rename", "within the write", "after the rename"])
@pytest.mark.parametrize("flush", [0, 1, 3])
def test_death_while_writing(
    run: Run, undisturbed: str, tmp_path: Path, monkeypatch, moment: str, flush: int
) -> None:
    """Every piece is flushed; the process dies in one of the flushes and leaves its files."""
    replaced = [0]
    real = Path.replace

    def replace(path: Path, target: Path) -> None:
        replaced[0] += 1
        if replaced[0] != flush + 1:
            real(path, target)
            return
        if moment == "within the write":
            path.write_bytes(path.read_bytes()[:40])
        if moment == "after the rename":
            real(path, target)
        raise Killed

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)
    monkeypatch.setattr(writer, "FLUSH_SECONDS", -1)
    monkeypatch.setattr(writer.Writer, "flush", _flush_once_dead(writer.Writer.flush))
    with pytest.raises(Killed):
        collect(tmp_path, run, GAMES)
    monkeypatch.undo()
    assert collect(tmp_path, run, GAMES)[1].hash == undisturbed
    assert not [*tmp_path.glob(".writing-*")]


def _flush_once_dead(flush):
    dead = []

    def flush_alive(living):
        if not dead:
            try:
                flush(living)
            except Killed:
                dead.append(True)
                raise

    return flush_alive


KILLED_RUN = """
import os, signal, sys
from pathlib import Path
from red7sim.game.ruleset import preset
from red7sim.lab import writer
from red7sim.lab.collect import collect
from red7sim.lab.runs import Run

folder, games, at_rename, rounds = Path(sys.argv[1]), *map(int, sys.argv[2:])
writer.FLUSH_SECONDS = 0.01
real = Path.replace
def replace(path, target):
    global at_rename
    at_rename -= 1
    if at_rename == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    real(path, target)
Path.replace = replace
run = Run(preset("basic", 3), ("random", "leads", "greedy"), 11)
print("ready", flush=True)
print(collect(folder, run, games, rounds=bool(rounds))[1].hash)
"""


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [False, True])
def test_fifty_kills_change_nothing(tmp_path: Path, run: Run, rounds: bool) -> None:
    """Kills at random moments of the run, every third between a write and its rename."""
    games = (20 if rounds else 40) * BLOCK_GAMES + 17
    expected = collect(tmp_path / "undisturbed", run, games, rounds=rounds)[1].hash
    chance = random.Random(1)
    kills = attempt = finished = 0
    while kills < 50:
        attempt += 1
        # Five kills in a row for a folder, or as many as it takes until it is complete.
        folder = tmp_path / f"killed-{kills // 5}-{finished}"
        at_rename = chance.randint(1, 12) if kills % 3 == 0 else 0
        numbers = map(str, (games, at_rename, int(rounds)))
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED_RUN, str(folder), *numbers],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout.readline() == "ready\n"
        if not at_rename:
            time.sleep(chance.uniform(0, 0.5))
            process.kill()
        rest = process.communicate()[0]
        if process.returncode == -signal.SIGKILL:
            kills += 1
        else:  # it was quicker than its killer
            assert rest.strip() == expected
            finished += 1
        assert attempt < 500
    for folder in tmp_path.glob("killed-*"):
        assert collect(folder, run, games, rounds=rounds)[1].hash == expected
        if rounds:
            whole = read_rows(tmp_path / "undisturbed").collect()
            assert read_rows(folder).collect().equals(whole)


def test_every_file_says_where_it_comes_from(run: Run, tmp_path: Path) -> None:
    collect(tmp_path, run, 100)
    collect(tmp_path, run, 200)
    [path] = tmp_path.glob("counts-*")
    head = json.loads(pl.read_parquet_metadata(path)["red7sim"])
    assert head["run"] == run.as_json()
    assert len(head["provenance"]) == 2
    record = head["provenance"][-1]
    assert [*record] == [
        "schema_version",
        "software",
        "parameters",
        "environment",
        "resources",
    ]
    assert record["software"]["name"] == "red7sim"
    assert record["parameters"]["run"]["seed"] == 11
    assert set(record["environment"]) == {"os", "python", "libraries"}
    assert record["resources"]["max_memory"] > 10**6


def test_a_file_names_the_command_that_has_written_it(tmp_path: Path) -> None:
    solved = PerfectRun(preset("basic", 2))
    collect(tmp_path / "solved", solved, 5, command="solve")
    collect(tmp_path / "played", Run(preset("basic", 2), ("random",) * 2), 5)
    for folder in ("solved", "played"):
        combine([tmp_path / folder], tmp_path / f"combined-{folder}")
    for folder, command in (
        ("solved", "solve"), ("played", "simulate"),
        ("combined-solved", "combine"), ("combined-played", "combine"),
    ):  # fmt: skip
        [[record]] = read(tmp_path / folder).provenances.values()
        assert record["parameters"]["command"] == command


def test_all_times_of_a_record_are_since_its_beginning() -> None:
    def work(seconds: float) -> None:
        while sum(os.times()[:2]) < seconds:
            pass

    work(sum(os.times()[:2]) + 0.3)
    began = Clock()
    work(sum(os.times()[:2]) + 0.1)
    resources = provenance({}, began)["resources"]
    used = resources["user_time"] + resources["sys_time"]
    assert 0.09 <= used < 0.3
    assert used <= resources["elapsed_time"] + 0.05


def test_a_file_that_cannot_be_removed_is_refused(run: Run, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "a" / ".writing-1").mkdir(parents=True)
    with pytest.raises(FileError, match=r"\.writing-1: "):
        collect(tmp_path / "a", run, 10)
    collect(tmp_path / "b", run, 10, rounds=True)
    [counts] = (tmp_path / "b").glob("counts-*")
    counts.unlink()

    def refuse(path: Path, missing_ok: bool = False) -> None:  # noqa: ARG001
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(FileError, match=r"rows-0+\.parquet: Permission denied"):
        collect(tmp_path / "b", run, 10, rounds=True)


@pytest.mark.parametrize("rows", [3, 4])
def test_every_column_is_documented_with_its_unit(rows: int) -> None:
    columns = count_columns(rows)
    assert len({column.name for column in columns}) == len(columns) == 2 + rows * len(MEASURES)
    for column in columns:
        assert column.unit
        assert column.meaning.endswith(".")
    unit = columns[1].unit
    assert unit == ("games" if rows == 3 else "deals")


def test_a_reader_with_polars_alone_finds_the_figures(run: Run, tmp_path: Path) -> None:
    outcome, _ = collect(tmp_path, run, GAMES)
    counts = pl.scan_parquet(tmp_path / "counts-*.parquet").sum().collect()
    assert counts["games"].item() == GAMES
    for i, (name, _, _) in enumerate(MEASURES):
        assert counts[name].item() == outcome.tally[0, i]
        assert counts[name + "_squared"].item() == outcome.tally[1, i]
        assert counts[name + "_times_rounds"].item() == outcome.tally[2, i]
