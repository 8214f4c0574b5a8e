"""Players who decide for a block of views choose what they choose view by view."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7sim.game.cards import BELOW_FOUR, COLOURS, EVEN, FULL, N_CARDS
from red7sim.game.lanes import BARS, LANES, MAX_HAND, lay_position
from red7sim.game.rules import COUNT_SHIFT
from red7sim.game.ruleset import Ruleset, preset
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.turns import keys_after_play, rival_keys, set_palette
from red7sim.game.view import VIEW
from red7sim.jit.vectors import aligned_records
from red7sim.play.policy import OWN, Player, find_player, player_names

BLOCK_PLAYERS = [
    player for player in map(find_player, player_names()) if player.choose_block is not None
]


@st.composite
def cuts(draw) -> tuple[list[int], int, int]:
    """Palettes and the mover's hand, all disjoint, as sets of cards; and a canvas. Some movers lead
    by far, with the cards of one set.
    """
    late = draw(st.just(0) | st.sampled_from([EVEN, BELOW_FOUR]))
    cards = sorted(draw(st.permutations(range(N_CARDS))), key=lambda card: late >> card & 1)
    palettes = []
    for _ in range(draw(st.integers(2, 4))):
        size = draw(st.integers(0, 6))
        palettes.append(sum(1 << card for card in cards[:size]))
        cards = cards[size:]
    if late:
        palettes[-1] |= sum(1 << card for card in cards[-13:])
        cards = cards[:-13]
    hand = sum(1 << card for card in cards[: draw(st.integers(1, MAX_HAND))])
    return palettes, hand, draw(st.integers(0, 6))


canvases = st.lists(st.sampled_from(COLOURS), min_size=7, max_size=7)


def position(cut: tuple[list[int], int, int], word: int, views: np.ndarray, i: int) -> None:
    """Lay out a position in a view, the last player to move."""
    palettes, hand, canvas = cut
    view = views[i]
    view.players = len(palettes)
    view.mover = len(palettes) - 1
    for player, palette in enumerate(palettes):
        set_palette(view, player, palette)
    view.hand, view.canvas, view.word = hand, canvas, np.uint64(word)


def rules_with(stand_for: list[str]) -> Ruleset:
    """Rules in which some colours stand for the rules of others."""
    return preset("basic", 2).changed({"rules_in_play": dict(zip(COLOURS, stand_for, strict=True))})


def check_block(player: Player, views: np.ndarray, rules) -> None:
    """Ask for a block in which every other view is left out, in descending order."""
    asked = np.array([i for i in range(len(views)) if i % 2 == 0 and views[i].choices], np.uint64)
    asked = asked[::-1].copy()
    owns = np.zeros(4, OWN).view(np.recarray)
    turns = np.full(len(views), -1, np.int64)
    choose = player.compiled()
    before = views.tobytes()
    player.compiled_block()(views, rules, owns, asked, len(asked), turns)
    assert views.tobytes() == before
    for i in range(len(views)):
        wanted = choose(views[i], rules, owns[views[i].mover]) if i in asked else -1
        assert turns[i] == wanted, i


@pytest.mark.parametrize("player", BLOCK_PLAYERS, ids=lambda player: player.name)
@given(st.lists(st.tuples(cuts(), st.integers(0, 2**64 - 1)), min_size=1, max_size=9), canvases)
def test_a_block_is_decided_as_view_by_view(player, given_cuts, stand_for) -> None:
    rules = rules_with(stand_for).packed[0]
    views, lanes = aligned_records(VIEW, len(given_cuts)), aligned_records(LANES, MAX_PLAYERS)
    for i, (cut, word) in enumerate(given_cuts):
        position(cut, word, views, i)
        lay_position(views[i], lanes, rules)
    check_block(player, views, rules)


@given(cuts())
def test_keys_by_lane_are_those_after_the_play(cut) -> None:
    """Short keys of every lane, and the best of the rivals', against the keys of the rules."""
    rules = preset("basic", 2).packed[0]
    views, lanes = aligned_records(VIEW, 1), aligned_records(LANES, MAX_PLAYERS)
    position(cut, 0, views, 0)
    view = views[0]
    before = view.keys.copy()
    lay_position(view, lanes, rules)
    assert (view.keys == before).all()
    for lane in range(8):
        card = int(view.slot_cards[lane])
        expected = [short(key) for key in keys_after_play(view, card)]
        assert view.lane_keys[:7, lane].tolist() == expected
    expected = [short(key) for key in rival_keys(view)]
    assert view.lane_keys[BARS, :7].tolist() == expected


def short(key: int) -> int:
    """A key of the rules as a short one: the count, and the highest card of the set plus 1."""
    return (key >> COUNT_SHIFT) << 6 | int(key & FULL).bit_length()
