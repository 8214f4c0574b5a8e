"""Operations that vectors of words and of shorts have in common, compiled, against their plain
meaning on numpy arrays.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7sim.jit import vectors
from red7sim.jit.settings import kernel
from red7sim.jit.vectors import LANES, load, select, short_splat, splat, store

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


@dataclass(frozen=True)
class Kind:
    """A kind of vectors: the type of a lane, unsigned too, and who fills all lanes alike."""

    dtype: Any
    unsigned: Any
    splat: Callable[[int], Any]

    @property
    def bits(self) -> int:
        return 8 * np.dtype(self.dtype).itemsize

    @property
    def numbers(self) -> st.SearchStrategy[int]:
        end = 1 << self.bits - 1
        return st.integers(-end, end - 1) | st.sampled_from([0, 1, -1, 64, 255, end - 1])

    @property
    def rows(self) -> st.SearchStrategy[Any]:
        return self.lanes_of(self.numbers)

    @property
    def shifts(self) -> st.SearchStrategy[int]:
        return st.integers(0, self.bits - 1)

    def lanes_of(self, numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
        lanes = st.lists(numbers, min_size=LANES, max_size=LANES)
        return lanes.map(lambda values: np.array(values, self.dtype))

    def room(self, vectors: int) -> Any:
        return np.zeros((vectors, LANES), self.dtype)


WORDS, SHORTS = Kind(np.int64, np.uint64, splat), Kind(np.int16, np.uint16, short_splat)
of_both_kinds = pytest.mark.parametrize("kind", [WORDS, SHORTS], ids=["words", "shorts"])


@cache
def _kernel_of(operation, whole):
    @kernel
    def apply(x, y, number, out):
        store(out, 0, operation(load(x, 0), load(y, 0)))
        store(out, 1, operation(load(x, 0), whole(number)))

    return apply


@cache
def _mask_kernel_of(operation, whole):
    @kernel
    def apply(x, y, number, out):
        mask = operation(load(x, 0), load(y, 0))
        other = operation(load(x, 0), number)
        store(out, 0, select(mask, load(x, 0), load(y, 0)))
        store(out, 1, select(other, whole(number), 7))
        store(out, 2, select(other, load(x, 0), 0))
        store(out, 3, select(other, 7, load(x, 0)))
        return vectors.mask_bits(mask)

    return apply


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
    store(out, 4, vectors.shifted_down(load(x, 0), shift))


@kernel
def _lane_wise(x, lane, out):
    store(out, 0, vectors.popcounts(load(x, 0)))
    return vectors.to_bytes(load(x, 0)), vectors.extract(load(x, 0), lane)


@kernel
def _rows_copied(source, out, row):
    store(out, row, load(source, row))


@of_both_kinds
@pytest.mark.parametrize("operation", BINARY)
@given(st.data())
def test_arithmetic_is_that_of_arrays(kind, operation, data) -> None:
    x, y, number = data.draw(st.tuples(kind.rows, kind.rows, kind.numbers))
    out = kind.room(2)
    _kernel_of(operation, kind.splat)(x, y, number, out)
    assert (out[0] == operation(x, y)).all()
    assert (out[1] == operation(x, kind.splat(number))).all()


@of_both_kinds
@given(st.data())
def test_integers_on_the_right_stand_for_all_lanes(kind, data) -> None:
    x, number = data.draw(st.tuples(kind.rows, kind.numbers))
    out = kind.room(7)
    _with_integers(x, number, out)
    operations = (*BINARY[:-1], lambda x, _: ~x)
    for result, operation in zip(out, operations, strict=True):
        assert (result == operation(x, kind.splat(number))).all()


@of_both_kinds
@given(st.data())
def test_shifts_are_those_of_arrays(kind, data) -> None:
    x, shift = data.draw(st.tuples(kind.rows, kind.shifts))
    y = data.draw(kind.lanes_of(kind.shifts))
    out = kind.room(5)
    _shifted(x, y, shift, out)
    assert (out[:4] == [x << y, x >> y, x << shift, x >> shift]).all()
    down = [int(lane) >> shift for lane in x.view(kind.unsigned)]  # zeros come in from above
    assert (out[4].view(kind.unsigned) == down).all()
    assert (out[4] == vectors.shifted_down(x, shift)).all()


@of_both_kinds
@pytest.mark.parametrize("operation", COMPARISONS)
@given(st.data())
def test_comparisons_select_as_with_arrays(kind, operation, data) -> None:
    x, y, number = data.draw(st.tuples(kind.rows, kind.rows, kind.numbers))
    y = np.where(y & 1, y, x)
    out = kind.room(4)
    bits = _mask_kernel_of(operation, kind.splat)(x, y, number, out)
    mask, other = operation(x, y), operation(x, number)
    assert bits == sum(int(lane) << i for i, lane in enumerate(mask)) == vectors.mask_bits(mask)
    assert (out[0] == select(mask, x, y)).all()
    assert (out[1] == select(other, kind.splat(number), 7)).all()
    assert (out[2] == select(other, x, 0)).all()
    assert (out[3] == select(other, 7, x)).all()


@of_both_kinds
@given(st.data(), st.integers(0, LANES - 1))
def test_lane_wise_functions_mean_what_the_plain_ones_say(kind, data, lane) -> None:
    x = data.draw(kind.rows)
    out = kind.room(1)
    assert _lane_wise(x, lane, out) == (vectors.to_bytes(x), x[lane])
    assert vectors.extract(x, lane) == x[lane]
    assert (out[0] == [int(one).bit_count() for one in x.view(kind.unsigned)]).all()
    assert (out[0] == vectors.popcounts(x)).all()


@kernel
def _words_from_bytes(word, out):
    store(out, 0, vectors.from_bytes(word))


@given(WORDS.numbers)
def test_words_from_bytes(word) -> None:
    out = WORDS.room(1)
    _words_from_bytes(word, out)
    assert (out[0] == [word >> 8 * lane & 0xFF for lane in range(LANES)]).all()
    assert (out[0] == vectors.from_bytes(word)).all()


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
