"""`--cluster`: the workers of a Dask scheduler play what a command asks for."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any

import typer

from red7sim.cli.refusals import ContentError, UsageError

ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="HOST:PORT",
        help="Play on the workers of a Dask scheduler; this never changes the results. "
        "'red7sim cluster local' starts one on this machine.",
    ),
]


class ClusterLostError(Exception):
    """The cluster has gone away in the middle of a command."""


def on_cluster(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that has the option --cluster, beside --threads."""
    signature = inspect.signature(command)

    @wraps(command)
    def with_cluster(*, cluster: str | None, **options: Any) -> None:
        if cluster is None:
            command(**options)
            return
        if options["threads"] != "auto":
            raise UsageError("--threads does not go with --cluster, whose workers have their own")
        with _playing_on(cluster):
            command(**options)

    parameters = []
    for parameter in signature.parameters.values():
        parameters.append(parameter)
        if parameter.name == "threads":
            parameters.append(
                inspect.Parameter(
                    "cluster",
                    inspect.Parameter.KEYWORD_ONLY,
                    default=None,
                    annotation=ClusterOption,
                )
            )
    with_cluster.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_cluster.__annotations__ = {p.name: p.annotation for p in parameters}
    return with_cluster


@contextmanager
def _playing_on(address: str) -> Iterator[None]:
    """Let a cluster play inside the block, and turn its errors into those of commands."""
    require_dask()
    from red7sim.lab.cluster import LostError, MismatchError, UnreachableError, cluster

    try:
        with cluster(address):
            yield
    except UnreachableError as error:
        raise UsageError(str(error)) from None
    except MismatchError as error:
        raise ContentError(str(error)) from None
    except LostError as error:
        raise ClusterLostError(str(error)) from None


def require_dask() -> None:
    """Raise UsageError where dask.distributed is not installed."""
    try:
        import red7sim.lab.cluster  # noqa: F401
    except ImportError as error:
        raise UsageError(str(error)) from None


def without_cluster(arguments: list[str]) -> list[str]:
    """Return the arguments of a command without --cluster and its value."""
    kept = []
    words = iter(arguments)
    for word in words:
        if word == "--cluster":
            next(words, None)
        elif not word.startswith("--cluster="):
            kept.append(word)
    return kept
