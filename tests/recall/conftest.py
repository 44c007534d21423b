"""A memory whose clock a test sets, over an empty home."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))

from hashed_words import HashedWords

from mnemolog import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemolog.ledger.clock import Micros


class SetClock:
    """A clock that stands until it is moved on; it begins at noon on 1 March 2026."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def now(self) -> Micros:
        """The instant that it stands at."""
        return int(self.time.timestamp() * 1_000_000)

    def pass_days(self, days: float) -> None:
        """Move on."""
        self.time += timedelta(days=days)


@pytest.fixture
def clock() -> SetClock:
    """The clock of `memory`."""
    return SetClock()


@pytest.fixture
def memory(tmp_path: Path, clock: SetClock) -> Iterator[Memory]:
    """An empty memory."""
    with Memory.open(
        tmp_path / "home", "home", actor="user:dana", clock=clock, embedder=HashedWords()
    ) as opened:
        yield opened
