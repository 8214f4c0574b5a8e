"""Every operation on vectors of shorts, compiled, against its plain meaning on numpy arrays."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7sim.jit import vectors
from red7sim.jit.settings import kernel
from red7sim.jit.vectors import LANES, load, select, short_splat, spread, store, widened

shorts = st.integers(-(2**15), 2**15 - 1) | st.sampled_from([0, 1, -1, 64, 255])
rows = st.lists(shorts, min_size=LANES, max_size=LANES).map(lambda lanes: np.array(lanes, np.int16))
words = st.integers(-(2**63), 2**63 - 1)
places = st.integers(0, LANES - 1)

BINARY = (
    operator.add,
    operator.sub,
    operator.mul,
    operator.and_,
    operator.or_,
    operator.xor,
    vectors.maximum,
)
COMPARISONS = (operator.gt, operator.eq, operator.ne)


def _kernel_of(operation):
    @kernel
    def apply(x, y, number, out):
        store(out, 0, operation(load(x, 0), load(y, 0)))
        store(out, 1, operation(load(x, 0), short_splat(number)))

    return apply


def _mask_kernel_of(operation):
    @kernel
    def apply(x, y, number, out):
        mask = operation(load(x, 0), load(y, 0))
        store(out, 0, select(mask, load(x, 0), load(y, 0)))
        store(out, 1, select(operation(load(x, 0), number), load(x, 0), 7))
        store(out, 2, select(operation(load(x, 0), number), 7, load(x, 0)))
        return vectors.mask_bits(mask)

    return apply


KERNELS = {operation: _kernel_of(operation) for operation in BINARY}
MASK_KERNELS = {operation: _mask_kernel_of(operation) for operation in COMPARISONS}


@kernel
def _with_integers(x, number, out):
    vector = load(x, 0)
    store(out, 0, vector + number)
    store(out, 1, vector - number)
    store(out, 2, vector * number)
    store(out, 3, vector & number)
    store(out, 4, vector | number)
    store(out, 5, vector ^ number)
    store(out, 6, ~vector)


@kernel
def _shifted(x, shift, out):
    store(out, 0, load(x, 0) << shift)
    store(out, 1, load(x, 0) >> shift)
    store(out, 2, vectors.shifted_down(load(x, 0), shift))


@kernel
def _lane_wise(x, y, word, lane, out, wide):
    store(out, 0, vectors.popcounts(load(x, 0)))
    store(out, 1, vectors.shorts_from_bytes(word))
    store(out, 2, spread(load(x, 0), lane))
    store(out, 3, vectors.pick(load(x, 0), load(y, 0)))
    store(out, 4, short_splat(word))
    store(wide, 0, widened(load(x, 0)))
    return vectors.to_bytes(load(x, 0)), vectors.extract(load(x, 0), lane)


@kernel
def _first_greatest(x):
    return vectors.first_greatest(load(x, 0))


@pytest.mark.parametrize("operation", BINARY)
@given(rows, rows, shorts)
def test_arithmetic_is_that_of_arrays(operation, x, y, number) -> None:
    out = np.zeros((2, LANES), np.int16)
    KERNELS[operation](x, y, number, out)
    assert (out[0] == operation(x, y)).all()
    assert (out[1] == operation(x, short_splat(number))).all()


@given(rows, shorts)
def test_integers_on_the_right_stand_for_all_lanes(x, number) -> None:
    out = np.zeros((7, LANES), np.int16)
    _with_integers(x, number, out)
    operations = (*BINARY[:-1], lambda x, _: ~x)
    for result, operation in zip(out, operations, strict=True):
        assert (result == operation(x, short_splat(number))).all()


@given(rows, st.integers(0, 15))
def test_shifts_are_those_of_arrays(x, shift) -> None:
    out = np.zeros((3, LANES), np.int16)
    _shifted(x, shift, out)
    assert (out[:2] == [x << shift, x >> shift]).all()
    assert (out[2].view(np.uint16) == [int(lane) >> shift for lane in x.view(np.uint16)]).all()
    assert (out[2] == vectors.shifted_down(x, shift)).all()


@pytest.mark.parametrize("operation", COMPARISONS)
@given(rows, rows, shorts)
def test_comparisons_select_as_with_arrays(operation, x, y, number) -> None:
    y = np.where(y & 1, y, x)
    out = np.zeros((3, LANES), np.int16)
    bits = MASK_KERNELS[operation](x, y, number, out)
    mask, other = operation(x, y), operation(x, number)
    assert bits == sum(int(lane) << i for i, lane in enumerate(mask)) == vectors.mask_bits(mask)
    assert (out[0] == select(mask, x, y)).all()
    assert (out[1] == select(other, x, 7)).all()
    assert (out[2] == select(other, 7, x)).all()


@given(rows, st.lists(places, min_size=LANES, max_size=LANES), words, places)
def test_lane_wise_functions_mean_what_the_plain_ones_say(x, chosen, word, lane) -> None:
    y = np.array(chosen, np.int16) | 64  # only three bits of a place count
    out, wide = np.zeros((5, LANES), np.int16), np.zeros(LANES, np.int64)
    assert _lane_wise(x, y, word, lane, out, wide) == (vectors.to_bytes(x), x[lane])
    assert vectors.extract(x, lane) == x[lane]
    assert (out[0] == [int(one).bit_count() for one in x.view(np.uint16)]).all()
    assert (out[0] == vectors.popcounts(x)).all()
    assert (out[1] == [word >> 8 * i & 0xFF for i in range(LANES)]).all()
    assert (out[1] == vectors.shorts_from_bytes(word)).all()
    assert (out[2] == x[lane]).all()
    assert (out[2] == spread(x, lane)).all()
    assert (out[3] == x[chosen]).all()
    assert (out[3] == vectors.pick(x, y)).all()
    assert (out[4].view(np.uint16) == word & 0xFFFF).all()
    assert (out[4] == short_splat(word)).all()
    assert (wide == x).all()
    assert (wide == widened(x)).all()


@given(st.lists(st.integers(0, 5) | st.integers(0, 2**12 - 1), min_size=LANES, max_size=LANES))
def test_the_first_of_the_greatest_lanes_is_found(values) -> None:
    x = np.array(values, np.int16)
    expected = values.index(max(values))
    assert _first_greatest(x) == expected
    assert vectors.first_greatest(x) == expected
