"""Hidden hands against the slow solver, and turns played out."""

from itertools import combinations

import naive_solver
import pytest

from red7sim.game.notation import members, parse_position, set_text
from red7sim.game.ruleset import preset
from red7sim.lab.runs import RunError, play
from red7sim.lab.starting import playout_rates, run_from_deals, run_from_position
from red7sim.lab.worlds import solve_worlds
from red7sim.play.open_hands import is_solvable_in_worlds
from red7sim.play.position import surviving_turns
from red7sim.play.tally import SEAT_WINS, SHARE_UNIT, SUM

BASIC = preset("basic", 2)
POSITIONS = ["R Y5B1G6G4/R1O3 G3V6I1O1/?2", "G B5B7/R4I2 R1Y7/?2", "V O2/G7Y1R3 O6/?1"]


def share_by_the_slow_solver(text: str, turn: dict, size: int) -> float:
    """In how many worlds the mover wins by a turn, one recursion for each hand of the rival."""
    position = parse_position(text)
    wins = hands = 0
    memory: naive_solver.Memory = {}
    for cards in combinations(members(position.unseen), size):
        hand = set_text(sum(1 << card for card in cards))
        opened = naive_solver.read_position(text.replace(f"?{size}", hand), BASIC.as_json())
        after = naive_solver.after_turn(opened, turn["play"], turn["discard"])
        wins += not naive_solver.mover_wins(after, memory)
        hands += 1
    return wins / hands


@pytest.mark.parametrize("text", POSITIONS)
def test_all_hands_agree_with_the_slow_solver(text: str) -> None:
    position = parse_position(text)
    turns = surviving_turns(position, BASIC) or []
    size = position.seats[1].hand_size
    worlds = solve_worlds(position, turns, BASIC, 10_000, 0, 0.95)
    assert worlds.exact
    assert worlds.solved == worlds.consistent
    assert len(turns) > 2
    for turn, row in zip(turns, worlds.rows, strict=True):
        assert row == {"hands_won": share_by_the_slow_solver(text, turn, size)}


def test_sampled_hands_estimate_the_exact_share() -> None:
    """Eight dependent intervals of 99.99 %: a right program fails once in a thousand at most."""
    position = parse_position("R Y5B1G6G4/R1O3V5 G3V6I1O1/?3")
    turns = surviving_turns(position, BASIC) or []
    exact = solve_worlds(position, turns, BASIC, 10_000, 0, 0.95)
    sampled = solve_worlds(position, turns, BASIC, 2_000, 5, 0.9999)
    assert (exact.exact, sampled.exact, sampled.solved) == (True, False, 2_000)
    for row, truth in zip(sampled.rows, exact.rows, strict=True):
        assert row["hands_won_low"] <= truth["hands_won"] <= row["hands_won_high"]
    other = solve_worlds(position, turns, BASIC, 2_000, 6, 0.9999)
    assert other.rows != sampled.rows


def test_which_positions_have_worlds() -> None:
    answers = {
        text: is_solvable_in_worlds(BASIC, parse_position(text))
        for text in ("R Y5/R1 G3/?2", "R Y5/R1 G3/R2", "R Y5/?1 G3/?2", "R Y5/R1 G3/?2 R7/R2")
    }
    assert [*answers.values()] == [True, False, False, False]
    assert is_solvable_in_worlds(preset("basic", 3), parse_position("R Y5/R1 - G3/?2"))
    assert not is_solvable_in_worlds(preset("advanced", 2), parse_position("R Y5/R1 G3/?2"))


def test_a_turn_played_out_is_the_run_after_it() -> None:
    """Open hands and players without chance: the rate is 0 or 1, that of the position after it."""
    text = "R Y5B1G6G4/R1O3 G3V6I1O1/B2I7"
    turns = surviving_turns(parse_position(text), BASIC) or []
    rates = playout_rates(parse_position(text), turns, BASIC, "leads", 3, 0, 0.95)
    after = ["R G3V6I1O1/B2I7 Y5B1G6G4R1/O3", "O G3V6I1O1/B2I7 Y5B1G6G4R1/"]
    plays = [{"play": "R1", "discard": None}, {"play": "R1", "discard": "O3"}]
    for turn, next_text in zip(plays, after, strict=True):
        run = run_from_position(parse_position(next_text), BASIC, ("leads",) * 2)
        rival_wins = play(run, 3, threads=1).tally[SUM, SEAT_WINS] / SHARE_UNIT / 3
        assert rates[turns.index(turn)]["win_rate"] == 1 - rival_wins
    assert all(row["low"] <= row["win_rate"] <= row["high"] for row in rates)


def test_runs_from_starts_have_an_identity_of_their_own() -> None:
    position = parse_position("R Y5/R1O3 G3/?2")
    run = run_from_position(position, preset("advanced", 2), ("leads",) * 2)
    assert run.rules.end == "round"
    other = run_from_position(parse_position("R Y5/R1O4 G3/?2"), run.rules, run.players)
    assert run.run_id != other.run_id
    with pytest.raises(RunError, match="3 players in the line-up, 2 at the start"):
        run_from_position(position, preset("basic", 3), ("leads",) * 3)
    deal = {"hands": [["R7"], ["R6"]], "palettes": [["O3"], ["O4"]], "canvas": "red", "start": 1}
    deals = [run_from_deals([deal | {"start": i}], BASIC, ("leads",) * 2) for i in range(2)]
    assert deals[0].run_id != deals[1].run_id


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(threads: int) -> None:
    run = run_from_position(parse_position("R Y5/R1O3 G3/?7"), BASIC, ("random",) * 2, 3)
    whole = play(run, 5_000, threads=threads, block_games=512).tally
    parts = [play(run, 2_500, first, threads=1).tally for first in (0, 2_500)]
    assert (whole == parts[0] + parts[1]).all()
