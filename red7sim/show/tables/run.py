"""A run as sentences and tables."""

import polars as pl

from red7sim.lab.studies.study import Study
from red7sim.show.cells import Sheet, cells, interval, number

_TITLES = {
    "seats": "Shares of the games by seat in turn order",
    "round_seats": "Shares of the rounds by seat in the round",
    "line_up": "Shares of the games by line-up",
}


def findings(study: Study) -> list[str]:
    """Return what the run says, in sentences."""
    seats = study.tables["seats"].sort("value")
    worst, best = seats.row(0, named=True), seats.row(-1, named=True)
    said = [
        f"{best['name'].capitalize()} wins most, {number(best['value'])} of the games, and "
        f"{worst['name']} least, {number(worst['value'])}; a fair share is {1 / seats.height:.4f}."
    ]
    players = study.parameters["run"]["players"]
    if len(set(players)) > 1:
        top = study.tables["line_up"].sort("value").row(-1, named=True)
        said.append(
            f"In the line-up, {top['player']} at {top['name']} wins most, {number(top['value'])}."
        )
    means = {row["name"]: row["value"] for row in study.tables["means"].to_dicts()}
    said.append(
        f"A round has {number(means['turns_per_round'], '.2f')} turns and is worth "
        f"{number(means['points_per_round'], '.2f')} points; a game has "
        f"{number(means['rounds_per_game'], '.2f')} rounds."
    )
    rules = study.tables["final_rule"].sort("value", descending=True)
    common, rare = rules.row(0, named=True), rules.row(-1, named=True)
    said.append(
        f"Most rounds end on {common['name']}, {number(common['value'])}; fewest on "
        f"{rare['name']}, {number(rare['value'])}."
    )
    return said


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    one_round = study.parameters["run"]["rules"]["end"] == "round"
    shares = [name for name in _TITLES if name != "round_seats" or not one_round]
    means = study.tables["means"]
    rules = study.tables["final_rule"]
    ended = [] if one_round else [_endings(study.tables["ended"])]
    return [
        *(_shares(name, study.tables[name]) for name in shares),
        _numbers("means", "Means", "mean", means),
        _numbers("final_rule", "Shares of the rounds by their last canvas", "rule", rules),
        *ended,
    ]


def _endings(table: pl.DataFrame) -> Sheet:
    rows = tuple(cells(row["name"], number(row["value"])) for row in table.iter_rows(named=True))
    return Sheet("ended", "How games end", ("reason", "share"), rows)


def _shares(name: str, table: pl.DataFrame) -> Sheet:
    rows = [
        cells(
            *(row["name"], row["player"] or "any", number(row["wins"], ",.0f")),
            *(number(row["value"]), interval(row["low"], row["high"])),
            interval(row["joint_low"], row["joint_high"]),
        )
        for row in table.iter_rows(named=True)
    ]
    who = "position" if name == "line_up" else "seat"
    headers = (who, "player", "wins", "share", "interval", "jointly")
    return Sheet(name, _TITLES[name], headers, tuple(rows), texts=2)


def _numbers(name: str, title: str, header: str, table: pl.DataFrame) -> Sheet:
    rows = [
        cells(row["name"].replace("_", " "), number(row["value"]), number(row["standard_error"]))
        for row in table.iter_rows(named=True)
    ]
    return Sheet(name, title, (header, "value", "standard error"), tuple(rows))
