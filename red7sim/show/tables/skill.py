"""The study `skill` as sentences and tables."""

from red7sim.lab.studies.study import Study
from red7sim.show.cells import Sheet, cells, interval, number

_ROOM = 55
"""Columns of text that the names of the players may fill in the table of turns."""


def findings(study: Study) -> list[str]:
    """Return what the study says, in sentences."""
    players = study.tables["players"].drop_nulls("regret")
    if not players.height:
        return ["No position was won and left a choice, so nobody could throw a win away."]
    best, worst = (players.sort("regret").row(i, named=True) for i in (0, -1))
    said = [f"{best['player']} throws away {100 * best['regret']:.1f} % of the won positions"]
    if players.height > 1:
        said[0] += f", {worst['player']} {100 * worst['regret']:.1f} %"
    return [said[0] + f"; choosing blindly would throw away {100 * best['chance']:.1f} %."]


def sheets(study: Study) -> list[Sheet]:
    """Return the tables to read."""
    players = [
        cells(
            row["player"],
            row["judged"],
            row["thrown"],
            number(row["regret"]),
            interval(row["low"], row["high"]),
            number(row["regret_of_all"]),
            number(row["luck"], ".3f"),
            interval(row["luck_low"], row["luck_high"], ".3f"),
        )
        for row in study.tables["players"].to_dicts()
    ]
    return [
        Sheet(
            "players",
            "Regret: won positions thrown away",
            ("player", "judged", "thrown", "regret", "interval", "of all", "luck", "interval"),
            tuple(players),
            note="Of all: the share of all decisions that throw a win away. Luck: how much of the "
            "variance in who wins is due to the deal when the player meets himself; 1 where "
            "nothing else is left to chance.",
        ),
        _turns(study),
    ]


def _turns(study: Study) -> Sheet:
    names = study.tables["players"]["player"].to_list()
    regrets = {
        (row["turn"], row["player"]): row["regret"] for row in study.tables["regrets"].to_dicts()
    }
    rows = [
        cells(
            row["turn"],
            row["decisions"],
            number(row["choices"], ".2f"),
            number(row["forced"], ".3f"),
            number(row["won"], ".3f"),
            number(row["chance"], ".3f"),
            *(number(regrets.get((row["turn"], name)), ".3f") for name in names),
        )
        for row in study.tables["turns"].to_dicts()
    ]
    return Sheet(
        "turns",
        "By number of the turn in its round",
        ("turn", "decisions", "choices", "forced", "won", "blind", *names),
        tuple(rows),
        texts=0,
        detail=sum(len(name) + 2 for name in names) > _ROOM,
        note="Choices are surviving turns on average; forced and won are shares of the decisions; "
        "then the regret of choosing blindly, and that of each player.",
    )
