"""The options that choose a ruleset, shared by every command that plays or analyses."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from red7sim.cli.options import ContentError, UsageError, line_up

if TYPE_CHECKING:
    from red7sim.game.ruleset import Ruleset
    from red7sim.lab.runs import Run

DEFAULT_PRINTING = "1.2"


@dataclass(frozen=True)
class RuleOptions:
    """The rule options as given. Later ones win: preset, rule file, --end, --set."""

    base: Annotated[
        str, typer.Option("--rules", metavar="basic|advanced", help="The rules to play by.")
    ] = "basic"
    actions: Annotated[
        bool, typer.Option("--actions", help="Play with the Action rule for 1, 3, 5 and 7.")
    ] = False
    printing: Annotated[
        str | None,
        typer.Option(
            "--printing",
            metavar="1.1|1.2|ru",
            help=f"Whose text of the Action rule to follow; {DEFAULT_PRINTING} if not given.",
        ),
    ] = None
    end: Annotated[
        str | None,
        typer.Option(
            "--end",
            metavar="round|points[:N]|wins:N",
            help="When a game ends; by default one round (basic) or enough points (advanced).",
        ),
    ] = None
    rules_file: Annotated[
        Path | None,
        typer.Option(
            "--rules-file",
            metavar="FILE.toml",
            help="Take switches from a file; 'red7sim rules --export' writes one.",
        ),
    ] = None
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SWITCH=VALUE",
            help="Set one switch of the rules; may be repeated. 'red7sim rules' lists them.",
        ),
    ] = None

    def ruleset(self, players: int) -> "Ruleset":
        """Return the ruleset for a number of players.

        Refused values raise UsageError, a refused file ContentError.
        """
        from red7sim.game.rulefile import RuleFileError, read_rule_file
        from red7sim.game.ruleset import RulesetError, preset

        if self.printing is not None and not self.actions:
            raise UsageError("--printing goes with --actions")
        printing = (self.printing or DEFAULT_PRINTING) if self.actions else None
        try:
            ruleset = preset(self.base, players, printing)
            if self.rules_file is not None:
                ruleset = read_rule_file(self.rules_file, ruleset)
            settings = {} if self.end is None else {"end": self.end}
            return ruleset.changed(settings | dict(map(_setting, self.settings or [])))
        except RulesetError as error:
            raise UsageError(str(error)) from None
        except RuleFileError as error:
            raise ContentError(str(error)) from None


def takes_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with its parameter `rules: RuleOptions` spread into the single options."""
    names = [field.name for field in fields(RuleOptions)]
    spread = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=field.type,
        )
        for field in fields(RuleOptions)
    ]
    signature = inspect.signature(command)
    others = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in signature.parameters.items()
        if name != "rules"
    ]
    arguments = [p for p in others if p.default is inspect.Parameter.empty]
    options = [p for p in others if p.default is not inspect.Parameter.empty]

    @wraps(command)
    def spread_command(**given: Any) -> None:
        rules = RuleOptions(**{name: given.pop(name) for name in names})
        command(rules=rules, **given)

    parameters = [*arguments, *spread, *options]
    spread_command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    spread_command.__annotations__ = {p.name: p.annotation for p in parameters}
    return spread_command


def make_run(
    rules: RuleOptions,
    names: list[str] | None,
    players: int | None,
    seed: int,
    pairing: str = "none",
) -> "Run":
    """Return the run that the options describe; refused values raise UsageError."""
    from red7sim.lab.runs import Run, RunError
    from red7sim.play.policy import PlayerError

    seats = line_up(names, players)
    try:
        return Run(rules.ruleset(len(seats)), seats, seed, pairing)
    except (RunError, PlayerError) as error:
        raise UsageError(str(error)) from None


def _setting(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise UsageError(f"--set {text!r} is not SWITCH=VALUE")
    return name.strip(), value
