"""Settings for all tests: hypothesis without a deadline, and the bridge to the slow twin."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("red7sim", deadline=None, max_examples=200, print_blob=True)
settings.load_profile("red7sim")
settings.register_profile(
    "fuzz", settings.get_profile("red7sim"), max_examples=100_000, suppress_health_check=HealthCheck
)

# Files that take minutes; in parallel runs nobody should begin one of them last.
LONGEST = ("test_engine.py", "test_vector_engine.py", "test_printed_examples.py", "test_options.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
