"""Where a result comes from, as a record of the shape that tskit uses: software, parameters,
environment, resources (https://tskit.dev/tskit/docs/stable/provenance.html).
"""

import os
import platform
import resource
import sys
import time
from functools import cache
from importlib import metadata
from typing import Any

SCHEMA_VERSION = "1.0.0"

_version = cache(metadata.version)


def provenance(parameters: dict[str, Any], since: float) -> dict[str, Any]:
    """Return the record of what this process has done since `since` (of `time.perf_counter`).

    Times are seconds, `max_memory` is bytes.
    """
    times = os.times()
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
        "resources": {
            "elapsed_time": time.perf_counter() - since,
            "user_time": times.user,
            "sys_time": times.system,
            "max_memory": _max_memory(),
        },
    }


def _max_memory() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
