"""Options that say where rounds begin: from a position, or from the deals of a log."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from red7sim.cli.options import line_up, path_option
from red7sim.cli.refusals import ContentError, UsageError
from red7sim.cli.rule_options import RuleOptions

if TYPE_CHECKING:
    from red7sim.lab.starting import StartedRun

FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="POSITION",
        help="Play one round from a position instead of a deal, written as for 'red7sim analyze'; "
        "what it leaves open is dealt anew in every game.",
    ),
]
DealsOption = Annotated[
    Path | None,
    path_option(
        "--deals",
        "FILE",
        "Play one round from each deal in a log of 'red7sim replay --json', starting over when "
        "all have been played; - reads standard input.",
    ),
]


def started_run(
    rules: RuleOptions,
    names: list[str] | None,
    players: int | None,
    seed: int,
    position: str | None,
    deals: Path | None,
) -> "StartedRun":
    """Return the run from the position or the deals, of which exactly one is given.

    Refused options raise UsageError, refused positions and files ContentError.
    """
    from red7sim.game.notation import NotationError, parse_position
    from red7sim.lab.runs import RunError
    from red7sim.lab.starting import players_of, run_from_deals, run_from_position
    from red7sim.play.policy import PlayerError
    from red7sim.play.starts import StartError

    if position is not None and deals is not None:
        raise UsageError("--from and --deals do not go together")
    try:
        if position is not None:
            start = parse_position(position)
            at_table = len(start.seats)
            seats = line_up(names, at_table if players is None else players)
            return run_from_position(start, rules.ruleset(len(seats)), seats, seed)
        assert deals is not None
        events = _read_deals(deals)
        seats = line_up(names, players_of(events) if players is None else players)
        return run_from_deals(events, rules.ruleset(len(seats)), seats, seed)
    except NotationError as error:
        raise ContentError(f"position {position!r}: {error}") from None
    except StartError as error:
        raise ContentError(f"{deals}: {error}") from None
    except (RunError, PlayerError) as error:
        raise UsageError(str(error)) from None


def _read_deals(path: Path) -> list[dict[str, Any]]:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except OSError as error:
        raise ContentError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ContentError(f"{path} cannot be read: {error}") from None
    deals = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            raise ContentError(f"{path}, line {number}: not a line of JSON") from None
        if not isinstance(event, dict):
            raise ContentError(f"{path}, line {number}: not a JSON object")
        if event.get("type") == "deal":
            deals.append(event)
    return deals
