"""The options that choose a ruleset, shared by every command that plays or analyses."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from red7sim.cli.options import flag, line_up, path_option
from red7sim.cli.refusals import ContentError, UsageError, refused_values

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
    actions: Annotated[bool, flag("--actions", "Play with the Action rule for 1, 3, 5 and 7.")] = (
        False
    )
    printing: Annotated[
        str | None,
        typer.Option(
            "--printing",
            metavar="1.1|1.2|ru",
            help=f"Which text of the Action rule to follow; {DEFAULT_PRINTING} by default.",
        ),
    ] = None
    end: Annotated[
        str | None,
        typer.Option(
            "--end",
            metavar="round|points[:N]|wins:N",
            help="When a game ends: by default one round (basic) or enough points (advanced).",
        ),
    ] = None
    rules_file: Annotated[
        Path | None,
        path_option(
            "--rules-file",
            "FILE.toml",
            "Take switches from a file; 'red7sim rules --export' writes one.",
        ),
    ] = None
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SWITCH=VALUE",
            help="Set a switch of the rules; may be repeated. 'red7sim rules' lists the switches.",
        ),
    ] = None

    def ruleset(self, players: int) -> "Ruleset":
        """Return the ruleset for a number of players.

        Refused values raise UsageError, a refused file ContentError.
        """
        from red7sim.game.rulefile import RuleFileError, read_rule_file, read_settings
        from red7sim.game.ruleset import RulesetError, preset

        try:
            base = preset(self.base, players, self._printing())
            filed = {} if self.rules_file is None else read_settings(self.rules_file)
            given = self._given()
            try:
                return base.changed(filed | given)
            except RulesetError:
                if self.rules_file is not None:  # who is at fault by himself is named
                    base.changed(given)
                    read_rule_file(self.rules_file, base)
                raise
        except RulesetError as error:
            raise UsageError(str(error)) from None
        except RuleFileError as error:
            raise ContentError(str(error)) from None

    def changes(self) -> dict[str, Any]:
        """Return every switch that the options set on top of a preset, whatever the preset is.

        `preset(base, players).changed(...)` of these is `ruleset(players)`. A refused file raises
        ContentError; refused values are left to the ruleset.
        """
        from red7sim.game.rulefile import RuleFileError, read_settings
        from red7sim.game.ruleset import RulesetError, printing_settings

        printing = self._printing()
        try:
            filed = {} if self.rules_file is None else read_settings(self.rules_file)
            return (printing_settings(printing) if printing else {}) | filed | self._given()
        except RulesetError as error:
            raise UsageError(str(error)) from None
        except RuleFileError as error:
            raise ContentError(str(error)) from None

    def _printing(self) -> str | None:
        if self.printing is not None and not self.actions:
            raise UsageError("--printing goes with --actions")
        return (self.printing or DEFAULT_PRINTING) if self.actions else None

    def _given(self) -> dict[str, str]:
        settings = {} if self.end is None else {"end": self.end}
        return settings | dict(map(_setting, self.settings or []))


@dataclass(frozen=True)
class CrossedRuleOptions(RuleOptions):
    """Rule options of a study, which may name several presets."""

    base: Annotated[
        str,
        typer.Option(
            "--rules",
            metavar="LIST",
            help="Presets to cross: basic, advanced, or both with a comma.",
        ),
    ] = "basic,advanced"

    @property
    def bases(self) -> tuple[str, ...]:
        """The presets in their order."""
        return tuple(name.strip() for name in self.base.split(","))


@dataclass(frozen=True)
class ScoredRuleOptions(RuleOptions):
    """Rule options of a study of scored games."""

    base: Annotated[
        str, typer.Option("--rules", metavar="basic|advanced", help="The rules to play by.")
    ] = "advanced"


def make_run(
    rules: RuleOptions,
    names: list[str] | None,
    players: int | None,
    seed: int,
    pairing: str = "none",
) -> "Run":
    """Return the run that the options describe; refused values raise UsageError."""
    from red7sim.lab.runs import Run

    seats = line_up(names, players)
    ruleset = rules.ruleset(len(seats))
    with refused_values():
        return Run(ruleset, seats, seed, pairing)


def _setting(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise UsageError(f"--set {text!r} is not SWITCH=VALUE")
    return name.strip(), value
