"""Paired designs: which games they are, and that they are counted by the deal."""

import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, play
from red7sim.play.design import DESIGNS, DesignError, arms_of
from red7sim.play.replay import replay_game
from red7sim.play.tally import (
    GAME_SQUARES,
    GAMES,
    N_MEASURES,
    POSITION_WINS,
    ROUNDS,
    SHARE_UNIT,
    SQUARES,
    SUM,
    TIMES_ROUNDS,
    TURNS,
)

LINE_UP = ("random", "leads", "greedy", "thrifty")


def test_arms_of_every_design() -> None:
    assert [arm.order for arm in arms_of("none", 3)] == [(0, 1, 2)]
    assert [arm.order for arm in arms_of("rotate", 3)] == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]
    assert len({arm.order for arm in arms_of("all", 4)}) == 24
    assert [arm.first_start for arm in arms_of("force-start", 4)] == [0, 1, 2, 3]
    for design in DESIGNS:
        for players in (2, 3, 4):
            for arm in arms_of(design, players):
                assert sorted(arm.order) == [*range(players)]
    assert arms_of("rotate", 3)[1].seated(("a", "b", "c")) == ("c", "a", "b")
    with pytest.raises(DesignError, match=r"'mirror'.*allowed: none, rotate, all, force-start"):
        arms_of("mirror", 2)


@pytest.mark.parametrize("design", ["rotate", "all"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_arm_is_the_game_of_its_own_line_up(design: str, players: int) -> None:
    """Every arm of a deal is the game of that index in a plain run of the line-up as seated."""
    run = Run(preset("advanced", players), LINE_UP[:players], 8, design)
    deal = 5
    games = np.zeros(N_MEASURES, dtype=np.int64)
    squares = np.zeros(N_MEASURES, dtype=np.int64)
    for arm in run.arms:
        plain = Run(run.rules, arm.seated(run.players), run.seed)
        game = play(plain, 1, first_index=deal).tally[SUM, :GAMES].copy()
        by_position = game[POSITION_WINS : POSITION_WINS + players].copy()
        for position, entry in enumerate(arm.order):
            game[POSITION_WINS + entry] = by_position[position]
        games += game
        squares += game**2
    tally = play(run, 1, first_index=deal).tally
    assert (tally[SUM, :GAMES] == games).all()
    assert (tally[SQUARES, :GAMES] == games**2).all()
    assert (tally[TIMES_ROUNDS, :GAMES] == games * games[ROUNDS]).all()
    assert (tally[GAME_SQUARES, :GAMES] == squares).all()
    assert tally[SUM, GAMES] == 1


def test_another_deal_is_noticed() -> None:
    run = Run(preset("advanced", 2), LINE_UP[:2], 8, "rotate")
    assert (play(run, 1, first_index=5).tally != play(run, 1, first_index=6).tally).any()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_forced_starts_keep_the_cards(players: int) -> None:
    rules = preset("advanced", players)
    natural = [*replay_game(rules, LINE_UP[:players], 3, 7)]
    for position in range(players):
        forced = [*replay_game(rules, LINE_UP[:players], 3, 7, first_start=position)]
        assert forced[0]["start"] == position
        assert forced[1]["player"] == position
        for part in ("hands", "palettes", "deck", "canvas"):
            assert forced[0][part] == natural[0][part]
        if position == natural[0]["start"]:
            assert forced == natural
        later = [event for event in forced if event["type"] == "deal"][1:]
        for deal in later:  # from the second round on the rules decide
            shown = [max(_strength(card) for card in palette) for palette in deal["palettes"]]
            assert deal["start"] == (shown.index(max(shown)) + 1) % players


def _strength(card: str) -> tuple[int, int]:
    return int(card[1]), "VIBGYOR".index(card[0])


@pytest.mark.parametrize("rules", [preset("advanced", 3), preset("basic", 3, "1.2")])
def test_forced_starts_are_counted_by_turn_order(rules) -> None:
    run = Run(rules, ("random",) * 3, 3, "force-start")
    for deal in range(20):
        tally = play(run, 1, first_index=deal).tally[SUM]
        turns = 0
        wins = [0, 0, 0]
        for position in range(3):
            log = [*replay_game(rules, run.players, 3, deal, first_start=position)]
            turns += sum(event["type"] == "turn" for event in log)
            for winner in log[-1]["winners"]:
                wins[winner] += SHARE_UNIT // len(log[-1]["winners"])
        assert tally[TURNS] == turns
        assert [*tally[POSITION_WINS : POSITION_WINS + 3]] == wins


def test_equal_players_gain_nothing_from_rotating() -> None:
    """The deal decides who starts, so rotating equals only relabels them."""
    run = Run(preset("basic", 3), ("leads",) * 3, 3, "rotate")
    tally = play(run, 500).tally
    plain = play(Run(run.rules, run.players, 3), 500).tally
    assert (tally[SUM, :POSITION_WINS] == 3 * plain[SUM, :POSITION_WINS]).all()
    assert {*tally[SUM, POSITION_WINS : POSITION_WINS + 3]} == {500 * SHARE_UNIT}


def test_a_paired_run_is_another_run_and_plain_ones_are_as_they_were() -> None:
    runs = [Run(preset("basic", 2), ("leads", "leads"), 0, design) for design in DESIGNS]
    assert len({run.run_id for run in runs}) == len(DESIGNS)
    assert [run.as_json()["design"] for run in runs] == [*DESIGNS]
