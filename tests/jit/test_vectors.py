"""Every operation on vectors, compiled, against its plain meaning on numpy arrays."""

import functools
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
        store(out, 1, select(operation(load(x, 0), number), number, 7))
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
    store(out, 2, splat(vectors.any_bit(load(x, 0))))
    return vectors.to_bytes(load(x, 0))


@kernel
def _shifted_down(x, n, out):
    store(out, 0, vectors.shifted_down(load(x, 0), n))


@kernel
def _first_greatest(x):
    return vectors.first_greatest(load(x, 0))


@kernel
def _greatest_and_one(x, lane):
    return vectors.greatest(load(x, 0)), vectors.extract(load(x, 0), lane)


@given(rows, st.integers(0, 63))
def test_shifting_down_brings_zeros(x, n) -> None:
    out = np.zeros(LANES, np.int64)
    _shifted_down(x, n, out)
    assert (out.view(np.uint64) == [int(lane) >> n for lane in x.view(np.uint64)]).all()
    assert (out == vectors.shifted_down(x, n)).all()


@given(st.lists(st.integers(0, 5) | st.integers(0, 2**60 - 1), min_size=LANES, max_size=LANES))
def test_the_first_of_the_greatest_lanes_is_found(values) -> None:
    x = np.array(values)
    expected = values.index(max(values))
    assert _first_greatest(x) == expected
    assert vectors.first_greatest(x) == expected


@given(rows, st.integers(0, LANES - 1))
def test_lanes_are_read_one_by_one(x, lane) -> None:
    expected = (max(map(int, x)), int(x[lane]))
    assert _greatest_and_one(x, lane) == expected
    assert (vectors.greatest(x), vectors.extract(x, lane)) == expected


@kernel
def _picked(low, high, row, places, places_row, out):
    store(out, 0, vectors.pick(low, high, row, load(places, places_row)))


@kernel
def _rows_copied(source, out, row):
    store(out, row, load(source, row))


@kernel
def _narrowed(x, out):
    store(out, 0, load(x, 0))


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
    assert (out[1] == select(other, number, 7)).all()
    assert (out[2] == select(other, x, 0)).all()


@given(rows, words)
def test_lane_wise_functions_mean_what_the_plain_ones_say(x, word) -> None:
    out = np.zeros((3, LANES), np.int64)
    assert _lane_wise(x, word, out) == vectors.to_bytes(x)
    assert (out[0] == [int(lane).bit_count() for lane in x.view(np.uint64)]).all()
    assert (out[0] == vectors.popcounts(x)).all()
    assert (out[1] == [word >> 8 * lane & 0xFF for lane in range(LANES)]).all()
    assert (out[1] == vectors.from_bytes(word)).all()
    assert (out[2] == vectors.any_bit(x)).all()
    assert vectors.any_bit(x) == functools.reduce(operator.or_, map(int, x))


@given(st.lists(rows, min_size=3, max_size=3), st.integers(0, 2), st.integers(0, 1), st.data())
def test_lanes_are_picked_from_a_table_in_halves(table, row, places_row, data) -> None:
    place = st.integers(0, LANES - 1)
    places = np.array(
        data.draw(st.lists(place, min_size=2 * LANES, max_size=2 * LANES)), np.int32
    ).reshape(2, LANES)
    low = (np.array(table) & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
    high = (np.array(table) >> 32).astype(np.int32)
    out = np.zeros(LANES, np.int64)
    _picked(low, high, row, places, places_row, out)
    assert (out == table[row][places[places_row]]).all()
    assert (out == vectors.pick(low, high, row, load(places, places_row))).all()


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
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


@given(rows)
def test_loads_from_int32_keep_the_sign(x) -> None:
    source, out = x.astype(np.int32), np.zeros(LANES, np.int64)
    _narrowed(source, out)
    assert (out == source).all()
    assert (load(source, 0) == source).all()


@given(rows)
def test_stores_into_int32_keep_the_lower_halves(x) -> None:
    out, plain = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)
    _narrowed(x, out)
    store(plain, 0, x)
    assert (out == plain).all()
    assert (out.view(np.uint32) == x & 0xFFFFFFFF).all()


def test_records_are_aligned_and_padded() -> None:
    dtype = vectors.padded([("words", np.int64, (8,)), ("more", np.int64)])
    assert dtype.itemsize == 2 * vectors.CACHE_LINE
    assert vectors.padded([("words", np.int64, (8,))]).itemsize == vectors.CACHE_LINE
    records = vectors.aligned_records(dtype, 3)
    assert len(records) == 3
    assert records.ctypes.data % vectors.CACHE_LINE == 0
    assert not records.tobytes().strip(b"\0")
