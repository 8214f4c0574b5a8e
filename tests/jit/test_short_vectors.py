"""What only vectors of shorts do, compiled, against its plain meaning on numpy arrays."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from red7sim.jit import vectors
from red7sim.jit.settings import kernel
from red7sim.jit.vectors import LANES, load, short_splat, spread, store, widened

shorts = st.integers(-(2**15), 2**15 - 1) | st.sampled_from([0, 1, -1, 64, 255])
rows = st.lists(shorts, min_size=LANES, max_size=LANES).map(lambda lanes: np.array(lanes, np.int16))
words = st.integers(-(2**63), 2**63 - 1)
places = st.integers(0, LANES - 1)


@kernel
def _lane_wise(x, y, word, lane, out, wide):
    store(out, 0, vectors.shorts_from_bytes(word))
    store(out, 1, spread(load(x, 0), lane))
    store(out, 2, vectors.pick(load(x, 0), load(y, 0)))
    store(out, 3, short_splat(word))
    store(wide, 0, widened(load(x, 0)))


@kernel
def _first_greatest(x):
    return vectors.first_greatest(load(x, 0))


@given(rows, st.lists(places, min_size=LANES, max_size=LANES), words, places)
def test_lane_wise_functions_mean_what_the_plain_ones_say(x, chosen, word, lane) -> None:
    y = np.array(chosen, np.int16) | 64  # only three bits of a place count
    out, wide = np.zeros((4, LANES), np.int16), np.zeros(LANES, np.int64)
    _lane_wise(x, y, word, lane, out, wide)
    assert (out[0] == [word >> 8 * i & 0xFF for i in range(LANES)]).all()
    assert (out[0] == vectors.shorts_from_bytes(word)).all()
    assert (out[1] == x[lane]).all()
    assert (out[1] == spread(x, lane)).all()
    assert (out[2] == x[chosen]).all()
    assert (out[2] == vectors.pick(x, y)).all()
    assert (out[3].view(np.uint16) == word & 0xFFFF).all()
    assert (out[3] == short_splat(word)).all()
    assert (wide == x).all()
    assert (wide == widened(x)).all()


@given(st.lists(st.integers(0, 5) | shorts, min_size=LANES, max_size=LANES))
def test_the_first_of_the_greatest_lanes_is_found(values) -> None:
    x = np.array(values, np.int16)
    expected = values.index(max(values))
    assert _first_greatest(x) == expected
    assert vectors.first_greatest(x) == expected
