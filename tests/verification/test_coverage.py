"""How often intervals hold, in studies whose truth is known.

20,000 studies estimate a coverage of 95 % with a standard error of 0.15 %, so the tolerance of
0.7 % is more than four of them: a correct interval fails a check with probability below 1 in
10,000.
"""

import numpy as np
import pytest

from red7sim.lab.sequential import ConfidenceSequence
from red7sim.lab.stats import (
    Estimate,
    difference_interval,
    joint_confidence_of_shares,
    mean_share,
    per_game,
    wilson,
    wilson_share,
)
from red7sim.play.tally import GAMES, SEAT_WINS, SHARE_UNIT, SQUARES, SUM, empty_tally

pytestmark = pytest.mark.verification

STUDIES = 20_000
N = 1000
CONFIDENCE = 0.95
TOLERANCE = 0.007


def wilson_bounds(wins: np.ndarray, trials: int, confidence: float):
    """The package's interval of many studies, each distinct count computed once."""
    counts, study = np.unique(wins, return_inverse=True)
    low, high = np.array([wilson(count, trials, confidence) for count in counts.tolist()]).T
    return low[study], high[study]


def coverage(low: np.ndarray, high: np.ndarray, truth: float) -> float:
    return float(np.mean((low <= truth) & (truth <= high)))


@pytest.mark.parametrize("share", [0.1472, 0.2086, 0.3532, 0.5])
@pytest.mark.parametrize("n", [N, 10 * N])
def test_wilson_holds(share: float, n: int) -> None:
    wins = np.random.default_rng(1).binomial(n, share, STUDIES)
    assert coverage(*wilson_bounds(wins, n, CONFIDENCE), share) == pytest.approx(
        CONFIDENCE, abs=TOLERANCE
    )


def pairs_of_games(correlation: float) -> tuple[np.ndarray, np.ndarray]:
    """Deals with 0, 1 and 2 wins in N deals a study; each game is won with probability 1/2."""
    both = (1 + correlation) / 4
    counts = np.random.default_rng(2).multinomial(N, [both, 1 - 2 * both, both], STUDIES)
    return counts[:, 1], counts[:, 2]


@pytest.mark.parametrize("correlation", [-0.5, 0.0, 0.5])
def test_paired_intervals_hold_for_pairs_of_games(correlation: float) -> None:
    deals, study = np.unique(
        np.stack(pairs_of_games(correlation)), axis=1, return_inverse=True
    )  # fmt: skip
    bounds = []
    for one_win, two_wins in deals.T.tolist():
        tally = empty_tally()
        tally[SUM, GAMES] = N
        tally[SUM, SEAT_WINS] = SHARE_UNIT * (one_win + 2 * two_wins)
        tally[SQUARES, SEAT_WINS] = SHARE_UNIT**2 * (one_win + 4 * two_wins)
        share = mean_share(per_game(tally, SEAT_WINS, 2 * SHARE_UNIT), N, CONFIDENCE, CONFIDENCE)
        bounds.append((share.low, share.high))
    low, high = np.array(bounds).T
    assert coverage(low[study], high[study], 0.5) == pytest.approx(CONFIDENCE, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("share", "n", "mean_is_right"),
    [(0.003, N, False), (0.001, 5 * N, False), (0.02, 200, False), (0.3, N, True)],
)
def test_shares_that_are_means_hold_for_rare_wins_too(
    share: float, n: int, mean_is_right: bool
) -> None:
    """At worst 93 %, as Wilson's do for such numbers; the share -+ t * error goes down to 80 %."""
    wins = np.random.default_rng(5).binomial(n, share, STUDIES)
    counts, study = np.unique(wins, return_inverse=True)
    bounds, means = [], []
    for won in counts.tolist():
        estimate = Estimate(won / n, ((n * won - won * won) / (n * (n - 1)) / n) ** 0.5, n - 1)
        found = mean_share(estimate, n, CONFIDENCE, CONFIDENCE)
        bounds.append((found.low, found.high))
        means.append(estimate.interval(CONFIDENCE))
    held, by_mean = (
        coverage(*np.array(ends)[study].T, share) for ends in (bounds, means)
    )  # fmt: skip
    assert 0.93 - TOLERANCE < held < 0.98
    assert (by_mean > 0.94) == mean_is_right


@pytest.mark.parametrize("deals", [5, 10, 20, 50, 100, N])
def test_differences_of_shares_hold_however_few_the_deals(deals: int) -> None:
    """A is ahead on 8 % of the deals and behind on 5 %; with few deals often on none."""
    rng = np.random.default_rng(6)
    ahead, behind, _ = rng.multinomial(deals, [0.08, 0.05, 0.87], STUDIES).T
    sums, study = np.unique(
        np.stack([ahead - behind, ahead + behind]), axis=1, return_inverse=True
    )  # fmt: skip
    bounds = []
    for total, squares in sums.T.tolist():
        variance = (deals * squares - total * total) / (deals * (deals - 1))
        difference = Estimate(total / deals, (variance / deals) ** 0.5, deals - 1)
        bounds.append(difference_interval(difference, deals, CONFIDENCE))
    assert coverage(*np.array(bounds)[study].T, 0.03) >= CONFIDENCE - TOLERANCE


@pytest.mark.parametrize(("correlation", "too_often"), [(-0.5, False), (0.0, None), (0.5, True)])
def test_wilson_does_not_hold_for_correlated_pairs(correlation: float, too_often) -> None:
    """The control: intervals that take the games of a deal for independent are wrong."""
    one_win, two_wins = pairs_of_games(correlation)
    held = coverage(*wilson_bounds(one_win + 2 * two_wins, 2 * N, CONFIDENCE), 0.5)
    if too_often is None:
        assert held == pytest.approx(CONFIDENCE, abs=TOLERANCE)
    elif too_often:
        assert held < CONFIDENCE - 5 * TOLERANCE
    else:
        assert held > CONFIDENCE + 4 * TOLERANCE


@pytest.mark.parametrize(
    "shares", [(0.30, 0.30, 0.40), (0.21, 0.33, 0.46), (0.25,) * 4, (0.15, 0.2, 0.27, 0.38)]
)
def test_goodman_holds_for_all_seats_together(shares: tuple[float, ...]) -> None:
    wins = np.random.default_rng(3).multinomial(N, shares, STUDIES)
    joint = joint_confidence_of_shares(CONFIDENCE, len(shares))
    low, high = wilson_bounds(wins, N, joint)
    held = ((low <= shares) & (shares <= high)).all(axis=1).mean()
    assert held >= CONFIDENCE - 0.005
    low, high = wilson_bounds(wins, N, CONFIDENCE)
    single = ((low <= shares) & (shares <= high)).all(axis=1).mean()
    assert single < CONFIDENCE - 2 * TOLERANCE  # single intervals do not hold together
    row = wilson_share(int(wins[0, 0]), N, CONFIDENCE, joint)
    assert (row.joint_low, row.joint_high) == wilson(int(wins[0, 0]), N, joint)


SAMPLES = {
    "a seat of four": (lambda rng: rng.random(STUDIES) < 0.25, 0.25),
    "a rare win": (lambda rng: rng.random(STUDIES) < 0.02, 0.02),
    "a fair game": (lambda rng: rng.random(STUDIES) < 0.5, 0.5),
    "pairs of games": (lambda rng: rng.choice([0, 0.5, 1], STUDIES, p=[0.125, 0.75, 0.125]), 0.5),
    "alike pairs": (lambda rng: rng.choice([0, 0.5, 1], STUDIES, p=[0.375, 0.25, 0.375]), 0.5),
}


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("half_width", [0.02])
def test_the_confidence_sequence_holds_at_every_look(kind: str, half_width: float) -> None:
    """A look after every single observation; one miss at any time counts."""
    rng = np.random.default_rng(4)
    draw, truth = SAMPLES[kind]
    sequence = ConfidenceSequence((STUDIES,), 1 / 3, half_width)
    missed = np.zeros(STUDIES, dtype=bool)
    for _ in range(N):
        x = draw(rng).astype(float)
        sequence.add(1, x, x**2)
        missed |= sequence.excludes(truth, CONFIDENCE)
    assert missed.mean() <= 1 - CONFIDENCE


def test_stopping_when_wilson_likes_it_is_wrong_far_too_often() -> None:
    """The control: 100 looks at a fair share, stopping when it seems unfair."""
    looks, block, fair = 100, 1000, 1 / 3
    rng = np.random.default_rng(5)
    sequence = ConfidenceSequence((STUDIES,), fair, 0.005)
    wins = np.zeros(STUDIES, dtype=np.int64)
    naive = np.zeros(STUDIES, dtype=bool)
    honest = np.zeros(STUDIES, dtype=bool)
    for look in range(1, looks + 1):
        won = rng.binomial(block, fair, STUDIES)
        wins += won
        sequence.add(block, won.astype(float), won.astype(float))
        low, high = wilson_bounds(wins, look * block, CONFIDENCE)
        naive |= (fair < low) | (high < fair)
        honest |= sequence.excludes(fair, CONFIDENCE)
    assert naive.mean() > 0.3
    assert honest.mean() <= 1 - CONFIDENCE
