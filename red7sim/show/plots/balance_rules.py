"""The study `balance-rules` as pictures: from rule to rule, and what restrictions cost."""

from typing import Any

from matplotlib.axes import Axes

from red7sim.game.cards import COLOURS
from red7sim.lab.studies.balance_rules import RANKS
from red7sim.lab.studies.study import Study
from red7sim.show.figures import COLOURS as SERIES
from red7sim.show.figures import GAME_COLOURS, REFERENCE, Picture, new_figure, styled
from red7sim.show.letters import lettered
from red7sim.show.maps import Map, draw_map
from red7sim.show.tables.balance_rules import findings

_NO_RULE = "no-rule"
_NAMES = [COLOURS[rank] for rank in RANKS]


def pictures(study: Study) -> list[Picture]:
    """Return the pictures."""
    return [_transitions(study), _restrictions(study)]


def _transitions(study: Study) -> Picture:
    title = "From rule to rule"
    table = study.tables["transitions"]
    shares = {(row["before"], row["after"]): row["share"] for row in table.iter_rows(named=True)}
    values = [[shares[before, after] for after in _NAMES] for before in _NAMES]
    texts = [["" if v is None else f"{100 * v:.1f}" for v in line] for line in values]
    with styled():
        figure = new_figure(6.4, 4.6, title, study.caption)
        axes = figure.subplots()
        draw_map(axes, Map(values, texts, _NAMES, _NAMES))
        axes.set_ylabel("discards made under this colour")
        axes.set_xlabel("per cent of them that bring this colour")
        axes.xaxis.set_label_position("top")
    alt = (
        "A map of seven lines and columns, red to violet: of the discards made under the colour of "
        "the line, the share that brings the colour of the column. " + " ".join(findings(study))
    )
    return Picture("transitions", title, alt, figure)


def _restrictions(study: Study) -> Picture:
    title = "What a restriction costs"
    rows = study.tables["restrictions"].to_dicts()
    rules = [row for row in rows if row["restriction"].startswith(_NO_RULE)]
    others = [row for row in rows if row not in rules]
    with styled():
        figure = new_figure(9.0, 0.9 + 0.26 * len(rules), title, study.caption)
        for axes, name, shown in zip(
            figure.subplots(1, 2), ("A colour never made the rule", "Other"), (rules, others),
            strict=True,
        ):  # fmt: skip
            axes.set_title(name)
            axes.axvline(0, color=REFERENCE, linestyle="--", linewidth=1)
            for place, row in enumerate(shown):
                _draw_interval(axes, place, row)
            axes.set_yticks(range(len(shown)), [_label(row["restriction"]) for row in shown])
            axes.set_ylim(len(shown) - 0.5, -0.5)
            axes.set_xlabel("percentage points of the games, joint intervals")
    alt = (
        "Differences between the share of the games that a restricted player wins and the fair "
        "share, with joint intervals. " + " ".join(findings(study))
    )
    return Picture("restrictions", title, alt, figure)


def _draw_interval(axes: Axes, place: int, row: dict[str, Any]) -> None:
    value = row["difference"]
    low, high = row["joint_low"], row["joint_high"]
    kind, _, what = row["restriction"].partition(":")
    axes.errorbar(
        [100 * value], [place], xerr=[[100 * (value - low)], [100 * (high - value)]],
        fmt="o" if kind == _NO_RULE else "s", color=GAME_COLOURS.get(what, SERIES[-1]),
        markersize=5, capsize=2, label=row["restriction"],
    )  # fmt: skip


def _label(restriction: str) -> str:
    kind, _, what = restriction.partition(":")
    return lettered(what) if kind == _NO_RULE else restriction.replace("-", " ")
