"""Events of every version are read: older ones lifted, unknown ones carried as they are."""

from __future__ import annotations

import msgspec
import pytest

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Event, Payload
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.vocabulary import (
    VOCABULARY,
    Decoded,
    Kind,
    Opaque,
    Raw,
    Vocabulary,
    encode_payload,
)


class Noted(Payload, frozen=True):
    """A kind's structure in version 3."""

    words: int
    loud: bool = False


class NotedContent(Payload, frozen=True):
    """Its content in version 3."""

    text: str


def counted(structure: Raw, content: Raw | None) -> tuple[Raw, Raw | None]:
    """From 1 to 2: a text is called text, and its words are counted."""
    if content is None:
        return {"words": 0}, None
    text = str(content["said"])
    return {"words": len(text.split())}, {"text": text}


def loudness(structure: Raw, content: Raw | None) -> tuple[Raw, Raw | None]:
    """From 2 to 3: what is in capitals is loud."""
    loud = content is not None and str(content["text"]).isupper()
    return {**structure, "loud": loud}, content


KIND = {"noted": Kind(Noted, NotedContent, version=3)}
LIFTING = Vocabulary(KIND, {("noted", 1): counted, ("noted", 2): loudness})


def event(kind: str, version: int, structure: bytes, content: bytes | None = None) -> Event:
    """An event with this payload."""
    return Event(
        Position(1), EventId("0" * 32), "default", kind, version, Micros(0), "user:dana",
        None, None, None, structure, content, None, None, bytes(32),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("version", "structure", "content"),
    [
        (1, b"{}", b'{"said":"GREEN TEA"}'),
        (2, b'{"words":2}', b'{"text":"GREEN TEA"}'),
        (3, b'{"words":2,"loud":true}', b'{"text":"GREEN TEA"}'),
    ],
)
def test_every_version_is_lifted_to_the_present(
    version: int, structure: bytes, content: bytes
) -> None:
    """Events of all versions of a kind are read alike, step by step."""
    decoded = LIFTING.decode(event("noted", version, structure, content))
    assert decoded == Decoded(Noted(2, loud=True), NotedContent("GREEN TEA"))
    assert LIFTING.structure(event("noted", version, structure, content)) == Noted(2, loud=True)


def test_an_erased_event_is_lifted_too() -> None:
    """Upcasters get no content where there is none left."""
    assert LIFTING.decode(event("noted", 1, b"{}")) == Decoded(Noted(0), None)


def test_a_version_without_a_way_up_is_opaque() -> None:
    """Where an upcaster is missing the payload is carried as it stands."""
    partial = Vocabulary(KIND, {("noted", 2): loudness})
    old = event("noted", 1, b"{}", b'{"said":"tea"}')
    assert partial.decode(old) == Opaque({}, {"said": "tea"})
    assert partial.structure(old) is None


def test_a_newer_version_is_opaque() -> None:
    """What a later writer appended is carried, never an error, never dropped."""
    newer = event("remembered", 2, b'{"mood":"calm"}', b'{"words":["green","tea"]}')
    assert VOCABULARY.decode(newer) == Opaque({"mood": "calm"}, {"words": ["green", "tea"]})
    assert VOCABULARY.structure(newer) is None


def test_structures_of_many_events_are_those_of_each() -> None:
    """Present, older, newer and unknown ones alike, in order."""
    events = [
        event("noted", 3, b'{"words":2}'),
        event("noted", 1, b"{}", b'{"said":"tea"}'),
        event("noted", 4, b"{}"),
        event("deployed", 1, b"{}"),
    ]
    found = list(LIFTING.structures(events))
    assert found == [LIFTING.structure(one) for one in events] == [Noted(2), Noted(1), None, None]


def test_an_unknown_kind_is_opaque() -> None:
    """A kind of the caller's own is shown by its decoded parts."""
    assert VOCABULARY.decode(event("deployed", 1, b'{"to":"staging"}')) == Opaque(
        {"to": "staging"}, None
    )


def test_fields_of_a_later_minor_are_passed_over() -> None:
    """A field that this version does not know does not keep it from reading the others."""
    decoded = LIFTING.decode(event("noted", 3, b'{"words":2,"mood":"calm"}', b'{"text":"tea"}'))
    assert decoded == Decoded(Noted(2), NotedContent("tea"))


@pytest.mark.parametrize("kind", VOCABULARY.kinds.values(), ids=VOCABULARY.kinds)
def test_every_default_is_left_out_of_the_bytes(kind: Kind) -> None:
    """Fields at their default are not written, so that a new field leaves old bytes as they are."""
    optional = [field for field in msgspec.structs.fields(kind.structure) if not field.required]
    given: dict[str, object] = {"events": ("0" * 32,), "settings": {}, "factor": 0.5}
    required = {
        field.name: given.get(field.name, "0" * 32)
        for field in msgspec.structs.fields(kind.structure)
        if field.required
    }
    encoded = encode_payload(kind.structure(**required))
    assert set(msgspec.json.decode(encoded)) == set(required)
    assert kind.version == 1
    assert all(field.name.encode() not in encoded for field in optional)


def test_a_kind_is_named_for_its_structure() -> None:
    """The names in the log, which no renaming of a class may change."""
    names = (
        "admitted buffered configured conflicted consolidated degraded dropped failed imported "
        "linked maintained pinned recalled redacted reinforced reinstated relearned remembered "
        "reopened resolved restored revived settled strengthened superseded ticked undone "
        "unlearned unlinked unpinned voted weakened withdrawn"
    )
    assert sorted(VOCABULARY.kinds) == names.split()
