"""The compiled loops do what `ledger.digests` says, and count anything else as damage."""

from __future__ import annotations

import gc
import hashlib
import sys
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger import sealing
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.digests import EMPTY, GENESIS, Head, chain, content_hash, leaf, sealed
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Draft, HashedRow, Row
from mnemolog.ledger.ids import EventId, MemoryId, Position
from tests.homes import draft

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
ids = st.binary(min_size=16, max_size=16).map(bytes.hex)
drafts = st.builds(
    Draft,
    event_id=ids.map(EventId),
    space=texts,
    kind=texts,
    actor=texts,
    structure=texts.map(str.encode),
    version=st.integers(1, 2**40),
    content=st.none() | texts.map(str.encode),
    memory_id=st.none() | ids.map(MemoryId),
    correlation_id=st.none() | texts,
    causation_id=st.none() | ids.map(EventId),
)
heads = st.builds(
    Head,
    st.integers(0, 2**60).map(Position),
    st.integers(0, 2**60).map(Micros),
    st.binary(min_size=32, max_size=32),
)


def hashed(rows: list[Row]) -> list[HashedRow]:
    """Rows as SQLite joins them for verification."""
    return [
        (
            row[0],
            row[5],
            leaf(row[:10], row[10].encode(), row[13]),
            None if row[11] is None or row[12] is None else row[12] + row[11].encode(),
            row[13],
            row[14],
        )
        for row in rows
    ]


def references(one: Draft) -> list[int]:
    """How often each text of a draft is held.

    What other tests left in cycles may hold some too, and would go at any moment.
    """
    gc.collect()
    values = [getattr(one, name) for name in one.__struct_fields__]
    return [sys.getrefcount(value) for value in values if isinstance(value, str | bytes)]


@pytest.mark.parametrize("function", [sealing.sha256, sealing.portable_sha256])
@given(message=st.binary(max_size=1000))
def test_the_hash_is_sha256(function: object, message: bytes) -> None:
    """With the processor's instructions and without, it is the hash that hashlib has."""
    assert function(message) == sha256(message).digest()


@pytest.mark.parametrize("function", [sealing.sha256, sealing.portable_sha256])
def test_every_length_is_padded_right(function: object) -> None:
    """At every length around the ends of blocks the padding is that of the standard."""
    for size in range(300):
        message = hashlib.shake_128(bytes([size % 256])).digest(size)
        assert function(message) == sha256(message).digest()


@given(batch=st.lists(drafts, max_size=6, unique_by=lambda one: one.event_id), head=heads)
def test_rows_follow_from_the_formulas(batch: list[Draft], head: Head) -> None:
    """Each row has the draft's columns, a salt of its own, and the hashes by the book."""
    rows, after = sealed(batch, head, head.recorded_at)
    digest = head.digest
    for number, (row, one) in enumerate(zip(rows, batch, strict=True), head.position + 1):
        assert row[:7] == (
            number, bytes.fromhex(one.event_id), one.space, one.kind, one.version,
            head.recorded_at, one.actor,
        )  # fmt: skip
        assert [row[7] and row[7].hex(), row[8], row[9] and row[9].hex()] == [
            one.memory_id, one.correlation_id, one.causation_id,
        ]  # fmt: skip
        assert row[10].encode() == one.structure
        if one.content is None:
            assert row[11:14] == (None, None, None)
        else:
            assert row[11] is not None
            assert row[11].encode() == one.content
            assert row[13] == content_hash(row[12] or b"", one.content)
        digest = chain(digest, leaf(row[:10], one.structure, row[13]))
        assert row[14] == digest
    assert after == Head(Position(head.position + len(batch)), head.recorded_at, digest)
    salts = [row[12] for row in rows if row[12] is not None]
    assert len(set(salts)) == len(salts)


def test_an_id_twice_in_a_batch_is_refused() -> None:
    """A batch that names one event twice is nothing that could be appended."""
    one = draft()
    with pytest.raises(InvalidField, match="event_id"):
        sealed([one, one], EMPTY, Micros(0))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"event_id": "12"}, ValueError),
        ({"event_id": "g" * 32}, ValueError),
        ({"memory_id": "A" * 32}, ValueError),
        ({"causation_id": b"0" * 32}, TypeError),
        ({"content": "text"}, TypeError),
        ({"content": b"\xff"}, UnicodeDecodeError),
        ({"structure": None}, TypeError),
        ({"space": "\ud800"}, UnicodeEncodeError),
        ({"actor": None}, TypeError),
        ({"correlation_id": 7}, TypeError),
        ({"version": "1"}, TypeError),
        ({"version": 2**80}, OverflowError),
    ],
    ids=str,
)
def test_what_is_no_draft_is_refused(changes: dict[str, object], error: type[Exception]) -> None:
    """Values of other types raise as Python's own functions do, and nothing is kept of them."""
    bad = msgspec.structs.replace(draft(), **changes)
    held = references(bad)
    for _ in range(10):
        with pytest.raises(error):
            sealed([draft(), bad], EMPTY, Micros(0))
    assert references(bad) == held


@pytest.mark.parametrize(
    "arguments",
    [
        ([draft()], b"", 0, GENESIS, 0),
        ([draft()], bytes(16), 0, b"short", 0),
        ([], b"", 0, b"", 0),
        ((draft(),), bytes(16), 0, GENESIS, 0),
        ([object()], bytes(16), 0, GENESIS, 0),
    ],
    ids=["no salt", "a short digest", "no digest", "no list", "no draft"],
)
def test_sealing_refuses_other_arguments(arguments: tuple[object, ...]) -> None:
    """Salts, digests and lists of another kind raise instead of being read beyond their end."""
    with pytest.raises((ValueError, TypeError, AttributeError)):
        sealing.seal(*arguments)


def test_sealing_keeps_no_reference() -> None:
    """When the rows are gone, what they held is held by nobody."""
    one = draft()
    before = references(one)
    for _ in range(10):
        rows, _ = sealed([one], EMPTY, Micros(0))
        assert sealing.first_broken(hashed(rows), 0, GENESIS, 0) == 1
        del rows
    assert references(one) == before


@given(
    batch=st.lists(drafts, min_size=1, max_size=6, unique_by=lambda one: one.event_id),
    head=heads,
    data=st.data(),
)
def test_the_first_row_that_does_not_continue_is_found(
    batch: list[Draft], head: Head, data: st.DataObject
) -> None:
    """Whole rows pass; with any value of one changed, that one is named, whatever it became."""
    rows = hashed(sealed(batch, head, head.recorded_at)[0])
    assert sealing.first_broken(rows, head.position, head.digest, head.recorded_at) == len(rows)
    at = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.sampled_from([0, 1, 2, 3, 4, 5]))
    value = rows[at][column]
    changed = data.draw(
        st.sampled_from([None, "text", 3.5, b"", bytes(32), -1, 2**80]).filter(
            lambda one: one != value
        )
    )
    # Content that is gone is no break of the chain, and its hash is in the leaf.
    if (column, changed) == (3, None) or (column == 4 and rows[at][3] is None):
        return
    # A later time is for the leaf to tell, which holds it.
    if column == 1 and isinstance(changed, float | int) and changed >= head.recorded_at:
        return
    rows[at] = (*rows[at][:column], changed, *rows[at][column + 1 :])
    assert sealing.first_broken(rows, head.position, head.digest, head.recorded_at) == at


@pytest.mark.parametrize("rows", [[()], [None], [(1,) * 6], [[1] * 6], [(1, 0, b"", None, None)]])
def test_what_is_no_row_is_damage(rows: list[object]) -> None:
    """Rows of another shape are where the chain breaks, not an error."""
    assert sealing.first_broken(rows, 0, GENESIS, 0) == 0
