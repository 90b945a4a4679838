"""Fixtures of the bot's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bot.fake_github import FakeGitHub
from tests.bot.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A pull request that passes, on a running fake GitHub."""
    with FakeGitHub().running() as fake:
        yield World(fake, tmp_path)
