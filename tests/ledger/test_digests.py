"""The log's hashes follow from the formulas of its file format, written here a second time."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import apsw
import msgspec
import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.digests import EMPTY, GENESIS, chain, content_hash, leaf, row_of
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.verification import check_range
from tests.homes import HandClock, draft

ids = st.binary(min_size=16, max_size=16)
texts = st.text(st.characters(exclude_categories=["Cs"]))


def escaped(text: str) -> str:
    """A JSON string as msgspec writes it: short escapes where there are any, no more."""
    return json.dumps(text, ensure_ascii=False)


def leaf_of(  # noqa: PLR0913, PLR0917 - an event's columns
    position: int,
    event_id: bytes,
    space: str,
    kind: str,
    version: int,
    recorded_at: int,
    actor: str,
    memory_id: bytes | None,
    correlation_id: str | None,
    causation_id: bytes | None,
    structure: bytes,
    hashed_content: bytes | None,
) -> bytes:
    """The leaf by the book."""
    names = [escaped(word) for word in (space, kind, actor)]
    run = "null" if correlation_id is None else escaped(correlation_id)
    envelope = (
        f"[{position},{names[0]},{names[1]},{version},{recorded_at},{names[2]},{run}]".encode()
    )
    optional = [
        b"\x00" if part is None else b"\x01" + part
        for part in (memory_id, causation_id, hashed_content)
    ]
    return b"".join([event_id, *optional, envelope, structure])


@given(
    position=st.integers(1, 2**63 - 1),
    event_id=ids,
    space=texts,
    kind=texts,
    version=st.integers(1, 99),
    recorded_at=st.integers(-(2**62), 2**62),
    actor=texts,
    memory_id=st.none() | ids,
    correlation_id=st.none() | texts,
    causation_id=st.none() | ids,
    structure=texts.map(str.encode),
    hashed_content=st.none() | st.binary(min_size=32, max_size=32),
)
def test_a_leaf_holds_the_whole_event(**fields: object) -> None:
    """For any event the leaf is that of the documented formula, with JSON for the envelope."""
    *envelope, structure, hashed_content = fields.values()
    assert leaf(tuple(envelope), structure, hashed_content) == leaf_of(**fields)


@given(previous=st.binary(min_size=32, max_size=32), covered=st.binary())
def test_a_digest_covers_the_one_before(previous: bytes, covered: bytes) -> None:
    """A digest is the hash of 0x02, the digest before it and the leaf."""
    assert chain(previous, covered) == hashlib.sha256(b"\x02" + previous + covered).digest()


@given(salt=st.binary(min_size=16, max_size=16), content=st.binary())
def test_content_is_hashed_behind_its_salt(salt: bytes, content: bytes) -> None:
    """A content hash is that of the salt followed by the bytes."""
    assert content_hash(salt, content) == hashlib.sha256(salt + content).digest()


@given(names=st.lists(st.tuples(texts, texts, texts, st.none() | texts), min_size=1, max_size=20))
def test_sqlite_joins_the_same_leaf(
    tmp_path_factory: pytest.TempPathFactory, names: list[tuple[str, str, str, str | None]]
) -> None:
    """What verification has SQLite put together is the leaf, whatever the names are made of."""
    log = SqliteLog(tmp_path_factory.mktemp("joined") / "ledger.db", clock=HandClock())
    log.append(
        [
            msgspec.structs.replace(
                draft(), space=space, kind=kind, actor=actor, correlation_id=run
            )
            for space, kind, actor, run in names
        ]
    )
    rows = [row for chunk in log.hashed_between(1, len(names)) for row in chunk]
    for event, row in zip(log.read(EMPTY.position, len(names)), rows, strict=True):
        assert row[2] == leaf(row_of(event)[:10], event.structure, event.content_hash)
    assert check_range(log, 1, len(names)).bad_position is None
    log.close()


def test_a_stranger_can_check_the_file(tmp_path: Path) -> None:
    """From the columns alone, read by SQL, every digest of a log can be computed again."""
    log = SqliteLog(tmp_path / "ledger.db", clock=HandClock())
    first = draft('naïve ☕ "quoted" \\ \x7f', space="räume/€")
    memory = MemoryId(first.event_id)
    log.append([first, draft(kind="withdrawn", memory_id=memory, causation_id=first.event_id)])
    log.append([draft(kind="redacted", content=None)], erase=[Position(1)])
    log.close()
    raw = apsw.Connection(str(tmp_path / "ledger.db"))
    digest = bytes(32)
    assert digest == GENESIS
    rows = raw.execute("SELECT * FROM events ORDER BY position").fetchall()
    for row in rows:
        content, salt, hashed, stored = row[11:]
        if content is not None:
            assert hashlib.sha256(salt + content.encode()).digest() == hashed
        covered = leaf_of(*row[:10], row[10].encode(), hashed)
        digest = hashlib.sha256(b"\x02" + digest + covered).digest()
        assert digest == stored
    assert len(rows) == 3
    raw.close()
