"""What hypothesis draws: sets of cards, palettes, rulesets."""

from typing import Any

from hypothesis import strategies as st

from red7sim.game.cards import COLOURS, FULL, N_CARDS
from red7sim.game.ruleset import Ruleset, RulesetError, preset

cards = st.integers(0, N_CARDS - 1)
card_sets = st.integers(0, FULL)
palettes = st.sets(cards, min_size=1, max_size=12).map(lambda ids: sum(1 << i for i in ids))


@st.composite
def disjoint_palettes(draw: st.DrawFn, players: int | None = None) -> list[int]:
    """Two to four palettes without a common card."""
    number = players or draw(st.integers(2, 4))
    deck = draw(st.permutations(range(N_CARDS)))
    sizes = [draw(st.integers(1, 9)) for _ in range(number)]
    starts = [sum(sizes[:i]) for i in range(number)]
    return [
        sum(1 << card for card in deck[start : start + size])
        for start, size in zip(starts, sizes, strict=True)
    ]


switches = st.fixed_dictionaries(
    {},
    optional={
        "draw": st.sampled_from(["auto", "never"]),
        "draw_offset": st.integers(-7, 7),
        "score_choice": st.sampled_from(["tiebreak", "max_points"]),
        "round_minimum": st.sampled_from([0, 5, 15]),
        "end": st.sampled_from(["round", "points", "points:12", "points:90", "wins:1", "wins:3"]),
        "start": st.sampled_from(["left_of_highest", "lowest_card", "highest_card"]),
        "first_canvas": st.sampled_from([*COLOURS, "dealt"]),
        "hand_size": st.integers(1, 10),
        "palette_size": st.integers(1, 3),
        "start_bonus": st.lists(st.integers(0, 3), max_size=2).map(tuple),
        "rules_in_play": st.dictionaries(st.sampled_from(COLOURS), st.sampled_from(COLOURS)),
    },
)


action_switches = st.fixed_dictionaries(
    {"actions": st.just(True)},
    optional={
        "seven_to_deck": st.booleans(),
        "seven_may_move_itself": st.booleans(),
        "one_target": st.sampled_from(["not_only_card", "not_fewer_than_me"]),
        "allow_losing_one": st.booleans(),
        "seven_no_valid": st.sampled_from(["skip", "illegal"]),
        "discard_after_seven": st.booleans(),
        "draw_on_seven": st.booleans(),
    },
)


@st.composite
def rulesets(draw: st.DrawFn, players: int | None = None, actions: bool = False) -> Ruleset:
    """Any ruleset that can be dealt, with the Action rule or without."""
    number = players or draw(st.integers(2, 4))
    base = preset(draw(st.sampled_from(["basic", "advanced"])), number)
    settings: dict[str, Any] = draw(switches)
    if actions:
        settings |= draw(action_switches)
        # The twin lists every order of a chain of 5s, which large hands have too many of.
        settings["hand_size"] = min(settings.get("hand_size", 7), 7)
    try:
        return base.changed(settings)
    except RulesetError:  # too many cards to deal, or games that may never end
        settings.pop("hand_size", None)
        settings.pop("rules_in_play", None)
        return base.changed(settings)
