"""Strengths against choix, and against simulated games."""

from itertools import combinations

import choix
import numpy as np
import pytest

from red7sim.lab.ratings import PRIOR_WINS, strengths, win_chances

SEATS = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=float)


def played(line_ups, truth, games: int, seed: int):
    """Wins of players in simulated games: one row a line-up."""
    generator = np.random.default_rng(seed)
    wins = np.zeros((len(line_ups), len(truth)))
    for row, line_up in enumerate(line_ups):
        chances = np.array([truth[i] for i in line_up])
        won = generator.multinomial(games, chances / chances.sum())
        np.add.at(wins[row], list(line_up), won)
    return wins


def test_two_at_a_table_agree_with_choix() -> None:
    wins = played([*combinations(range(3), 2)], [1.0, 2.0, 5.0], 500, 1)
    pairs = np.zeros((3, 3))
    for row, (i, j) in enumerate(combinations(range(3), 2)):
        # The prior of each seat, as won games of the pair.
        pairs[i, j] = wins[row, i] + PRIOR_WINS
        pairs[j, i] = wins[row, j] + PRIOR_WINS
    expected = choix.opt_pairwise(
        3, [pair for pair in np.ndindex(3, 3) for _ in range(int(2 * pairs[pair]))]
    )
    found = np.log(strengths(SEATS, np.full((1, 3), 500.0), wins.sum(axis=0)[None])[0])
    assert found - found.mean() == pytest.approx(expected - expected.mean(), abs=1e-4)


def test_tables_of_three_agree_with_choix() -> None:
    line_ups = [*combinations(range(4), 3)]
    seats = np.array([[float(i in line_up) for i in range(4)] for line_up in line_ups])
    wins = played(line_ups, [1.0, 1.5, 3.0, 0.5], 300, 2)
    data = []
    for row, line_up in enumerate(line_ups):
        for i in line_up:
            others = [j for j in line_up if j != i]
            data += [(i, others)] * int(2 * (wins[row, i] + PRIOR_WINS))
    expected = choix.opt_top1(4, data)
    found = np.log(strengths(seats, np.full((1, 4), 300.0), wins.sum(axis=0)[None])[0])
    assert found - found.mean() == pytest.approx(expected - expected.mean(), abs=1e-4)


def test_a_player_may_sit_several_times() -> None:
    """One against two of another: with enough games the truth is found (five standard errors)."""
    seats = np.array([[1.0, 2.0], [2.0, 1.0]])
    truth = np.array([3.0, 1.0])
    n = 200_000
    chances = truth / (seats @ truth)[:, None] * seats
    wins = np.array([np.random.default_rng(3).multinomial(n, row) for row in chances])
    found = strengths(seats, np.full((1, 2), float(n)), wins.sum(axis=0, dtype=float)[None])[0]
    assert found[0] / found[1] == pytest.approx(3, abs=5 * 3 * np.sqrt(4 / n))
    assert np.prod(found) == pytest.approx(1)


def test_replicates_are_rated_one_by_one() -> None:
    games = np.array([[100.0] * 3, [50.0] * 3])
    wins = np.array([[120.0, 100.0, 80.0], [20.0, 60.0, 70.0]])
    together = strengths(SEATS, games, wins)
    for i in range(2):
        alone = strengths(SEATS, games[i : i + 1], wins[i : i + 1])
        assert together[i] == pytest.approx(alone[0], rel=1e-8)


def test_who_never_wins_is_rated_all_the_same() -> None:
    found = strengths(SEATS, np.full((1, 3), 50.0), np.array([[0.0, 50.0, 100.0]]))[0]
    assert np.isfinite(np.log(found)).all()
    assert [*np.argsort(found)] == [0, 1, 2]


def test_chances_are_those_of_one_seat() -> None:
    chances = win_chances(np.array([[1.0, 2.0, 0.0]]), np.array([2.0, 1.0, 9.0]))
    assert chances[0, :2] == pytest.approx([0.5, 0.25])
    assert np.isnan(chances[0, 2])
