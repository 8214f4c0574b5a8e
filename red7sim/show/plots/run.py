"""A run as pictures."""

from red7sim.lab.studies.study import Study
from red7sim.show.cells import number
from red7sim.show.figures import (
    COLOURS,
    GAME_COLOURS,
    MARKERS,
    REFERENCE,
    Picture,
    new_figure,
    reach_of,
    styled,
)
from red7sim.show.letters import lettered
from red7sim.show.tables.run import findings


def pictures(study: Study) -> list[Picture]:
    """Return the pictures: shares of the seats, and the rules that rounds end on."""
    return [_seats(study), _rules(study)]


def _seats(study: Study) -> Picture:
    table = study.tables["seats"]
    fair = 1 / table.height
    with styled():
        figure = new_figure(6.4, 2.8, "Shares of the games by seat", study.caption)
        axes = figure.subplots()
        axes.axhline(fair, color=REFERENCE, linestyle="--", linewidth=1)
        reach = reach_of(*table["value", "joint_low", "joint_high"])
        axes.errorbar(
            range(table.height), table["value"], reach, fmt=MARKERS[0], color=COLOURS[0], capsize=3
        )
        axes.set_xticks(range(table.height), table["name"].to_list())
        axes.set_xlim(-0.5, table.height - 0.5)
        axes.set_ylabel("share of the games")
    alt = (
        "Shares of the games by seat with joint intervals; a dashed line is the fair share. "
        + findings(study)[0]
    )
    return Picture("seats", "Shares of the games by seat", alt, figure)


def _rules(study: Study) -> Picture:
    table = study.tables["final_rule"]
    names = table["name"].to_list()
    with styled():
        figure = new_figure(6.4, 2.8, "What rounds end on", study.caption)
        axes = figure.subplots()
        bars = axes.bar(
            range(len(names)), table["value"].fill_null(0), color=[GAME_COLOURS[n] for n in names]
        )
        # A colour is never known by its colour alone.
        labels = [number(value, ".3f", unknown="") for value in table["value"]]
        axes.bar_label(bars, labels, padding=2)
        axes.set_xticks(range(len(names)), [lettered(name, "\n") for name in names])
        axes.grid(visible=False, axis="x")
        axes.set_ylabel("share of the rounds")
    alt = (
        "Shares of the rounds by the colour of their last canvas, as bars with letters. "
        + findings(study)[-1]
    )
    return Picture("final_rule", "What rounds end on", alt, figure)
