"""Measure what the printings and the single switches of the Action rule do to the game.

usage: python docs/measure_printings.py > tables.md      prints the tables of docs/printings.md
"""

from red7sim.game.ruleset import Ruleset, preset
from red7sim.lab.runs import Run, play
from red7sim.lab.stats import per_round
from red7sim.play.tally import POINTS, ROUND_SEAT_WINS, TURNS

GAMES = 400_000
SEED = 7
PLAYERS = ("random", "greedy")

SWITCHES = (
    ("seven_to_deck", {"seven_to_deck": "no"}),
    ("seven_may_move_itself", {"seven_may_move_itself": "no"}),
    ("one_target", {"one_target": "not_only_card"}),
    ("allow_losing_one", {"allow_losing_one": "yes"}),
    (
        "seven_no_valid (with seven_to_deck=no)",
        {"seven_to_deck": "no", "seven_no_valid": "illegal"},
    ),
    ("discard_after_seven", {"discard_after_seven": "no"}),
    ("draw_on_seven (advanced)", {"draw": "auto", "draw_on_seven": "no"}),
    ("score_choice", {"score_choice": "max_points"}),
)


def measured(ruleset: Ruleset, player: str) -> str:
    """Return first seat's share, turns and points a round, each with its standard error."""
    tally = play(Run(ruleset, (player,) * ruleset.players, SEED), GAMES).tally
    cells = [
        (per_round(tally, ROUND_SEAT_WINS), 4),
        (per_round(tally, TURNS), 3),
        (per_round(tally, POINTS), 2),
    ]
    return " | ".join(
        f"{cell.value:.{places}f} ± {cell.error:.{places}f}" for cell, places in cells
    )


def main() -> None:
    """Print both tables."""
    print("| rules | players | player | first seat wins | turns a round | points a round |")
    print("| --- | --- | --- | --- | --- | --- |")
    for base in ("basic", "advanced"):
        for players in (2, 4):
            for player in PLAYERS:
                for printing in (None, "1.1", "1.2", "ru"):
                    rules = preset(base, players, printing).changed({"end": "round"})
                    name = f"{base}, {printing or 'no actions'}"
                    cells = measured(rules, player)
                    print(f"| {name} | {players} | {player} | {cells} |", flush=True)
    print("\n| changed from 1.2 | player | first seat wins | turns a round | points a round |")
    print("| --- | --- | --- | --- | --- |")
    for player in PLAYERS:
        for name, changes in (("nothing", {}), ("draw=auto", {"draw": "auto"}), *SWITCHES):
            rules = preset("basic", 2, "1.2").changed(changes)
            print(f"| {name} | {player} | {measured(rules, player)} |", flush=True)


if __name__ == "__main__":
    main()
