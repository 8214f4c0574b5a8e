"""The slow twin of the counts of details: one game's log counted on plain sets of cards.

A count is named by a tuple of words and numbers; what never happened is absent.
"""

from collections import Counter
from typing import Any

import naive
from naive import Event, Position

Count = Counter[tuple[Any, ...]]

GROUPS = [*naive.COLOURS.values(), *range(1, 8)]
LAST_BIN = 31


def in_group(cards: Any, group: str | int) -> int:
    """How many of the cards are of a colour or of a number."""
    return sum(group in (naive.colour(card), naive.number(card)) for card in cards)


def count_game(events: list[Event], rules: naive.Rules, players: int) -> Count:
    """Everything that is counted in one game, whose log is checked on the way."""
    turns: list[tuple[Position, Event]] = []
    naive.check_log(
        events, players, rules, watch=lambda position, _r, _t, e: turns.append((position, e))
    )
    deals = [e for e in events if e["type"] == "deal"]
    ends = [e for e in events if e["type"] == "round_end"]
    count: Count = Counter()
    for deal, end in zip(deals, ends, strict=True):
        its_turns = [(p, e) for p, e in turns if e["round"] == deal["round"]]
        count += count_round(deal, its_turns, end, rules, players)
    count += count_first_deal(deals[0], ends[0]["winner"])
    count["games",] += 1
    winners = events[-1]["winners"]
    if len(ends) > 1:
        count["long_games",] += 1
        behind = {
            player
            for end in ends[:-1]
            for player in range(players)
            if any(score > end["scores"][player] for score in end["scores"])
        }
        count["comebacks",] += bool(behind & set(winners))
    return +count


def count_first_deal(deal: Event, winner: int) -> Count:
    """What was dealt to all players in the first round, and what to its winner."""
    count: Count = Counter()
    for place, key in (("hand", "hands"), ("start", "palettes")):
        for card in naive.ALL_CARDS:
            count["cards", place, "dealt", card] += any(card in cards for cards in deal[key])
            count["cards", place, "won", card] += card in deal[key][winner]
        for group in GROUPS:
            dealt = sum(in_group(cards, group) for cards in deal[key])
            won = in_group(deal[key][winner], group)
            count["groups", place, "dealt", group] += dealt
            count["groups", place, "won", group] += won
            count["groups", place, "dealt_squares", group] += dealt**2
            count["groups", place, "won_squares", group] += won**2
            count["groups", place, "products", group] += dealt * won
    return count


def count_round(
    deal: Event, turns: list[tuple[Position, Event]], end: Event, rules: naive.Rules, players: int
) -> Count:
    """What happened in one round: cards, canvas, choices, leaders."""
    count: Count = Counter()
    start, winner = deal["start"], end["winner"]
    live = [True] * players
    rule = rules["rules_in_play"][deal["canvas"]]
    led_last = naive.leader([frozenset(palette) for palette in deal["palettes"]], live, rule)
    survivors: set[int] = set()
    for number, (position, event) in enumerate(turns):
        mover = event["player"]
        canvas = position.canvas
        count["canvas_turns", canvas] += 1
        for step in event["steps"]:
            count["steps", step["do"], step.get("card")] += 1
            if step["do"] in ("discard", "discard_palette"):
                shown = naive.colour(step["card"])
                count["discards", canvas, shown] += 1
                count["changes_won", shown] += shown != canvas and mover == winner
                canvas = shown
        options = len(naive.turns(position))
        bin_ = min(number, LAST_BIN)
        count["turns", bin_, "asked"] += 1
        count["turns", bin_, "choices"] += options
        count["turns", bin_, "no_choice"] += options == 0
        count["turns", bin_, "forced"] += options == 1
        if event["survives"]:
            survivors.add(mover)
            count["leader_changes",] += mover != led_last
            led_last = mover
        elif mover not in survivors:
            count["out_early", (mover - start) % players] += 1
    for card in end["scored"]:
        count["scored", card] += 1
    count["finals", end["canvas"], "ends"] += 1
    count["finals", end["canvas"], "points"] += end["points"]
    count["lengths", min(len(turns), LAST_BIN)] += 1
    return count
