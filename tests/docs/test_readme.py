"""The README's two quick starts, for the library and for the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

README = Path(__file__).parents[2] / "README.md"


def test_the_quick_starts_do_what_they_show(run_document: Callable[[Path], int]) -> None:
    """The README's code runs as it stands and prints what the README shows."""
    assert run_document(README) >= 2


def test_the_readme_names_the_two_commands() -> None:
    """A newcomer is told of `make demo` and of `make test`."""
    text = README.read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text
