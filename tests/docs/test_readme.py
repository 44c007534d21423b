"""README: what a newcomer finds on its first screen."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_begins_with_what_a_newcomer_needs() -> None:
    """Install, code, client, picture, design, comparison and warning come in this order."""
    assert re.findall(r"^## (.+)$", TEXT, re.MULTILINE)[:7] == [
        "Install",
        "Use it from Python",
        "Connect an agent",
        "See it at work",
        "How it works",
        "How it compares",
        "Before you rely on it",
    ]
    assert "pip install" in TEXT
    assert "mnemolog mcp install" in TEXT
    assert "> [!WARNING]" in TEXT


def test_the_readme_names_the_two_commands() -> None:
    """A newcomer learns of `make demo` and of `make test`."""
    assert "make demo" in TEXT
    assert "make test" in TEXT


def test_pictures_load_nothing_from_the_network() -> None:
    """No picture names an address that a browser would load."""
    for picture in (ROOT / "docs" / "assets").glob("*.svg"):
        addresses = re.findall(
            r"(?:href|src|url)[=(]\s*[\"']?(https?:[^\"')]+)", picture.read_text()
        )
        assert addresses == [], picture.name


def test_compared_figures_are_those_of_the_benchmarks() -> None:
    """Each recall@10 of the comparison stands in docs/benchmarks.md."""
    rows = re.findall(r"^\| (recall@10, .+) \|$", TEXT, re.MULTILINE)
    figures = re.findall(r"(\d\d\.\d) %", " ".join(rows))
    published = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert len(figures) == 9
    assert [figure for figure in figures if figure not in published] == []
