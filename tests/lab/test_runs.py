from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from red7sim.game.ruleset import preset
from red7sim.lab import pieces, runs
from red7sim.lab.runs import Run, RunError, play
from red7sim.play.policy import PlayerError
from red7sim.play.tally import DRAWS, GAMES, POINTS, SEAT_WINS, SUM, TURNS

GAMES_PLAYED = 3000


@pytest.fixture(scope="module")
def run() -> Run:
    return Run(preset("advanced", 3), ("random", "leads", "greedy"), seed=11)


@pytest.fixture(scope="module")
def whole(run: Run):
    return play(run, GAMES_PLAYED, threads=1).tally


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_any_number_of_threads_counts_the_same(run: Run, whole, threads: int) -> None:
    assert (play(run, GAMES_PLAYED, threads=threads).tally == whole).all()


@pytest.mark.parametrize("block_games", [1, 7, 1000, 10**9])
def test_any_block_size_counts_the_same(run: Run, whole, block_games: int) -> None:
    assert (play(run, GAMES_PLAYED, block_games=block_games).tally == whole).all()


@settings(max_examples=10)
@given(cut=st.integers(1, GAMES_PLAYED - 1))
def test_a_run_cut_in_two_adds_up_to_the_whole(run: Run, whole, cut: int) -> None:
    first = play(run, cut).tally
    second = play(run, GAMES_PLAYED - cut, first_index=cut).tally
    assert (first + second == whole).all()


def test_a_shifted_cut_is_noticed(run: Run, whole) -> None:
    first = play(run, 1000).tally
    second = play(run, GAMES_PLAYED - 1000, first_index=1001).tally
    assert (first + second != whole).any()


def test_a_game_played_by_two_pieces_is_noticed(run: Run, whole, monkeypatch) -> None:
    """A planted fault: every piece but the first starts one game early."""
    tasks = pieces._tasks
    monkeypatch.setattr(
        pieces,
        "_tasks",
        lambda *cut: [(first - (first > 0), end) for first, end in tasks(*cut)],
    )
    assert (play(run, GAMES_PLAYED, block_games=1000).tally != whole).any()


def test_a_stream_without_the_game_index_is_noticed(run: Run, whole, monkeypatch) -> None:
    """A planted fault: every piece starts its games anew."""
    play_block = runs.seat(run.rules, run.players).play_block.__func__
    monkeypatch.setattr(
        "red7sim.play.table.Table.play_block",
        lambda table, seed, _first, games, tally: play_block(table, seed, 0, games, tally),
    )
    tally = play(run, GAMES_PLAYED, block_games=100).tally
    assert tally[SUM, GAMES] == GAMES_PLAYED
    assert (tally != whole).any()


def test_progress_counts_every_game_once(run: Run) -> None:
    done: list[int] = []
    play(run, 1234, progress=done.append)
    assert sum(done) == 1234


def test_an_error_in_a_piece_reaches_the_caller(run: Run) -> None:
    def fail(_games: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(run, 10**9, progress=fail)


def test_later_switches_leave_older_runs_their_identity(monkeypatch) -> None:
    """The id was computed before there was a `round_minimum`, in stream version 1."""
    monkeypatch.setattr(runs, "STREAM_VERSION", 1)
    run = Run(preset("advanced", 3), ("leads",) * 3, 7)
    assert run.run_id == "20cdbedf3b525e7791af0b82ea5207efa5aef7bdfca22143acf44b209ecd43a6"
    assert "round_minimum" not in run.as_json()["rules"]
    changed = Run(run.rules.changed({"round_minimum": 9}), run.players, 7)
    for kept in (run, changed):
        assert Run.from_json(kept.as_json()) == kept


def test_run_id_depends_on_the_games_alone(run: Run, monkeypatch) -> None:
    same = Run(preset("advanced", 3).changed({"end": "points:35"}), run.players, 11)
    assert same.run_id == run.run_id
    others = [
        Run(run.rules, run.players, 12),
        Run(run.rules, ("leads", "random", "greedy"), 11),
        Run(run.rules.changed({"start": "lowest_card"}), run.players, 11),
    ]
    assert len({run.run_id, *(other.run_id for other in others)}) == 4
    assert Run(run.rules.changed({"round_minimum": 9}), run.players, 11).run_id != run.run_id
    monkeypatch.setattr(runs, "STREAM_VERSION", 99)
    assert Run(run.rules, run.players, 11).run_id != run.run_id


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_refuses_seeds_beyond_64_bits(seed: int) -> None:
    with pytest.raises(RunError, match="seed"):
        Run(preset("basic", 2), ("leads", "leads"), seed)


def test_the_largest_seed_and_index_play() -> None:
    run = Run(preset("basic", 2), ("random", "random"), 2**64 - 1)
    assert play(run, 3, first_index=runs.MAX_INDEX - 3).tally[SUM, GAMES] == 3


def test_refuses_line_ups_that_do_not_fit() -> None:
    with pytest.raises(RunError, match="3 players in the line-up, 2 in the ruleset"):
        Run(preset("basic", 2), ("leads",) * 3)
    with pytest.raises(PlayerError, match=r"'nobody'.*allowed.*leads"):
        Run(preset("basic", 2), ("leads", "nobody"))


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ({"games": 0}, "games"),
        ({"games": -5}, "games"),
        ({"games": 1, "first_index": -1}, "first_index"),
        ({"games": 1, "threads": 0}, "threads"),
        ({"games": 1, "block_games": 0}, "block_games"),
        ({"games": 2, "first_index": 2**62 - 1}, "indices below"),
    ],
)
def test_refuses_numbers_out_of_range(run: Run, arguments, culprit: str) -> None:
    with pytest.raises(RunError, match=culprit):
        play(run, **arguments)


GOLDEN = Path(__file__).parent.parent / "golden" / "counts_of_seed_2024.txt"


@pytest.mark.parametrize("line", GOLDEN.read_text().splitlines()[2:])
def test_counts_of_a_known_seed_stay(line: str) -> None:
    """A failure means that a seed's games changed: then raise the stream version."""
    base, players, name, *expected = line.split()
    run = Run(preset(base, int(players)), (name,) * int(players), 2024)
    tally = play(run, 500).tally[SUM]
    wins = tally[SEAT_WINS : SEAT_WINS + int(players)]
    assert [*map(str, (tally[TURNS], tally[DRAWS], tally[POINTS], *wins))] == expected


@pytest.mark.parametrize("games", [10.5, "10", None])
def test_a_number_of_games_is_a_whole_one(run: Run, games) -> None:
    with pytest.raises(RunError, match=f"games: {games!r} is not allowed"):
        play(run, games)
