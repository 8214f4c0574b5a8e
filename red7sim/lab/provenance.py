"""Where a result comes from, as a record of the shape that tskit uses: software, parameters,
environment, resources (https://tskit.dev/tskit/docs/stable/provenance.html).
"""

import os
import platform
import resource
import sys
import time
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import Any

SCHEMA_VERSION = "1.0.0"

_version = cache(metadata.version)


@dataclass(frozen=True)
class Clock:
    """When something began: on the clock at the wall, and by the processor time of the process."""

    wall: float = field(default_factory=time.perf_counter)
    process: os.times_result = field(default_factory=os.times)

    def times(self) -> dict[str, float]:
        """Return the seconds since then; `user_time` and `sys_time` add over all threads."""
        now = os.times()
        return {
            "elapsed_time": time.perf_counter() - self.wall,
            "user_time": now.user - self.process.user,
            "sys_time": now.system - self.process.system,
        }


def provenance(parameters: dict[str, Any], since: Clock) -> dict[str, Any]:
    """Return the record of what this process has done since `since`.

    Times are seconds since then, `max_memory` is the peak of the process in bytes.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "software": {"name": "red7sim", "version": _version("red7sim")},
        "parameters": parameters,
        "environment": {
            "os": {
                "system": platform.system(),
                "release": platform.release(),
                "machine": platform.machine(),
            },
            "python": {
                "implementation": platform.python_implementation(),
                "version": platform.python_version(),
            },
            "libraries": {
                name: {"version": _version(name)} for name in ("numba", "numpy", "polars")
            },
        },
        "resources": since.times() | {"max_memory": _max_memory()},
    }


def _max_memory() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
