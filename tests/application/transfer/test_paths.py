"""Paths as plain texts, wherever the library takes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog import InvalidField, Memory, replay, restore
from mnemolog.application.imports.readers import read_jsonl


def test_a_path_may_be_a_text(tmp_path: Path) -> None:
    """Backup, restore, export, import and replay take it as a `Path`."""
    place = {
        name: str(tmp_path / name) for name in ("home", "backup", "events", "other", "restored")
    }
    with Memory.open(place["home"]) as memory:
        memory.remember("The kettle boils")
        memory.log.backup(place["backup"])
        assert memory.log.export_events(place["events"]) == 1
    with Memory.open(place["other"]) as other:
        assert other.log.import_events(place["events"]).events == 1
    assert restore(place["backup"], place["restored"]).events == 1
    assert [step.entry.position for step in replay(place["restored"])] == [1]
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"content": "The kettle boils"}\n')
    assert len([*read_jsonl(str(lines), "default")]) == 1


def test_one_text_is_no_list_of_them(tmp_path: Path) -> None:
    """Its letters are no memories."""
    with Memory.open(tmp_path) as memory, pytest.raises(InvalidField, match="items: is one text"):
        memory.remember_many("kettle")
