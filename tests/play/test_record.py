"""The record of a round against the log of the same game."""

import naive
import numpy as np
import pytest

from red7sim.game.cards import COLOURS
from red7sim.game.notation import parse_set
from red7sim.game.ruleset import Ruleset, preset
from red7sim.lab.runs import Run, play
from red7sim.play import paired
from red7sim.play.detailed import empty_counts, seat_detailed, split_counts
from red7sim.play.details import CHOICES, FORCED
from red7sim.play.paired import seat_paired
from red7sim.play.record import ROUND, Rounds, checksum
from red7sim.play.replay import replay_game
from red7sim.play.tally import GAME_SQUARES, GAMES

LINE_UP = ("random", "leads", "greedy", "thrifty")
RULESETS = [
    preset("basic", 2),
    preset("advanced", 4),
    preset("advanced", 3, "1.1"),
    preset("basic", 2).changed({"end": "wins:30", "start_bonus": "0,2"}),
]


def record(run: Run, first: int, deals: int) -> tuple[Rounds, np.ndarray]:
    table = seat_paired(run.rules, run.players, run.arms)
    tally = np.zeros((GAME_SQUARES + 1, GAMES + 1), dtype=np.int64)
    return table.record_rounds(run.seed, first, deals, tally), tally


def line_up(rules: Ruleset) -> tuple[str, ...]:
    return ("random",) * rules.players if rules.actions else LINE_UP[: rules.players]


def from_log(events: list[dict], players: int) -> list[dict]:
    """The same facts of every round, out of its log."""
    rounds: list[dict] = []
    for event in events:
        if event["type"] == "deal":
            palettes = [parse_set("".join(cards)) for cards in event["palettes"]]
            rounds.append(
                {
                    "round": event["round"],
                    "start": event["start"],
                    "hands": [parse_set("".join(cards)) for cards in event["hands"]],
                    "palettes": palettes,
                    "turns": 0,
                    "draws": 0,
                    "acted": 0,
                }
            )
        elif event["type"] == "turn":
            row, player = rounds[-1], event["player"]
            row["turns"] += 1
            row["acted"] |= event["survives"] << player
            for step in event["steps"]:
                card = parse_set(step["card"]) if step.get("card") else 0
                row["draws"] += step["do"] == "draw"
                if step["do"] == "play":
                    row["palettes"][player] |= card
                elif step["do"] in ("discard_palette", "to_deck"):
                    row["palettes"][player] ^= card
                elif step["do"] == "take":
                    row["palettes"][step["from"]] ^= card
        elif event["type"] == "round_end":
            rounds[-1] |= {
                "winner": event["winner"],
                "points": event["points"],
                "final_rule": COLOURS.index(event["canvas"]),
            }
    for row in rounds:
        row["hands"] += [0] * (4 - players)
        row["palettes"] += [0] * (4 - players)
    return rounds


@pytest.mark.parametrize("rules", RULESETS, ids=str)
@pytest.mark.parametrize("design", ["none", "rotate", "force-start"])
def test_records_say_what_the_logs_say(rules: Ruleset, design: str) -> None:
    run = Run(rules, line_up(rules), 6, design)
    rows, _ = record(run, 40, 5)
    expected = []
    for deal in range(40, 45):
        for number, arm in enumerate(run.arms):
            log = replay_game(rules, arm.seated(run.players), 6, deal, arm.first_start)
            for facts in from_log([*log], rules.players):
                expected.append(facts | {"game": deal, "arm": number})
    assert len(rows) == len(expected)
    for row, facts in zip(rows, expected, strict=True):
        for name, value in facts.items():
            assert np.array_equal(row[name], value), name
        assert 0 <= row["forced_turns"] <= row["turns"]
        assert row["choices"] >= row["forced_turns"]


@pytest.mark.parametrize("rules", RULESETS, ids=str)
def test_recording_changes_no_count(rules: Ruleset) -> None:
    run = Run(rules, line_up(rules), 6)
    _, tally = record(run, 0, 50)
    assert (tally[:GAME_SQUARES] == play(run, 50).tally).all()


def surviving_turns(hand: set[str], palettes: list[set[str]], mover: int, canvas: str) -> int:
    """Number of turns of basic two-player rules after which the mover leads, tried one by one."""
    found = 0
    for card in (None, *hand):
        mine = palettes[mover] | {card} if card else palettes[mover]
        shown = [mine if player == mover else palettes[player] for player in range(2)]
        for discard in (None, *(hand - {card})):
            if card or discard:
                rule = COLOURS["VIBGYOR".index(discard[0])] if discard else canvas
                found += naive.leader(shown, [True, True], rule) == mover
    return found


def test_choices_are_the_surviving_turns_of_the_movers() -> None:
    run = Run(preset("basic", 2), ("random", "leads"), 1)
    rows, _ = record(run, 0, 40)
    for game, row in enumerate(rows):
        deal, *events = replay_game(run.rules, run.players, run.seed, game)
        hands, palettes = ([set(cards) for cards in deal[key]] for key in ("hands", "palettes"))
        canvas, counts = deal["canvas"], []
        for event in events:
            if event["type"] != "turn":
                continue
            player = event["player"]
            counts.append(surviving_turns(hands[player], palettes, player, canvas))
            canvas = event["canvas"]
            for step in event["steps"]:
                if step["do"] != "fold":
                    hands[player].discard(step["card"])
                if step["do"] == "play":
                    palettes[player].add(step["card"])
        assert row["choices"] == sum(counts)
        assert row["forced_turns"] == counts.count(1)


def test_choices_with_actions_are_those_of_the_details() -> None:
    run = Run(preset("advanced", 3, "1.1"), ("leads", "greedy", "random"), 6)
    rows, _ = record(run, 0, 40)
    counts = empty_counts()
    seat_detailed(run.rules, run.players).play_block(run.seed, 0, 40, counts)
    turns = split_counts(counts)[1]["turns"].sum(axis=(0, 1))
    assert rows["choices"].sum() == turns[CHOICES]
    assert rows["forced_turns"].sum() == turns[FORCED]


def test_more_rounds_than_room_are_all_recorded(monkeypatch) -> None:
    run = Run(preset("advanced", 2), ("leads", "random"), 1)
    expected, counts = record(run, 0, 20)
    monkeypatch.setattr(paired, "FIRST_ROOM", 1)
    rows, tally = record(run, 0, 20)
    assert (rows == expected).all()
    assert (tally == counts).all()


def test_checksums_add_and_see_every_field() -> None:
    rows, _ = record(Run(preset("advanced", 4), LINE_UP, 1), 0, 30)
    whole = int(checksum(rows))
    parts = int(checksum(rows[:17])) + int(checksum(rows[17:]))
    assert parts % 2**64 == whole
    assert int(checksum(rows[::-1].copy())) == whole
    for name in ROUND.names:
        changed = rows.copy()
        changed[name][3] += 1
        assert int(checksum(changed)) != whole, name
