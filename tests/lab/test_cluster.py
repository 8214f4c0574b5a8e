"""Runs on a real cluster of two worker processes: the same counts, whatever happens to them."""

import asyncio
import os
import pickle
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from distributed import Client, KilledWorker
from fragile import Fragile

import red7sim
from red7sim.game.notation import parse_position
from red7sim.game.ruleset import preset
from red7sim.jit.cache import source_hash
from red7sim.lab.cluster import (
    LostError,
    MismatchError,
    UnreachableError,
    WorkerError,
    _Workers,
    cluster,
    local_cluster,
    play_sent,
    software,
)
from red7sim.lab.collect import collect
from red7sim.lab.common import CommonDeals
from red7sim.lab.dataset import read
from red7sim.lab.detailed import Detailed
from red7sim.lab.ledger import BLOCK_GAMES, Ledger
from red7sim.lab.match import Match
from red7sim.lab.pieces import Task, hired, is_hired, play_pieces, play_total
from red7sim.lab.rows import Recorded
from red7sim.lab.runs import Run, RunError, play
from red7sim.lab.solving import PerfectRun
from red7sim.lab.spread import Replayed
from red7sim.lab.starting import run_from_position
from red7sim.lab.stopping import PrecisionTarget, play_to_target
from red7sim.lab.studies.seat_rounds import SeatRounds
from red7sim.lab.studies.skill import Judged
from red7sim.lab.studies.tournament import Field
from red7sim.lab.writer import Writer

GAMES = 3 * BLOCK_GAMES + 100

RUN = Run(preset("advanced", 3), ("random", "leads", "greedy"), seed=11)
BASIC = Run(preset("basic", 2), ("leads", "random"), seed=5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder where the workers find modules."""
    folder = tmp_path_factory.mktemp("modules")
    sys.path.append(str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def address(folder):
    assert str(folder) in sys.path  # workers take it over
    with local_cluster(2) as address:
        yield address


@contextmanager
def process(*arguments: str, **options):
    """A process that is ended in any case."""
    started = subprocess.Popen([sys.executable, *arguments], text=True, **options)
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


@contextmanager
def remote_cluster():
    """A cluster of one worker whose scheduler is a process of its own, and its address."""
    command = ("-m", "red7sim", "cluster", "local", "--workers", "1")
    with process(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as started:
        yield started, started.stdout.readline().split()[-1]


def test_it_counts_the_same(address) -> None:
    expected = play(RUN, GAMES).tally
    with cluster(address):
        assert (play(RUN, GAMES).tally == expected).all()
        assert (play(RUN, 100, first_index=GAMES).tally != expected).any()


@pytest.mark.parametrize("rounds", [False, True])
def test_datasets_are_the_same_to_their_hash(address, tmp_path: Path, rounds: bool) -> None:
    _, local = collect(tmp_path / "threads", RUN, GAMES, rounds=rounds)
    with cluster(address):
        collect(tmp_path / "cluster", RUN, 1000, rounds=rounds)
        outcome, remote = collect(tmp_path / "cluster", RUN, GAMES, rounds=rounds)
    assert remote.hash == local.hash
    assert (remote.ledger.games, outcome.played) == (GAMES, GAMES - 1000)


POSITION = parse_position("g B5B7/R4R1 Y1Y7/?2")


@pytest.mark.parametrize(
    "playable",
    [
        Run(RUN.rules, RUN.players, 3, "rotate"),
        Recorded(RUN),
        Match(BASIC, Run(BASIC.rules, BASIC.players[::-1], 5)),
        CommonDeals((BASIC, Run(BASIC.rules.changed({"hand_size": "6"}), BASIC.players, 5))),
        Detailed(RUN),
        Replayed(RUN, 3),
        PerfectRun(preset("basic", 2)),
        run_from_position(POSITION, preset("basic", 2), ("leads", "leads")),
        SeatRounds(RUN),
        Judged(preset("basic", 2), ("leads",), 0),
        Field(("leads", "random"), 2, "basic", {}, 0),
    ],
    ids=lambda playable: type(playable).__name__,
)
def test_all_that_is_played_in_pieces_counts_the_same(address, playable) -> None:
    expected = play_total(playable, 0, 150)
    with cluster(address):
        assert (play_total(playable, 0, 150) == expected).all()


def test_it_stops_early_at_the_same_block_and_wastes_little(address, monkeypatch) -> None:
    def stop():
        target = PrecisionTarget(BASIC, 0.006, 0.95)
        return play_to_target(BASIC, target, 100 * BLOCK_GAMES)

    sent: list[Task] = []
    submit = _Workers.submit
    monkeypatch.setattr(
        _Workers, "submit", lambda crew, task: sent.append(task) or submit(crew, task)
    )
    monkeypatch.setattr("red7sim.lab.cluster.TASK_SECONDS", 0.01)
    expected = stop()
    with cluster(address):
        stopped = stop()
    assert BLOCK_GAMES < stopped.games == expected.games < 100 * BLOCK_GAMES
    assert (stopped.tally == expected.tally).all()
    taken = [task for task in sent if task.cuts[0][0] < stopped.games]
    assert len(sent) - len(taken) <= 2 * 2 + 1


def test_a_worker_that_is_killed_changes_nothing(address, tmp_path: Path) -> None:
    expected = play(BASIC, GAMES).tally
    fragile = Fragile(BASIC, 3000, tmp_path / "scar")
    (tmp_path / "scar").write_text("")  # not in this process, which prepares the run
    with cluster(address), closing(play_pieces(fragile, [(0, GAMES)])) as pieces:
        first = next(pieces)
        (tmp_path / "scar").unlink()
        played = [first, *pieces]
    assert (tmp_path / "scar").read_text() != str(os.getpid())
    ledger = Ledger()
    for piece in played:
        ledger.add(piece)
    assert ledger.ranges() == [(0, GAMES)]
    assert (ledger.add_to(BASIC.empty_tally()) == expected).all()


def test_a_task_that_is_played_twice_counts_once(address, tmp_path: Path, monkeypatch) -> None:
    _, expected = collect(tmp_path / "once", RUN, GAMES, rounds=True)
    submit = _Workers.submit
    twice = []

    def submit_twice(crew, task):
        answers = [submit(crew, task), submit(crew, task)]

        def take():
            first, second = (answer() for answer in answers)
            for piece, other in zip(first.pieces, second.pieces, strict=True):
                assert (piece.tally == other.tally).all()
                assert piece.checksum == other.checksum
                twice.append(piece)
            return first

        return take

    monkeypatch.setattr(_Workers, "submit", submit_twice)
    with cluster(address):
        _, played = collect(tmp_path / "twice", RUN, GAMES, rounds=True)
    assert played.hash == expected.hash
    assert sum(piece.games for piece in twice) == GAMES


def test_the_scheduler_goes_away_and_threads_go_on(tmp_path: Path, monkeypatch) -> None:
    games = 20 * BLOCK_GAMES
    _, expected = collect(tmp_path / "whole", BASIC, games)
    write = Writer.add
    written = []

    def add(writer, piece) -> None:
        write(writer, piece)
        written.append(piece)
        if len(written) == 3:
            scheduler.kill()
            scheduler.wait()

    with remote_cluster() as (scheduler, address), monkeypatch.context() as patch:
        patch.setattr(Writer, "add", add)
        lost = pytest.raises(LostError, match=f"scheduler at {address} is gone")
        with lost, cluster(address):
            collect(tmp_path / "cut", BASIC, games)
    kept = read(tmp_path / "cut").ledger
    assert kept.games == sum(piece.games for piece in written) < games
    outcome, resumed = collect(tmp_path / "cut", BASIC, games)
    assert outcome.played == games - kept.games
    assert resumed.hash == expected.hash


def test_workers_that_are_gone_for_good_are_told(address, monkeypatch) -> None:
    with cluster(address):
        monkeypatch.setattr(Client, "nthreads", lambda _: {})
        with pytest.raises(LostError, match="has lost all its workers"):
            play(BASIC, 10)


def test_a_task_that_ends_every_worker_is_told(address, monkeypatch) -> None:
    class Deadly:
        def result(self, **_):
            raise KilledWorker("task", None, 3)

    with cluster(address):
        monkeypatch.setattr(Client, "submit", lambda *_, **__: Deadly())
        with pytest.raises(LostError, match="one task has ended 4 workers"):
            play(BASIC, 10)


@pytest.mark.parametrize(
    "address", ["", "here", "http://here:80", "tcp://here", "here:99999", "a b:1"]
)
def test_addresses_that_are_none_are_refused(address: str) -> None:
    with pytest.raises(UnreachableError, match="is not an address; allowed: HOST:PORT"):
        cluster(address).__enter__()


@pytest.mark.parametrize("listens", [False, True])
def test_an_address_where_no_scheduler_answers_is_refused(listens: bool, monkeypatch) -> None:
    monkeypatch.setattr("red7sim.lab.cluster.CONNECT_SECONDS", 1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        if listens:
            other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(
            UnreachableError, match=f"no Dask scheduler answers at {address} within"
        ):
            cluster(address).__enter__()


def test_a_scheduler_without_workers_is_refused(monkeypatch) -> None:
    monkeypatch.setattr("red7sim.lab.cluster.CONNECT_SECONDS", 1)
    with local_cluster(0) as empty, pytest.raises(UnreachableError, match="has no workers"):
        cluster(empty).__enter__()


def test_a_worker_with_other_kernels_is_refused(tmp_path: Path) -> None:
    """His copy of the package differs by a comment."""
    package = Path(red7sim.__file__).parent
    shutil.copytree(package, tmp_path / "red7sim", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "red7sim" / "game" / "cards.py").open("a") as file:
        file.write("# another version\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "RED7SIM_CACHE_DIR": str(tmp_path)}
    with local_cluster(0) as address:
        command = ("-m", "dask", "worker", address, "--no-dashboard", "--nthreads", "1")
        with process(*command, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL):
            expected = (
                f"worker tcp://.* has kernel sources [0-9a-f]{{16}}, and kernel sources "
                f"{source_hash()} is asked for"
            )
            with pytest.raises(MismatchError, match=expected):
                cluster(address).__enter__()


def test_a_worker_refuses_a_task_for_other_software(address, monkeypatch) -> None:
    """As one does that has come later."""
    with cluster(address):
        monkeypatch.setattr("red7sim.lab.cluster.STREAM_VERSION", 99)
        software.cache_clear()
        with pytest.raises(MismatchError, match=r"version \d+, and stream version 99 is asked"):
            play(BASIC, 10)
    software.cache_clear()


def test_a_scheduler_or_worker_without_red7sim_is_named(address, monkeypatch) -> None:
    monkeypatch.setattr(Client, "run", lambda *_: {"tcp://a:1": None})
    with pytest.raises(MismatchError, match="worker tcp://a:1 has no red7sim"):
        cluster(address).__enter__()


PLAYER = """
from red7sim.game.turns import cheapest_turn
from red7sim.play.policy import Player

def choose(view, rules, own):
    for lane in range(view.lanes):
        if view.lane_turns[lane]:
            return cheapest_turn(view.lane_cards[lane], view.lane_turns[lane])
    return 0

mine = Player("mine", "Of a test.", choose)
# {comment}
"""


def test_players_from_outside_play_where_workers_find_them(address, folder: Path) -> None:
    (folder / "found.py").write_text(PLAYER.format(comment="one"))
    run = Run(BASIC.rules, ("found:mine", "random"))
    expected = play(run, 500).tally
    with cluster(address):
        assert (play(run, 500).tally == expected).all()


def test_other_players_from_outside_are_refused(address, folder: Path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(folder / "here")
    (folder / "here").mkdir()
    (folder / "here" / "unknown.py").write_text(PLAYER.format(comment="one"))
    (folder / "here" / "other.py").write_text(PLAYER.format(comment="one"))
    (folder / "other.py").write_text(PLAYER.format(comment="another"))
    for name, reason in (("unknown", "there is no module 'unknown'"), ("other", "is another one")):
        run = Run(BASIC.rules, (f"{name}:mine", "random"))
        with cluster(address), pytest.raises(MismatchError, match=reason):
            play(run, 10)


def test_a_crew_is_hired_for_a_context() -> None:
    """As the page of the cluster says: for its thread and copies, not for other threads."""

    async def in_a_task() -> bool:
        return await asyncio.create_task(asyncio.to_thread(is_hired))

    with ThreadPoolExecutor(1) as others, hired(lambda _: pytest.fail("nothing is played")):
        assert is_hired()
        assert asyncio.run(in_a_task())
        assert not others.submit(is_hired).result()
    assert not is_hired()


def test_threads_are_refused_beside_a_cluster(address) -> None:
    with cluster(address), pytest.raises(RunError, match="threads: 2 does not go with a cluster"):
        play(BASIC, 10, threads=2)


def test_runs_that_are_too_large_to_send_are_refused(address, monkeypatch) -> None:
    monkeypatch.setattr("red7sim.lab.cluster.MAX_RUN_BYTES", len(pickle.dumps(BASIC)) - 1)
    with cluster(address), pytest.raises(UnreachableError, match="bytes is not sent to a cluster"):
        play(BASIC, 10)


def test_an_error_of_a_worker_is_not_taken_for_one_of_the_connection(monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("red7sim.lab.cluster.play_task", full)
    sent = pickle.dumps(Run(preset("basic", 2), ("random", "random")))
    with pytest.raises(WorkerError, match=r"a worker has failed: OSError: .*No space left"):
        play_sent(sent, Task([(0, 5)], summed=True), software())
    assert issubclass(WorkerError, LostError)
