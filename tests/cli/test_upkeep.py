"""The command that keeps a home up, and what shows how much a memory deserves to be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mnemolog import LedgerError
from mnemolog.application.home.space import WritableSpace
from mnemolog.application.retention import maintain
from mnemolog.cli.commands.upkeep import JOBS
from mnemolog.policies.retention import forgetting as upkeep

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.fixture
def filled(cli: CommandLine) -> CommandLine:
    """Two spaces, one with two memories that say the same and one that deserves to be kept."""
    marks = ("--mark", "emphasised", "--mark", "serves_goal")
    cli("remember", "Dana prefers tabs", *marks)
    cli("remember", "Note: Dana prefers tabs")
    cli("link", "@1", "PART_OF", "thing:style")
    cli("link", "@1", "DEPENDS_ON", "thing:editor")
    cli("remember", "The lamp is on the left", "--space", "attic")
    return cli


def test_what_is_due_is_said_and_left(filled: CommandLine) -> None:
    """A dry run lists every job of every space, and appends nothing."""
    head = filled.json("checkpoint")
    told = filled.json("maintain", "--dry-run")
    assert [(one["space"], one["waiting"]) for one in told["spaces"]] == [
        ("attic", 0),
        ("default", 1),
    ]
    lines = filled("maintain", "--dry-run").stdout.splitlines()
    assert "default\tconsolidation\tdue\t-\tit was never done" in lines
    assert "default: memories to downgrade: 0, to consolidate: 1" in lines
    assert filled.json("checkpoint") == head


def test_maintenance_says_what_it_did(filled: CommandLine) -> None:
    """A run tells what each job came to, and why a memory was consolidated; the next does none."""
    said = filled("maintain").stdout
    assert "default\tconsolidation\t1 memories taken up, 1 merged" in said
    assert "2 that say the same become" in said
    assert filled("maintain").stdout == "No due jobs found.\n"
    assert filled.json("maintain")["message"] == "nothing is due"


def test_one_space_and_one_job_can_be_named(filled: CommandLine) -> None:
    """With --space and --job only that is done; a dry run with a job is refused."""
    done = filled.json("maintain", "--space", "attic", "--job", "decay")
    assert [one["space"] for one in done["spaces"]] == ["attic"]
    assert filled.failure("maintain", "--space", "cellar", code=2)["class"] == "InvalidField"
    filled("maintain", "--dry-run", "--job", "decay", code=2)


def test_every_job_can_be_named() -> None:
    """The jobs that the command line knows are those that there are."""
    assert JOBS == upkeep.JOBS


def test_trouble_in_a_space_is_told(filled: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What went wrong in one space is on standard error, and the exit code is 7."""

    def breaks(_: WritableSpace) -> None:
        raise LedgerError("the shelf is locked")

    monkeypatch.setattr(maintain, "consolidate", breaks)
    result = filled("maintain", code=7)
    assert "error: default: the shelf is locked" in result.stderr
    assert "attic\tdecay" in result.stdout


def test_persistence_is_shown_and_ranked_by(filled: CommandLine) -> None:
    """`show` tells the parts of a memory's persistence, and `list` ranks by it."""
    shown = filled.json("show", "@1")["persistence"]
    assert shown["importance"] == 0.8
    assert "importance 0.80" in filled("show", "@1").stdout
    ranked = filled.json("list", "--by", "persistence")["memories"]
    assert [item["position"] for item in ranked] == [1, 2]
