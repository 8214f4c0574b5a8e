import numpy as np
import pytest

from red7sim.lab.fairest import NOBODY, FairestSearch

DEALS = 4000


def winners(shares: np.ndarray, deals: int, seed: int) -> np.ndarray:
    """Who wins, of shape (deals, variants, players), all variants by one number a deal."""
    chance = np.random.default_rng(seed).random((deals, 1, 1))
    ends = np.cumsum(shares, axis=1)[None]
    return ((chance < ends) & (chance >= ends - shares[None])).astype(float)


def look(search: FairestSearch, won: np.ndarray) -> None:
    won = won * search.alive[None, :, None]
    search.look(len(won), won.sum(axis=0), np.einsum("dvs,dwt->vswt", won, won))


def less_fair_by_hand(shares: np.ndarray) -> np.ndarray:
    unfair = abs(shares - 1 / shares.shape[1]).max(axis=1)
    return unfair[:, None] > unfair[None, :]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_proven_is_true_and_in_the_end_everything_is(players: int) -> None:
    rng = np.random.default_rng(players)
    shares = rng.dirichlet(np.full(players, 30.0), 6)
    search = FairestSearch(6, players, 0.95)
    true = less_fair_by_hand(shares)
    for i in range(12):
        look(search, winners(shares, DEALS << i // 3, 100 + i))
        for v, w in enumerate(search.beaten_by):
            assert w == NOBODY or true[v, w]
    unfair = abs(shares - 1 / players).max(axis=1)
    assert search.alive[unfair.argmin()]
    assert search.alive.sum() <= 2
    assert (search.low <= unfair).all()
    assert (unfair <= search.high).all()


def test_the_signs_mean_less_fair() -> None:
    """Exact shares instead of estimates: the comparison of two variants is that of unfairness."""
    rng = np.random.default_rng(1)
    for players in (2, 3, 4):
        shares = rng.dirichlet(np.full(players, 5.0), 12)
        search = FairestSearch(12, players, 0.95)
        n = 10**9
        # A variance of almost nothing: every observation is its mean.
        search.look(n, shares * n, np.einsum("vs,wt->vswt", shares, shares) * n)
        search.alive[:] = True
        found = search._less_fair()
        assert (found == less_fair_by_hand(shares)).all()


def test_equal_variants_stay() -> None:
    shares = np.tile([0.3, 0.3, 0.4], (3, 1))
    search = FairestSearch(3, 3, 0.95)
    look(search, winners(shares, 50_000, 1))
    assert search.alive.all()
    assert (search.beaten_by == NOBODY).all()


def test_who_has_left_keeps_his_interval_and_is_not_read_again() -> None:
    shares = np.array([[0.5, 0.5], [0.8, 0.2]])
    search = FairestSearch(2, 2, 0.95)
    look(search, winners(shares, 5000, 1))
    assert search.alive.tolist() == [True, False]
    assert search.beaten_by.tolist() == [NOBODY, 0]
    kept = search.low[1], search.high[1]
    look(search, winners(shares, 5000, 2))
    assert (search.low[1], search.high[1]) == kept
    assert not search.alive[1]


def test_common_deals_are_used() -> None:
    """Variants that differ on few deals are told apart long before their intervals part, once it
    is known on which side of the fair share they are.
    """
    shares = np.array([[0.58, 0.42], [0.61, 0.39]])
    search = FairestSearch(2, 2, 0.95)
    look(search, winners(shares, 4000, 3))
    assert search.high[0] > search.low[1]
    assert search.alive.tolist() == [True, False]
