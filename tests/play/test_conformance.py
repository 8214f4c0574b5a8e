"""The conformance check: players of the package pass, and every planted cheater is caught."""

from typing import Any

import numpy as np
import pytest

from red7sim.cli.app import run
from red7sim.game.steps import FOLD_STEP, N_KINDS, as_step, only_step
from red7sim.game.turns import FOLD, as_turn
from red7sim.jit.bits import highest, lowest
from red7sim.jit.settings import kernel
from red7sim.play.conformance import POINTS, check_player
from red7sim.play.policy import Player, PlayerError, player_names
from red7sim.play.spec import PlayerSpec, parse_player


def first_turn(view: Any) -> Any:
    """The first surviving turn."""
    lane = 0
    while view.lane_turns[lane] == 0:
        lane += 1
    return as_turn(view.lane_cards[lane], lowest(view.lane_turns[lane]))


first = kernel(first_turn)


def faults(choose, choose_step=None, choose_block=None, **options: Any) -> dict[str, str]:
    player = Player("cheat", "Breaks a rule.", choose, choose_step, choose_block, **options)
    return check_player(PlayerSpec(player, (), ()), 300).faults


def honest(view, rules, own):  # noqa: ARG001
    return first(view)


def test_a_player_who_refuses_every_game_is_not_said_to_pass() -> None:
    with pytest.raises(PlayerError, match="perfect:hands=open"):
        check_player(parse_player("perfect"))
    assert run(["check-player", "perfect"]) == 2


@pytest.mark.parametrize("name", [n for n in player_names() if n != "perfect"])
def test_the_players_of_the_package_pass(name: str) -> None:
    given = (
        ":samples=2" if "samples" in {p.name for p in parse_player(name).player.parameters} else ""
    )
    report = check_player(parse_player(name + given), 300)
    assert report.faults == {}
    assert report.positions >= 300


@pytest.mark.parametrize(
    "text", ["leads+no-rule:blue", "greedy+no-play", "banker:samples=2+no-fold"]
)
def test_restricted_players_pass(text: str) -> None:
    assert check_player(parse_player(text), 120).faults == {}


def test_an_honest_player_passes() -> None:
    assert faults(honest) == {}


def test_a_turn_that_does_not_survive_is_noticed() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        return as_turn(highest(view.hand), lowest(view.hand))

    found = faults(choose)
    assert [*found] == ["legal"]
    assert "which is none of the moves" in found["legal"]


def test_a_fold_that_was_not_announced_is_noticed() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        return FOLD if view.choices < 5 else first(view)

    assert "it folds though a turn survives" in faults(choose)["legal"]
    assert faults(choose, folds=True) == {}


def test_a_step_that_is_not_legal_is_noticed() -> None:
    def choose_step(view, steps, rules, own):  # noqa: ARG001
        return only_step(steps) + 1

    assert [*faults(honest, choose_step)] == ["legal"]


def test_asking_rough_counts_how_great_they_are_is_noticed() -> None:
    def choose_step(view, steps, rules, own):  # noqa: ARG001
        best, most = FOLD_STEP, 0
        for kind in range(N_KINDS):
            cards = steps.legal[kind]
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                if steps.counts[kind, card] > most:
                    best, most = as_step(kind, card), steps.counts[kind, card]
        return best

    assert faults(honest, choose_step) == {}
    found = faults(honest, choose_step, rough_counts=True)
    assert found == {"repeatable": "its choice changes where counts of turns are rough"}


def test_writing_to_the_view_is_noticed() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        view.turn += 1
        return first(view)

    assert faults(choose)["unchanged"] == "it writes to its view, its steps or the rules"


def test_a_memory_is_noticed() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        if own.scratch[3] == 0:
            own.scratch[3] = 1
            return first(view)
        lane = view.lanes - 1
        while view.lane_turns[lane] == 0:
            lane -= 1
        return as_turn(view.lane_cards[lane], highest(view.lane_turns[lane]))

    assert [*faults(choose)] == ["repeatable"]


def test_a_look_at_hidden_cards_is_noticed() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        theirs = own.open_hands[(view.mover + 1) % view.players]
        if theirs & 1 << 20:
            return first(view)
        lane = view.lanes - 1
        while view.lane_turns[lane] == 0:
            lane -= 1
        return as_turn(view.lane_cards[lane], highest(view.lane_turns[lane]))

    assert [*faults(choose, sees_hands=True)] == ["blind"]
    assert faults(choose) == {}  # who is not shown the hands does not see them


def test_perfect_is_said_to_see_hidden_cards() -> None:
    assert [*check_player(parse_player("perfect:hands=open"), 100).faults] == ["blind"]


@pytest.mark.compiled
def test_an_allocation_is_noticed() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        return first(view) + np.zeros(view.choices, np.int64).sum()

    assert faults(choose)["compiles"] == "it allocates memory, which a player must not"


@pytest.mark.compiled
def test_what_does_not_compile_is_noticed() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        return view.no_such_field

    assert faults(choose)["compiles"].startswith("player 'cheat' does not compile: ")


@pytest.mark.compiled
def test_another_type_is_noticed() -> None:
    def choose(view, rules, own):  # noqa: ARG001
        return first(view) * 1.0

    assert "returns float64" in faults(choose)["compiles"]


def test_blocks_that_differ_are_noticed() -> None:
    def choose_block(views, rules, owns, asked, n, turns):  # noqa: ARG001
        for i in range(n):
            turns[asked[i]] = first(views[asked[0]])

    def choose_all(views, rules, owns, asked, n, turns):  # noqa: ARG001
        for i in range(n):
            turns[i] = first(views[i])

    for block in (choose_block, choose_all):
        assert [*faults(honest, choose_block=block)] == ["blocks"]


def test_what_a_player_says_he_does_without_is_kept_from_him() -> None:
    """A block that reads lanes where squares are promised, a choice by chance where none is."""

    def choose_block(views, rules, owns, asked, n, turns):  # noqa: ARG001
        for i in range(n):
            turns[asked[i]] = first(views[asked[i]])

    def choose_last(view, rules, own):  # noqa: ARG001
        number = view.word % 2 if view.choices > 1 else 0
        lane = 0
        while view.lane_turns[lane] == 0:
            lane += 1
        turns = view.lane_turns[lane]
        if number and turns & turns - 1:
            turns &= turns - 1
        return as_turn(view.lane_cards[lane], lowest(turns))

    assert faults(honest, choose_block=choose_block) == {}
    assert [*faults(honest, choose_block=choose_block, by_squares=True)] == ["blocks"]
    assert faults(choose_last) == {}
    assert [*faults(choose_last, chance=False)] == ["repeatable"]


def test_the_command_says_what_holds_and_what_does_not(capsys) -> None:
    assert run(["check-player", "leads", "--positions", "50"]) == 0
    out, _ = capsys.readouterr()
    assert out.count("kept") == len(POINTS)
    assert max(map(len, out.splitlines())) <= 100
    assert run(["check-player", "perfect:hands=open", "--positions", "50"]) == 1
    out, _ = capsys.readouterr()
    assert "FAULT" in out
    assert "its choice changes with cards that are hidden from it" in out
    assert run(["check-player", "leeds"]) == 2
    assert run(["check-player", "leads", "--positions", "0"]) == 2
