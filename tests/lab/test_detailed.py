import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.detailed import play_in_detail, totals
from red7sim.lab.runs import Run, RunError, play
from red7sim.play.details import GROUP_GAMES, GROUPS

RUN = Run(preset("advanced", 2), ("leads", "random"), 4)


def test_any_number_of_threads_counts_the_same() -> None:
    tally, details = play_in_detail(RUN, 700, threads=1)
    again, others = play_in_detail(RUN, 700, threads=3)
    assert (tally == again).all()
    assert details.tobytes() == others.tobytes()
    assert (tally == play(RUN, 700).tally).all()


def test_groups_without_a_game_are_left_out() -> None:
    done: list[int] = []
    _, details = play_in_detail(RUN, 100, progress=done.append)
    assert sum(done) == 100
    assert len(details) == -(-100 // GROUP_GAMES) < GROUPS
    total = totals(details)
    assert total["games"] == 100
    assert np.array_equal(total["turns"], details["turns"].sum(axis=0))


def test_pairing_is_refused() -> None:
    with pytest.raises(RunError, match="pairing"):
        play_in_detail(Run(RUN.rules, RUN.players, 1, "rotate"), 10)
