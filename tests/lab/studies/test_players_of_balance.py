"""Every player of the package is studied, or refused in words where he does not play so."""

import pytest

from red7sim.lab.studies.balance_agency import balance_agency
from red7sim.lab.studies.balance_cards import balance_cards
from red7sim.lab.studies.balance_rules import balance_rules
from red7sim.play.policy import PlayerError, find_player, player_names

STUDIES = {
    "cards": (balance_cards, {"games": 2}),
    "rules": (balance_rules, {"games": 2, "deals": 1}),
    "agency": (balance_agency, {"games": 2, "deals": 2, "playouts": 2}),
}
GIVEN = {"samples": "2", "hands": "open"}


def texts() -> list[str]:
    """All players, cheap and allowed to play."""
    return [
        name
        + "".join(
            f":{parameter.name}={GIVEN[parameter.name]}"
            for parameter in find_player(name).parameters
            if parameter.name in GIVEN
        )
        for name in player_names()
    ]


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("player", texts())
def test_basic_games_of_two_are_for_everybody(study: str, player: str) -> None:
    function, numbers = STUDIES[study]
    made = function("basic", player, 2, **numbers)
    assert made.tables
    assert player in made.caption


@pytest.mark.parametrize("study", STUDIES)
def test_who_does_not_play_so_is_named(study: str) -> None:
    function, numbers = STUDIES[study]
    for player, rules, settings, culprit in (
        ("banker", "basic", {"actions": True}, "'banker' does not play with actions"),
        ("pimc", "advanced", None, "'pimc': draw"),
        ("perfect", "basic", None, "'perfect' sees the hands"),
    ):
        with pytest.raises(PlayerError, match=culprit):
            function(rules, player, 2, settings=settings, **numbers)
