"""Spaces: listed with their numbers of memories, and deleted as far as the ledger allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.fixture
def trial(cli: CommandLine) -> CommandLine:
    """A home with a memory in `default` and two in `trial`."""
    cli("remember", "Dana prefers tabs", "--contradictions", "off")
    for text in ("The harbour is closed", "Ferrets sleep a lot"):
        cli("remember", text, "--space", "trial", "--contradictions", "off")
    return cli


def test_spaces_are_listed_with_their_memories(trial: CommandLine) -> None:
    """Each space has its number of memories, by status; as of a moment, those of then."""
    assert trial.json("spaces")["spaces"] == [
        {"space": "default", "memories": 1, "statuses": {"active": 1}},
        {"space": "trial", "memories": 2, "statuses": {"active": 2}},
    ]
    assert trial("spaces").stdout == "default\t1\t1 active\ntrial\t2\t2 active\n"
    assert trial("spaces", "--as-of", 1).stdout == "default\t1\t1 active\n"


def test_a_home_without_memories_has_no_spaces(cli: CommandLine) -> None:
    """Without memories the list is empty, and says so."""
    cli("config", "strategy", "rrf")
    assert cli("spaces").stdout == "No spaces found.\n"


def test_a_deleted_space_leaves_all_answers_and_stays_in_the_ledger(trial: CommandLine) -> None:
    """Delete withdraws the memories of one space; their texts stay for audit and undo."""
    said = trial("spaces", "delete", "trial", "--yes", "--reason", "over").stdout
    assert said == "withdrew 2 memories of the space 'trial'; the events stay in the log\n"
    assert trial.json("list", "--space", "trial")["memories"] == []
    assert len(trial.json("list")["memories"]) == 1
    assert "Ferrets sleep a lot" in trial("audit", "@3", "--space", "trial").stdout
    assert "because over" in trial("audit", "@3", "--space", "trial").stdout
    trial("undo", "--space", "trial")
    assert len(trial.json("list", "--space", "trial")["memories"]) == 1


def test_a_space_can_be_deleted_with_its_texts(trial: CommandLine) -> None:
    """With --redact the texts of the space are destroyed, and the log still verifies."""
    answer = trial.json("spaces", "delete", "trial", "--redact", "--yes")
    assert (answer["space"], answer["redacted"]) == ("trial", 2)
    assert trial.json("show", "@2", "--space", "trial")["content"] is None
    assert trial.json("show", "@1")["content"] == "Dana prefers tabs"
    trial("verify")


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 130)])
def test_a_deletion_asks_first(trial: CommandLine, answer: str, code: int) -> None:
    """Declined, nothing changes; without a terminal --yes is needed."""
    assert "give --yes" in trial("spaces", "delete", "trial", code=2).stderr
    ended, shown = trial.terminal("spaces", "delete", "trial", keys=f"{answer}\n")
    assert ended == code
    assert "Withdraw 2 memories of the space 'trial'?" in shown
    assert len(trial.json("list", "--space", "trial")["memories"]) == (0 if answer == "y" else 2)


def test_a_space_that_cannot_be_deleted_is_refused(trial: CommandLine) -> None:
    """An unknown space ends with 3 and the nearest name, immutable memories need --override."""
    refused = trial("spaces", "delete", "trail", "--yes", code=3).stderr
    assert "no memories to delete in the space 'trail'. Did you mean 'trial'?" in refused
    trial("remember", "Never sail alone", "--immutable", "--space", "trial")
    words = ("spaces", "delete", "trial", "--yes")
    assert "1 immutable memory in the space" in trial(*words, code=2).stderr
    assert len(trial.json("list", "--space", "trial")["memories"]) == 3
    trial(*words, "--override")
    trial(*words, code=3)


@pytest.mark.parametrize("words", [("delete",), ("list", "trial"), ("delete", "x", "--as-of", "1")])
def test_a_misused_command_changes_nothing(trial: CommandLine, words: tuple[str, ...]) -> None:
    """A name is for delete, delete needs one, and the past stays."""
    trial("spaces", *words, "--yes", code=2)
    assert trial.json("checkpoint")["position"] == 3
