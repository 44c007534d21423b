"""The commands by which content enters: admit and flush."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import CommandLine

CAT = "our grey cat Miso sleeps on the boiler"
TALK = [
    {"role": "user", "content": "the fig tree behind the stable was grafted in April"},
    {"role": "assistant", "content": "then the graft of the fig tree needs wax"},
]


def test_content_is_let_in_known_and_told(cli: CommandLine) -> None:
    """The first time it is persisted, the second time it reinforces the memory; both say why."""
    first = cli("admit", CAT).stdout
    assert "persist" in first
    assert "of medium relevance (nothing to compare with) and new (no memory is near)" in first
    assert "reinforce" in cli("admit", "-", stdin=f"{CAT}\n").stdout
    listed = cli.json("list", "--by", "weight")["memories"]
    assert [item["content"] for item in listed] == [CAT]
    assert listed[0]["weight"] > 0.2


def test_a_conversation_is_read_from_json_lines(cli: CommandLine, tmp_path: Path) -> None:
    """From a file or from standard input, a turn a line; fields go for every turn."""
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(f"{json.dumps(turn)}\n" for turn in TALK))
    told = cli.json("admit", "--conversation", file, "--tag", "garden")
    assert [one["placement"] for one in told["decisions"]] == ["persist", "persist"]
    assert len(cli.json("list", "--tag", "garden")["memories"]) == 2
    again = cli.json("admit", "--conversation", "-", stdin=file.read_text())
    assert [one["placement"] for one in again["decisions"]] == ["reinforce", "reinforce"]
    cli("admit", code=2)
    cli("admit", CAT, "--conversation", file, code=2)


def test_a_conversation_under_an_id_can_be_tried_again(cli: CommandLine, tmp_path: Path) -> None:
    """The second time gives the same decisions; other words under the id are refused."""
    file, one = tmp_path / "talk.jsonl", "0197741ddc00766dbe975dd16bee03b3"
    file.write_text("".join(f"{json.dumps(turn)}\n" for turn in TALK))
    told = cli.json("admit", "--conversation", file, "--id", one)
    assert cli.json("admit", "--conversation", file, "--id", one)["events"] == told["events"]
    file.write_text("".join(f"{json.dumps(turn)}\n" for turn in reversed(TALK)))
    error = cli.failure("admit", "--conversation", file, "--id", one, code=4)
    assert one in error["message"]
    assert len(cli.json("list")["memories"]) == 2


def test_the_buffer_is_shown_and_emptied(cli: CommandLine) -> None:
    """What waits is shown, now and as of then, until a flush decides about it."""
    # A draw of the noise over 1, one of 55, would persist it.
    cli("config", "admission_noise", "0")
    cli("admit", CAT, "--attention", "invoices of the telephone company")
    shown = cli.json("flush", "--show")["waiting"]
    assert [one["content"] for one in shown] == [CAT]
    assert CAT in cli("flush", "--show").stdout
    position = shown[0]["position"]
    told = cli("flush").stdout
    assert "drop" in told
    assert cli("flush").stdout == "No waiting contents found.\n"
    assert cli("flush", "--show").stdout == "No waiting contents found.\n"
    # Its content is destroyed, in the past as well.
    assert cli("flush", "--show", "--as-of", position).stdout == "No waiting contents found.\n"
    cli("flush", "--as-of", position, code=2)
    cli("flush", "--show", "--attention", "cats", code=2)


def test_the_table_is_a_setting(cli: CommandLine) -> None:
    """It is read and set as a text, and a wrong one is refused by its cell."""
    table = "relevance: new, related, known; high: persist, persist, reinforce; "
    table += "medium: drop, drop, reinforce; low: drop, drop, drop"
    cli("config", "admission", table)
    assert "medium: drop" in cli("config", "admission").stdout
    assert "drop" in cli("admit", CAT).stdout
    error = cli.failure("config", "admission", table.replace("low: drop", "low: keep"), code=2)
    assert "cell low, new 'keep'" in error["message"]
