import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7sim.jit import rng, vectors
from red7sim.jit.settings import kernel

# Known answers published with Random123 (kat_vectors of version 1.14, philox 4x32, 10 rounds).
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF,) * 4,
        (0xFFFFFFFF,) * 2,
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]

words = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_philox_gives_the_published_known_answers(counter, key, answer) -> None:
    assert tuple(map(int, rng.philox(*map(np.uint64, counter + key)))) == answer


def _naive_philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x32-10 on Python integers, after Salmon et al. 2011, section 3.3."""
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * counter[0], 2**32)
        high_1, low_1 = divmod(0xCD9E8D57 * counter[2], 2**32)
        counter = [high_1 ^ counter[1] ^ key[0], low_1, high_0 ^ counter[3] ^ key[1], low_0]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return counter


@given(
    seed=words,
    game=st.integers(0, 2**62),
    round_number=st.integers(0, 2**16 - 1),
    purpose=st.integers(0, 15),
    step=st.integers(0, 2**12 - 1),
    block=st.integers(0, 2**32 - 1),
)
def test_stream_block_places_its_key_as_documented(
    seed, game, round_number, purpose, step, block
) -> None:
    counter = [game % 2**32, game >> 32, block, round_number << 16 | step << 4 | purpose]
    a, b, c, d = _naive_philox(counter, [seed % 2**32, seed >> 32])
    even, odd = rng.stream_block(np.uint64(seed), game, round_number, purpose, step, block)
    assert (int(even), int(odd)) == (a | b << 32, c | d << 32)


@given(words, st.integers(1, 2**32))
def test_bounded_is_the_upper_part_of_the_product(word: int, n: int) -> None:
    assert rng.bounded(np.uint64(word), n) == word * n >> 64


@given(words, words)
def test_products_are_exact(x: int, y: int) -> None:
    high, low = _product(np.uint64(x), np.uint64(y))
    assert (int(high) << 64 | int(low)) == x * y
    assert (int(rng.mul_high(x, y)) << 64 | int(rng.mul_low(x, y))) == x * y


@kernel
def _product(x, y):
    return rng.mul_high(x, y), rng.mul_low(x, y)


@kernel
def _eight_blocks(seed, game, round_number, purposes, blocks, out):
    even, odd = rng.stream_blocks(
        seed, game, round_number, vectors.load(purposes, 0), vectors.load(blocks, 0)
    )
    vectors.store(out, 0, even)
    vectors.store(out, 1, odd)


@given(
    seed=words,
    game=st.integers(0, 2**62),
    round_number=st.integers(0, 2**16 - 1),
    purposes=st.lists(st.integers(0, 15), min_size=8, max_size=8),
    blocks=st.lists(st.integers(0, 2**32 - 1), min_size=8, max_size=8),
)
def test_eight_blocks_at_once_are_the_blocks(seed, game, round_number, purposes, blocks) -> None:
    out = np.zeros((2, 8), np.uint64)
    _eight_blocks(np.uint64(seed), game, round_number, np.array(purposes), np.array(blocks), out)
    for lane in range(8):
        words_of_block = rng.stream_block(
            np.uint64(seed), game, round_number, purposes[lane], 0, blocks[lane]
        )
        assert tuple(out[:, lane]) == words_of_block
