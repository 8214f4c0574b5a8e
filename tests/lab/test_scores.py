"""Points by entry of the line-up against the rounds themselves."""

import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run
from red7sim.lab.scores import add_points, empty_scores, points_of, seating_of
from red7sim.play.paired import seat_paired
from red7sim.play.tally import GAMES, ROUNDS

DEALS, FIRST = 40, 7


@pytest.mark.parametrize("players", [2, 3])
def test_means_and_errors_are_those_of_the_deals(players: int) -> None:
    line_up = ("leads", "random", "greedy")[:players]
    run = Run(preset("advanced", players), line_up, 5, "rotate")
    table = seat_paired(run.rules, run.players, run.arms, watched="rounds")
    tally = empty_scores()
    for first, deals in ((FIRST, 15), (FIRST + 15, DEALS - 15)):
        measures, rows = table.record_games(5, first, deals, tally[:, : GAMES + 1])
        add_points(tally, rows, seating_of(run.arms), first, measures)
    measures, rows = table.record_games(5, FIRST, DEALS, empty_scores()[:, : GAMES + 1])
    won = np.zeros((DEALS, players))
    for row in rows:
        won[row["game"] - FIRST, run.arms[row["arm"]].order[row["winner"]]] += row["points"]
    rounds = measures[:, ROUNDS]
    for entry in range(players):
        found = points_of(tally, entry, players, players)
        points = won[:, entry] / players
        assert found["points"].value == pytest.approx(points.mean())
        assert found["points"].error == pytest.approx(points.std(ddof=1) / np.sqrt(DEALS))
        a_round = won[:, entry].sum() / rounds.sum()
        residuals = won[:, entry] - a_round * rounds
        error = np.sqrt((residuals**2).sum() / (DEALS - 1) / DEALS) / rounds.mean()
        assert found["points_per_round"].value == pytest.approx(a_round)
        assert found["points_per_round"].error == pytest.approx(error)
        lead = points - (won.sum(axis=1) / players - points) / (players - 1)
        assert found["lead"].value == pytest.approx(lead.mean())
        assert found["lead"].error == pytest.approx(lead.std(ddof=1) / np.sqrt(DEALS))
