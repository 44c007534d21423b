"""An empty home with a clock set by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog import Memory
from tests.homes import HandClock, open_home


@pytest.fixture
def clock() -> HandClock:
    """The clock of the home."""
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """The space `default` of an empty home."""
    with open_home(tmp_path / "home", clock=clock) as opened:
        yield opened
