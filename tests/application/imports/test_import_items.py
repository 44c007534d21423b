"""What an import's items promise: ids that last, and say what has changed."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from mnemolog.application.imports.files import import_item, refused, returned
from mnemolog.ledger.errors import InvalidField, InvalidTime
from mnemolog.ledger.ids import parse_id
from mnemolog.policies.memories import NewMemory

NOTE = NewMemory(content="The harbour closes at nine.", source="file:notes/a.md#harbour")
ORIGIN = "file:notes/a.md#harbour"

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(space=texts, origin=texts, content=texts)
def test_the_same_piece_has_the_same_id_in_every_import(
    space: str, origin: str, content: str
) -> None:
    """Reading a piece twice gives it one id, which is a whole id."""
    memory = NewMemory(content=content)
    first = import_item(space, memory, origin=origin, where="here", revisable=True)
    again = import_item(space, memory, origin=origin, where="elsewhere", revisable=True)
    assert first.memory.id == again.memory.id
    assert parse_id("id", first.memory.id or "") == first.memory.id


@pytest.mark.parametrize(
    "changed",
    [
        NewMemory(content="The harbour closes at ten.", source=NOTE.source),
        NewMemory(content=NOTE.content, source=NOTE.source, tags=("harbour",)),
        NewMemory(content=NOTE.content, source=NOTE.source, valid_from="2024-05-01"),
    ],
)
def test_any_changed_field_makes_a_new_version_of_a_revisable_piece(changed: NewMemory) -> None:
    """Text, tags and time are all part of a version; the origin stays."""
    before = import_item("default", NOTE, origin=ORIGIN, where="here", revisable=True)
    after = import_item("default", changed, origin=ORIGIN, where="here", revisable=True)
    assert before.memory.id != after.memory.id
    assert before.origin == after.origin


def test_a_fixed_piece_is_told_apart_by_its_origin_alone() -> None:
    """What an origin names for good keeps its id, however it is presented."""
    before = import_item("default", NOTE, origin="git:1a2b", where="here")
    shown_otherwise = msgspec.structs.replace(NOTE, source_note="commit by Dana")
    after = import_item("default", shown_otherwise, origin="git:1a2b", where="here")
    other = import_item("default", NOTE, origin="git:3c4d", where="here")
    assert before.memory.id == after.memory.id
    assert before.memory.id != other.memory.id


def test_two_spaces_give_one_piece_two_ids() -> None:
    """Ids are unique in a log, so the same file can be imported into two of its spaces."""
    for revisable in (False, True):
        home = import_item("home", NOTE, origin=ORIGIN, where="here", revisable=revisable)
        work = import_item("work", NOTE, origin=ORIGIN, where="here", revisable=revisable)
        assert home.memory.id != work.memory.id


def test_an_id_begins_with_the_time_of_its_piece() -> None:
    """Ids sort by when their pieces came to be."""
    dated = msgspec.structs.replace(NOTE, valid_from="2024-05-01T00:00:00Z")
    item = import_item("default", dated, origin=ORIGIN, where="here")
    assert int((item.memory.id or "")[:12], 16) == 1_714_521_600_000


def test_a_piece_that_returns_to_an_earlier_text_has_an_id_for_that_return() -> None:
    """The id of a return is new, differs with what it supersedes, and lasts."""
    item = import_item("default", NOTE, origin=ORIGIN, where="here", revisable=True)
    back = returned(item, "0" * 32)
    assert back.memory.id not in {item.memory.id, returned(item, "1" * 32).memory.id}
    assert back == returned(item, "0" * 32)
    assert (back.memory.id or "")[:12] == (item.memory.id or "")[:12]
    assert back.memory.content == item.memory.content


def test_a_memory_that_cannot_be_stored_is_refused_when_it_is_read() -> None:
    """The error comes with the piece in hand, not after a thousand more."""
    with pytest.raises(InvalidTime):
        import_item("default", NewMemory(content="x", valid_from="soon"), origin="o", where="w")


def test_a_refusal_is_told_with_its_place_and_what_would_help() -> None:
    """A problem carries the error's own words."""
    problem = refused("a.jsonl:3", InvalidField("kind", "'fact' is unknown", "use another"))
    assert (problem.where, problem.what, problem.fix) == (
        "a.jsonl:3",
        "kind: 'fact' is unknown",
        "use another",
    )
