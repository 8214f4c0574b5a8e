"""The `red7sim` command: its subcommands, its errors and its exit status.

0 done; 1 the asked condition was not met; 2 wrong usage; 3 refused content; 130 interrupted.
Errors are one line on standard error.
"""

import atexit
import gc
import shlex
import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from red7sim.cli import (
    analyze,
    balance,
    bench,
    check_player,
    cluster,
    combine,
    first_player,
    match,
    players,
    replay,
    report,
    rules,
    simulate,
    skill,
    solve,
    sweep,
    tournament,
    tune,
)
from red7sim.cli.cluster_options import ClusterLostError, without_cluster
from red7sim.cli.refusals import (
    EXIT_CONTENT,
    EXIT_INTERRUPTED,
    EXIT_NOT_MET,
    EXIT_USAGE,
    ContentError,
    UsageError,
)
from red7sim.cli.streams import OutputError, ReaderGoneError, end_by_interrupt, prepare_streams

_MANY_OBJECTS = 100_000
"""New objects between two garbage collections; a command has 300,000 when it begins to play."""

app = typer.Typer(
    name="red7sim",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(asked: bool) -> None:
    if asked:
        from red7sim import __version__

        print(f"red7sim {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar="",
            callback=_print_version,
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """Simulate the card game Red7: play, replay and analyse games by the million."""


_CONTINUED = (simulate.simulate, solve.solve)
"""Commands that keep what they have done, and go on from there."""


class _InterruptedError(Exception):
    """A command has not finished; what it had done is kept in `folder`, if any."""

    def __init__(self, folder: object, reason: str, status: int) -> None:
        self.folder = folder
        self.reason = reason
        self.status = status


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with interrupts as exceptions of this module, which typer lets through."""

    def kept(options: dict[str, Any]) -> object:
        return options.get("out") if command in _CONTINUED else None

    @wraps(command)
    def guarded(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except KeyboardInterrupt:
            raise _InterruptedError(kept(options), "interrupted", EXIT_INTERRUPTED) from None
        except ClusterLostError as error:
            raise _InterruptedError(kept(options), str(error), EXIT_NOT_MET) from None
        except OSError as error:
            # Whatever the operating system refuses and no other module has foreseen.
            raise ContentError(f"{error.filename or 'error'}: {error.strerror or error}") from None
        except ValueError as error:
            if "numba" not in sys.modules:
                # Its import has failed, which it does for values that it does not allow.
                raise UsageError(f"a variable NUMBA_... is not allowed: {error}") from None
            from red7sim.play.policy import PlayerError

            if not isinstance(error, PlayerError):
                raise
            # A player of the user's own that does not compile.
            raise UsageError(str(error)) from None

    return guarded


for _command in (
    simulate.simulate,
    match.match,
    first_player.first_player,
    sweep.sweep,
    tune.tune,
    report.report,
    combine.combine,
    replay.replay,
    analyze.analyze,
    solve.solve,
    skill.skill,
    tournament.tournament,
    players.players,
    check_player.check_player,
    rules.rules,
    bench.bench,
):
    app.command()(_guarded(_command))

_balance = typer.Typer(no_args_is_help=True)
for _command in (balance.cards, balance.rules, balance.agency, balance.folding):
    _balance.command()(_guarded(_command))
app.add_typer(
    _balance, name="balance", help="Measure the balance of the game: cards, rules, agency, folding."
)

_cluster = typer.Typer(no_args_is_help=True)
_cluster.command()(_guarded(cluster.local))
app.add_typer(_cluster, name="cluster", help="Start a cluster on this machine to try --cluster.")


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit status."""
    try:
        status = app(args=arguments, prog_name="red7sim", standalone_mode=False)
        sys.stdout.flush()
    except UsageError as error:
        return _fail(str(error), EXIT_USAGE)
    except ContentError as error:
        return _fail(str(error), EXIT_CONTENT)
    except TyperException as error:
        # Where no command is named, typer has printed the help and says nothing more.
        text = error.format_message()
        return _fail(text, EXIT_USAGE) if text.strip() else EXIT_USAGE
    except ReaderGoneError:
        return 0
    except OutputError as error:
        return _fail(str(error), EXIT_CONTENT)
    except _InterruptedError as error:
        if error.status == EXIT_NOT_MET:
            arguments = without_cluster(arguments)
        again = shlex.join(["red7sim", *arguments])
        what = "continue" if error.folder else "nothing was kept, start again"
        return _fail(f"{error.reason}; {what} with: {again}", error.status)
    return status if isinstance(status, int) else 0


def _fail(text: str, status: int) -> int:
    line = " ".join(text.split())
    # A name that is shown must not be able to steer the terminal.
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    print("red7sim: " + "".join(shown), file=sys.stderr)
    return status


def _spare_the_collector() -> None:
    """Let nobody look for garbage among the objects of the libraries, of which none ever goes: not
    as they are imported, nor at the end of the process. It saves a quarter of a second.
    """
    gc.set_threshold(_MANY_OBJECTS)
    atexit.register(gc.freeze)


def main() -> None:
    """Run the command line of this process."""
    _spare_the_collector()
    prepare_streams()
    end_by_interrupt()
    sys.exit(run(sys.argv[1:]))
