"""How property tests run: without a clock, and in CI with the same examples every time.

``--hypothesis-profile=long`` has 5,000 examples a test instead of 100, for a night.
"""

import os

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=5_000)
settings.load_profile("ci" if os.environ.get("CI") else "here")
