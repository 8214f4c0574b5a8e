import json

from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, play
from red7sim.play import replay
from red7sim.play.replay import replay_game
from red7sim.play.tally import POSITION_WINS, ROUNDS, SHARE_UNIT, SUM, TURNS


def counts(run: Run, game: int) -> tuple[int, ...]:
    """What a tally of one game says: rounds, turns and the winners' shares."""
    tally = play(run, 1, first_index=game).tally[SUM]
    wins = tally[POSITION_WINS : POSITION_WINS + len(run.players)]
    return int(tally[ROUNDS]), int(tally[TURNS]), *map(int, wins)


def logged(events: list[dict]) -> tuple[int, ...]:
    """The same from the log of a game."""
    end = events[-1]
    players = range(len(end["scores"]))
    share = SHARE_UNIT // len(end["winners"])
    return (
        sum(e["type"] == "round_end" for e in events),
        sum(e["type"] == "turn" for e in events),
        *(share * (player in end["winners"]) for player in players),
    )


def test_replay_shows_exactly_the_games_that_a_run_counts() -> None:
    run = Run(preset("advanced", 4), ("random", "leads", "greedy", "thrifty"), 31)
    played = play(run, 60, first_index=740).tally
    total = [0] * 6
    for game in range(740, 800):
        log = logged([*replay_game(run.rules, run.players, run.seed, game)])
        assert log == counts(run, game)
        total = [a + b for a, b in zip(total, log, strict=True)]
    assert total[:2] == [played[SUM, ROUNDS], played[SUM, TURNS]]


def test_the_wrong_game_is_noticed() -> None:
    run = Run(preset("advanced", 4), ("random", "leads", "greedy", "thrifty"), 31)
    pairs = [
        (counts(run, game), logged([*replay_game(run.rules, run.players, run.seed, game + 1)]))
        for game in range(770, 780)
    ]
    assert any(a != b for a, b in pairs)


def test_a_policy_that_changes_leaves_the_decks_as_they_were() -> None:
    ruleset = preset("advanced", 2).changed({"end": "wins:3"})

    def decks(line_up: tuple[str, ...]) -> list[dict]:
        return [e for e in replay_game(ruleset, line_up, 5, 9) if e["type"] == "deal"]

    first, second = decks(("random", "random")), decks(("leads", "greedy"))
    for one, other in zip(first, second, strict=False):
        assert one == other


def test_events_are_plain_json() -> None:
    for event in replay_game(preset("advanced", 3), ("random",) * 3, 1, 1):
        assert json.loads(json.dumps(event)) == event
    assert replay.END_REASONS == ("round", "points", "wins", "cards")
