"""The study `sweep` as a picture."""

from typing import Any

from red7sim.lab.studies.study import Study
from red7sim.lab.studies.variants import BASELINE
from red7sim.show.figures import Picture, styled
from red7sim.show.plots.forest import Points, forest
from red7sim.show.tables.sweep import FIRST_SEAT, findings


def pictures(study: Study) -> list[Picture]:
    """Return the picture: seat shares, the change of the first seat, and turns a round."""
    table = study.tables["variants"]
    variants = table["variant"].unique(maintain_order=True).to_list()
    seats = [name for name in table["measure"].unique(maintain_order=True) if _is_seat(name)]
    first = table.filter(measure=FIRST_SEAT)
    turns = table.filter(measure="turns_per_round")
    panels = {
        "share of the games": [
            Points(name.replace(":", " "), of["value"], (of["joint_low"], of["joint_high"]))
            for name in seats
            for of in [table.filter(measure=name)]
        ],
        "change of seat 0 to the baseline": [
            Points(
                "change",
                first["difference_value"],
                (first["difference_low"], first["difference_high"]),
            )
        ],
        "turns a round": [Points("turns", turns["value"], (turns["low"], turns["high"]))],
    }
    references = {"share of the games": 1 / len(seats), "change of seat 0 to the baseline": 0.0}
    with styled():
        figure = forest(variants, panels, references, study.title, study.caption)
    alt = (
        f"Three panels with a row for each of {len(variants)} variants ({BASELINE} first): shares "
        "of the seats with joint intervals and the fair share as a dashed line, the change of the "
        "first seat to the baseline, and turns a round. " + " ".join(findings(study))
    )
    return [Picture("variants", study.title, alt, figure)]


def _is_seat(name: Any) -> bool:
    return str(name).startswith("seat:")
