"""The hashes that make the log tamper-evident.

For event n, with ‖ for concatenation and SHA-256 throughout:

    content_hash = H(salt ‖ content)                    (absent: 32 zero bytes)
    leaf         = H(0x00 ‖ event_id ‖ memory_id ‖ causation_id
                          ‖ content_hash ‖ envelope ‖ structure)
    digest       = H(0x02 ‖ previous digest ‖ leaf)     (before the first: 32 zero bytes)

Ids are 16 raw bytes, absent ones 16 zero bytes. `envelope` is the JSON array
[position, space, kind, version, recorded_at, actor, correlation_id] as msgspec
writes it; `content` and `structure` are the stored bytes. Leaves begin with
0x00 as in RFC 9162, so that the same leaves can stand under a Merkle tree,
whose inner nodes begin with 0x01.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

GENESIS = bytes(32)
"""The digest before the first event."""

NO_ID = bytes(16)
NO_CONTENT = bytes(32)
SALT_BYTES = 16

encode_json = msgspec.json.Encoder().encode


def content_hash(salt: bytes, content: bytes) -> bytes:
    """The 32 bytes that stay when content and salt are destroyed."""
    return sha256(salt + content).digest()


def leaf_hash(  # noqa: PLR0913, PLR0917 - the envelope in the order of the log's columns
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
    """The 32-byte hash of one event, whatever stands before it."""
    return sha256(
        b"\x00"
        + event_id
        + (memory_id or NO_ID)
        + (causation_id or NO_ID)
        + (hashed_content or NO_CONTENT)
        + encode_json((position, space, kind, version, recorded_at, actor, correlation_id))
        + structure
    ).digest()


def chain(previous: bytes, leaf: bytes) -> bytes:
    """The digest of an event: everything up to and including it."""
    return sha256(b"\x02" + previous + leaf).digest()
