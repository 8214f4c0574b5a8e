"""The study `tournament` as sentences and tables."""

from red7sim.lab.studies.study import Study
from red7sim.show.cells import Sheet, cells, interval, number, with_error

POINTS = "points"


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    ratings, shares = study.tables["ratings"], study.tables["shares"]
    best, last = (ratings.row(i, named=True) for i in (0, -1))
    apart = (shares["share"] - shares["predicted"]).abs().arg_max()
    worst = shares.row(apart or 0, named=True)
    return [
        f"{best['player']} is rated highest, {best['rating'] - last['rating']:.0f} points above "
        f"{last['player']}.",
        f"The ratings say least about {worst['player']} against {worst['rivals']}: "
        f"{number(worst['share'])} of the games, where they predict {number(worst['predicted'])}.",
        *_points_said(study),
    ]


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    ratings = [
        cells(
            row["player"],
            number(row["rating"], "+.1f"),
            interval(row["low"], row["high"], "+.1f"),
        )
        for row in study.tables["ratings"].to_dicts()
    ]
    shares = [
        cells(
            row["player"],
            row["rivals"],
            number(row["share"]),
            interval(row["low"], row["high"]),
            number(row["predicted"]),
            number(row["variance_ratio"], ".3f"),
        )
        for row in study.tables["shares"].to_dicts()
    ]
    found = [
        Sheet(
            "ratings",
            "Ratings",
            ("player", "rating", "interval"),
            tuple(ratings),
            note="Ratings have no intervals where some players hardly ever win from the others."
            if study.tables["ratings"]["low"].null_count()
            else "",
        ),
        Sheet(
            "shares",
            "Shares of the games",
            ("player", "against", "share", "interval", "predicted", "variance ratio"),
            tuple(shares),
            texts=2,
            note="Predicted is what the ratings say. A variance ratio below 1 says that rotating "
            "the seats on a deal has made the share more precise.",
        ),
    ]
    return [*found, *([_points(study)] if POINTS in study.tables else [])]


def _points_said(study: Study) -> list[str]:
    """Return who leads most in points a game, where points are known."""
    if POINTS not in study.tables:
        return []
    most = study.tables[POINTS].sort("lead", descending=True).row(0, named=True)
    return [
        f"The largest lead in points is that of {most['player']} against {most['rivals']}: "
        f"{number(most['points'], '.2f')} per game, {number(most['lead'], '.2f')} more than the "
        "mean of the others."
    ]


def _points(study: Study) -> Sheet:
    rows = [
        cells(
            row["player"],
            row["rivals"],
            with_error(row["points"], row["points_se"]),
            with_error(row["points_per_round"], row["points_per_round_se"]),
            number(row["lead"], "+.2f"),
            interval(row["low"], row["high"], "+.2f"),
        )
        for row in study.tables[POINTS].to_dicts()
    ]
    return Sheet(
        POINTS,
        "Points",
        ("player", "against", "a game", "a round", "lead", "interval"),
        tuple(rows),
        texts=2,
        note="Standard errors are in brackets. The lead is how many more points per game the "
        "player scores than the others do on average.",
    )
