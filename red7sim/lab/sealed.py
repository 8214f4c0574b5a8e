"""Files that tell whether they are, to the last byte, what was written.

Somewhere in its bytes a file has a description as JSON, with these two members:

    "format": 2      version of this kind of file
    "seal": "..."    SHA-256, 64 hex digits, of the file with zeros in the place of the digits

So a file is trusted or refused before anything else looks at it; what damage, another program or a
hand has changed is never taken for a result. A seal is no signature: who wants to can make one.
"""

import hashlib
import re
from typing import Any, Final

SEAL: Final = "seal"

_DIGITS: Final = 64
_OPEN: Final = "0" * _DIGITS
_PLACE: Final = re.compile(rb'"seal": "([0-9a-f]{64})"')
_FORMAT: Final = re.compile(rb'"format": ([0-9]{1,9})\b')


def described(format_version: int, members: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a file that is to be sealed."""
    return {"format": format_version, SEAL: _OPEN} | members


def sealed(content: bytes) -> bytes:
    """Return the bytes of a file with a description, sealed."""
    digits = hashlib.sha256(content).hexdigest()
    return content.replace(f'"{SEAL}": "{_OPEN}"'.encode(), f'"{SEAL}": "{digits}"'.encode(), 1)


def fault_of(content: bytes, format_version: int) -> str | None:
    """Return what is wrong with a file that should be sealed and of a format; None if nothing."""
    told = _FORMAT.search(content)
    if told and int(told[1]) != format_version:
        return f"is of format {int(told[1])}; this program reads format {format_version}"
    place = _PLACE.search(content)
    if told is None or place is None:
        return "is damaged, or no file of red7sim"
    written = b"".join((content[: place.start(1)], _OPEN.encode(), content[place.end(1) :]))
    if hashlib.sha256(written).hexdigest().encode() != place[1]:
        return "is damaged: it is not what was written"
    return None
