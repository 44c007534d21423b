"""Commands that append: what they store, print and refuse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

WHOLE_ID = re.compile(r"[0-9a-f]{32}")


def test_a_memory_is_remembered_and_recalled(cli: CommandLine) -> None:
    """Words need no quotes, and what they say comes back for a cue."""
    cli("remember", "The", "deploy", "key", "rotates", "monthly")
    assert "The deploy key rotates monthly" in cli("recall", "deploy", "key").stdout


def test_a_receipt_says_where_the_memory_stands(cli: CommandLine) -> None:
    """A receipt names the position, which is accepted as a reference, and the id."""
    shown = cli("remember", "Dana prefers tabs").stdout
    memory_id = str(cli.json("show", "@1")["memory_id"])
    assert shown.startswith(f"@1  {memory_id[:13]}")


def test_a_receipt_as_json_has_the_names_of_the_library(cli: CommandLine) -> None:
    """`--json` prints one object with memory_id, position and events."""
    receipt = cli.json("remember", "Dana prefers tabs")
    assert WHOLE_ID.fullmatch(str(receipt["memory_id"]))
    assert receipt["position"] == 1
    assert [event["kind"] for event in receipt["events"]] == ["remembered"]


def test_every_field_reaches_the_memory(cli: CommandLine) -> None:
    """What is given for a field is what the memory holds, a confidence of 0 included."""
    evidence = str(cli.json("remember", "The manual says so")["memory_id"])
    cli(
        "remember", "Never open the vault at night", "--kind", "procedural",
        "--category", "error_correction", "--tag", "vault", "--tag", "night",
        "--alias", "the safe", "--source", "https://example.org/manual", "--note", "page 3",
        "--source-type", "external", "--source-confidence", "0", "--extraction-method", "hand",
        "--extraction-confidence", "0.5", "--place", "cellar/vault", "--snippet", "never!",
        "--constraint", "safety", "--evidence", evidence, "--valid-from", "2026-01-01",
        "--valid-until", "2027-01-01T00:00:00+00:00", "--importance", "high",
        "--volatility", "stable", "--mark", "emphasised", "--immutable",
        "--id", "0199c2f3a1b27000800000000000000a",
    )  # fmt: skip
    item = cli.json("show", "0199c2f3a1b27000800000000000000a")
    expected = {
        "content": "Never open the vault at night",
        "kind": "procedural",
        "category": "error_correction",
        "tags": ["vault", "night"],
        "aliases": ["the safe"],
        "source": "https://example.org/manual",
        "source_note": "page 3",
        "source_type": "external",
        "source_confidence": 0.0,
        "extraction_method": "hand",
        "extraction_confidence": 0.5,
        "place": "cellar/vault",
        "snippet": "never!",
        "constraint": "safety",
        "evidence": [evidence],
        "valid_from": "2026-01-01T00:00:00Z",
        "valid_until": "2027-01-01T00:00:00Z",
        "importance": "high",
        "volatility": "stable",
        "marks": ["emphasised"],
        "immutable": True,
    }
    assert {name: item[name] for name in expected} == expected


def test_a_retry_with_the_same_id_stores_once(cli: CommandLine) -> None:
    """Remembering the same under the same id again changes nothing."""
    words = ("remember", "once", "--id", "0199c2f3a1b27000800000000000000b")
    assert cli.json(*words)["position"] == cli.json(*words)["position"] == 1
    assert cli.failure("remember", "other", *words[2:], code=4)["class"] == "EventIdTaken"


def test_a_dash_reads_standard_input(cli: CommandLine) -> None:
    """`remember -` stores what comes in, line breaks included, but for the last one."""
    cli("remember", "-", stdin="first line\nsecond line\n")
    assert cli.json("show", "@1")["content"] == "first line\nsecond line"


def test_input_that_is_no_text_is_refused(cli: CommandLine) -> None:
    """Bytes that are not UTF-8 are refused with the place of the first."""
    assert "not UTF-8 at byte 2" in cli("remember", "-", stdin=b"ab\xff", code=2).stderr


@pytest.mark.parametrize("words", [(), (" ",)])
def test_an_empty_memory_is_refused(cli: CommandLine, words: tuple[str, ...]) -> None:
    """Without any text nothing is stored."""
    cli("remember", "tea")
    assert cli.failure("remember", *words, code=2)["class"] == "EmptyContent"
    assert len(cli.json("list")["memories"]) == 1


def test_a_time_without_a_zone_is_refused(cli: CommandLine) -> None:
    """A time that could mean several instants is refused, naming the field."""
    words = ("remember", "x", "--valid-from", "2026-01-01T10:00")
    assert cli.failure(*words, code=2)["field"] == "valid_from"


def test_remember_can_pin_at_once(cli: CommandLine) -> None:
    """`--pin` holds the new memory in working memory, in one receipt."""
    receipt = cli.json("remember", "The build is red", "--pin")
    assert [event["kind"] for event in receipt["events"]] == ["remembered", "pinned"]
    assert cli.json("show", "@1")["pinned"] is True


def test_remember_can_supersede_at_once(cli: CommandLine) -> None:
    """`--supersedes` takes a reference to what the new memory replaces."""
    cli("remember", "The port is 8080")
    cli("remember", "The port is 9090", "--supersedes", "@1")
    assert cli.json("show", "@1")["status"] == "superseded"


def test_a_newer_memory_replaces_an_older_one(cli: CommandLine) -> None:
    """After supersede the new text answers, and the old one stands in its trail."""
    cli("remember", "The port is 8080")
    cli("supersede", "@1", "The port is 9090", "--reason", "moved", "--tag", "net")
    (hit,) = cli.json("recall", "which port")["hits"]
    assert (hit["content"], hit["tags"]) == ("The port is 9090", ["net"])
    assert [entry["content"] for entry in hit["trail"]] == ["The port is 8080"]


def test_several_memories_are_replaced_by_one_that_is_there(cli: CommandLine) -> None:
    """`--also` adds old memories, `--by` names the new one."""
    for text in ("The port is 8080", "It listens on 8080", "The port is 9090"):
        cli("remember", text)
    cli("supersede", "@1", "--also", "@2", "--by", "@3")
    assert len(cli.json("show", "@3")["supersedes"]) == 2


@pytest.mark.parametrize("words", [("@1",), ("@1", "new", "--by", "@2")])
def test_supersede_needs_one_successor(cli: CommandLine, words: tuple[str, ...]) -> None:
    """Neither and both of TEXT and --by are refused."""
    assert "either the new TEXT or --by" in cli("supersede", *words, code=2).stderr


def test_a_withdrawn_memory_answers_no_more(cli: CommandLine) -> None:
    """Withdraw takes a memory out of answers; undo brings it back."""
    cli("remember", "The moon is cheese")
    cli("withdraw", "@1", "--reason", "a joke")
    assert cli.json("recall", "moon")["empty"] is True
    cli("undo", "--reason", "no joke")
    assert len(cli.json("recall", "moon")["hits"]) == 1


def test_undo_takes_the_event_of_a_command(cli: CommandLine) -> None:
    """With a reference, undo reverses that command and not the last."""
    cli("remember", "The moon is cheese")
    cli("remember", "The sun is hot")
    cli("undo", "@1")
    assert [m["content"] for m in cli.json("list")["memories"]] == ["The sun is hot"]


def test_undo_needs_a_command(cli: CommandLine) -> None:
    """In an empty space undo has nothing to reverse."""
    cli("remember", "tea")
    assert cli.failure("undo", "--space", "elsewhere", code=4)["class"] == "CannotUndo"


def test_undo_refuses_where_later_events_depend(cli: CommandLine) -> None:
    """A memory that was pinned since is not unremembered; the dependents are named."""
    cli("remember", "The build is red")
    cli("supersede", "@1", "The build is green")
    error = cli.failure("undo", "@1", code=4)
    assert error["class"] == "CannotUndo"
    assert error["dependents"]


def test_pins_hold_and_let_go(cli: CommandLine) -> None:
    """A pinned memory is in working memory until it is unpinned."""
    cli("remember", "The build is red")
    cli("pin", "@1", "--until", "2999-01-01", "--reason", "release")
    assert cli.json("list", "--by", "pinned")["memories"][0]["pinned_until"].startswith("2999")
    cli("unpin", "@1")
    assert cli.json("list", "--by", "pinned")["memories"] == []


def test_an_immutable_memory_needs_an_override(cli: CommandLine) -> None:
    """Withdrawing an immutable memory is refused with exit code 4 unless overridden."""
    cli("remember", "Never delete the ledger", "--immutable")
    assert cli.failure("withdraw", "@1", code=4)["class"] == "ImmutableMemory"
    cli("withdraw", "@1", "--override")


def test_an_unknown_memory_is_not_found(cli: CommandLine) -> None:
    """A reference to nothing ends with exit code 3."""
    cli("remember", "tea")
    assert cli.failure("pin", "@7", code=3)["class"] in {"UnknownMemory", "UnknownEvent"}


def test_options_may_stand_before_the_command(cli: CommandLine) -> None:
    """--space, --actor and --json mean the same before and after the command's name."""
    cli("--space", "work", "--actor", "agent:planner", "remember", "x marks the spot")
    item = cli.json("--space", "work", "show", "@1")
    assert (item["space"], item["actor"]) == ("work", "agent:planner")
    assert cli("--json", "--actor", "agent:planner", "list").stdout == '{"memories":[]}\n'


@pytest.mark.fitted_judge
def test_a_correction_is_told_and_what_may_be_meant_is_shown(cli: CommandLine) -> None:
    """Exit code 0 when corrected; else 3, with the candidates."""
    cli("remember", "Anna's demo is on Friday")
    cli("remember", "Ben's demo is on Friday")
    shown = cli("correct", "Actually, the demo is on Monday", code=3).stdout
    assert shown.startswith("Nothing was changed")
    assert "Ben's demo" in shown
    said = "Ben's demo is on Monday, not on Friday"
    corrected = cli.json("correct", said, "--reason", "he said so")
    item = cli.json("show", str(corrected["memory_id"]))
    assert item["content"] == said
    assert cli.json("show", "@1")["status"] == "active"
