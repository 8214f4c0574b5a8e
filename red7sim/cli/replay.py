"""`red7sim replay`: show single games of a run."""

import textwrap
from typing import Annotated, Any

from red7sim.cli.game_text import step_text
from red7sim.cli.options import (
    JsonOption,
    PairingOption,
    PlayerOption,
    PlayersOption,
    SeedOption,
    number_option,
)
from red7sim.cli.output import WIDTH, print_json, tell_compiling
from red7sim.cli.refusals import refused_values
from red7sim.cli.rule_options import RuleOptions, make_run
from red7sim.cli.spread import spread_options


@spread_options
def replay(
    rules: RuleOptions,
    player: PlayerOption = None,
    players: PlayersOption = None,
    seed: SeedOption = 0,
    game: Annotated[
        int,
        number_option("--game", "Index of the first game.", metavar="I"),
    ] = 0,
    count: Annotated[int, number_option("--count", "Games to show.")] = 1,
    pairing: PairingOption = "none",
    as_json: JsonOption = False,
) -> None:
    """Show single games of a run, exactly as 'simulate' plays them with the same options.

    With a pairing, --game and --count count deals, and all games of a deal are shown.
    """
    run = make_run(rules, player, players, seed, pairing)
    from red7sim.lab.logs import logs_of
    from red7sim.lab.runs import MAX_INDEX, checked_count, checked_index
    from red7sim.lab.summary import FORMAT

    with refused_values():
        game, count = checked_index("game", game), checked_count("count", count)
    tell_compiling(quiet=False)
    for index in range(game, min(game + count, MAX_INDEX)):
        for log in logs_of(run, index):
            for event in log:
                if as_json:
                    print_json({"format": FORMAT} | event)
                else:
                    _print_event(event)


def _print_event(event: dict[str, Any]) -> None:
    match event["type"]:
        case "game":
            paired = "deal" in event
            which = (
                f"Deal {event['deal']}, arm {event['arm']}" if paired else f"Game {event['game']}"
            )
            print(f"{which}, seed {event['seed']}: " + _who_is_who(event["players"]))
        case "deal":
            print(f"\nRound {event['round'] + 1}, canvas {event['canvas']}")
            for player, (hand, palette) in enumerate(
                zip(event["hands"], event["palettes"], strict=True)
            ):
                starts = "  starts" if player == event["start"] else ""
                print(f"  player {player}  {' '.join(palette)} | {' '.join(hand)}{starts}")
            deck = textwrap.fill(" ".join(event["deck"]) or "empty", WIDTH - 12)
            print("  deck      " + deck.replace("\n", "\n" + " " * 12))
        case "turn":
            steps = ", ".join(step_text(step) for step in event["steps"])
            fate = "" if event["survives"] else "  OUT"
            print(f"  player {event['player']}  [{event['canvas']:<6}]  {steps}{fate}")
        case "round_end":
            cards = " ".join(event["scored"]) or "no card"
            print(
                f"  player {event['winner']} wins with {cards} under {event['canvas']}: "
                f"{event['points']} points; scores {event['scores']}"
            )
        case "game_end":
            winners = " and ".join(f"player {winner}" for winner in event["winners"])
            print(f"{winners} won the game (ended by: {event['reason']})\n")


def _who_is_who(names: list[str]) -> str:
    return ", ".join(f"player {player} is {name}" for player, name in enumerate(names))
