"""Monte Carlo simulation of the card game Red7.

    import red7sim
    red7sim.simulate("advanced", "leads", players=3, games=100_000).seats()

The functions are those of `red7sim.api`, which is loaded when one of them is first used.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from red7sim.api import (
        InputError,
        MatchResult,
        Parameter,
        Player,
        Result,
        Ruleset,
        Run,
        Sprt,
        Study,
        analyze,
        balance_agency,
        balance_cards,
        balance_folding,
        balance_rules,
        cluster,
        combine,
        find_player,
        findings_of,
        first_player,
        load,
        make_run,
        match,
        pictures_of,
        player_names,
        preset,
        read_rule_file,
        register,
        replay,
        report,
        rule_file_text,
        simulate,
        skill,
        solve,
        sweep,
        tournament,
        tune,
        write_study,
    )

__all__ = [
    "InputError",
    "MatchResult",
    "Parameter",
    "Player",
    "Result",
    "Ruleset",
    "Run",
    "Sprt",
    "Study",
    "__version__",
    "analyze",
    "balance_agency",
    "balance_cards",
    "balance_folding",
    "balance_rules",
    "cluster",
    "combine",
    "find_player",
    "findings_of",
    "first_player",
    "load",
    "make_run",
    "match",
    "pictures_of",
    "player_names",
    "preset",
    "read_rule_file",
    "register",
    "replay",
    "report",
    "rule_file_text",
    "simulate",
    "skill",
    "solve",
    "sweep",
    "tournament",
    "tune",
    "write_study",
]

__version__ = version("red7sim")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'red7sim' has no attribute {name!r}")
    return getattr(import_module("red7sim.api"), name)


def __dir__() -> list[str]:
    return __all__
