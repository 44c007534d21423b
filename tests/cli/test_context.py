"""A prompt's context on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.fixture
def known(cli: CommandLine) -> CommandLine:
    """A space that knows two things."""
    cli("remember", "The port is 8080")
    cli("remember", "Ferrets sleep eighteen hours a day")
    return cli


def test_a_context_is_printed_as_it_is_to_be_used(known: CommandLine, tmp_path: Path) -> None:
    """Its text alone goes to standard output, with the talk that a file holds."""
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"role": "user", "content": "hello"}\n\n')
    given = ("context", "which port", "--conversation", talk, "--instructions", "Be brief.")
    shown = known(*given).stdout
    assert shown == (
        "## Instructions\nBe brief.\n\n## Memories\n- The port is 8080\n\n"
        "## Conversation\nuser: hello\n"
    )
    read = ("context", "which port", "--conversation", "-", "--instructions", "Be brief.")
    assert known(*read, stdin=talk.read_bytes()).stdout == shown


def test_what_is_left_out_is_told(known: CommandLine) -> None:
    """As a note, and with `--explain` one by one."""
    assert "1 no room" in known("context", "which port", "--budget", 5).stderr
    explained = known("context", "which port", "--budget", 5, "--explain").stdout
    assert "0 of 5 tokens" in explained
    assert "memories\tno room" in explained


def test_a_context_can_be_explored_further(known: CommandLine) -> None:
    """Each step answers another cue with what was not shown; there are three."""
    assert "Ferrets" in known("context", "which port", "--explore", "ferrets").stdout
    answer = known.json("context", "which port", "--explore", "ferrets")
    assert [len(step["hits"]) for step in answer["explored"]] == [1]
    assert {"text", "sections", "left_out", "memory_ids", "as_of"} <= answer.keys()
    known("context", "port", *["--explore", "x"] * 4, code=2)


def test_a_talk_that_is_none_is_refused(known: CommandLine, tmp_path: Path) -> None:
    """With the line and what would be right."""
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"role": "user", "content": "hello"}\n{"role": "user"}\n')
    error = known.failure("context", "port", "--conversation", talk, code=2)
    assert error["field"] == "conversation"
    assert "line 2" in str(error["problem"])
    talk.write_bytes(b'{"role": "user", "content": "\xff\xfe"}\n')
    error = known.failure("context", "port", "--conversation", talk, code=2)
    assert "line 1" in str(error["problem"])
