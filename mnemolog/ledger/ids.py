"""Identifiers: UUIDv7 (RFC 9562) as 32 lowercase hexadecimal digits.

A memory's id is that of the event that remembered it. Ids grow with time, so that indexes over
them are appended to: with random ids the same inserts ran at a third of the speed.
"""

import hashlib
import os
from typing import NewType

from mnemolog.ledger.errors import InvalidField

EventId = NewType("EventId", str)
MemoryId = NewType("MemoryId", str)
Position = NewType("Position", int)
ID_DIGITS = 32
_RANDOM_BYTES = 8
_COUNTER_BITS = 12
# The first two bits of a digit become those of the variant, 10.
_VARIANTS = dict(zip("0123456789abcdef", "89ab" * 4, strict=True))


def new_event_ids(count: int, now_us: int) -> list[EventId]:
    """`count` ascending ids; 12 bits count up, on into later milliseconds (RFC 9562 §6.2, 1)."""
    if count == 0:
        return []
    random = os.urandom(_RANDOM_BYTES * count + 2)
    noise, millisecond = random.hex(), now_us // 1000
    start = int.from_bytes(random[-2:]) >> 5 if count <= 1 << (_COUNTER_BITS - 1) else 0
    ids = []
    for index in range(count):
        tick, at = start + index, index * _RANDOM_BYTES * 2
        stamp = f"{millisecond + (tick >> _COUNTER_BITS):012x}7{tick & 0xFFF:03x}"
        ids.append(EventId(f"{stamp}{_VARIANTS[noise[at]]}{noise[at + 1 : at + 16]}"))
    return ids


def event_id_from_source(source_key: str, at_us: int) -> EventId:
    """The id that an imported item has in every import: its own time, and 74 bits of SHA-256."""
    digest = hashlib.sha256(source_key.encode()).hexdigest()
    millisecond = max(0, at_us // 1000) & 0xFFFF_FFFF_FFFF
    return EventId(f"{millisecond:012x}7{digest[:3]}{_VARIANTS[digest[3]]}{digest[4:19]}")


def parse_id(field: str, text: str) -> str:
    """A whole id, with or without a UUID's dashes; `InvalidField` unless 32 hexadecimal digits."""
    digits = parse_prefix(field, text)
    if len(digits) != ID_DIGITS:
        raise InvalidField(field, f"{text!r} is not a whole id", "give its 32 hexadecimal digits")
    return digits


def parse_prefix(field: str, text: str) -> str:
    """The beginning of an id: 1 to 32 digits, dashes left out; `InvalidField` for others."""
    digits = text.strip().replace("-", "").lower()
    if not digits or len(digits) > ID_DIGITS or digits.strip("0123456789abcdef"):
        fix = "give an id, the beginning of one, or @position"
        raise InvalidField(field, f"{text!r} is not an id", fix)
    return digits
