"""Palettes that lose a card, against the keys of what is left."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import disjoint_palettes

from red7sim.game.notation import members
from red7sim.game.rules import occupied_rows, palette_keys, rules_won
from red7sim.game.winning import lines_won, won_without
from red7sim.jit.settings import kernel


@kernel
def _won_without(palette, rows, blue, rivals, card):
    return won_without(palette, rows, blue, lines_won(palette, rivals), rivals, card)


@given(disjoint_palettes(), st.data())
def test_what_is_won_without_a_card_is_what_the_rest_wins(masks: list[int], data) -> None:
    palette, *others = masks
    card = data.draw(st.sampled_from([*members(palette)]))
    rivals = tuple(max(keys) for keys in zip(*map(palette_keys, others), strict=True))
    won = _won_without(palette, occupied_rows(palette), palette_keys(palette)[2], rivals, card)
    assert won == rules_won(palette_keys(palette ^ 1 << card), rivals)
