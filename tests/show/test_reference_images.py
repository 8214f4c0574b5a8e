"""Pictures of small made-up studies, compared with images that were looked at.

The tolerance allows for another version of the font renderer, not for a label that moves or a
series that is gone. After a wanted change write them anew and look at them:

    RED7SIM_WRITE_IMAGES=1 python -m pytest tests/show/test_reference_images.py
"""

import io
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.image import imread

from red7sim.lab.studies.study import Study
from red7sim.show.figures import Picture
from red7sim.show.views import pictures_of

IMAGES = Path(__file__).parent / "images"
TOLERANCE = 0.01
"""Root mean square of the differences of pixels between 0 and 1."""

CAPTION = "A made-up study for a test of its pictures; nothing was played."


def seat_rows() -> pl.DataFrame:
    rows = [
        {"players": n, "rules": rules, "player": player, "start": start, "seat": seat}
        | {"share": share, "joint_low": share - 0.03, "joint_high": share + 0.02, "fair": 1 / n}
        | {"verdict": "open"}
        for n in (2, 3)
        for rules in ("basic", "advanced")
        for i, player in enumerate(("random", "greedy"))
        for j, start in enumerate(("by the rules", "forced"))
        for seat in range(n)
        for share in [1 / n + 0.05 * (seat - 0.7) * (1 - 0.3 * i) * (1 - 0.5 * j)]
    ]
    return pl.DataFrame(rows)


def round_rows() -> pl.DataFrame:
    rows = [
        {"players": n, "rules": "advanced", "player": "greedy", "round": number, "seat": seat}
        | {"share": share, "joint_low": share - 0.01 * number, "joint_high": share + 0.01 * number}
        | {"rounds": 1000 // number}
        for n in (2, 3)
        for number in range(1, 7)
        for seat in range(n)
        for share in [1 / n + 0.04 * (seat - 0.7)]
    ]
    return pl.DataFrame(rows)


def variant_rows() -> pl.DataFrame:
    rows = [
        {"variant": variant, "measure": measure, "value": value}
        | {"low": value - 0.02, "high": value + 0.02}
        | {"joint_low": value - 0.03, "joint_high": value + 0.03}
        | {"difference_value": None if i == 0 else 0.02 * i}
        | {"difference_low": None if i == 0 else 0.01 * i}
        | {"difference_high": None if i == 0 else 0.03 * i}
        for i, variant in enumerate(("baseline", "hand_size=5", "hand_size=6 draw=auto"))
        for measure, value in (
            ("seat:0", 0.3 + 0.02 * i), ("seat:1", 0.33), ("seat:2", 0.37 - 0.02 * i),
            ("turns_per_round", 9.0 + i),
        )
    ]  # fmt: skip
    return pl.DataFrame(rows)


def tuned_rows() -> pl.DataFrame:
    rows = [
        {"variant": variant, "state": state, "beaten_by": None, "deals": 4096}
        | {"unfairness": unfair, "unfairness_low": unfair - 0.01, "unfairness_high": unfair + 0.01}
        | {"seat_0": 0.5 - unfair, "seat_1": 0.5 + unfair, "turns_per_round": 9.5}
        for variant, state, unfair in (
            ("start_bonus=1", "survives", 0.01), ("baseline", "survives", 0.02),
            ("start_bonus=3", "eliminated", 0.2),
        )
    ]  # fmt: skip
    return pl.DataFrame(rows, schema_overrides={"beaten_by": pl.String})


COLOURS = ("red", "orange", "yellow", "green", "blue", "indigo", "violet")


def effect_rows() -> pl.DataFrame:
    factors = [("card", f"{c[0].upper()}{n}") for c in COLOURS for n in range(1, 8)]
    factors += [("colour", colour) for colour in COLOURS]
    factors += [("number", str(number)) for number in range(1, 8)]
    rows = [
        {"kind": kind, "factor": factor, "place": place, "effect": effect}
        | {"joint_low": effect - 0.02, "joint_high": effect + 0.02}
        | {"verdict": "open" if abs(effect) < 0.03 else "helps" if effect > 0 else "hurts"}
        for place, largest in (("hand", 0.1), ("start", 0.3))
        for i, (kind, factor) in enumerate(factors)
        for effect in [largest * ((i * 5 % 13) / 6 - 1)]
    ]
    return pl.DataFrame(rows)


def rule_tables() -> dict[str, pl.DataFrame]:
    names = [f"no-rule:{colour}" for colour in COLOURS] + ["no-discard", "no-play"]
    differences = [*(-0.01 * i for i in range(7)), -0.3, -0.45]
    return {
        "rules": pl.DataFrame(
            [{"rule": colour} | dict.fromkeys(FIGURES, 0.1 * (1 + i))
             for i, colour in enumerate(COLOURS)]
        ),
        "transitions": pl.DataFrame(
            [{"before": before, "after": after, "share": (i + 2 * j) % 5 / 15}
             for i, before in enumerate(COLOURS) for j, after in enumerate(COLOURS)]
        ),
        "restrictions": pl.DataFrame(
            [{"restriction": name, "difference": d, "joint_low": d - 0.01, "joint_high": d + 0.01}
             | {"verdict": "costs" if d < -0.01 else "open"}
             for name, d in zip(names, differences, strict=True)]
        ),
    }  # fmt: skip


def agency_tables() -> dict[str, pl.DataFrame]:
    runs = [
        {"players": 2, "rules": rules, "player": player}
        for rules in ("basic", "advanced")
        for player in ("random", "leads")
    ]
    return {
        "turns": pl.DataFrame(
            [run | {"turn": turn, "asked": 1000, "choices": 28.0 - (2 + i % 2) * turn}
             | {"choices_se": 0.5, "none": 0.04 * turn, "forced": 0.01 * turn * (1 + i % 2)}
             for i, run in enumerate(runs) for turn in range(1, 11)]
        ),
        "lengths": pl.DataFrame(
            [run | {"turns": turns, "share": (turns + i) % 4 / 15}
             for i, run in enumerate(runs) for turns in range(1, 11)]
        ),
        "figures": pl.DataFrame(
            [run | {"figure": name, "value": 0.5}
             for run in runs for name in ("choices_per_turn", "forced_turns", "luck_of_deal")]
        ),
    }  # fmt: skip


def folding_tables() -> dict[str, pl.DataFrame]:
    runs = [
        {"players": n, "rules": "advanced", "player": "banker", "round_minimum": minimum}
        for n in (2, 3)
        for minimum in (0, 12)
    ]
    shares = [
        run
        | {"alone": alone, "share": 0.5 + difference, "fair": 0.5, "difference": difference}
        | {"joint_low": difference - 0.03, "joint_high": difference + 0.03, "verdict": "open"}
        for i, run in enumerate(runs)
        for alone, difference in (("may fold", 0.08 - 0.03 * i), ("may not", 0.02 * i - 0.06))
        if run["players"] > 2 or alone == "may fold"
    ]
    ends = [
        run
        | {"rivals": rivals, "end": end, "share": 0.5 - 0.13 * j, "share_se": 0.01}
        | {"points": 14.0 - 4 * j + i, "points_se": 0.4}
        for i, run in enumerate(runs)
        for rivals in ("may not", "may fold")
        for j, end in enumerate(("won", "folded", "forced out"))
    ]
    return {"shares": pl.DataFrame(shares), "ends": pl.DataFrame(ends)}


FIGURES = tuple(f"{name}{end}" for name in ("ended", "points", "won") for end in ("", "_se"))
NOTHING = pl.DataFrame(schema={"variant": pl.String, "reason": pl.String})
STUDIES = [
    Study("first-player", "What the seat is worth", CAPTION, "", {},
          {"seats": seat_rows(), "rounds": round_rows()}),
    Study("sweep", "What hand_size and draw do", CAPTION, "", {},
          {"variants": variant_rows(), "refused": NOTHING}),
    Study("tune", "The fairest house rules", CAPTION, "", {"confidence": 0.95},
          {"variants": tuned_rows(), "refused": NOTHING}),
    Study("balance-cards", "What the cards are worth", CAPTION, "", {}, {"effects": effect_rows()}),
    Study("balance-rules", "What the rules do", CAPTION, "", {}, rule_tables()),
    Study("balance-agency", "How much is left to the players", CAPTION, "", {}, agency_tables()),
    Study("balance-folding", "What folding is worth", CAPTION, "", {}, folding_tables()),
]  # fmt: skip
PICTURES = [(study.name, picture) for study in STUDIES for picture in pictures_of(study)]


def difference(picture: Picture, reference: Path) -> float:
    shown, expected = imread(io.BytesIO(picture.png())), imread(reference)
    assert shown.shape == expected.shape
    return float(np.sqrt(((shown - expected) ** 2).mean()))


@pytest.mark.parametrize(
    ("study", "picture"), PICTURES, ids=[f"{study}-{p.name}" for study, p in PICTURES]
)
def test_the_picture_is_the_one_that_was_looked_at(study: str, picture: Picture) -> None:
    reference = IMAGES / f"{study}-{picture.name}.png"
    if os.environ.get("RED7SIM_WRITE_IMAGES"):
        reference.write_bytes(picture.png())
    assert difference(picture, reference) <= TOLERANCE


@pytest.mark.parametrize("fault", ["series", "label"])
def test_a_planted_fault_is_noticed(fault: str) -> None:
    [picture] = pictures_of(STUDIES[2])
    shares = picture.figure.axes[0]
    if fault == "series":
        shares.containers[0].remove()
    else:
        shares.set_xlabel("something quite different")
    assert difference(picture, IMAGES / "tune-variants.png") > TOLERANCE
