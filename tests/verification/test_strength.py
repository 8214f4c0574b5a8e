"""How strong the players are: shares of the games on paired deals, every seat in turn.

Each check asks that the whole 95 % interval lies above the claim. The deals are fixed, so a check
that passes once passes always, as long as neither player changes.
"""

import pytest

import red7sim

pytestmark = pytest.mark.verification

DEALS = 40_000


def lower_bound(players: list[str], deals: int = DEALS, rules: str = "basic") -> float:
    """The lower end of the 95 % interval for the share of the first player."""
    result = red7sim.simulate(rules, players, pairing="rotate", games=deals, seed=20, threads=2)
    return float(result.line_up().row(0, named=True)["low"])


@pytest.mark.parametrize(
    ("player", "rival", "claim"),
    [
        ("thrifty", "random", 0.75),
        ("thrifty", "greedy", 0.58),
        ("leads", "random", 0.83),
        ("leads", "greedy", 0.71),
        ("leads", "mobility", 0.46),
        ("mobility", "random", 0.85),
        ("mobility", "greedy", 0.73),
        ("foresight", "random", 0.86),
        ("foresight", "greedy", 0.76),
        ("foresight", "mobility", 0.50),
        ("pressure", "random", 0.84),
        ("pressure", "greedy", 0.75),
        ("pressure", "mobility", 0.525),
    ],
)
def test_two_players(player: str, rival: str, claim: float) -> None:
    assert lower_bound([player, rival]) > claim


@pytest.mark.parametrize(
    ("player", "rival", "claim"), [("search", "mobility", 0.55), ("rollout", "mobility", 0.53)]
)
def test_players_who_play_on(player: str, rival: str, claim: float) -> None:
    assert lower_bound([player, rival], 2500) > claim


@pytest.mark.parametrize(
    ("rival", "claim"), [("random", 0.86), ("mobility", 0.52), ("perfect:hands=open", 0.42)]
)
def test_who_solves_guesses(rival: str, claim: float) -> None:
    assert lower_bound(["pimc", rival], 400) > claim


def test_folding_pays() -> None:
    """In the advanced game of two, against the same player without the right to fold."""
    assert lower_bound(["banker", "banker+no-fold"], 1000, "advanced") > 0.55


@pytest.mark.parametrize(("players", "claim"), [(3, 0.340), (4, 0.252)])
def test_foresight_among_several(players: int, claim: float) -> None:
    assert lower_bound(["foresight", *["mobility"] * (players - 1)]) > claim
