"""Code blocks in the documents: they run and print what the page shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "docs/MEMORY_ARCHITECTURE.md",
    "docs/admission.md",
    "docs/forgetting.md",
    "docs/home.md",
    "docs/how-events-become-views.md",
    "docs/how-to.md",
    "docs/library.md",
    "docs/log-format.md",
    "docs/mcp.md",
    "docs/monitoring.md",
    "docs/point-in-time.md",
    "docs/recall-sessions.md",
    "docs/tutorial.md",
)


@pytest.mark.parametrize("name", PAGES)
def test_code_blocks_run_and_print_what_the_page_shows(
    name: str, run_page: Callable[[Path], int]
) -> None:
    """Each Python block runs by itself, each console session in order; outputs match."""
    assert run_page(ROOT / name) > 0
