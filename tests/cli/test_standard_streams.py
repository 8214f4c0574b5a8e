"""Standard streams that are closed, full or of few letters; signals; commands as processes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from commands import interrupted

MODULE = f"{sys.executable} -m red7sim"


def shell(command: str, **environment: str) -> tuple[int, str, str]:
    """Run a command line of bash, in which RED7SIM stands for the command."""
    done = subprocess.run(
        ["bash", "-c", "set -o pipefail; " + command.replace("RED7SIM", MODULE)],
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("command", ["players", "rules --json", "--help", "--version"])
def test_a_full_disk_behind_standard_output_is_one_line(command: str) -> None:
    status, _, err = shell(f"RED7SIM {command} > /dev/full")
    assert (status, err) == (3, "red7sim: standard output: No space left on device\n")


def test_a_closed_standard_output_is_one_line() -> None:
    status, _, err = shell("RED7SIM rules --json >&-")
    assert (status, err) == (3, "red7sim: standard output: Bad file descriptor\n")


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """The first file opened would get the number of standard output, and its texts."""
    script = tmp_path / "opens.py"
    script.write_text(
        "from red7sim.cli.streams import prepare_streams\n"
        "prepare_streams()\n"
        f"assert open({str(tmp_path / 'new')!r}, 'w').fileno() > 2\n"
    )
    assert shell(f"{sys.executable} {script} <&- >&- 2>&-")[0] == 0


@pytest.mark.parametrize("target", ["/dev/full", "&-"])
def test_errors_that_nobody_can_be_told_of_keep_their_status(target: str) -> None:
    assert shell(f"RED7SIM rules --players 9 2>{target}") == (2, "", "")


def test_a_reader_of_help_who_leaves_is_no_error() -> None:
    assert shell("RED7SIM --help | true") == (0, "", "")


@pytest.mark.parametrize(
    ("command", "culprit"),
    [("analyze -", "standard input"), ("simulate --deals -", "- cannot be read")],
)
def test_a_closed_standard_input_is_one_line(command: str, culprit: str) -> None:
    status, out, err = shell(f"RED7SIM {command} <&-")
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert culprit in err


def test_letters_that_a_stream_does_not_know_are_written_as_their_numbers() -> None:
    status, out, err = shell("RED7SIM analyze 'R é R1/'", PYTHONIOENCODING="ascii")
    assert (status, out) == (3, "")
    assert err.startswith(r"red7sim: position 'R \xe9 R1/'")
    position = r"printf 'R \xff R1/R2\nR R1/R2 G1/G2\n'"
    status, out, err = shell(f"{position} | RED7SIM analyze - --json", PYTHONIOENCODING="utf-8")
    wrong, right = map(json.loads, out.splitlines())
    assert wrong["position"] == r"R \xff R1/R2"
    assert right["value"] == "win"
    assert (status, err.count("red7sim: ")) == (3, 1)


def test_a_folder_with_spaces_and_other_letters_is_kept_under_any_locale(tmp_path: Path) -> None:
    folder = tmp_path / "zwölf Spiele"
    command = f"RED7SIM simulate --games 100 --quiet --out '{folder}'"
    for locale in ({"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}):
        status, out, err = shell(command, **locale)
        assert (status, err) == (0, "")
        assert "Spiele" in out
    assert pl.read_parquet(folder / "counts-*.parquet")["games"].sum() == 100


@pytest.mark.parametrize(
    ("variable", "status"),
    [
        ({"NUMBA_NUM_THREADS": "0"}, 2),
        ({"NUMBA_NUM_THREADS": "x"}, 0),
        ({"NUMBA_CACHE_DIR": "/proc/none"}, 0),
        ({"NUMBA_THREADING_LAYER": "x"}, 0),
        ({"NUMBA_DISABLE_JIT": "1"}, 0),
        ({"RED7SIM_CACHE_DIR": "/proc/none", "NUMBA_DISABLE_JIT": "1"}, 0),
    ],
)
def test_variables_of_the_compiler_change_no_result(variable: dict[str, str], status: int) -> None:
    command = (
        "RED7SIM simulate --games 20 --json --quiet | sed 's/\"elapsed_s.*games_per_s[^,]*,//'"
    )
    expected = shell(command)
    assert expected[0] == 0
    found = shell(command, **variable)
    if status == 0:
        assert found[:2] == expected[:2]
    else:
        assert (found[0], found[1], found[2].count("\n")) == (status, "", 1)
        assert "NUMBA_" in found[2]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_keeps_what_it_has_and_says_how_to_go_on(tmp_path, number: int) -> None:
    folder = tmp_path / "run"
    arguments = ["simulate", "--games", "1_000_000_000", "--threads", "1", "--out", str(folder)]
    said = interrupted(arguments, folder, number)
    assert said.status == 130
    assert "continue with: red7sim " + " ".join(arguments) in said.err
    assert "Traceback" not in said.err
    assert pl.read_parquet(folder / "counts-*.parquet")["games"].sum() > 0


def test_a_run_under_nohup_outlives_its_terminal() -> None:
    code = (
        "import signal; from red7sim.cli.streams import end_by_interrupt; "
        "signal.signal(signal.SIGHUP, signal.SIG_IGN); end_by_interrupt(); "
        "signal.raise_signal(signal.SIGHUP)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
