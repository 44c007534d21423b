"""Undo shows the command that it reverses, and asks where that may not be meant."""

from __future__ import annotations

import pytest

from tests.cli.conftest import CommandLine


def test_the_command_is_shown_before_it_is_undone(cli: CommandLine) -> None:
    """Position, kind, text, actor and size go to standard error, the receipt to standard output."""
    cli("remember", "The build is red")
    cli("supersede", "@1", "The build is green")
    done = cli("undo")
    assert done.stderr.startswith("note: undoing @2 remembered: “The build is green” (")
    assert done.stderr.endswith("Z, user:dana, 2 events)\n")
    assert "the command at position 2 is undone" in done.stdout
    assert cli("undo", "@1", "--quiet").stderr == ""


def test_a_command_on_no_memory_is_shown_in_words(cli: CommandLine) -> None:
    """A setting has no text: what was done stands in its place."""
    cli("config", "strategy", "rrf")
    assert "undoing @1 configured: set strategy = rrf (" in cli("undo").stderr


@pytest.mark.parametrize("named", [False, True], ids=["last", "named"])
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_upkeep_since_needs_a_yes(
    cli: CommandLine,
    named: bool,  # noqa: FBT001 - a parameter
    as_json: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Where nobody can answer nothing is changed, and the error says how, also by reference."""
    cli("remember", "The build is red")
    cli("tick")
    words = ["undo", *(["@1"] if named else []), *(["--json"] if as_json else [])]
    refused = cli(*words, code=2)
    assert "upkeep ran since, at position 2" in refused.stderr
    assert "give --yes" in refused.stderr
    assert cli.json("checkpoint")["position"] == 2
    cli(*words, "--yes")
    assert cli.json("show", "@1")["status"] == "withdrawn"


def test_another_actors_command_needs_a_yes_unless_it_is_named(cli: CommandLine) -> None:
    """A person's bare undo does not reverse what an agent did last without saying so."""
    cli("remember", "The build is red")
    cli("remember", "The sun is hot", "--actor", "agent:planner")
    refused = cli("undo", code=2)
    assert "it was given by agent:planner, not by user:dana" in refused.stderr
    cli("undo", "@2")
    cli("undo")


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 130)])
def test_a_person_is_asked_on_a_terminal(cli: CommandLine, answer: str, code: int) -> None:
    """The question shows the command and the reason; what is declined is not done."""
    cli("remember", "The build is red")
    cli("tick")
    ended, shown = cli.terminal("undo", "--quiet", keys=f"{answer}\n")
    question = " ".join(shown.split())
    assert ended == code
    assert "Undo @1 remembered: “The build is red” (" in question
    assert "although upkeep ran since, at position 2? [y/N]" in question
    status = "withdrawn" if answer == "y" else "active"
    assert cli.json("show", "@1")["status"] == status


def test_a_redaction_is_named_and_nothing_older_is_undone(cli: CommandLine) -> None:
    """The last command cannot be undone: that is an error, not a reason to look further back."""
    cli("remember", "The build is red")
    cli("remember", "The door code is 4711")
    cli("redact", "@2", "--yes")
    error = cli.failure("undo", "--yes", code=4)
    assert (error["class"], error["position"]) == ("CannotUndo", 3)
    assert cli.json("show", "@1")["status"] == "active"
