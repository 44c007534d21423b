"""What the documents show is what happens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
CARRIED_OUT = (
    "docs/MEMORY_ARCHITECTURE.md",
    "docs/home.md",
    "docs/how-events-become-views.md",
    "docs/library.md",
    "docs/log-format.md",
    "docs/mcp.md",
    "docs/monitoring.md",
    "docs/point-in-time.md",
    "docs/tutorial.md",
)


@pytest.mark.parametrize("name", CARRIED_OUT)
def test_a_document_holds_when_carried_out(name: str, run_document: Callable[[Path], int]) -> None:
    """Every block of Python and of the console runs and prints what the page shows."""
    assert run_document(ROOT / name) > 0
