"""Players as text: the canonical form, what is refused, and restrictions in play."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import ACTION_MODIFIERS, MODIFIERS

from red7sim.game.cards import FULL
from red7sim.game.notation import parse_set
from red7sim.game.ruleset import preset
from red7sim.lab.runs import Run, play
from red7sim.play import spec
from red7sim.play.policy import OWN, Parameter, Player, PlayerError
from red7sim.play.spec import parse_line_up, parse_player
from red7sim.play.table import seat
from red7sim.play.tally import GAMES, POSITION_WINS, SEAT_WINS, SHARE_UNIT, SUM, empty_tally

TUNED = Player(
    "tuned",
    "Has parameters of every kind, and folds.",
    lambda view, rules, own: 0,  # noqa: ARG005
    parameters=(
        Parameter("weight", "Weighs something.", 0.7, 0, 5),
        Parameter("samples", "Samples so many.", 30, 1, 1000),
        Parameter("playout", "Who plays on.", "leads", choices=("random", "leads")),
    ),
    folds=True,
)


@pytest.fixture
def tuned(monkeypatch) -> None:
    def find(name: str) -> Player:
        assert name == "tuned"
        return TUNED

    monkeypatch.setattr(spec, "find_player", find)


@pytest.mark.usefixtures("tuned")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("tuned", "tuned"),
        ("tuned:weight=0.70", "tuned"),
        ("tuned:samples=30:weight=.5", "tuned:weight=0.5"),
        ("tuned:playout=random:weight=1.0:samples=7", "tuned:weight=1:samples=7:playout=random"),
        ("tuned:weight=0.1234567890123", "tuned:weight=0.1234567890123"),
        ("tuned+no-fold+no-rule:blue", "tuned+no-rule:blue+no-fold"),
        ("tuned+no-rule:blue+no-rule:red+no-rule:blue", "tuned+no-rule:red+no-rule:blue"),
        ("tuned+no-rule:blue+no-discard", "tuned+no-discard"),
        ("tuned" + "".join(f"+{word}" for word in MODIFIERS[:7]), "tuned+no-discard"),
        ("tuned+no-action:7+no-action:1", "tuned+no-action:1+no-action:7"),
        ("tuned+no-action:7+no-play", "tuned+no-play"),
    ],
)
def test_equal_players_have_one_text(text: str, canonical: str) -> None:
    assert parse_player(text).text == canonical
    assert parse_player(canonical) == parse_player(text)


@given(st.lists(st.sampled_from(MODIFIERS + ACTION_MODIFIERS)))
def test_the_canonical_text_stands_for_the_same_restrictions(words: list[str]) -> None:
    text = "leads" + "".join(f"+{word}" for word in words)
    first, second = (np.zeros(1, OWN).view(np.recarray) for _ in range(2))
    parse_player(text).write(first[0])
    canonical = parse_player(text).text
    parse_player(canonical).write(second[0])
    # Without plays there are no actions.
    if not first[0].barred_plays:
        assert first[0].barred_actions == second[0].barred_actions
    first[0].barred_actions = second[0].barred_actions
    assert first.tobytes() == second.tobytes()
    assert parse_player(canonical).text == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("leeds", r"unknown player 'leeds'; did you mean leads\? allowed: .*greedy, leads"),
        ("", "unknown player ''"),
        ("leads:depth=2", "player 'leads' has no parameter 'depth'; it has none"),
        ("leads:depth", "player 'leads' has no parameter 'depth'; it has none"),
        ("leads+no-rules", "player 'leads': unknown modifier 'no-rules'; allowed: no-rule:COLOUR"),
        ("leads+", "unknown modifier ''"),
        ("leads+no-rule:bleu", "no-rule 'bleu' is not allowed; allowed: red, orange, .*violet"),
        ("leads+no-rule", "no-rule '' is not allowed"),
        ("leads+no-action:2", "no-action '2' is not allowed; allowed: 1, 3, 5, 7"),
        ("leads+no-fold", "'leads' never folds while a turn survives; no-fold has no effect"),
    ],
)
def test_what_is_no_player_is_refused(text: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        parse_player(text)


@pytest.mark.usefixtures("tuned")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tuned:wait=1", "player 'tuned': unknown parameter 'wait'; allowed: weight, samples, pl"),
        ("tuned:weight=x", "weight 'x' is not allowed; allowed: numbers 0..5"),
        ("tuned:weight=nan", "weight 'nan' is not allowed"),
        ("tuned:weight=5.1", "weight '5.1' is not allowed"),
        ("tuned:weight=", "weight '' is not allowed"),
        ("tuned:samples=1.5", "samples '1.5' is not allowed; allowed: whole numbers 1..1000"),
        ("tuned:samples=0", "samples '0' is not allowed"),
        ("tuned:playout=greedy", "playout 'greedy' is not allowed; allowed: random, leads"),
        ("tuned:weight=1:weight=1", "weight is given twice"),
    ],
)
def test_what_is_no_parameter_is_refused(text: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        parse_player(text)


@pytest.mark.usefixtures("tuned")
def test_parameters_reach_the_record() -> None:
    own = np.zeros(1, OWN).view(np.recarray)[0]
    parse_player("tuned:playout=leads:samples=12+no-fold+no-rule:blue").write(own)
    assert [*own.params[:4]] == [0.7, 12, 1, 0]
    assert own.no_fold == 1
    assert own.barred_discards == parse_set("B1B2B3B4B5B6B7")


def test_runs_of_equal_players_are_the_same_run() -> None:
    rules = preset("basic", 2)
    first = Run(rules, ("leads+no-rule:blue+no-rule:red", "leads"))
    second = Run(rules, ("leads+no-rule:red+no-rule:blue", "leads"))
    assert first == second
    assert first.players == ("leads+no-rule:red+no-rule:blue", "leads")
    assert first.run_id == second.run_id != Run(rules, ("leads", "leads")).run_id
    assert Run.from_json(first.as_json()) == first


def test_what_has_no_effect_without_actions_is_refused() -> None:
    with pytest.raises(PlayerError, match=r"'leads\+no-action:7': no-action:7 needs the Action"):
        Run(preset("basic", 2), ("leads", "leads+no-action:7"))
    assert parse_line_up(["leads+no-action:7"], preset("basic", 2, "1.2"))[0].needs_plain_engine


def test_the_plain_engine_plays_restricted_players() -> None:
    table = seat(preset("basic", 2), ("leads", "leads+no-rule:blue"))
    assert table.engine == "plain"
    assert [int(own.barred_discards.bit_count()) for own in table.owns] == [0, 7, 0, 0]


def test_who_may_do_nothing_is_out_at_once() -> None:
    run = Run(preset("basic", 2), ("leads", "leads+no-play+no-discard"))
    tally = play(run, 500).tally
    wins = tally[SUM, SEAT_WINS : SEAT_WINS + 2]
    assert tally[SUM, POSITION_WINS] == 500 * SHARE_UNIT
    assert wins.sum() == 500 * SHARE_UNIT


@pytest.mark.parametrize("printing", [None, "1.2"])
def test_records_count_the_choices_offered(printing) -> None:
    """A player without plays has at most one turn for each card of his hand."""
    players = ("random+no-play", "random+no-play")
    run = Run(preset("basic", 2, printing), players, 3, "rotate")
    rows = run.table().record_rounds(3, 0, 200, run.empty_tally())
    assert (rows["choices"] <= 7 * rows["turns"]).all()
    assert rows["choices"].sum() > 200
    assert not (rows["palettes"][:, 2:]).any()
    assert all(int(cards).bit_count() == 1 for cards in rows["palettes"][:, :2].ravel())


def test_a_restriction_goes_with_the_player_to_his_seat_in_paired_designs() -> None:
    run = Run(preset("basic", 2), ("leads", "leads+no-discard"), 1, "rotate")
    table = run.table()
    assert [[int(own.barred_discards) for own in arm[:2]] for arm in table.deals.seating.owns] == [
        [0, FULL],
        [FULL, 0],
    ]


def test_a_table_counts_all_games_of_restricted_players() -> None:
    tally = empty_tally()
    table = seat(preset("advanced", 3), ("leads", "random+no-play", "greedy+no-rule:green"))
    table.play_block(1, 0, 50, tally)
    assert tally[SUM, GAMES] == 50
