"""The columns of a dataset: name, type, unit and meaning of each.

`counts` holds one row for a piece of a block; the sums of `red7sim.play.tally` are its columns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from red7sim.game.cards import COLOURS
from red7sim.game.switches import MAX_PLAYERS
from red7sim.play.tally import END_REASONS, N_MEASURES


@dataclass(frozen=True)
class Column:
    """A column: its name, its polars type, its unit, and what it holds."""

    name: str
    dtype: str
    unit: str
    meaning: str


def _measures() -> Iterator[tuple[str, str, str]]:
    """Yield name, unit and meaning of every measure of a game, in the order of a tally."""
    seats = range(MAX_PLAYERS)
    yield "rounds", "rounds", "rounds played"
    yield "turns", "turns", "turns asked, the last one of a player who goes out included"
    yield "draws", "cards", "cards drawn"
    yield "points", "points", "points of the winners of the rounds"
    for seat in seats:
        yield f"round_wins_seat_{seat}", "rounds", f"rounds won by seat {seat} of the round"
    for colour in COLOURS:
        yield f"final_{colour}", "rounds", f"rounds with {colour} as the last canvas"
    for seat in seats:
        yield f"wins_seat_{seat}", "1/12 game", f"share of the game won by seat {seat}"
    for seat in seats:
        yield (
            f"wins_position_{seat}",
            "1/12 game",
            f"share of the game won by entry {seat} of the line-up",
        )
    for reason in END_REASONS:
        yield f"ended_{reason}", "games", f"games that ended by: {reason}"


MEASURES: Final = tuple(_measures())
"""Name, unit and meaning of each measure; index i is measure i of a tally."""

assert len(MEASURES) == N_MEASURES

_SUMS: Final = (
    ("", "{unit}", "Sum over the units: {meaning}."),
    ("_squared", "({unit})^2", "Sum over the units of the square of {name}."),
    ("_times_rounds", "{unit} x rounds", "Sum over the units of {name} times rounds."),
    ("_game_squared", "({unit})^2", "Sum over the single games of the square of {name}."),
)
"""One for each row of a tally; the last is there in paired designs alone."""


def count_columns(tally_rows: int, rounds: bool = False) -> list[Column]:
    """Return the columns of `counts` for tallies of three rows, or four in a paired design, and
    with the checksum that a dataset with rounds has.
    """
    checksum = "Sum of a 64-bit hash of each record of a round, modulo 2^64, as a signed number."
    unit = "deals" if tally_rows > len(_SUMS) - 1 else "games"
    return [
        Column("first_index", "Int64", "index", f"Index of the first of the {unit}."),
        Column("games", "Int64", unit, f"Number of consecutive {unit} that are summed here."),
        *(
            Column(
                name + suffix,
                "Int64",
                unit_form.format(unit=measured_in),
                text.format(name=name, meaning=meaning).replace("units", unit),
            )
            for suffix, unit_form, text in _SUMS[:tally_rows]
            for name, measured_in, meaning in MEASURES
        ),
        *([Column("rounds_checksum", "Int64", "hash", checksum)] if rounds else []),
    ]


def round_columns(players: int, arms: int) -> list[Column]:
    """Return the columns of `rounds`, one row for each round."""
    game = "deal" if arms > 1 else "game"
    sets = "card set: bit (number - 1) * 7 + colour, colours violet 0 to red 6"
    return [
        Column("game", "Int64", "index", f"Index of the {game}."),
        *([Column("arm", "Int8", "index", "Game of the deal.")] if arms > 1 else []),
        Column("round", "Int16", "index", "Number of the round in its game, from 0."),
        Column("start", "Int8", "position", "Table position that acted first."),
        Column("winner", "Int8", "position", "Table position that won the round."),
        Column("winner_seat", "Int8", "seat", "The winner by turn order; seat 0 acted first."),
        Column("final_rule", "Enum", "colour", "Colour of the canvas at the end."),
        Column("turns", "Int16", "turns", "Turns asked."),
        Column("points", "Int16", "points", "Points of the winner."),
        Column("draws", "Int8", "cards", "Cards drawn."),
        Column("forced_turns", "Int8", "turns", "Turns with exactly one surviving turn."),
        Column("choices", "Int64", "turns", "Surviving turns of the movers, over all turns."),
        Column("acted", "Int8", "positions as bits", "Players who survived at least one turn."),
        Column("out_before_playing", "Int8", "positions as bits", "Players out before they acted."),
        *(
            Column(f"hand_{i}", "Int64", sets, f"Opening hand of position {i}.")
            for i in range(players)
        ),
        *(
            Column(
                f"palette_{i}",
                "Int64",
                sets,
                f"Palette of position {i}, at the end or as he went out.",
            )
            for i in range(players)
        ),
    ]
