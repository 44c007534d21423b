"""docs/mcp.md tells of every tool what it takes, gives and does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mnemolog.serve.mcp.tools import DEFAULT, NAMES, TOOLS, Hints, Tool

PAGE = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")
CHANGES: dict[Hints, str] = {
    "looks": "nothing",
    "adds": "adds",
    "destroys": "destroys",
}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_is_documented(tool: Tool) -> None:
    """A tool has a row that says whether it is offered and what it changes, and a section.

    The section names every argument, and what the tool alone gives.
    """
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{tool.name}` |"))
    _, _, default, _, changes, _ = (cell.strip() for cell in row.split("|"))
    assert default == ("yes" if tool.name in DEFAULT else "")
    assert changes == CHANGES[tool.hints]
    section = re.split(r"^##+ ", PAGE.partition(f"### `{tool.name}`\n")[2], flags=re.MULTILINE)[0]
    properties = tool.given["properties"]
    assert isinstance(properties, dict)
    for name in properties:
        assert f"`{name}`" in section, name


def test_no_tool_is_documented_that_is_not_there() -> None:
    """Every section about a tool is about one that there is, in the order of the table."""
    assert tuple(re.findall(r"^### `(\w+)`$", PAGE, flags=re.MULTILINE)) == NAMES
