"""Ids are UUIDv7s that sort as they were given."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import event_id_from_source, new_event_ids, parse_id, parse_prefix
from tests.homes import START

times = st.integers(0, 4_000_000_000_000_000)


@given(count=st.integers(0, 5_000), now=times)
def test_new_ids_sort_in_the_order_given(count: int, now: int) -> None:
    """Ids of one call are distinct and ascend, however many they are."""
    ids = new_event_ids(count, now)
    assert len(set(ids)) == count
    assert ids == sorted(ids)


@given(now=times)
def test_a_new_id_is_a_uuid_of_its_time(now: int) -> None:
    """Version 7, the variant of RFC 9562, and the millisecond in front."""
    (one,) = new_event_ids(1, now)
    parsed = uuid.UUID(one)
    assert (parsed.version, parsed.variant) == (7, uuid.RFC_4122)
    assert parsed.int >> 80 == now // 1000


def test_calls_of_one_moment_do_not_meet() -> None:
    """Ids of many calls at the same instant are all different."""
    ids = [one for _ in range(2_000) for one in new_event_ids(3, START)]
    assert len(set(ids)) == 6_000


@given(key=st.text(), other=st.text(), at=st.integers(-1, 2**52))
def test_an_imported_item_keeps_its_id(key: str, other: str, at: int) -> None:
    """The id depends on the source key and the time alone, and is a UUIDv7."""
    if "\ud800" <= max(key + other, default="") <= "\udfff":
        return
    one = event_id_from_source(key, at)
    assert one == event_id_from_source(key, at)
    assert (one == event_id_from_source(other, at)) == (key == other)
    assert uuid.UUID(one).version == 7
    assert uuid.UUID(one).variant == uuid.RFC_4122


@given(one=st.uuids(), style=st.sampled_from([str, lambda one: one.hex, lambda u: str(u).upper()]))
def test_ids_are_read_with_and_without_dashes(one: uuid.UUID, style: object) -> None:
    """A UUID in any usual spelling is the same 32 digits."""
    assert parse_id("id", f" {style(one)} ") == one.hex


@pytest.mark.parametrize("text", ["", " ", "-", "xyz", "0" * 33, "12 34", "٣"])
def test_what_is_no_id_is_refused(text: str) -> None:
    """An empty, too long or not hexadecimal text names its field in the error."""
    for parse in (parse_id, parse_prefix):
        with pytest.raises(InvalidField) as raised:
            parse("evidence", text)
        assert raised.value.field == "evidence"


def test_a_beginning_is_no_whole_id() -> None:
    """Part of an id is a prefix, never an id."""
    assert parse_prefix("id", "0AB-c") == "0abc"
    with pytest.raises(InvalidField, match="not a whole id"):
        parse_id("id", "0abc")
