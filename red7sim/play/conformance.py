"""What every player must pass: the contract of red7sim.play.policy, tried on many positions.

Positions are those of rounds in which everybody moves at random, for two to four players, in basic
and advanced games, and with the Action rule at every step of a turn.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7sim.game.actions import find_steps
from red7sim.game.cards import NO_CARD
from red7sim.game.lanes import LANES, lay_position
from red7sim.game.notation import members
from red7sim.game.rules import rules_won
from red7sim.game.ruleset import Ruleset, preset
from red7sim.game.steps import (
    DISCARD,
    FOLD_STEP,
    N_KINDS,
    PLAY,
    STAGE_FREE,
    STEP_SHIFT,
    STEPS,
    TAKE,
    TO_CANVAS,
    as_step,
)
from red7sim.game.switches import MAX_PLAYERS
from red7sim.game.turns import FOLD, as_turn, find_turns, own_keys, rival_keys
from red7sim.game.view import VIEW, WIDE_FIELDS
from red7sim.jit.settings import kernel
from red7sim.jit.vectors import aligned_records
from red7sim.play.action_turn import (
    move_to_canvas,
    move_to_deck,
    play_and_draw,
    take_from_rival,
)
from red7sim.play.deal import HIDDEN, deal_round
from red7sim.play.engine import brief, carry_out, new_game
from red7sim.play.moves import discard_card, knock_out, pass_on
from red7sim.play.playout import guess
from red7sim.play.policy import (
    CHOOSE_ARGUMENTS,
    CHOOSE_STEP_ARGUMENTS,
    OWN,
    Player,
    PlayerError,
)
from red7sim.play.spec import PlayerSpec
from red7sim.play.tally import N_MEASURES

POINTS = {
    "compiles": "it compiles to what the engines call, and allocates nothing",
    "legal": "it returns what it may do, and folds only if it says that it may",
    "unchanged": "it writes neither to the view, nor to the steps, nor to the rules",
    "repeatable": "it gives the same answer to the same view, whatever it was asked before",
    "blind": "no card that is hidden from it changes its choice",
    "blocks": "it chooses the same for a block of views",
}
"""What is checked: its name, and what holds for a player that passes."""

_GIVEN = (
    "params",
    "barred_plays",
    "barred_discards",
    "barred_actions",
    "no_fold",
    "rough_counts",
    "sees_hands",
    "open_hands",
)
"""The fields of `OWN` that are no scratch memory."""

_BLOCK = 8
_SEED = 1


@dataclass
class Report:
    """What a check has found.

    Attributes
    ----------
    positions
        Decisions that were tried.
    faults
        The first fault in every point that has one, as a sentence.
    """

    positions: int = 0
    faults: dict[str, str] = field(default_factory=dict)

    def blame(self, point: str, sentence: str) -> None:
        """Note a fault, unless its point has one."""
        self.faults.setdefault(point, sentence)


@dataclass
class _Desk:
    """Where a player is tried: the records of one game, and what is asked of him.

    `moves` lists what he may do at the moment, `may_fold` says whether a fold is among it. With
    actions `moment` is where his turn stands: stage, card and rules won, as `find_steps` has them.
    """

    ruleset: Ruleset
    choose: Callable[..., Any]
    view: NDArray[np.void]
    hidden: NDArray[np.void]
    rules: NDArray[np.void]
    steps: NDArray[np.void]
    own: NDArray[np.void]
    random: np.random.Generator
    moves: list[int] = field(default_factory=list)
    may_fold: bool = True
    moment: tuple[int, int, int] = (STAGE_FREE, NO_CARD, 0)

    def ask(self) -> int:
        """Return what the player does now."""
        if self.ruleset.actions:
            return int(self.choose(self.view[0], self.steps[0], self.rules[0], self.own[0]))
        return int(self.choose(self.view[0], self.rules[0], self.own[0]))

    def find_steps(self, *, rough: bool = False) -> int:
        """Find the steps of the moment, with counts that may be rough; return their number."""
        self.steps[0].rough_counts = rough
        found = int(find_steps(self.view[0], self.rules[0], self.steps[0], *self.moment))
        if self.moment[0] == STAGE_FREE:
            self.view[0].choices = self.steps[0].total
        return found

    def inputs(self) -> bytes:
        """Return the contents of all that the player must not write to."""
        return b"".join(array.tobytes() for array in (self.view, self.steps, self.rules))

    def clear(self, noise: int) -> None:
        """Fill the player's scratch memory with a byte, and give him what he is given."""
        given = {name: self.own[name].copy() for name in _GIVEN}
        np.ndarray.view(self.own, np.uint8)[:] = noise
        for name, value in given.items():
            self.own[name] = value

    def word(self) -> np.uint64:
        """Return a choice word."""
        return self.random.integers(2**64, dtype=np.uint64)


def check_player(spec: PlayerSpec, positions: int = 2000) -> Report:
    """Try a player on about so many positions of every kind that he plays.

    A player without actions is tried without them. Positions of kinds of games that he refuses are
    left out.

    Raises
    ------
    PlayerError
        He refuses all of them.
    """
    report = Report()
    kinds = [
        preset(base, players, printing)
        for base in ("basic", "advanced")
        for players in (2, 3, 4)
        for printing in ((None, "1.2") if spec.player.choose_step else (None,))
    ]
    played = [ruleset for ruleset in kinds if _accepts(spec, ruleset)]
    if not played:
        spec.check(kinds[0])
    for ruleset in played:
        try:
            choose = spec.player.compiled(actions=ruleset.actions)
            in_blocks = not ruleset.actions and not spec.needs_plain_engine
            block = spec.player.compiled_block() if in_blocks else None
        except Exception as error:  # whatever the compiler meets
            report.blame("compiles", _why_not_compiled(spec.player, ruleset.actions, error))
            continue
        _try_player(report, spec, ruleset, choose, block, -(-positions // len(played)))
    return report


def _why_not_compiled(player: Player, actions: bool, error: Exception) -> str:
    """Say in a sentence why a player does not compile."""
    if isinstance(error, PlayerError) and error.__cause__ is None:
        return str(error)
    function = player.choose_step if actions and player.choose_step else player.choose
    try:
        # With numba's memory management, which players are compiled without.
        kernel(function).compile(CHOOSE_STEP_ARGUMENTS if actions else CHOOSE_ARGUMENTS)
    except Exception:
        return str(error)
    return "it allocates memory, which a player must not"


def _accepts(spec: PlayerSpec, ruleset: Ruleset) -> bool:
    try:
        spec.check(ruleset)
    except PlayerError:
        return False
    return True


def _try_player(
    report: Report, spec: PlayerSpec, ruleset: Ruleset, choose: Any, block: Any, positions: int
) -> None:
    """Try a player on positions of one ruleset."""
    arrays = (np.zeros(1, dtype).view(np.recarray) for dtype in (VIEW, HIDDEN, STEPS, OWN))
    view, hidden, steps, own = arrays
    rules = ruleset.packed.copy().view(np.recarray)
    spec.write(own[0])
    desk = _Desk(ruleset, choose, view, hidden, rules, steps, own, np.random.default_rng(_SEED))
    seen: list[tuple[Any, Any, int]] = []
    walk = _steps_of_rounds(desk) if ruleset.actions else _turns_of_rounds(desk)
    for _ in zip(range(positions), walk, strict=False):
        report.positions += 1
        choice = _try_position(report, spec, desk)
        seen = [*seen[1 - _BLOCK :], (view.copy(), own.copy(), choice)]
        if block is not None and len(seen) == _BLOCK and report.positions % _BLOCK == 0:
            _try_block(report, spec.player, block, rules, seen)


def _try_position(report: Report, spec: PlayerSpec, desk: _Desk) -> int:
    """Try a player on the present position, and return what he chooses."""
    brief(desk.view[0], desk.hidden[0], desk.own[0])
    before = desk.inputs()
    desk.clear(0)
    choice = desk.ask()
    if desk.inputs() != before:
        report.blame("unchanged", "it writes to its view, its steps or the rules")
    fold = FOLD_STEP if desk.ruleset.actions else FOLD
    if choice == fold:
        if not (desk.may_fold and spec.player.folds) or "no-fold" in spec.modifiers:
            report.blame("legal", "it folds though a turn survives, and does not say that it may")
    elif choice not in desk.moves:
        report.blame("legal", f"it returns {choice}, which is none of the moves {desk.moves}")
    for noise in (0, 0x55, 0xAA):
        desk.clear(noise)
        if desk.ask() != choice:
            report.blame("repeatable", "its answer depends on what it was asked before")
    if not spec.player.chance:
        word = desk.view[0].word
        desk.view[0].word = ~word
        desk.clear(0)
        if desk.ask() != choice:
            report.blame(
                "repeatable", "its choice is a matter of chance, and it says that it is not"
            )
        desk.view[0].word = word
    if spec.player.rough_counts and desk.ruleset.actions:
        desk.find_steps(rough=True)
        if desk.ask() != choice:
            report.blame("repeatable", "its choice changes where counts of turns are rough")
        desk.find_steps()
    # Another way in which the hidden cards may lie: a guess.
    view, hidden = desk.view.copy(), desk.hidden.copy()
    guess(view[0], hidden[0], desk.random.integers(2**64, dtype=np.uint64), 0)
    brief(view[0], hidden[0], desk.own[0])
    desk.clear(0)
    if desk.ask() != choice:
        report.blame("blind", "its choice changes with cards that are hidden from it")
    return choice


def _try_block(
    report: Report, player: Player, block: Any, rules: Any, seen: list[tuple[Any, Any, int]]
) -> None:
    """Compare what a player chooses for every other of some views with what he chose for each."""
    views = aligned_records(VIEW, len(seen))
    lanes = np.zeros(MAX_PLAYERS, LANES).view(np.recarray)
    views[:] = np.concatenate([view for view, _, _ in seen])
    for view in views:
        # As the vector engine lays it out, which alone asks for blocks.
        lay_position(view, lanes, rules[0])
        for name in WIDE_FIELDS if player.by_squares else ():
            view[name] = -1
    owns = np.concatenate([seen[0][1]] * MAX_PLAYERS).view(np.recarray)
    asked = np.arange(0, len(seen), 2, dtype=np.uint64)
    turns = np.full(len(seen), -1, dtype=np.int64)
    block(views, rules[0], owns, asked, len(asked), turns)
    expected = [choice if i % 2 == 0 else -1 for i, (_, _, choice) in enumerate(seen)]
    if turns.tolist() != expected:
        report.blame("blocks", "asked for a block of views it chooses otherwise than view by view")


def _new_rounds(desk: _Desk) -> Iterator[None]:
    """Deal one round after another, each of a new game."""
    measures = np.zeros(N_MEASURES, dtype=np.int64)
    for game in count():
        new_game(desk.view[0], desk.hidden[0], np.uint64(_SEED), game, measures)
        deal_round(desk.view[0], desk.hidden[0], desk.rules[0])
        yield


def _pass_turn(view: Any, survives: bool) -> None:
    if not survives:
        knock_out(view)
    view.turn += 1
    pass_on(view)


def _turns_of_rounds(desk: _Desk) -> Iterator[None]:
    """Stop wherever a mover has a surviving turn, in rounds without actions."""
    view, hidden, rules = desk.view[0], desk.hidden[0], desk.rules[0]
    measures = np.zeros(N_MEASURES, dtype=np.int64)
    for _ in _new_rounds(desk):
        while view.live & (view.live - 1):
            brief(view, hidden, desk.own[0])
            view.hand = hidden.hands[view.mover]
            survives = bool(find_turns(view, rules))
            if survives:
                view.word = desk.word()
                desk.moves = [
                    as_turn(int(view.lane_cards[lane]), discard)
                    for lane in range(view.lanes)
                    for discard in members(int(view.lane_turns[lane]))
                ]
                yield
                turn = desk.moves[desk.random.integers(len(desk.moves))]
                carry_out(view, hidden, rules, turn, measures, None)
            _pass_turn(view, survives)


def _steps_of_rounds(desk: _Desk) -> Iterator[None]:
    """Stop wherever a mover has to choose a step, in rounds with actions."""
    for _ in _new_rounds(desk):
        while desk.view[0].live & (desk.view[0].live - 1):
            brief(desk.view[0], desk.hidden[0], desk.own[0])
            survives = yield from _steps_of_turn(desk)
            _pass_turn(desk.view[0], survives)


def _steps_of_turn(desk: _Desk) -> Generator[None, None, bool]:
    """Play one turn at random, stopping before each step; return whether the mover is in."""
    view, hidden, rules, steps = desk.view[0], desk.hidden[0], desk.rules[0], desk.steps[0]
    measures = np.zeros(N_MEASURES, dtype=np.int64)
    note: Any = None
    view.hand = hidden.hands[view.mover]
    stage, card = STAGE_FREE, NO_CARD
    won = rules_won(own_keys(view, view.mover), rival_keys(view))
    after: dict[int, Callable[[], int]] = {
        PLAY: lambda: play_and_draw(view, hidden, card, measures, note),
        TAKE: lambda: take_from_rival(view, card, note),
        TO_CANVAS: lambda: move_to_canvas(view, hidden, rules, card, measures, note),
    }
    to_deck = partial(move_to_deck, view)
    while True:
        desk.moment = (stage, card, won)
        if not desk.find_steps():
            return False
        desk.moves = [
            as_step(kind, card)
            for kind in range(N_KINDS)
            for card in members(int(steps.legal[kind]))
        ]
        desk.may_fold = steps.stage == STAGE_FREE
        view.word = desk.word()
        yield
        step = desk.moves[desk.random.integers(len(desk.moves))]
        kind, card = step >> STEP_SHIFT, step & (1 << STEP_SHIFT) - 1
        if kind == DISCARD:
            if card == NO_CARD:
                return bool(steps.counts[DISCARD, NO_CARD])
            discard_card(view, hidden, rules, card, measures, note)
            return True
        won = int(steps.wins[kind, card])
        stage = after[kind]() if kind in after else to_deck(card, note)
