"""Settings for all tests: hypothesis without a deadline, and the bridge to the slow twin."""

from hypothesis import HealthCheck, settings

settings.register_profile("red7sim", deadline=None, max_examples=200, print_blob=True)
settings.load_profile("red7sim")
settings.register_profile(
    "fuzz", settings.get_profile("red7sim"), max_examples=100_000, suppress_health_check=HealthCheck
)
