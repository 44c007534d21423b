"""Fixtures: the built-in embedder, and a home with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog import Memory, MiniLM


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    """The embedder that comes with it, loaded once."""
    return MiniLM()


@pytest.fixture
def real(tmp_path: Path, embedder: MiniLM) -> Iterator[Memory]:
    """An empty home with a real embedder."""
    with Memory.open(tmp_path / "home", actor="user:tester", embedder=embedder) as opened:
        yield opened
