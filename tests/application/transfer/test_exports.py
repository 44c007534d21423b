"""Exports of a log: each event is verified, and a damaged log is exported up to the damage."""

from __future__ import annotations

import io
import json
from pathlib import Path

import apsw
import pytest

from mnemolog import Memory, NewEvent
from mnemolog.application.transfer import exports
from mnemolog.ledger.errors import CorruptLog, ExportedInPart, InvalidField, InvalidState
from mnemolog.ledger.events import MOST_PAYLOAD_BYTES, Configured, Draft, MemoryContent
from mnemolog.ledger.files import MOST_LINE_BYTES
from mnemolog.ledger.ids import MemoryId, new_event_ids
from mnemolog.ledger.vocabulary import encode_payload
from tests.homes import open_home

DAMAGE = {
    "content": "UPDATE events SET content = replace(content, '6', '9') WHERE position = 6",
    "structure": "UPDATE events SET structure = '{}' WHERE position = 6",
    "actor": "UPDATE events SET actor = 'user:eve' WHERE position = 6",
    "digest": "UPDATE events SET digest = zeroblob(32) WHERE position = 6",
    "no hash": "UPDATE events SET content_hash = zeroblob(3) WHERE position = 6",
    "missing": "DELETE FROM events WHERE position = 6",
    "moved": "UPDATE events SET position = 60 WHERE position = 6",
    "last": "UPDATE events SET position = 60 WHERE position = 9",
    "erased": "UPDATE events SET content = NULL, salt = NULL WHERE position = 6",
}


def damaged(home: Path, statement: str) -> None:
    """Change a log by hand, past the triggers that keep it from being changed."""
    connection = apsw.Connection(str(home / "ledger.db"))
    connection.execute("PRAGMA ignore_check_constraints = ON")
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for (name,) in names:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    connection.close()


def filled(home: Path) -> list[str]:
    """A home with nine memories; the digests of the heads that it had."""
    with open_home(home) as memory:
        heads = [memory.log.checkpoint().digest]
        for number in range(1, 10):
            memory.remember(f"Dana counted {number} ferrets", contradictions="off")
            heads.append(memory.log.checkpoint().digest)
    return heads


@pytest.mark.parametrize("batch", [1, 2, 100])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_log_is_exported_up_to_the_last_position_that_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, batch: int
) -> None:
    """The error names the position that `verify` names, and the file can be imported."""
    monkeypatch.setattr(exports, "_PAGE", batch)
    heads = filled(tmp_path / "home")
    damaged(tmp_path / "home", DAMAGE[damage])
    file = tmp_path / "events.jsonl"
    with open_home(tmp_path / "home") as memory:
        with pytest.raises(ExportedInPart) as raised:
            memory.log.export_events(file)
        good = 8 if damage == "last" else 5
        assert raised.value.last_good == good
        with pytest.raises(CorruptLog) as verified:
            memory.log.verify()
        # Of a last row that is misnumbered `verify` tells before it looks at the others.
        assert verified.value.last_good == (9 if damage == "moved" else good)
    with open_home(tmp_path / "copy") as copy:
        copy.log.import_events(file)
        head = copy.log.checkpoint()
        assert (head.position, head.digest) == (good, heads[good])
        assert copy.log.verify()


def test_a_redaction_behind_the_damage_does_not_shorten_an_export(tmp_path: Path) -> None:
    """The file says what was redacted, and its import says so in an event, the same each time."""
    filled(tmp_path / "home")
    with open_home(tmp_path / "home") as memory:
        memory.acting("work").remember("the door code is 4711")
        memory.remember("tea is green")
        memory.redact("@2")
        memory.acting("work").redact("@10")
    damaged(tmp_path / "home", DAMAGE["content"].replace("6", "11").replace("'11'", "'green'"))
    file = tmp_path / "events.jsonl"
    with open_home(tmp_path / "home") as memory, pytest.raises(ExportedInPart):
        memory.log.export_events(file)
    heads = []
    for name in ("one", "two"):
        with open_home(tmp_path / name) as copy:
            assert copy.log.import_events(file).events == 10
            assert copy.log.verify().erased == 2
            assert copy.log.checkpoint().position == 12
            heads.append(copy.log.checkpoint().digest)
            copy.log.import_events(file)
            assert copy.log.checkpoint().digest == heads[-1]
    assert heads[0] == heads[1]


def test_what_an_end_says_was_redacted_destroys_nothing_here(tmp_path: Path) -> None:
    """Only a redaction that the file holds does."""
    filled(tmp_path / "home")
    with open_home(tmp_path / "home") as memory, open_home(tmp_path / "copy") as copy:
        file = io.BytesIO()
        memory.log.export_events(file)
        copy.log.import_events(file.seek(0) or file)
        lines = file.getvalue().splitlines()
        second = json.loads(lines[2])
        lines[2] = json.dumps(second | {"content": None, "salt": None}).encode()
        end = json.loads(lines[-1])["end"] | {"erased": [second["event_id"]]}
        lines[-1] = json.dumps({"end": end}).encode()
        head = copy.log.checkpoint()
        assert copy.log.import_events(io.BytesIO(b"\n".join(lines))).erased == ()
        assert copy.log.checkpoint() == head
        assert copy.get("@2").content == "Dana counted 2 ferrets"


def test_what_is_redacted_during_an_export_leaves_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The redaction stands behind the head that the export ends with."""
    monkeypatch.setattr(exports, "_PAGE", 2)
    filled(tmp_path / "home")

    def redacting(memory: Memory, done: int) -> None:
        if done == 2:
            memory.redact("@8")

    with open_home(tmp_path / "home") as memory:
        memory.log.export_events(
            tmp_path / "events.jsonl", lambda _, done, __: redacting(memory, done)
        )
    with open_home(tmp_path / "copy") as copy:
        assert copy.log.import_events(tmp_path / "events.jsonl").events == 9
        assert copy.log.verify().erased == 1
        assert copy.get("@8").content is None


# -- the size of events ----------------------------------------------------------------


def as_earlier_versions(memory: Memory, size: int) -> None:
    """Store a memory of a size that no command stores now, and the limit that allowed it."""
    event_id, other_id = new_event_ids(2, 0)
    content = encode_payload(MemoryContent("x" * size))
    limit = encode_payload(Configured({"content_limit_bytes": 64 << 20}))
    memory._space.home.log.append(
        [
            Draft(
                event_id=event_id,
                space="default",
                kind="remembered",
                actor="user:dana",
                memory_id=MemoryId(event_id),
                structure=b"{}",
                content=content,
            ),
            Draft(
                event_id=other_id,
                space="default",
                kind="configured",
                actor="user:dana",
                structure=limit,
            ),
        ]
    )


@pytest.mark.parametrize("others", [0, 1], ids=["empty", "used"])
def test_what_a_line_can_hold_can_be_imported(tmp_path: Path, others: int) -> None:
    """Also content of a size that earlier versions allowed; its limit is the highest there is."""
    file = tmp_path / "events.jsonl"
    with open_home(tmp_path / "home") as memory:
        as_earlier_versions(memory, 20 << 20)
        assert memory.settings().content_limit_bytes == 4 << 20
        memory.log.export_events(file)
    with open_home(tmp_path / "copy") as copy:
        for number in range(others):
            copy.remember(f"mine {number}")
        copy.log.import_events(file)
        assert max(len(item.content or "") for item in copy.list()) == 20 << 20
        assert copy.log.verify()


def test_what_no_import_reads_is_not_exported(tmp_path: Path) -> None:
    """The error names the event, and there is no file."""
    file = tmp_path / "events.jsonl"
    with open_home(tmp_path / "home") as memory:
        as_earlier_versions(memory, 33 << 20)
        with pytest.raises(InvalidState, match=r"the 'remembered' event .* too large"):
            memory.log.export_events(file)
    assert not file.exists()


def test_new_events_fit_into_a_line_however_they_are_escaped(tmp_path: Path) -> None:
    """A larger one is refused by name."""
    assert 2 * MOST_PAYLOAD_BYTES < MOST_LINE_BYTES - (1 << 20)
    with open_home(tmp_path / "home") as memory:
        room = MOST_PAYLOAD_BYTES - len('{}{"text":""}')
        with pytest.raises(InvalidField, match="14,680,065 bytes as JSON"):
            memory.log.append([NewEvent("noted", content={"text": "x" * (room + 1)})])
        assert memory.log.checkpoint().position == 0
        memory.log.append([NewEvent("noted", content={"text": "x" * room})])
