"""Counts of a run by block: which games are counted, and what they counted.

An index range is cut into blocks at the multiples of BLOCK_GAMES. Within a block the ledger keeps
the fewest and longest pieces, since adjacent ones are summed. So a ledger depends on the games that
it holds, and not on the sizes or the order in which they came.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from red7sim.game.refused import InputError
from red7sim.play.record import Rounds
from red7sim.play.tally import Tally

BLOCK_GAMES: Final = 1 << 14
"""Games of a block (deals, in a paired design)."""


CHECKSUM_MODULUS: Final = 1 << 64


class OverlapError(InputError):
    """Pieces that count the same game and cannot be told apart; the message names them."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Counts of the games `first` .. `first + games - 1`, all of one block in a ledger.

    Where rounds are recorded, `rows` are the records and `checksum` is theirs
    (red7sim.play.record); a ledger keeps the checksum alone.
    """

    first: int
    games: int
    tally: Tally
    checksum: int = 0
    rows: Rounds | None = None

    @property
    def end(self) -> int:
        """The index after the last game."""
        return self.first + self.games

    def __str__(self) -> str:
        return f"games {self.first}..{self.end - 1}"


class Ledger:
    """Pieces of one run, each game counted once."""

    def __init__(self) -> None:
        self._blocks: dict[int, list[Piece]] = {}

    def add(self, piece: Piece) -> None:
        """Add a piece; one that is there already, with equal counts, changes nothing.

        Raises
        ------
        OverlapError
            The piece shares games with another one and is not the same.
        """
        held = self._blocks.setdefault(piece.first // BLOCK_GAMES, [])
        for other in held:
            if piece.first < other.end and other.first < piece.end:
                if (piece.first, piece.end) != (other.first, other.end):
                    raise OverlapError(f"{piece} and {other} overlap without being the same")
                _require_equal(piece, other)
                return
        held.append(replace(piece, rows=None))
        held.sort(key=lambda p: p.first)
        for i in range(len(held) - 1, 0, -1):
            before, after = held[i - 1], held[i]
            if before.end == after.first:
                held[i - 1 : i + 1] = [_sum([before, after])]

    def pieces(self, first: int = 0, end: int | None = None) -> Iterator[Piece]:
        """Yield the pieces with a game in `first` .. `end - 1`, in index order."""
        for block in self._blocks_between(first, end):
            for piece in self._blocks[block]:
                if piece.end > first and (end is None or piece.first < end):
                    yield piece

    def _blocks_between(self, first: int, end: int | None) -> Iterable[int]:
        if end is not None:
            asked = range(first // BLOCK_GAMES, -(-end // BLOCK_GAMES))
            if len(asked) < len(self._blocks):
                return (block for block in asked if block in self._blocks)
        return sorted(self._blocks)

    def find(self, first: int, end: int) -> Piece | None:
        """Return the piece of exactly the games `first` .. `end - 1`, if there is one."""
        for piece in self._blocks.get(first // BLOCK_GAMES, ()):
            if (piece.first, piece.end) == (first, end):
                return piece
        return None

    def ranges(self, first: int = 0, end: int | None = None) -> list[tuple[int, int]]:
        """Return the longest index ranges (first, end) of the pieces of `pieces`, in order."""
        found: list[tuple[int, int]] = []
        for piece in self.pieces(first, end):
            if found and found[-1][1] == piece.first:
                found[-1] = (found[-1][0], piece.end)
            else:
                found.append((piece.first, piece.end))
        return found

    def gaps(self, first: int, end: int) -> list[tuple[int, int]]:
        """Return the index ranges of `first` .. `end - 1` that are missing, in order."""
        missing: list[tuple[int, int]] = []
        for piece in self.pieces(first, end):
            if first < piece.first:
                missing.append((first, piece.first))
            first = piece.end
        return [*missing, (first, end)] if first < end else missing

    @property
    def games(self) -> int:
        """Number of games that are counted."""
        return sum(piece.games for piece in self.pieces())

    def add_to(self, total: Tally) -> Tally:
        """Add all pieces to a tally and return it."""
        for piece in self.pieces():
            total += piece.tally
        return total


def union(ledgers: Iterable[Ledger], count: Callable[[int, int], Piece]) -> Ledger:
    """Return a ledger of all games of several ledgers of one run.

    What several of them hold must be equal, and counts once. Where pieces overlap without being
    the same, as the last block of a short run and the same block of a longer one do, `count`
    (given the first index and the end) plays their parts again, so that they can be compared.

    Raises
    ------
    OverlapError
        Counts of the same games differ.
    """
    blocks: dict[int, dict[tuple[int, int], Piece]] = {}
    for ledger in ledgers:
        for piece in ledger.pieces():
            block = blocks.setdefault(piece.first // BLOCK_GAMES, {})
            _require_equal(piece, block.setdefault((piece.first, piece.end), piece))
    joined = Ledger()
    for block in blocks.values():
        for cluster in _clusters(block.values()):
            edges = sorted({edge for piece in cluster for edge in (piece.first, piece.end)})
            parts = cluster if len(cluster) == 1 else [count(*cut) for cut in pairwise(edges)]
            for piece in cluster:
                inside = [p for p in parts if piece.first <= p.first and p.end <= piece.end]
                _require_equal(piece, _sum(inside))
            for part in parts:
                joined.add(part)
    return joined


def _clusters(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Return the pieces in groups that do not overlap."""
    clusters: list[list[Piece]] = []
    end = -1
    for piece in sorted(pieces, key=lambda p: p.first):
        if piece.first < end:
            clusters[-1].append(piece)
        else:
            clusters.append([piece])
        end = max(end, piece.end)
    return clusters


def _sum(pieces: list[Piece]) -> Piece:
    """Return adjacent pieces, in order, as one."""
    return Piece(
        pieces[0].first,
        sum(piece.games for piece in pieces),
        np.sum([piece.tally for piece in pieces], axis=0),
        sum(piece.checksum for piece in pieces) % CHECKSUM_MODULUS,
    )


def _require_equal(piece: Piece, other: Piece) -> None:
    if piece.checksum != other.checksum or not np.array_equal(piece.tally, other.tally):
        raise OverlapError(f"{piece} were counted twice, with different results")
