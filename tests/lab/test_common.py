import numpy as np
import pytest

from red7sim.game.ruleset import preset
from red7sim.lab.common import CommonDeals, play_common
from red7sim.lab.match import Match, compare, measures_of, play_match
from red7sim.lab.runs import Run, RunError, play
from red7sim.play.tally import SEAT_WINS, SUM

DEALS = 200


def runs(design: str = "none", players: int = 3) -> tuple[Run, ...]:
    rules = preset("advanced", players)
    line_up = ("leads", "random", "greedy")[:players]
    return tuple(
        Run(rules.changed(settings), line_up, 4, design)
        for settings in ({}, {"hand_size": 5}, {"start": "lowest_card"})
    )


@pytest.mark.parametrize("design", ["none", "force-start"])
def test_every_run_is_counted_as_if_it_were_alone(design: str) -> None:
    counts = play_common(CommonDeals(runs(design)), DEALS)
    for i, run in enumerate(runs(design)):
        alone = play(run, DEALS)
        found = counts.outcome(i)
        assert (found.tally == alone.tally).all()
        assert found.games == DEALS


@pytest.mark.parametrize("design", ["none", "force-start"])
def test_differences_are_those_of_a_match(design: str) -> None:
    played = runs(design)
    counts = play_common(CommonDeals(played), DEALS)
    match = Match(played[1], played[0])
    tally = play_match(match, DEALS).tally
    for measure in measures_of(3):
        assert counts.difference(1, measure) == compare(match, tally, measure)
        expected = compare(match, tally, measure).a
        assert counts.mean(1, measure).value == pytest.approx(expected)


def test_products_of_shares_are_sums_over_the_single_deals() -> None:
    played = runs(players=2)
    counts = play_common(CommonDeals(played, shares=True), 40)
    single = np.array(
        [
            [play(run, 1, first_index=i).tally[SUM, SEAT_WINS : SEAT_WINS + 2] for run in played]
            for i in range(40)
        ]
    ).reshape(40, -1)
    assert (counts.share_products == single.T @ single).all()
    assert play_common(CommonDeals(played), 5).share_products.size == 0


def test_any_number_of_threads_counts_the_same() -> None:
    common = CommonDeals(runs(), shares=True)
    done: list[int] = []
    one, three = (
        play_common(common, 500, threads=1),
        play_common(common, 500, threads=3, progress=done.append),
    )
    assert (one.counts == three.counts).all()
    assert (one.share_products == three.share_products).all()
    assert sum(done) == 500 * 3


def test_refuses_runs_without_common_deals() -> None:
    first = runs()[0]
    with pytest.raises(RunError, match="seed: 4 against 5"):
        CommonDeals((first, Run(first.rules, first.players, 5)))
    with pytest.raises(RunError, match="at least 1"):
        CommonDeals(())
