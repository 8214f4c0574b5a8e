"""What somebody may have meant by a name that is none."""

from collections.abc import Iterable
from difflib import get_close_matches


def allowed_names(name: str, names: Iterable[str]) -> str:
    """Return the end of a refusal: the name that was perhaps meant, and all that are allowed."""
    known = [*names]
    near = get_close_matches(name, known, n=1, cutoff=0.75)
    return (f"did you mean {near[0]}? " if near else "") + f"allowed: {', '.join(known)}"
