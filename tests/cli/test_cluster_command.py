"""`--cluster` and `red7sim cluster local` from outside."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import command_options

from red7sim.cli.app import run
from red7sim.jit.rng import STREAM_VERSION
from red7sim.lab.cluster import _Workers, software

LOCAL = [sys.executable, "-m", "red7sim", "cluster", "local", "--workers"]


def test_who_takes_threads_takes_a_cluster_too_but_for_the_benchmark() -> None:
    names = {
        command: {option.opts[0] for option in options}
        for command, options in command_options().items()
    }
    takers = {command for command in names if "--cluster" in names[command]}
    assert takers == {command for command in names if "--threads" in names[command]} - {"bench"}


@contextmanager
def local_cluster(workers: int):
    """The command in a process group of its own, which is ended in any case."""
    started = subprocess.Popen(
        [*LOCAL, f"{workers}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield started
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
        started.communicate()


@pytest.fixture(scope="module")
def address():
    with local_cluster(2) as started:
        yield started.stdout.readline().split()[-1]


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run([*arguments])
    out, err = capsys.readouterr()
    return status, out, err


def played(capsys, *arguments: str) -> dict:
    status, out, err = call(capsys, *arguments, "--json", "--quiet")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    for name in [key for key in answer if key.endswith("_s")]:
        del answer[name]
    return answer


@pytest.mark.parametrize(
    "command",
    [
        ("simulate", "--games", "20_000", "--players", "3"),
        ("simulate", "--target-half-width", "0.02", "--max-games", "100_000"),
        ("match", "leads", "random", "--games", "500"),
        ("solve", "--deals", "200"),
        ("first-player", "--games", "300"),
        ("tournament", "--games", "50", "--player", "leads", "--player", "random"),
        ("balance", "cards", "--games", "3_000"),
        ("balance", "folding", "--games", "3", "--players", "2", "--minimum", "0"),
    ],
    ids=" ".join,
)
def test_the_answer_is_that_of_threads(capsys, address: str, command: tuple[str, ...]) -> None:
    assert played(capsys, *command, "--cluster", address) == played(capsys, *command)


def test_ctrl_c_ends_the_cluster_quietly() -> None:
    with local_cluster(2) as started:
        first, second = (started.stdout.readline() for _ in range(2))
        address = first.split()[-1]
        assert second == f"Let them play: red7sim simulate --cluster {address}\n"
        os.killpg(started.pid, signal.SIGINT)  # as a terminal does, to all of them
        out, err = started.communicate()  # until nobody holds these pipes: all have ended
        assert (started.returncode, out, err) == (0, "", "Ctrl-C ends them.\n")


def test_sigterm_ends_it_too() -> None:
    with local_cluster(1) as started:
        started.stdout.readline()
        started.terminate()
        assert started.wait() == 0


@pytest.mark.parametrize("out", [False, True])
def test_a_scheduler_that_goes_away_is_told_with_what_to_do(
    capsys, tmp_path: Path, monkeypatch, out: bool
) -> None:
    kept = ("--out", str(tmp_path / "kept")) if out else ()
    with local_cluster(1) as started:
        address = started.stdout.readline().split()[-1]

        def killing(crew, future):
            if crew._answers == 3:
                os.killpg(started.pid, signal.SIGKILL)
                started.wait()
            return wait(crew, future)

        wait = _Workers._wait
        monkeypatch.setattr(_Workers, "_wait", killing)
        command = ("simulate", "--games", "300_000", *kept)
        status, printed, err = call(capsys, *command, "--cluster", address)
    assert (status, printed) == (1, "")
    what = "continue" if out else "nothing was kept, start again"
    again = " ".join(["red7sim", *command])
    assert err == f"red7sim: the scheduler at {address} is gone; {what} with: {again}\n"
    if out:
        answer = json.loads(call(capsys, *command, "--json")[1])
        whole = json.loads(call(capsys, *command[:3], "--json")[1])
        assert answer["seats"] == whole["seats"]
        assert 0 < answer["dataset"]["played"] < 300_000


def test_wrong_usage_is_one_line(capsys, monkeypatch) -> None:
    status, out, err = call(capsys, "simulate", "--cluster", "here")
    assert (status, out) == (2, "")
    assert err.startswith("red7sim: cluster 'here' is not an address; allowed: HOST:PORT")
    status, _, err = call(capsys, "skill", "--cluster", "here:1", "--threads", "2")
    assert status == 2
    assert err == "red7sim: --threads does not go with --cluster, whose workers have their own\n"
    status, _, err = call(capsys, "cluster", "local", "--workers", "0")
    assert (status, err) == (2, "red7sim: --workers 0 is not allowed; allowed: 1..1024\n")
    monkeypatch.setattr("red7sim.lab.cluster.CONNECT_SECONDS", 1)
    status, _, err = call(capsys, "simulate", "--cluster", "127.0.0.1:1")
    assert status == 2
    assert err == "red7sim: no Dask scheduler answers at 127.0.0.1:1 within 1 s\n"


def test_workers_with_other_software_are_refused_content(capsys, address, monkeypatch) -> None:
    monkeypatch.setattr("red7sim.lab.cluster.STREAM_VERSION", 99)
    software.cache_clear()
    status, out, err = call(capsys, "simulate", "--cluster", address)
    software.cache_clear()
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert (
        f"the scheduler has stream version {STREAM_VERSION}, and stream version 99 is asked for"
        in err
    )


def test_without_dask_one_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text("raise ImportError('No module named distributed')")
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    for command in (("simulate", "--cluster", "here:80"), ("cluster", "local")):
        done = subprocess.run(
            [sys.executable, "-m", "red7sim", *command],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr == (
            "red7sim: a cluster needs dask.distributed; install it with: "
            "pip install 'red7sim[cluster]'\n"
        )
