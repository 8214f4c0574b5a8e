"""The study `balance-folding` as pictures: what folding is worth, and how rounds end."""

import polars as pl

from red7sim.lab.studies.balance_folding import MAY, OUTCOMES, SIDES, SWITCH
from red7sim.lab.studies.study import Study
from red7sim.show.figures import Picture, styled
from red7sim.show.plots.forest import Points, forest
from red7sim.show.tables.balance_folding import RUN, Row, findings


def pictures(study: Study) -> list[Picture]:
    """Return the pictures."""
    return [_shares(study), _ends(study)]


def _shares(study: Study) -> Picture:
    title = "What folding is worth"
    table = study.tables["shares"].sort(*RUN, maintain_order=True)
    rows = table.filter(alone=MAY).select(RUN)
    axis = "percentage points of the games above the fair share"
    series = []
    for side in SIDES:
        shown = rows.join(table.filter(alone=side), on=RUN, how="left", maintain_order="left")
        if shown["difference"].null_count() < shown.height:
            ends = (100 * shown["joint_low"], 100 * shown["joint_high"])
            series.append(Points(f"alone he {side}", 100 * shown["difference"], ends))
    with styled():
        figure = forest(_labels(rows), {axis: series}, {axis: 0.0}, title, study.caption)
    alt = (
        "Differences between the share of the games that one player wins against the same of the "
        "other kind and the fair share, with joint intervals. " + " ".join(findings(study))
    )
    return Picture("shares", title, alt, figure)


def _ends(study: Study) -> Picture:
    title = "How rounds end for a player who may fold"
    table = study.tables["ends"].sort(*RUN, maintain_order=True)
    rows = table.select([*RUN, "rivals"]).unique(maintain_order=True)
    panels = {
        "share of his rounds, -+ standard error": _series(table, "share"),
        "points that the winner takes, -+ standard error": _series(table, "points"),
    }
    with styled():
        figure = forest(_labels(rows), panels, {}, title, study.caption)
    alt = (
        "Two panels with a row for each rule and kind of rivals: the shares of the rounds that a "
        "player wins, folds and is forced out of, and the points that the winner of such rounds "
        "takes. " + " ".join(findings(study))
    )
    return Picture("ends", title, alt, figure)


def _series(table: pl.DataFrame, figure: str) -> list[Points]:
    value, error = pl.col(figure), pl.col(f"{figure}_se")
    shown = table.select("end", value=value, low=value - error, high=value + error)
    return [
        Points(end, of["value"], (of["low"], of["high"]))
        for end in OUTCOMES
        for of in [shown.filter(end=end)]
    ]


def _labels(rows: pl.DataFrame) -> list[str]:
    """Return what tells the rows apart; players are named where there are several."""
    several = rows["player"].n_unique() > 1
    return [_label(row, several=several) for row in rows.to_dicts()]


def _label(row: Row, *, several: bool) -> str:
    words = [row["player"]] if several else []
    words += [f"{row['players']} players", f"{SWITCH.replace('_', ' ')} {row[SWITCH]}"]
    return ", ".join([*words, *([f"rivals {row['rivals']}"] if "rivals" in row else [])])
