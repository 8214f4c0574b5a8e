"""The cells of a study: numbers of players x rulesets x players who play against themselves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Integral
from typing import Any, TypeVar

from red7sim.game.refused import not_allowed, one_or_several, whole_in
from red7sim.game.ruleset import BASES, Ruleset, RulesetError, preset
from red7sim.game.switches import MAX_PLAYERS, MIN_PLAYERS
from red7sim.game.wording import listing, setting_text, setting_words, with_settings
from red7sim.lab.runs import Run, RunError, checked_settings
from red7sim.lab.studies.study import player_words
from red7sim.play.design import NO_PAIRING
from red7sim.play.spec import parse_player

_T = TypeVar("_T")


@dataclass(frozen=True)
class Cell:
    """One ruleset with one player in all its seats."""

    base: str
    player: str
    ruleset: Ruleset

    @property
    def labels(self) -> dict[str, Any]:
        """The columns that tell the cell from the others of its study."""
        return {"players": self.ruleset.players, "rules": self.base, "player": self.player}

    def run(self, seed: int, design: str = NO_PAIRING) -> Run:
        """Return the run of the cell under a design."""
        return Run(self.ruleset, (self.player,) * self.ruleset.players, seed, design)


@dataclass(frozen=True)
class Cross:
    """Lists that a study crosses, and the switches that are set in all its rulesets.

    Attributes
    ----------
    players
        Numbers of players.
    rules
        Names of presets, `basic` or `advanced`.
    player
        Players by their canonical texts; each plays in all seats.
    settings
        Switches, as values or as text: `{"hand_size": 5}`.
    """

    players: tuple[int, ...]
    rules: tuple[str, ...]
    player: tuple[str, ...]
    settings: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        players: int | Sequence[int],
        rules: str | Sequence[str],
        player: str | Sequence[str],
        settings: Mapping[str, Any] | None,
    ) -> "Cross":
        """Return a cross of lists or single values, each value once.

        Raises
        ------
        PlayerError
            A player is refused.
        RulesetError
            A number of players is out of range.
        RunError
            A list is empty, or none, or the settings are no mapping.
        """
        numbers = [
            whole_in("players", number, MIN_PLAYERS, MAX_PLAYERS, error=RulesetError)
            for number in one_or_several(
                "players", players, Integral, "a number of players", RunError
            )
        ]
        bases = one_or_several("rules", rules, str, "a preset", RunError)
        for base in bases:
            if base not in BASES:
                raise not_allowed("rules", base, "|".join(BASES), RulesetError)
        switches = checked_settings(settings)
        return cls(_once(numbers), _once(bases), canonical_players(player), switches)

    @classmethod
    def single(
        cls, players: int, rules: str, player: str, settings: Mapping[str, Any] | None
    ) -> "Cross":
        """Return the cross of one cell.

        Raises
        ------
        PlayerError
            The player is refused.
        RunError
            Something is given several times.
        """
        for name, value, one, what in (
            ("players", players, Integral, "one number of players"),
            ("rules", rules, str, "one preset"),
            ("player", player, str, "one player"),
        ):
            if not isinstance(value, one):
                raise not_allowed(name, value, what, RunError)
        return cls.of(players, rules, player, settings)

    def cells(self) -> list[Cell]:
        """Return all cells, the player changing fastest.

        Raises
        ------
        RulesetError
            A number of players, a preset or a switch is refused.
        """
        return [
            Cell(base, player, preset(base, players).changed(self.settings))
            for players, base, player in product(self.players, self.rules, self.player)
        ]

    def words(self) -> list[str]:
        """Return the options of the command line that ask for this cross."""
        return [
            *("--players", ",".join(map(str, self.players)), "--rules", ",".join(self.rules)),
            *player_words(self.player),
            *setting_words(self.settings),
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the lists and the settings, fit for JSON."""
        return {
            "players": [*self.players],
            "rules": [*self.rules],
            "player": [*self.player],
            "settings": {name: setting_text(value) for name, value in self.settings.items()},
        }

    def rules_sentence(self) -> str:
        """Return the rules in words, for a caption."""
        rules = with_settings(f"{listing(self.rules)} rules", self.settings)
        numbers = listing([str(number) for number in self.players])
        return f"{numbers} players, {rules}"

    def sentence(self) -> str:
        """Return rules and players in words, for a caption."""
        return f"{self.rules_sentence()}, {listing(self.player)} in all seats"


def canonical_players(player: str | Sequence[str]) -> tuple[str, ...]:
    """Return players by their canonical texts (red7sim.play.spec), each once.

    Raises
    ------
    PlayerError
        A player is refused.
    """
    names = one_or_several("player", player, str, "a player", RunError)
    return _once(parse_player(name).text for name in names)


def _once(values: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(values))
