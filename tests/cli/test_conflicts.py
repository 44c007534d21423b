"""Conflicts on the command line: found, listed, resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.fixture
def contested(cli: CommandLine) -> CommandLine:
    """A home with two memories of which the second contradicts the first, and is contested."""
    cli("remember", "Ben was born in 1980.", "--source", "user:ann")
    cli("remember", "Ben was born in 1990.", "--source", "user:eve")
    return cli


def test_a_receipt_says_what_a_memory_contradicts(cli: CommandLine) -> None:
    """The new memory stands, the old one is named, and the reason is given."""
    cli("remember", "Dana lives in Berlin.")
    shown = cli("remember", "Dana lives in Paris.").stdout
    assert "contradicts" in shown
    assert "the new one stands" in shown
    assert "Dana lives in Berlin." in shown
    assert "strength: 0.50" in cli("show", "@1").stdout
    told = cli.json("remember", "Dana lives in Oslo.", "--pin")
    (found,) = told["conflicts"]
    assert (found["content"], found["outcome"]) == ("Dana lives in Paris.", "superseded")


def test_the_check_is_turned_off_by_an_option_or_a_setting(cli: CommandLine) -> None:
    """Stored unchecked, nothing is found."""
    cli("remember", "Dana lives in Berlin.")
    assert (
        cli.json("remember", "Dana lives in Paris.", "--contradictions", "off")["conflicts"] == []
    )
    cli("config", "contradictions", "off")
    assert cli.json("remember", "Dana lives in Oslo.")["conflicts"] == []


def test_open_conflicts_are_listed_and_marked(contested: CommandLine) -> None:
    """Both texts are shown, and a recall marks the contested one."""
    shown = contested("conflicts").stdout
    assert "contested for 0.0 days" in shown
    assert "new @2: Ben was born in 1990." in shown
    assert "old @1: Ben was born in 1980." in shown
    (one,) = contested.json("conflicts")["conflicts"]
    assert (one["open"], one["old"]["status"], one["new"]["status"]) == (
        True, "active", "contested",
    )  # fmt: skip
    assert "contradicts @1" in contested("recall", "Ben", "born").stdout
    found = contested.json("recall", "Ben", "born", "1990", "--limit", "1", "--strategy", "keyword")
    assert [hit["position"] for hit in found["conflicts"]] == [1]
    assert contested.json("conflicts", "--as-of", "2") == {"conflicts": []}
    assert contested("conflicts", "list", "--as-of", "2").stdout == "No conflicts found.\n"
    shown = contested("recall", "1990", "--limit", "1", "--strategy", "keyword").stdout
    assert "in conflict with these:" in shown


def test_a_conflict_is_resolved_by_hand(contested: CommandLine) -> None:
    """The winner is named once; afterwards it is listed as settled."""
    shown = contested(
        "conflicts", "resolve", "@3", "--winner", "old", "--reason", "a letter"
    ).stdout
    assert "is settled: the old memory stands" in shown
    assert contested("conflicts").stdout == "No conflicts found.\n"
    assert "settled: old" in contested("conflicts", "--all").stdout
    assert "a letter" in contested("history", "@2").stdout
    assert contested.failure("conflicts", "resolve", "@3", "--winner", "new", code=3)["class"] == (
        "UnknownConflict"
    )
    contested("undo")
    assert "contested for" in contested("conflicts").stdout


def test_conflicts_are_resolved_by_policy(contested: CommandLine) -> None:
    """What the policy does not tell stays open."""
    assert (
        contested("conflicts", "resolve", "--policy", "authority").stdout == "No changes found.\n"
    )
    (receipt,) = contested.json("conflicts", "resolve", "--policy", "recency")["receipts"]
    assert [event["kind"] for event in receipt["events"]] == ["settled", "superseded", "weakened"]


@pytest.mark.parametrize(
    "words",
    [
        ("resolve",),
        ("resolve", "@3"),
        ("resolve", "--winner", "new"),
        ("resolve", "@3", "--winner", "new", "--policy", "recency"),
        ("resolve", "@3", "--policy", "recency"),
        ("resolve", "@3", "--winner", "new", "--as-of", "2"),
        ("list", "@3"),
        ("--winner", "new"),
        ("forget",),
    ],
)
def test_what_makes_no_sense_is_refused(contested: CommandLine, words: tuple[str, ...]) -> None:
    """It changes nothing, and says what would."""
    contested("conflicts", *words, code=2)
    assert "contested for" in contested("conflicts").stdout


def test_an_import_counts_what_it_contradicts(cli: CommandLine) -> None:
    """The report has the number, and the option turns the check off."""
    source = cli.home.with_name("notes.jsonl")
    source.write_text('{"content": "Dana lives in Paris."}\n')
    cli("remember", "Dana lives in Berlin.")
    cli("--space", "other", "remember", "Dana lives in Berlin.")
    report = cli.json("import", source, "--space", "other", "--contradictions", "off")
    assert (report["added"], report["conflicts"]) == (1, 0)
    assert "conflicts: 1" in cli("import", source).stdout
