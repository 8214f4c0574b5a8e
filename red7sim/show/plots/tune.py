"""The study `tune` as a picture."""

from red7sim.lab.studies.study import Study
from red7sim.lab.studies.tune import SURVIVES
from red7sim.show.figures import Picture, styled
from red7sim.show.plots.forest import Points, forest
from red7sim.show.tables.tune import findings


def pictures(study: Study) -> list[Picture]:
    """Return the picture: unfairness with its intervals, and what else changes."""
    table = study.tables["variants"]
    left = (table["state"] == SURVIVES).to_list()
    names = [
        f"{name} *" if survives else name
        for name, survives in zip(table["variant"], left, strict=True)
    ]
    seats = [name for name in table.columns if name.startswith("seat_")]
    panels = {
        "share of the games": [Points(name.replace("_", " "), table[name]) for name in seats],
        "unfairness": [
            Points(
                "unfairness",
                table["unfairness"],
                (table["unfairness_low"], table["unfairness_high"]),
            )
        ],
        "turns a round": [Points("turns", table["turns_per_round"])],
    }
    references = {"share of the games": 1 / len(seats), "unfairness": 0.0}
    with styled():
        title = f"{study.title} (* not eliminated)"
        figure = forest(names, panels, references, title, study.caption)
    alt = (
        f"Three panels with a row for each of {table.height} variants, the fairest at the top: "
        "shares of the seats with the fair share as a dashed line, unfairness with its interval, "
        "and turns a round. " + " ".join(findings(study))
    )
    return [Picture("variants", study.title, alt, figure)]
