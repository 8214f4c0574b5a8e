"""Settings for all tests: hypothesis without a deadline, and the bridge to the slow twin."""

from hypothesis import settings

settings.register_profile("red7sim", deadline=None, max_examples=200, print_blob=True)
settings.load_profile("red7sim")
