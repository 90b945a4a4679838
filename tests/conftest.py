"""How laws are tried: the same examples for each commit, many more by night."""

from __future__ import annotations

import os

from hypothesis import settings

# Without a deadline: a slow machine is no failure.
settings.register_profile("commit", deadline=None, derandomize=True)
settings.register_profile("nightly", deadline=None, max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "commit"))
