"""Between and within deals, against the textbook's sums of squares."""

import math

import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, RunError
from red7sim.lab.spread import (
    DEALS,
    N_SUMS,
    WIN_SQUARES,
    WINS,
    WITHIN,
    Replayed,
    chance_spread,
    luck_share,
    replay_deals,
    variances,
)
from red7sim.play.replayed import seat_replayed

RUN = Run(preset("basic", 3), ("random",) * 3, 5)


def mean_squares(wins: np.ndarray, playouts: int) -> tuple[float, float]:
    """Mean squares between and within groups of 0/1 outcomes, written out."""
    between = within = 0.0
    for position in range(wins.shape[1]):
        outcomes = [[1.0] * n + [0.0] * (playouts - n) for n in wins[:, position]]
        whole = np.mean(outcomes)
        between += sum(playouts * (np.mean(y) - whole) ** 2 for y in outcomes) / (len(wins) - 1)
        within += sum(((np.array(y) - np.mean(y)) ** 2).sum() for y in outcomes) / (
            len(wins) * (playouts - 1)
        )
    return between, within


def test_variances_are_those_of_the_analysis_of_variance() -> None:
    sums = replay_deals(RUN, 300, 6)
    wins = seat_replayed(RUN.rules, RUN.players).replay(RUN.seed, 0, 300, 6)
    between, within = mean_squares(wins[:, :3], 6)
    found = variances(sums.sum(axis=0), 6)
    assert found == pytest.approx(((between - within) / 6, within))
    share = luck_share(sums, 6)
    assert share.value == pytest.approx(found[0] / sum(found))
    assert share.degrees == len(sums) - 1 == 9
    spread = chance_spread(sums, 6, 3)
    assert spread.value == pytest.approx(math.sqrt(found[0] / 3))
    assert 0 < spread.error < spread.value


def test_totals_whose_squares_pass_64_bits_are_exact() -> None:
    """Two kinds of deals: won by position 0 always or never, so that all is in the deal."""
    playouts, deals = 100_000, 1_000_000
    always, never = deals // 4, deals - deals // 4
    sums = np.zeros((16, N_SUMS), dtype=np.int64)
    sums[:, DEALS] = deals
    for position, often in enumerate((always, never)):
        sums[:, WINS + position] = often * playouts
        sums[:, WIN_SQUARES + position] = often * playouts**2
    between, within = variances(sums.sum(axis=0), playouts)
    n = 16 * deals
    assert within == 0
    assert between == pytest.approx(2 * (3 / 16) * n / (n - 1), rel=1e-12)
    assert luck_share(sums, playouts).value == 1
    with pytest.raises(RunError, match=r"playouts: 100001 is not allowed; allowed: 2\.\.100_000"):
        replay_deals(RUN, 10, 100_001)


def test_any_number_of_threads_says_the_same() -> None:
    done: list[int] = []
    one = replay_deals(RUN, 200, 4, threads=1, progress=done.append)
    assert (one == replay_deals(RUN, 200, 4, threads=3)).all()
    assert sum(done) == 800
    assert one[:, DEALS].sum() == 200
    assert one[:, WINS:WIN_SQUARES].sum() == 800
    assert one.shape == (7, N_SUMS)


def test_players_without_chance_leave_all_to_the_deal() -> None:
    sums = replay_deals(Run(preset("basic", 2), ("leads", "greedy"), 1), 300, 3)
    assert sums[:, WITHIN].sum() == 0
    share = luck_share(sums, 3)
    assert (share.value, share.error) == (1, 0)


def test_one_deal_says_nothing() -> None:
    sums = replay_deals(RUN, 1, 5)
    assert math.isnan(luck_share(sums, 5).value)
    assert math.isnan(chance_spread(sums, 5, 3).value)


def test_what_shows_no_spread_is_refused() -> None:
    with pytest.raises(RunError, match="playouts: 1"):
        Replayed(RUN, 1)
    with pytest.raises(RunError, match="pairing"):
        Replayed(Run(RUN.rules, RUN.players, 1, "rotate"), 5)
