from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7sim.lab.ledger import BLOCK_GAMES, Ledger, OverlapError, Piece, union
from red7sim.play.tally import GAMES, SUM, empty_tally

END = 3 * BLOCK_GAMES + 500


def piece(first: int, end: int) -> Piece:
    """Counts that tell which games they are of: the sum of the indices, and the number."""
    tally = empty_tally()
    tally[SUM, 0] = sum(range(first, end))
    tally[SUM, GAMES] = end - first
    return Piece(first, end - first, tally)


def pieces(cuts: list[int]) -> list[Piece]:
    edges = sorted({0, END, *range(0, END, BLOCK_GAMES), *cuts})
    return [piece(a, b) for a, b in pairwise(edges)]


def ledger_of(some: list[Piece]) -> Ledger:
    ledger = Ledger()
    for one in some:
        ledger.add(one)
    return ledger


def contents(ledger: Ledger) -> list[tuple[int, int, int]]:
    return [(p.first, p.end, int(p.tally[SUM, 0])) for p in ledger.pieces()]


whole = contents(ledger_of(pieces([])))
cuts = st.lists(st.integers(1, END - 1), max_size=8)


@given(cuts, st.randoms())
def test_a_ledger_depends_on_its_games_alone(cut, random) -> None:
    shuffled = pieces(cut)
    random.shuffle(shuffled)
    ledger = ledger_of(shuffled)
    assert contents(ledger) == whole
    assert ledger.ranges() == [(0, END)]
    assert ledger.add_to(empty_tally())[SUM, 0] == sum(range(END))


@given(cuts, cuts, st.data())
def test_the_union_of_any_parts_is_the_whole(cut, other_cut, data) -> None:
    parts = pieces(cut)
    taken = data.draw(st.lists(st.sampled_from(parts), unique_by=id))
    first = ledger_of(taken)
    second = ledger_of([p for p in parts if p not in taken])
    assert contents(union([first, second, ledger_of(pieces(other_cut)), first], piece)) == whole


@given(cuts, st.data())
def test_gaps_are_what_the_ranges_lack(cut, data) -> None:
    parts = pieces(cut)
    held = ledger_of(data.draw(st.lists(st.sampled_from(parts), unique_by=id)))
    first, end = sorted(data.draw(st.tuples(st.integers(0, END), st.integers(0, END + 50))))
    missing = held.gaps(first, end)
    inside = {*range(first, end, 97)} | {first, end - 1} if first < end else set()
    for index in inside:
        in_gap = any(a <= index < b for a, b in missing)
        in_range = any(a <= index < b for a, b in held.ranges())
        assert in_gap != in_range


def test_what_is_there_already_changes_nothing() -> None:
    ledger = ledger_of([piece(0, 100), piece(0, 100)])
    assert ledger.games == 100


def test_games_counted_twice_are_refused() -> None:
    with pytest.raises(OverlapError, match=r"games 50\.\.149 and games 0\.\.99"):
        ledger_of([piece(0, 100), piece(50, 150)])


@pytest.mark.parametrize("other", [(0, 100), (0, 50), (20, 50), (50, 150), (60, 16384)])
def test_overlapping_pieces_are_compared_and_count_once(other: tuple[int, int]) -> None:
    ledgers = [ledger_of([piece(0, 100)]), ledger_of([piece(*other)])]
    joined = union(ledgers, piece)
    assert contents(joined) == contents(ledger_of([piece(0, max(100, other[1]))]))
    wrong = Piece(other[0], other[1] - other[0], piece(*other).tally + 1)
    with pytest.raises(OverlapError, match="different results"):
        union([ledgers[0], ledger_of([wrong])], piece)


def test_results_that_differ_are_refused() -> None:
    with pytest.raises(OverlapError, match="different results"):
        ledger_of([piece(0, 100), Piece(0, 100, np.ones_like(empty_tally()))])


def test_only_exact_pieces_are_found() -> None:
    ledger = ledger_of([piece(0, 100)])
    assert ledger.find(0, 100) is not None
    for cut in ((0, 101), (10, 20), (BLOCK_GAMES, BLOCK_GAMES + 9)):
        assert ledger.find(*cut) is None
