"""Perfect play against the slow solver."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import naive
import naive_solver
import pytest

from red7sim.game.contest import LANE_RULES
from red7sim.game.notation import (
    LARGEST_HAND,
    Position,
    Seat,
    members,
    parse_position,
    parse_set,
    set_text,
)
from red7sim.game.ruleset import Ruleset, RulesetError, preset
from red7sim.lab.runs import Run
from red7sim.play.open_hands import (
    Solver,
    after_turn,
    is_solvable,
    solver_table,
)
from red7sim.play.replay import replay_game
from red7sim.play.solver import require_solvable
from red7sim.play.tally import GAMES, POSITION_WINS, SEAT_WINS, SHARE_UNIT, SUM, empty_tally

BASIC = preset("basic", 2)


def disagreements(
    texts: Sequence[str], ruleset: Ruleset, twin_rules: Ruleset | None = None
) -> list[str]:
    """The positions that solver and twin judge differently."""
    solver = Solver(ruleset)
    rules = (twin_rules or ruleset).as_json()
    memory: naive_solver.Memory = {}
    return [
        text
        for text in texts
        if solver.mover_wins(parse_position(text))
        != naive_solver.mover_wins(naive_solver.read_position(text, rules), memory)
    ]


def all_positions(deck: Sequence[str]) -> Iterator[str]:
    """Every position of two players with the cards of a small deck, some of them gone."""
    for places in product(range(5), repeat=len(deck)):
        piles = ["".join(c for c, p in zip(deck, places, strict=True) if p == i) for i in range(4)]
        if piles[0] and piles[2]:
            for canvas in sorted({card[0] for card in deck}):
                yield f"{canvas} {piles[0]}/{piles[1]} {piles[2]}/{piles[3]}"


def random_position(random: Random, deck: Sequence[str], most: int) -> str:
    """A position with some cards of a deck, at most `most` in each palette and each hand."""
    cards = random.sample(deck, len(deck))
    sizes = [random.randint(low, most) for low in (1, 0, 1, 0)]
    while sum(sizes) > len(deck):
        sizes = [max(low, size - 1) for low, size in zip((1, 0, 1, 0), sizes, strict=True)]
    piles = ["".join(cards.pop() for _ in range(size)) for size in sizes]
    return f"{random.choice(deck)[0]} {piles[0]}/{piles[1]} {piles[2]}/{piles[3]}"


def random_rules(random: Random) -> Ruleset:
    """Basic rules, in which some colours stand for other rules."""
    colours = list(naive.COLOURS.values())
    return BASIC.changed({"rules_in_play": {c: random.choice(colours) for c in colours}})


def deck(letters: str, numbers: str) -> list[str]:
    return [letter + number for letter in letters for number in numbers]


@pytest.mark.parametrize(("letters", "numbers"), [("RGV", "12"), ("BI", "234")])
def test_every_position_of_a_tiny_deck(letters: str, numbers: str) -> None:
    texts = [*all_positions(deck(letters, numbers))]
    assert len(texts) == 8162 * len(letters)
    assert disagreements(texts, BASIC) == []


def test_random_small_positions() -> None:
    random = Random(1)
    texts = [random_position(random, naive.ALL_CARDS, most=4) for _ in range(200)]
    texts += [random_position(random, deck("OYB", "357"), most=3) for _ in range(300)]
    assert disagreements(texts, BASIC) == []


def test_rules_in_play_are_the_rules_that_are_solved() -> None:
    random = Random(2)
    for _ in range(10):
        texts = [random_position(random, naive.ALL_CARDS, most=3) for _ in range(20)]
        assert disagreements(texts, random_rules(random)) == []


@pytest.mark.parametrize("colour", naive.COLOURS.values())
def test_the_comparison_notices_a_single_wrong_rule(colour: str) -> None:
    random = Random(3)
    wrong = BASIC.changed({"rules_in_play": {colour: "red" if colour != "red" else "blue"}})
    texts = [random_position(random, naive.ALL_CARDS, most=4) for _ in range(100)]
    assert disagreements(texts, BASIC, wrong)


@pytest.mark.slow
def test_many_positions_of_a_small_deck() -> None:
    random = Random(4)
    texts = [random_position(random, deck("RYI", "136"), most=4) for _ in range(20_000)]
    assert disagreements(texts, BASIC) == []


@pytest.mark.slow
def test_many_endgames_of_the_full_deck() -> None:
    random = Random(5)
    texts = [random_position(random, naive.ALL_CARDS, most=5) for _ in range(5_000)]
    assert disagreements(texts, BASIC) == []


@pytest.mark.slow
def test_large_hands() -> None:
    random = Random(6)
    for _ in range(20):
        cards = random.sample(naive.ALL_CARDS, 12)
        piles = ["".join(cards[:1]), "".join(cards[1:10]), cards[10], cards[11]]
        text = f"R {piles[0]}/{piles[1]} {piles[2]}/{piles[3]}"
        assert disagreements([text], BASIC) == []


def test_the_value_is_that_of_the_best_turn_and_the_line_keeps_it() -> None:
    random = Random(7)
    solver = Solver(BASIC)
    for _ in range(50):
        position = parse_position(random_position(random, naive.ALL_CARDS, most=5))
        solution = solver.solve(position)
        assert solution.value == ("win" if solver.mover_wins(position) else "loss")
        assert (solution.value == "win") == ("win" in solution.turn_values)
        winner = 0 if solution.value == "win" else 1
        mover = 0
        for turn in solution.line:
            assert turn["player"] == mover
            assert solver.mover_wins(position) == (mover == winner)
            position, mover = after_turn(position, turn), 1 - mover
        assert solver.turn_values(position) == []
        assert mover != winner


@pytest.mark.parametrize("hand_size", [3, 4, 7])
def test_values_agree_with_those_after_every_turn(hand_size: int) -> None:
    """Each value comes from a search of its own: a wrong table would contradict itself."""
    random = Random(8)
    solver = Solver(BASIC)
    for _ in range(200 if hand_size == 7 else 1500):
        cards = random.sample(naive.ALL_CARDS, 2 * hand_size + 2)
        seats = ["".join(cards[i::2][1:]) for i in range(2)]
        text = f"{random.choice('ROYGBIV')} {cards[0]}/{seats[0]} {cards[1]}/{seats[1]}"
        position = parse_position(text)
        wins = any(won for _, won in solver.turn_values(position))
        assert solver.mover_wins(position) == wins, text


def table_positions(solver: Solver, start: Position) -> Iterator[tuple[Position, int]]:
    """The positions in the table of the last search, without a canvas, and the facts of each."""
    search = solver._searches[0]
    places = [[*members(seat.hand or 0)] for seat in start.seats]
    held = search["keys"] >= 0
    for key, facts in zip(
        search["keys"][held].tolist(), search["facts"][held].tolist(), strict=True
    ):
        mover = key >> 4 * LARGEST_HAND
        seats = []
        for i, player in enumerate((mover, 1 - mover)):
            played, hand = (
                sum(1 << places[player][p] for p in members(key >> shift & (1 << LARGEST_HAND) - 1))
                for shift in (2 * i * LARGEST_HAND, (2 * i + 1) * LARGEST_HAND)
            )
            palette = start.seats[player].palette | played
            seats.append(Seat(palette, hand, hand.bit_count()))
        yield Position(0, tuple(seats), None, 0, 0), facts


def test_every_fact_in_the_table_is_true() -> None:
    random = Random(9)
    solver, other = Solver(BASIC), Solver(BASIC)
    known = 0
    for _ in range(30):
        cards = random.sample(naive.ALL_CARDS, 14)
        seats = ["".join(cards[i::2][1:]) for i in range(2)]
        start = parse_position(f"R {cards[0]}/{seats[0]} {cards[1]}/{seats[1]}")
        solver.mover_wins(start)
        for position, facts in table_positions(solver, start):
            for lane, rule in enumerate(LANE_RULES):
                wins, losses = facts >> lane & 1, facts >> 7 + lane & 1
                if wins or losses:
                    known += 1
                    assert wins != losses
                    assert other.mover_wins(replace(position, canvas=rule)) == wins
    assert known > 10_000


def test_players_who_are_out_are_passed_over() -> None:
    solver = Solver(preset("basic", 3))
    position = parse_position("R Y5B1G6G4/R1O3 - G3V6I1O1/B2I7")
    alone = parse_position("R Y5B1G6G4/R1O3 G3V6I1O1/B2I7")
    assert is_solvable(preset("basic", 3), position)
    assert solver.solve(position).value == Solver(BASIC).solve(alone).value
    assert {turn["player"] for turn in solver.solve(position).line} <= {0, 2}


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("R R1/?2 B1/R2", {}),
        ("R R1/R2 B1/?1", {}),
        ("R R1/R2 B1/B2", {"draw": "auto"}),
        ("R R1/R2 B1/B2", {"actions": True}),
        ("R R1/R2 B1/B2", {"end": "points"}),
    ],
)
def test_what_chance_decides_is_not_solved(text: str, settings: dict[str, Any]) -> None:
    assert not is_solvable(BASIC.changed(settings), parse_position(text))
    if settings:
        with pytest.raises(RulesetError, match=next(iter(settings))):
            require_solvable(BASIC.changed(settings))


def dealt(ruleset: Ruleset, seed: int, game: int) -> tuple[Position, int]:
    """The position after a deal of `simulate`, and the table position that acts first."""
    events = replay_game(ruleset, Run(ruleset, ("random",) * 2, seed).players, seed, game)
    deal = next(event for event in events if event["type"] == "deal")
    start = deal["start"]
    seats = [
        "".join(deal["palettes"][p]) + "/" + "".join(deal["hands"][p]) for p in (start, 1 - start)
    ]
    canvas = next(letter for letter, name in naive.COLOURS.items() if name == deal["canvas"])
    return parse_position(f"{canvas} {' '.join(seats)}"), start


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"hand_size": 4, "palette_size": 2, "first_canvas": "dealt", "start_bonus": (0, 2)},
        {"start": "lowest_card", "rules_in_play": {"red": "violet"}},
    ],
)
def test_the_deals_solved_are_those_of_a_run(settings: dict[str, Any]) -> None:
    ruleset = BASIC.changed(settings)
    solver = Solver(ruleset)
    for game in range(20):
        tally = empty_tally()
        solver_table(ruleset).play_block(9, game, 1, tally)
        position, start = dealt(ruleset, 9, game)
        winner = start if solver.mover_wins(position) else 1 - start
        assert tally[SUM, SEAT_WINS + (winner != start)] == SHARE_UNIT
        assert tally[SUM, POSITION_WINS + winner] == SHARE_UNIT
        assert tally[SUM, GAMES] == 1


def test_recorded_deals_are_those_tallied() -> None:
    rules = preset("basic", 2)
    tally, again = empty_tally(), empty_tally()
    rows = solver_table(rules).record_rounds(5, 100, 60, tally)
    solver_table(rules).play_block(5, 100, 60, again)
    assert (tally == again).all()
    assert (rows["winner"] == rows["start"]).sum() == tally[SUM, SEAT_WINS] / SHARE_UNIT
    assert rows["game"].tolist() == [*range(100, 160)]
    for row in rows[:10]:
        deal = next(replay_game(rules, ("leads", "leads"), 5, int(row["game"])))
        for player in (0, 1):
            hand, palette = deal["hands"][player], deal["palettes"][player]
            assert set_text(int(row["hands"][player])) == set_text(parse_set("".join(hand)))
            assert set_text(int(row["palettes"][player])) == "".join(palette)
        assert row["start"] == deal["start"]
