"""Editing: the saved text supersedes the memory, with the same fields."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def _save(cli: CommandLine, code: str) -> None:
    """Make the editor a program that turns the `text` of the file into another one."""
    program = (
        "import os, pathlib, sys; path = pathlib.Path(sys.argv[1]); text = path.read_text(); "
        f"path.write_text({code}); os.utime(path, (0, 0))"
    )
    cli.variables["EDITOR"] = shlex.join([sys.executable, "-c", program])


@pytest.fixture
def port(cli: CommandLine) -> CommandLine:
    """A home with a memory that has fields of its own."""
    words = ("--kind", "episodic", "--tag", "net", "--source", "user:kevin", "--valid-from")
    cli("remember", "The prot is 8080", *words, "2026-01-01", "--contradictions", "off")
    return cli


def test_the_saved_text_supersedes_the_memory(port: CommandLine) -> None:
    """The new memory has the edited text and the old fields; the old one stays in its trail."""
    _save(port, "text.replace('prot', 'port') + '\\n'")
    receipt = port.json("edit", "@1", "--reason", "a typo")
    new = port.json("show", str(receipt["memory_id"]))
    old = port.json("show", "@1")
    assert new["content"] == "The port is 8080"
    assert old["status"] == "superseded"
    fields = ("kind", "tags", "source", "source_type", "valid_from", "importance")
    assert [new[name] for name in fields] == [old[name] for name in fields]
    assert "a typo" in port("audit", "@1").stdout


@pytest.mark.parametrize("code", ["text", "text + '\\n'", "''", "' \\n'"])
def test_an_unchanged_or_empty_text_changes_nothing(port: CommandLine, code: str) -> None:
    """A text that is saved unchanged or empty appends no event."""
    _save(port, code)
    assert port("edit", "@1").stdout == "No changes found.\n"
    assert port.json("edit", "@1") == {"changed": []}
    assert port.json("checkpoint")["position"] == 1


def test_an_editor_that_saves_nothing_changes_nothing(port: CommandLine) -> None:
    """An editor that is closed without saving appends no event."""
    assert port("edit", "@1").stdout == "No changes found.\n"
    assert port.json("checkpoint")["position"] == 1


def test_an_editor_that_fails_changes_nothing(port: CommandLine) -> None:
    """It ends with the code of what is unavailable, not with that of a bug."""
    port.variables["EDITOR"] = "false"
    port.failure("edit", "@1", code=7)
    assert port.json("checkpoint")["position"] == 1


def test_a_redacted_text_cannot_be_edited(port: CommandLine) -> None:
    """A redacted text leaves nothing to edit."""
    port("redact", "@1", "--yes")
    assert "the text was redacted" in port("edit", "@1", code=2).stderr


def test_an_immutable_memory_is_edited_only_with_an_override(cli: CommandLine) -> None:
    """The edited text does not replace an immutable memory unless overridden."""
    cli("remember", "Never delete the ledgr", "--immutable")
    _save(cli, "text.replace('ledgr', 'ledger')")
    assert cli.failure("edit", "@1", code=4)["class"] == "ImmutableMemory"
    cli("edit", "@1", "--override")
    assert cli.json("list")["memories"][0]["content"] == "Never delete the ledger"
