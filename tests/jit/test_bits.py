from hypothesis import example, given
from hypothesis import strategies as st

from red7sim.jit import bits
from red7sim.jit.settings import kernel

masks = st.integers(0, 2**63 - 1)


@kernel
def _all(n, mask):
    return (
        bits.popcount(mask),
        bits.lowest(mask),
        bits.highest(mask),
        bits.drop_lowest(mask) if mask else 0,
        bits.nth(n, mask) if mask else 0,
        bits.nth_bit(n, mask) if mask else 0,
        bits._nth_portable(n, mask) if mask else 0,
    )


@given(masks, st.integers(0, 62))
@example(0, 0)
@example(2**63 - 1, 62)
@example(1 << 62, 0)
def test_compiled_bits_mean_what_the_plain_functions_say(mask: int, n: int) -> None:
    n %= max(1, mask.bit_count())
    ones = [i for i in range(63) if mask >> i & 1]
    expected = (
        len(ones),
        ones[0] if ones else 64,
        ones[-1] if ones else -1,
        mask & (mask - 1) if ones else 0,
        ones[n] if ones else 0,
        1 << ones[n] if ones else 0,
        ones[n] if ones else 0,
    )
    assert _all(n, mask) == expected
    assert bits.popcount(mask) == expected[0]
    assert bits.lowest(mask) == expected[1]
    assert bits.highest(mask) == expected[2]
    if ones:
        assert bits.drop_lowest(mask) == expected[3]
        assert bits.nth(n, mask) == expected[4]
        assert bits.nth_bit(n, mask) == expected[5]


def test_pdep_follows_the_features_that_numba_compiles_for(monkeypatch) -> None:
    monkeypatch.setattr(bits.numba_config, "CPU_FEATURES", "+avx2,+bmi2")
    assert bits.has_pdep()
    monkeypatch.setattr(bits.numba_config, "CPU_FEATURES", "")
    assert not bits.has_pdep()


@kernel
def _find_in_bytes(number, ends):
    return bits.find_in_bytes(number, ends)


@given(st.lists(st.integers(0, 15), min_size=8, max_size=8).filter(any), st.data())
def test_numbers_are_found_in_their_bins(sizes, data) -> None:
    number = data.draw(st.integers(0, sum(sizes) - 1))
    ends = sum(sum(sizes[: i + 1]) << 8 * i for i in range(8))
    place = next(i for i in range(8) if number < sum(sizes[: i + 1]))
    expected = (place, number - sum(sizes[:place]))
    assert _find_in_bytes(number, ends) == expected
    assert getattr(bits.find_in_bytes, "py_func", bits.find_in_bytes)(number, ends) == expected
