"""The log's hashes follow from the formulas of its file format, written here a second time."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import apsw
from hypothesis import given
from hypothesis import strategies as st

from ledger.digests import GENESIS, chain, content_hash, leaf_hash
from ledger.ids import MemoryId, Position
from ledger.sqlite_log import SqliteLog
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
    """The leaf hash by the book."""
    names = [escaped(word) for word in (space, kind, actor)]
    run = "null" if correlation_id is None else escaped(correlation_id)
    envelope = (
        f"[{position},{names[0]},{names[1]},{version},{recorded_at},{names[2]},{run}]".encode()
    )
    message = b"\x00" + event_id + (memory_id or bytes(16)) + (causation_id or bytes(16))
    return hashlib.sha256(message + (hashed_content or bytes(32)) + envelope + structure).digest()


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
def test_a_leaf_is_the_hash_of_the_whole_event(**fields: object) -> None:
    """For any event the leaf is that of the documented formula, with JSON for the envelope."""
    assert leaf_hash(**fields) == leaf_of(**fields)


@given(previous=st.binary(min_size=32, max_size=32), leaf=st.binary(min_size=32, max_size=32))
def test_a_digest_covers_the_one_before(previous: bytes, leaf: bytes) -> None:
    """A digest is the hash of 0x02, the digest before it and the leaf."""
    assert chain(previous, leaf) == hashlib.sha256(b"\x02" + previous + leaf).digest()


@given(salt=st.binary(min_size=16, max_size=16), content=st.binary())
def test_content_is_hashed_behind_its_salt(salt: bytes, content: bytes) -> None:
    """A content hash is that of the salt followed by the bytes."""
    assert content_hash(salt, content) == hashlib.sha256(salt + content).digest()


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
        leaf = leaf_of(*row[:10], row[10].encode(), hashed)
        digest = hashlib.sha256(b"\x02" + digest + leaf).digest()
        assert digest == stored
    assert len(rows) == 3
    raw.close()
