"""Every operation on vectors, compiled, against its plain meaning on numpy arrays."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7sim.jit import vectors
from red7sim.jit.settings import kernel
from red7sim.jit.vectors import LANES, load, select, splat, store

words = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([0, 1, -1, 2**49, 255])
rows = st.lists(words, min_size=LANES, max_size=LANES).map(lambda lanes: np.array(lanes, np.int64))
shifts = st.lists(st.integers(0, 63), min_size=LANES, max_size=LANES).map(np.array)

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
        store(out, 1, operation(load(x, 0), splat(number)))

    return apply


def _mask_kernel_of(operation):
    @kernel
    def apply(x, y, number, out):
        store(out, 0, select(operation(load(x, 0), load(y, 0)), load(x, 0), load(y, 0)))
        store(out, 1, select(operation(load(x, 0), number), splat(number), 7))
        store(out, 2, select(operation(load(x, 0), number), load(x, 0), 0))

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
def _shifted(x, y, shift, out):
    store(out, 0, load(x, 0) << load(y, 0))
    store(out, 1, load(x, 0) >> load(y, 0))
    store(out, 2, load(x, 0) << shift)
    store(out, 3, load(x, 0) >> shift)


@kernel
def _lane_wise(x, word, out):
    store(out, 0, vectors.popcounts(load(x, 0)))
    store(out, 1, vectors.from_bytes(word))
    store(out, 2, splat(vectors.extract(load(x, 0), 5)))
    return vectors.to_bytes(load(x, 0))


@kernel
def _shifted_down(x, n, out):
    store(out, 0, vectors.shifted_down(load(x, 0), n))


@given(rows, st.integers(0, 63))
def test_shifting_down_brings_zeros(x, n) -> None:
    out = np.zeros(LANES, np.int64)
    _shifted_down(x, n, out)
    assert (out.view(np.uint64) == [int(lane) >> n for lane in x.view(np.uint64)]).all()
    assert (out == vectors.shifted_down(x, n)).all()


@kernel
def _rows_copied(source, out, row):
    store(out, row, load(source, row))


@pytest.mark.parametrize("operation", BINARY)
@given(rows, rows, words)
def test_arithmetic_is_that_of_arrays(operation, x, y, number) -> None:
    out = np.zeros((2, LANES), np.int64)
    KERNELS[operation](x, y, number, out)
    assert (out[0] == operation(x, y)).all()
    assert (out[1] == operation(x, splat(number))).all()


@given(rows, words)
def test_integers_on_the_right_stand_for_all_lanes(x, number) -> None:
    out = np.zeros((7, LANES), np.int64)
    _with_integers(x, number, out)
    operations = (*BINARY[:-1], lambda x, _: ~x)
    for result, operation in zip(out, operations, strict=True):
        assert (result == operation(x, splat(number))).all()


@given(rows, shifts, st.integers(0, 63))
def test_shifts_are_those_of_arrays(x, y, shift) -> None:
    out = np.zeros((4, LANES), np.int64)
    _shifted(x, y, shift, out)
    assert (out == [x << y, x >> y, x << shift, x >> shift]).all()


@pytest.mark.parametrize("operation", COMPARISONS)
@given(rows, rows, words)
def test_comparisons_select_as_with_arrays(operation, x, y, number) -> None:
    y = np.where(y & 1, y, x)
    out = np.zeros((3, LANES), np.int64)
    MASK_KERNELS[operation](x, y, number, out)
    mask, other = operation(x, y), operation(x, np.int64(number))
    assert (out[0] == select(mask, x, y)).all()
    assert (out[1] == select(other, splat(number), 7)).all()
    assert (out[2] == select(other, x, 0)).all()


@given(rows, words)
def test_lane_wise_functions_mean_what_the_plain_ones_say(x, word) -> None:
    out = np.zeros((3, LANES), np.int64)
    assert _lane_wise(x, word, out) == vectors.to_bytes(x)
    assert (out[0] == [int(lane).bit_count() for lane in x.view(np.uint64)]).all()
    assert (out[0] == vectors.popcounts(x)).all()
    assert (out[1] == [word >> 8 * lane & 0xFF for lane in range(LANES)]).all()
    assert (out[1] == vectors.from_bytes(word)).all()
    assert (out[2] == x[5]).all()
    assert vectors.extract(x, 5) == x[5]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int16])
def test_rows_of_arrays_of_any_shape_are_read_and_written(dtype) -> None:
    source = np.arange(6 * LANES, dtype=dtype).reshape(2, 3, LANES)
    out = np.zeros_like(source)
    for row in range(6):
        _rows_copied(source, out, row)
    assert (out == source).all()
    out[:] = 0
    store(out, 4, load(source, 4))
    assert (out.reshape(6, LANES)[4] == source.reshape(6, LANES)[4]).all()
    assert out.sum() == source.reshape(6, LANES)[4].sum()


def test_records_are_aligned_and_padded() -> None:
    dtype = vectors.padded([("words", np.int64, (8,)), ("more", np.int64)])
    assert dtype.itemsize == 2 * vectors.CACHE_LINE
    assert vectors.padded([("words", np.int64, (8,))]).itemsize == vectors.CACHE_LINE
    records = vectors.aligned_records(dtype, 3)
    assert len(records) == 3
    assert records.ctypes.data % vectors.CACHE_LINE == 0
    assert not records.tobytes().strip(b"\0")
