"""What every player must pass, and what the registry refuses."""

import numba
import numpy as np
import pytest

from red7sim.game.cards import NO_CARD
from red7sim.game.ruleset import preset
from red7sim.game.turns import FOLD, discarded, find_turns, played
from red7sim.game.view import VIEW
from red7sim.play import policy
from red7sim.play.deal import HIDDEN, deal_round
from red7sim.play.policy import (
    DEFAULT_PLAYER,
    OWN,
    Parameter,
    Player,
    PlayerError,
    find_player,
    player_names,
)
from red7sim.play.table import seat
from red7sim.play.tally import empty_tally


def positions(players: int, n: int):
    """Views with surviving turns: first turns of deals, with any canvas."""
    views, hiddens = (np.zeros(1, dtype).view(np.recarray) for dtype in (VIEW, HIDDEN))
    view, hidden, rules = views[0], hiddens[0], preset("basic", players).packed[0]
    rng = np.random.default_rng(17)
    for game in range(n):
        hidden.seed, hidden.game = np.uint64(4), game
        deal_round(view, hidden, rules)
        view.canvas = rng.integers(7)
        view.hand = hidden.hands[view.mover]
        view.word = rng.integers(2**64, dtype=np.uint64)
        if find_turns(view, rules):
            yield views, rules


def surviving(view) -> set[int]:
    return {
        int(view.lane_cards[lane]) << 6 | discard
        for lane in range(view.lanes)
        for discard in range(NO_CARD + 1)
        if view.lane_turns[lane] >> discard & 1
    }


@pytest.mark.parametrize("name", player_names())
@pytest.mark.parametrize("players", [2, 4])
def test_a_player_chooses_a_surviving_turn_again_and_again_and_writes_nowhere(name, players):
    choose = find_player(name).compiled()
    own = np.zeros(1, OWN).view(np.recarray)[0]
    for views, rules in positions(players, 300):
        before = views.tobytes()
        turn = choose(views[0], rules, own)
        assert turn == FOLD or turn in surviving(views[0])
        assert choose(views[0], rules, own) == turn
        assert views.tobytes() == before


@pytest.mark.parametrize("printing", ["1.1", "1.2", "ru"])
@pytest.mark.parametrize("name", ["greedy", "leads", "random", "thrifty"])
def test_a_player_plays_the_same_with_rough_counts_if_he_says_so(name: str, printing: str) -> None:
    table = seat(preset("advanced", 3, printing), (name,) * 3)
    tallies = []
    for rough in (0, 1):
        table.owns.rough_counts = rough
        tallies.append(empty_tally())
        table.play_block(6, 0, 1000, tallies[-1])
    assert (tallies[0] == tallies[1]).all() == find_player(name).rough_counts


@pytest.mark.parametrize("name", player_names())
def test_players_describe_themselves(name: str) -> None:
    player = find_player(name)
    assert player.name == name
    assert player.summary.endswith(".")
    assert len(player.summary) < 100


def test_the_default_player_exists() -> None:
    assert DEFAULT_PLAYER in player_names()


def test_unknown_players_are_refused_with_the_names_that_are_known() -> None:
    with pytest.raises(PlayerError, match=r"unknown player 'leeds'.*greedy, leads"):
        find_player("leeds")
    for nobody in (["leads"], {"leads": 1}, np.array(["leads", "greedy"])):
        with pytest.raises(PlayerError, match=r"unknown player .*leads"):
            find_player(nobody)


@pytest.mark.compiled
def test_a_player_that_returns_a_float_is_refused() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        return view.hand * 0.5

    with pytest.raises(PlayerError, match="'half' returns float64"):
        Player("half", "Returns a float.", choose).compiled()


@pytest.mark.compiled
def test_what_a_user_has_compiled_serves_many_players_and_himself() -> None:
    @numba.njit
    def choose(view, rules, own):  # noqa: ARG001
        return 0 * view.hand

    line_up = [Player(name, "Of a test.", choose) for name in ("one", "two")]
    assert line_up[0].compiled() is line_up[1].compiled()
    assert choose(np.zeros(1, [("hand", np.int8)])[0], 0, 0) == 0

    @numba.njit
    def lost(view, rules, own):  # noqa: ARG001
        return view.no_such_field

    for name in ("one", "two"):
        with pytest.raises(PlayerError, match=f"player '{name}' does not compile: .*no_such_field"):
            Player(name, "Of a test.", lost).compiled()


@pytest.mark.parametrize(
    ("parameters", "refusal"),
    [
        ([Parameter(f"p{i}", "A number.", 1, 0, 9) for i in range(9)], r"has 9 .*at most 8"),
        ([Parameter("depth", "A number.", 1, 2, 3)], r"depth is 1 by default; .* numbers 2\.\.3"),
        ([Parameter("mode", "A word.", "c", choices=("a", "b"))], "'c' by default; .* a, b"),
    ],
)
def test_parameters_that_a_player_cannot_have(parameters: list[Parameter], refusal: str) -> None:
    with pytest.raises(PlayerError, match=f"player 'many'.*{refusal}"):
        Player("many", "Has parameters.", len, parameters=tuple(parameters))


def test_turn_numbers_name_their_cards() -> None:
    assert (played(FOLD), discarded(FOLD)) == (NO_CARD, NO_CARD)
    assert policy.CHOOSE_TYPE is not None
