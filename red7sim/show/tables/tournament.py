"""The study `tournament` as sentences and tables."""

from red7sim.lab.studies.study import Study
from red7sim.show.cells import Sheet, cells, interval, number


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
    return [
        Sheet("ratings", "Ratings", ("player", "rating", "interval"), tuple(ratings)),
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
