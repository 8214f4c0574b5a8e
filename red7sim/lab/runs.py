"""A run: what is played, and its games counted, over a range or where they are missing.

In a paired design all indices and numbers of games count deals.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np

from red7sim.game.refused import InputError, not_allowed, whole_in
from red7sim.game.ruleset import Ruleset
from red7sim.game.switches import MAX_PLAYERS, MIN_PLAYERS
from red7sim.jit.rng import STREAM_VERSION
from red7sim.lab.ledger import BLOCK_GAMES, Ledger, Piece
from red7sim.lab.pieces import (
    Playable,
    Table,
    is_hired,
    play_piece,
    play_pieces,
    play_total,
    prepare,
)
from red7sim.play.design import NO_PAIRING, Arm, DesignError, arms_of
from red7sim.play.outside import refuse_to_import
from red7sim.play.paired import seat_paired
from red7sim.play.spec import parse_line_up
from red7sim.play.table import seat
from red7sim.play.tally import GAME_SQUARES, Tally, empty_tally

MAX_SEED = 2**64 - 1
MAX_INDEX = 2**62
"""Game indices stay below this."""

MAX_THREADS = 1024
"""The most threads that play at once."""

USUAL_GAMES: Final = 1_000_000
"""Games that are played where nobody says how many."""


class RunError(InputError):
    """A run that cannot be played as asked; the message names the culprit and what is allowed."""


@dataclass(frozen=True)
class Run:
    """What is played: a ruleset, a line-up by table position, a seed and a design.

    Players are given in any text form of `red7sim.play.spec`, and kept in the canonical one.

    Raises
    ------
    RunError
        The line-up does not fit the ruleset, the seed is out of range, or the design is unknown.
    PlayerError
        A player is refused.
    """

    rules: Ruleset
    players: tuple[str, ...]
    seed: int = 0
    design: str = NO_PAIRING

    def __post_init__(self) -> None:
        if len(self.players) != self.rules.players:
            raise RunError(
                f"{len(self.players)} players in the line-up, "
                f"{self.rules.players} in the ruleset; allowed: the same number, "
                f"{MIN_PLAYERS}..{MAX_PLAYERS}"
            )
        object.__setattr__(self, "seed", checked_seed(self.seed))
        specs = parse_line_up(self.players, self.rules)
        object.__setattr__(self, "players", tuple(spec.text for spec in specs))
        try:
            arms_of(self.design, len(self.players))
        except DesignError as error:
            raise RunError(str(error)) from None

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """The games of one deal."""
        return arms_of(self.design, len(self.players))

    @property
    def paired(self) -> bool:
        """Whether the deal, and not the game, is the unit of the statistics."""
        return self.design != NO_PAIRING

    @property
    def usual_games(self) -> int:
        """Games to play where nobody says how many."""
        return USUAL_GAMES

    @property
    def remarks(self) -> dict[str, str]:
        """What every answer says of how the games begin, as in the JSON form: a `note`, if any."""
        return {"note": _forced_start_note(self.rules)} if self.design == "force-start" else {}

    def empty_tally(self) -> Tally:
        """Return a tally of no games: int64 of three rows, four in a paired design."""
        tally = empty_tally()
        if not self.paired:
            return tally
        return np.zeros((GAME_SQUARES + 1, tally.shape[1]), dtype=np.int64)

    def table(self) -> Table:
        """Return a new table to play at, for one thread."""
        if self.paired:
            return seat_paired(self.rules, self.players, self.arms)
        return seat(self.rules, self.players)

    def as_json(self) -> dict[str, Any]:
        """Return the identity of the run: everything that its games depend on."""
        return {
            "rules": self.rules.identity(),
            "players": list(self.players),
            "seed": self.seed,
            "design": self.design,
            "stream_version": STREAM_VERSION,
        }

    @cached_property
    def run_id(self) -> str:
        """SHA-256 (64 hex digits) of the identity in canonical JSON, without the index range."""
        text = json.dumps(self.as_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @classmethod
    def from_json(cls, identity: dict[str, Any]) -> "Run":
        """Return the run of an identity that `as_json` has written.

        Raises
        ------
        RunError
            The identity cannot be read, or it is of another stream version.
        """
        try:
            players = tuple(identity["players"])
            refuse_to_import(players)
            rules = Ruleset(players=len(players)).changed(identity["rules"])
            run = cls(rules, players, identity["seed"], identity["design"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RunError(f"the identity of a run cannot be read: {error}") from None
        if identity.get("stream_version") != STREAM_VERSION:
            raise RunError(
                f"stream_version {identity.get('stream_version')} is not that of this program, "
                f"{STREAM_VERSION}"
            )
        return run


def _forced_start_note(rules: Ruleset) -> str:
    usual = {
        "left_of_highest": "the leader, who shows the highest card, never starts",
        "lowest_card": "the player who shows the lowest card starts",
        "highest_card": "the leader, who shows the highest card, starts",
    }[rules.start]
    first = "" if rules.one_round else " the first round"
    return f"By the rules {usual}{first}; here every position starts{first} once on each deal."


def fill_line_up(names: Sequence[str], players: int | None) -> tuple[str, ...]:
    """Return a line-up by table position: one name fills `players` positions, by default two.

    Raises
    ------
    RunError
        The number of players is out of range, or that of the names is another one.
    """
    given = players if players is not None else max(len(names), MIN_PLAYERS)
    seats = whole_in("players", given, MIN_PLAYERS, MAX_PLAYERS, error=RunError)
    if len(names) not in (1, seats):
        raise RunError(
            f"players: {seats} does not fit a line-up of {len(names)}; allowed: one or as many"
        )
    return tuple(names) if len(names) == seats else tuple(names) * seats


@dataclass(frozen=True)
class Outcome:
    """Counts of games of a run, and the seconds that it took.

    Attributes
    ----------
    first_index, games
        The first index and the number of games counted (deals, in a paired design).
    played
        How many of them were played to get here; the others were on disk.
    """

    run: Run
    first_index: int
    games: int
    tally: Tally
    elapsed: float
    played: int


def play(
    run: Run,
    games: int,
    first_index: int = 0,
    threads: int | None = None,
    block_games: int = BLOCK_GAMES,
    progress: Callable[[int], None] | None = None,
) -> Outcome:
    """Play games `first_index` .. `first_index + games - 1` of a run and count them.

    Parameters
    ----------
    threads
        Threads that play at once; by default one for each available processor.
    block_games
        Pieces do not cross multiples of it; it changes no count.
    progress
        Called in the calling thread with the number of games of each piece that is done.

    Raises
    ------
    RunError
        A number is out of range.
    """
    games, first_index = checked_range(games, first_index, threads)
    whole_in("block_games", block_games, 1, MAX_INDEX, "at least 1", RunError)
    prepare(run)
    start = time.perf_counter()
    end = first_index + games
    total = play_total(run, first_index, end, threads, progress, block_games)
    return Outcome(run, first_index, games, total, time.perf_counter() - start, games)


def play_missing(
    run: Playable,
    ranges: list[tuple[int, int]],
    ledger: Ledger,
    record: Callable[[Piece], None],
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    look: Callable[[Tally], bool] | None = None,
) -> int:
    """Play what a ledger misses of some index ranges, and return how many games that were.

    Parameters
    ----------
    record
        Called with every new piece, in index order; it must add the piece to `ledger`.
    look
        Called with the counts of each block of the ranges, in index order, whether they are new
        or not; when it returns True nothing more is played.
    threads, progress
        As for `play`.
    """
    played = 0
    missing = [gap for first, end in ranges for gap in ledger.gaps(first, end)]
    with closing(play_pieces(run, missing, threads, progress=progress)) as pieces:
        if look is None:
            for piece in pieces:
                record(piece)
                played += piece.games
            return played
        for first, end in _blocks(ranges):
            while ledger.gaps(first, end):
                piece = next(pieces)
                record(piece)
                played += piece.games
            # A part of a longer piece of an earlier run is not known by itself.
            block = ledger.find(first, end) or play_piece(run, first, end)
            if look(block.tally):
                break
    return played


def _blocks(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for first, end in ranges:
        edges = range(first - first % BLOCK_GAMES + BLOCK_GAMES, end, BLOCK_GAMES)
        yield from pairwise((first, *edges, end))


def require_run(name: str, run: object) -> None:
    """Refuse (RunError) what is no run."""
    if not isinstance(run, Run):
        raise not_allowed(name, run, "a run, as make_run returns it", RunError)


def checked_seed(seed: int) -> int:
    """Return a seed; RunError refuses what is none."""
    return whole_in("seed", seed, 0, MAX_SEED, "0..2^64-1", RunError)


def checked_settings(settings: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return switches to set, none for None; RunError refuses what is no mapping."""
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise not_allowed(
            "settings", settings, "switches with their values, as in {'hand_size': 5}", RunError
        )
    return settings


def checked_count(name: str, count: int, low: int = 1) -> int:
    """Return a number of games; RunError refuses what is none."""
    return whole_in(name, count, low, MAX_INDEX, f"{low}..2^62", RunError)


def checked_index(name: str, index: int) -> int:
    """Return the index of a game; RunError refuses what is none."""
    return whole_in(name, index, 0, MAX_INDEX - 1, "0..2^62-1", RunError)


def checked_games(games: int, threads: int | None, name: str = "games") -> int:
    """Return a number of games from index 0 on; RunError refuses it, or the number of threads."""
    return checked_range(games, 0, threads, name)[0]


def checked_range(
    games: int, first_index: int, threads: int | None, name: str = "games"
) -> tuple[int, int]:
    """Return the length of an index range, which has a name, and its beginning; RunError refuses
    them, or the number of threads.
    """
    count, first = checked_count(name, games), checked_index("first_index", first_index)
    if threads is not None:
        whole_in("threads", threads, 1, MAX_THREADS, error=RunError)
        if is_hired():
            raise RunError(
                f"threads: {threads} does not go with a cluster, whose workers have theirs"
            )
    if first + count > MAX_INDEX:
        raise RunError(
            f"{name}: {games} from first_index {first_index} on is not allowed; "
            "allowed: indices below 2^62"
        )
    return count, first
