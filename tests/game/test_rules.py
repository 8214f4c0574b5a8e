from pathlib import Path

import naive
import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cards, disjoint_palettes, palettes

from red7sim.game import rules
from red7sim.game.cards import COLOURS, FULL
from red7sim.game.notation import CARD_NAMES, members, parse_set

GOLDEN = Path(__file__).parent.parent / "golden"
ranks = st.integers(0, 6)


def names(mask: int) -> frozenset[str]:
    return frozenset(CARD_NAMES[card] for card in members(mask))


def golden_lines(name: str) -> list[str]:
    lines = (GOLDEN / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def leader(palette_masks: list[int], rank: int) -> int | None:
    keys = [rules.palette_keys(palette)[rank] for palette in palette_masks]
    return keys.index(max(keys)) if max(keys) else None


@pytest.mark.parametrize("line", golden_lines("leaders.txt"))
def test_leader_of_the_worked_examples(line: str) -> None:
    canvas, palette_texts, expected = line.split(";")
    masks = [parse_set(text) for text in palette_texts.split("|")]
    rank = "VIBGYOR".index(canvas)
    assert leader(masks, rank) == (None if expected == "none" else int(expected))


@pytest.mark.parametrize("line", golden_lines("scoring.txt"))
def test_scored_set_of_the_worked_examples(line: str) -> None:
    canvas, palette, expected, points = line.split(";")
    scored = rules.counting_set(parse_set(palette), "VIBGYOR".index(canvas))
    assert names(scored) == names(parse_set(expected))
    assert rules.face_value(scored) == int(points)


@given(palettes, ranks)
def test_counting_set_equals_the_slow_twin(palette: int, rank: int) -> None:
    scored = rules.counting_set(palette, rank)
    assert names(scored) == naive.counting_set(names(palette), COLOURS[rank])
    assert rules.face_value(scored) == naive.face_value(names(scored))


@given(palettes, ranks)
def test_richest_set_equals_the_slow_twin(palette: int, rank: int) -> None:
    scored = names(rules.richest_set(palette, rank))
    assert scored == set(naive.scored_set(names(palette), COLOURS[rank], "max_points"))


def test_richest_set_prefers_points_where_sets_are_equal_in_number() -> None:
    palette = parse_set("R7R1O6O5")
    assert names(rules.counting_set(palette, 4)) == {"R7", "R1"}
    assert names(rules.richest_set(palette, 4)) == {"O6", "O5"}


@given(disjoint_palettes(), ranks)
def test_leader_equals_the_slow_twin(masks: list[int], rank: int) -> None:
    live = [True] * len(masks)
    assert leader(masks, rank) == naive.leader([names(m) for m in masks], live, COLOURS[rank])


@given(palettes, cards)
def test_keys_never_fall_and_are_updated_exactly(palette: int, card: int) -> None:
    before = rules.palette_keys(palette)
    after = rules.palette_keys(palette | 1 << card)
    assert all(new >= old for new, old in zip(after, before, strict=True))
    if not palette >> card & 1:
        rows = rules.occupied_rows(palette)
        updated = _keys_with(palette, rows, before[2], before[4], before[5], card)
        assert updated == after


@rules.kernel
def _keys_with(palette, rows, blue, yellow, orange, card):
    return rules.keys_with(palette, rows, blue, yellow, orange, card)


@given(disjoint_palettes(players=2))
def test_keys_of_two_palettes_are_equal_only_where_both_sets_are_empty(masks: list[int]) -> None:
    pairs = zip(*map(rules.palette_keys, masks), strict=True)
    assert all(first != second or first == second == 0 for first, second in pairs)


@pytest.mark.compiled
def test_kernels_return_whole_numbers() -> None:
    rules.palette_keys(1), rules.counting_set(1, 0), rules.face_value(1)
    for kernel in (rules.counting_set, rules.face_value):
        assert kernel.nopython_signatures[0].return_type == numba.int64
    assert set(rules.palette_keys.nopython_signatures[0].return_type) == {numba.int64}
    assert rules.palette_keys(FULL)[0] > 0
