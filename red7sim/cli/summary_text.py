"""The answer of a run as text."""

import textwrap
from typing import Any

from red7sim.cli.output import WIDTH, print_table
from red7sim.show.cells import interval, number

Row = dict[str, Any]


def print_summary(summary: Row) -> None:
    """Print the summary of a run (red7sim.lab.summary) as tables."""
    from red7sim.lab.summary import MEANS

    several_rounds = summary["rules"]["end"] != "round"
    print(_title(summary))
    print()
    _print_shares(summary)
    if several_rounds:
        print(f"\n{summary['rounds']:,} rounds\n")
        _print_round_shares(summary)
    means = MEANS if several_rounds else MEANS[:-1]
    print()
    print_table(
        ["mean", "value", "standard error"],
        [[name.replace("_", " "), *_number_cells(summary, name)] for name in means],
    )
    print()
    print_table(
        ["final rule", *summary["final_rule"]],
        [["share of rounds", *map(_number, summary["final_rule"].values())]],
    )
    if several_rounds:
        ended = ", ".join(f"{reason} {share:.2%}" for reason, share in summary["ended"].items())
        print(f"\nended by: {ended}")
    print()
    for note in _notes(summary):
        print(textwrap.fill(note, WIDTH))


def print_solved(summary: Row) -> None:
    """Print how often the first player wins (red7sim.lab.solving) as a table."""
    rules = _rules_text(2, summary["rules"])
    deals, seed = summary["deals"], summary["seed"]
    print(textwrap.fill(f"{deals:,} deals, 2 players, {rules}, open hands, seed {seed}", WIDTH))
    print()
    first, low, high = summary["first_wins"], summary["low"], summary["high"]
    rows = [
        ("first player", first, summary["rate"], low, high),
        ("second player", summary["deals"] - first, 1 - summary["rate"], 1 - high, 1 - low),
    ]
    print_table(
        ["", "wins", "share", f"{percent_of(summary)} interval"],
        [[who, f"{n:,}", number(share), interval(a, b)] for who, n, share, a, b in rows],
    )
    print()
    for note in (*_dataset_notes(summary), f"{_speed(summary, 'deals')}."):
        print(textwrap.fill(note, WIDTH))


def percent_of(summary: Row) -> str:
    """Return the confidence of an answer for the head of a column: `95%`."""
    from red7sim.lab.stats import as_percent

    return as_percent(summary["confidence"]).replace(" ", "")


def _title(summary: Row) -> str:
    players, end = len(summary["players"]), summary["rules"]["end"]
    deals = f" of {summary['deals']:,} deals" if "deals" in summary else ""
    return textwrap.fill(
        f"{summary['games']:,} games{deals}, {players} players, "
        f"{_rules_text(players, summary['rules'])}, end {end}, seed {summary['seed']}",
        WIDTH,
    )


def _rules_text(players: int, switches: Row) -> str:
    from red7sim.game.ruleset import Ruleset
    from red7sim.game.wording import rules_in_words

    return rules_in_words(Ruleset(players=players, **switches), ["end"])


def _print_shares(summary: Row) -> None:
    rows = [(f"seat {row['seat']}", row["player"] or "any", row) for row in summary["seats"]]
    if len(set(summary["players"])) > 1:
        entry = "entry" if "deals" in summary else "position"
        rows += [(f"{entry} {row['position']}", row["player"], row) for row in summary["line_up"]]
    cells = [[name, player, *_share_cells(row, summary)] for name, player, row in rows]
    print_table(["", "player", *_share_headers(summary)], cells, texts=2)


def _print_round_shares(summary: Row) -> None:
    rows = summary["round_seats"]
    headers = _share_headers(summary)
    cells = [[f"seat {row['seat']}", *_share_cells(row, summary)] for row in rows]
    if "deals" in summary:  # the variance ratio is one of games
        headers, cells = headers[:-1], [line[:-1] for line in cells]
    print_table(["", *headers], cells)


def _share_headers(summary: Row) -> list[str]:
    percent = percent_of(summary)
    sequence = "fixed_interval" in summary
    headers = ["wins", "share", f"{percent} sequence" if sequence else f"{percent} interval"]
    if len(summary["players"]) > 2:
        headers.append("jointly")
    if sequence:
        headers.append("(fixed n)")
    if "deals" in summary:
        headers.append("variance ratio")
    return headers


def _share_cells(row: Row, summary: Row) -> list[str]:
    wins = row["wins"]
    counted = f"{wins:,.0f}" if wins == int(wins) else f"{wins:,.2f}"
    cells = [counted, _number(row["win_rate"]), interval(row["low"], row["high"])]
    if len(summary["players"]) > 2:
        cells.append(interval(row["joint_low"], row["joint_high"]))
    if "fixed_interval" in summary:
        cells.append(f"({interval(row['fixed_low'], row['fixed_high'])})")
    if "deals" in summary:
        cells.append(number(row.get("variance_ratio"), ".3f"))
    return cells


def _number_cells(summary: Row, name: str) -> list[str]:
    return [_number(summary[name]), _number(summary[f"{name}_se"])]


def _number(value: float | None) -> str:
    return number(value, unknown="unknown")


def _notes(summary: Row) -> list[str]:
    first_round = " in the first round" if summary["rules"]["end"] != "round" else ""
    notes = []
    if "deals" in summary:
        notes.append(
            "Intervals count deals, not games. The variance ratio compares paired with unpaired "
            "games: below 1, pairing has made the share more precise."
        )
    if "fixed_interval" in summary:
        notes.append(
            f"Stopped {'at' if summary['target_met'] else 'short of'} the target of "
            f"-+{summary['target_half_width']:g}. The confidence sequence holds although the run "
            "was looked at after every block; the interval for a fixed number of games, in "
            "brackets, is not valid under repeated looks."
        )
    if "note" in summary:
        notes.append(summary["note"])
    notes += _dataset_notes(summary)
    notes.append(f"Seat 0 acts first{first_round}. {_speed(summary, 'games')}.")
    return notes


def _dataset_notes(summary: Row) -> list[str]:
    """Return what there is to say of the folder that keeps the counts, if there is one."""
    if "dataset" not in summary:
        return []
    dataset = summary["dataset"]
    held = ", ".join(f"{first}..{end - 1}" for first, end in dataset["ranges"])
    return [f"{dataset['path']} holds the indices {held}. Hash {dataset['hash']}."]


def _speed(summary: Row, units: str) -> str:
    """Return how long it took, and how many units a second were played, if any were."""
    speed = summary[f"{units}_per_s"]
    rate = "" if speed is None else f", {speed:,.0f} {units}/s"
    return f"{summary['elapsed_s']:.2f} s{rate}"
