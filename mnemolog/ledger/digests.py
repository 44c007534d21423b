"""The hashes that make the log tamper-evident.

For event n, with ‖ for concatenation and SHA-256 throughout:

    content_hash = H(salt ‖ content)
    leaf         = event_id ‖ memory_id ‖ causation_id ‖ content_hash ‖ envelope ‖ structure
    digest       = H(0x02 ‖ previous digest ‖ leaf)     (before the first: 32 zero bytes)

In the leaf, memory_id, causation_id and content_hash are 0x01 and their bytes, or
0x00 alone if they are absent. Ids are 16 raw bytes. `envelope` is the JSON array
[position, space, kind, version, recorded_at, actor, correlation_id] as msgspec
writes it; `content` and `structure` are the stored bytes. Since ids and hashes
have their fixed sizes, and JSON ends where it ends, no two events have one leaf.

The leaf enters the digest as it is: hashed first, it would cost a third hash an
event and prove nothing more. H(0x00 ‖ leaf) is the leaf's hash as RFC 9162 has
it, so that the same leaves can be those of a Merkle tree.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

GENESIS = bytes(32)
"""The digest before the first event."""

SALT_BYTES = 16
ID_BYTES = 16
HASH_BYTES = 32
ABSENT, PRESENT, LINK = b"\x00", b"\x01", b"\x02"
"""Marks of an absent or present part of a leaf, and of a link of the chain."""

encode_json = msgspec.json.Encoder().encode


def content_hash(salt: bytes, content: bytes) -> bytes:
    """The 32 bytes that stay when content and salt are destroyed."""
    return sha256(salt + content).digest()


def leaf(  # noqa: PLR0913, PLR0917 - the envelope in the order of the log's columns
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
    """The bytes of one event that its digest covers, whatever events precede it.

    Raises `ValueError` for an id that has not 16 bytes or a hash that has not 32:
    moved over the bounds of others, their bytes would make the same leaf.
    """
    ids = (event_id, memory_id, causation_id)
    if any(one is not None and len(one) != ID_BYTES for one in ids) or (
        hashed_content is not None and len(hashed_content) != HASH_BYTES
    ):
        raise ValueError("an id has 16 bytes and a hash has 32")
    return (
        event_id
        + (ABSENT if memory_id is None else PRESENT + memory_id)
        + (ABSENT if causation_id is None else PRESENT + causation_id)
        + (ABSENT if hashed_content is None else PRESENT + hashed_content)
        + encode_json((position, space, kind, version, recorded_at, actor, correlation_id))
        + structure
    )


def chain(previous: bytes, leaf_bytes: bytes) -> bytes:
    """The digest of an event: everything up to and including it."""
    return sha256(LINK + previous + leaf_bytes).digest()
