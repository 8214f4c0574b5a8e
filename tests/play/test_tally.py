import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from red7sim.play.tally import GAMES, N_MEASURES, ROUNDS, add_game, empty_tally

vectors = st.lists(st.integers(0, 5000), min_size=N_MEASURES, max_size=N_MEASURES)


@given(st.lists(vectors, max_size=5))
def test_a_tally_holds_three_sums_of_every_measure(sample) -> None:
    tally = empty_tally()
    for vector in sample:
        add_game(tally, np.array(vector, dtype=np.int64))
    values = np.array(sample, dtype=object).reshape(-1, N_MEASURES)
    expected = [
        values.sum(axis=0),
        (values**2).sum(axis=0),
        (values * values[:, ROUNDS : ROUNDS + 1]).sum(axis=0),
    ]
    assert (tally[:, :N_MEASURES] == np.array(expected)).all()
    assert tally[0, GAMES] == len(sample)
