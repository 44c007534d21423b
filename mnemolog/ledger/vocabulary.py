"""The vocabulary: every kind of event, and the encoding and decoding of payloads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TypeVar

import msgspec

from mnemolog.ledger import events as kinds
from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import Event, Payload
from mnemolog.ledger.json_text import decode_json

_encode = msgspec.json.Encoder().encode


def encode_payload(payload: Payload) -> bytes:
    """A payload as JSON, without the fields that equal their default.

    msgspec's own `omit_defaults` goes by identity: equal values could come to
    different bytes, and a retry would not be known for one.
    """
    fields = _defaults(type(payload))
    given = {name: one for name, default in fields if (one := getattr(payload, name)) != default}
    return _encode(given)


@cache
def _defaults(payload: type[Payload]) -> tuple[tuple[str, object], ...]:
    fields = msgspec.structs.fields(payload)
    no_factory = msgspec.NODEFAULT
    return tuple(
        (one.name, one.default if one.default_factory is no_factory else one.default_factory())
        for one in fields
    )


class Kind(msgspec.Struct, frozen=True):
    """Structure and content of one kind of event in its present version."""

    structure: type[Payload]
    content: type[Payload] | None = None
    version: int = 1


Raw = dict[str, object]
Upcaster = Callable[[Raw, Raw | None], tuple[Raw, Raw | None]]
"""Lifts the decoded structure and content of one version to the next; pure."""


class Decoded(msgspec.Struct, frozen=True):
    """An event's payload in its kind's present version."""

    structure: Payload
    content: Payload | None


class Opaque(msgspec.Struct, frozen=True):
    """The payload of a kind, or of a version of one, that this vocabulary does not know."""

    structure: Raw
    content: Raw | None


_raw = msgspec.json.Decoder(Raw).decode
_UNDECODABLE = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)
_NOT_LIFTED = (*_UNDECODABLE, LookupError, TypeError, ValueError, AttributeError)
_Part = TypeVar("_Part")


def decoded_part(event: Event, part: bytes, decode: Callable[[bytes], _Part]) -> _Part:
    """One part of an event's payload; raises `CorruptLog` if it does not fit the kind."""
    try:
        return decode_json(decode, part)
    except msgspec.DecodeError as error:
        raise _unreadable(event, error) from None


def _unreadable(event: Event, problem: object) -> CorruptLog:
    words = f"event {event.position} ({event.kind!r:.40}) cannot be read: {problem}"
    return CorruptLog(words, max(0, event.position - 1))


class Vocabulary:
    """The kinds understood; `upcasters` map (kind, version) to what lifts it to the next one."""

    def __init__(
        self, kinds: Mapping[str, Kind], upcasters: Mapping[tuple[str, int], Upcaster] | None = None
    ) -> None:
        self.kinds = dict(kinds)
        self._upcasters = dict(upcasters or {})
        # By kind and version together: folding asks once an event.
        self._structures = {
            (name, kind.version): msgspec.json.Decoder(kind.structure).decode
            for name, kind in self.kinds.items()
        }
        self._contents = {
            name: msgspec.json.Decoder(kind.content).decode
            for name, kind in self.kinds.items()
            if kind.content is not None
        }

    def decode(self, event: Event) -> Decoded | Opaque:
        """The payload in the present version; `Opaque` if unknown, `CorruptLog` if unfitting."""
        structure = self._structures.get((event.kind, event.version))
        if structure is None:
            return self._lifted(event)
        content = None if event.content is None else self._contents.get(event.kind)
        try:
            return Decoded(
                structure(event.structure),
                None if content is None or event.content is None else content(event.content),
            )
        except _UNDECODABLE as error:
            raise _unreadable(event, error) from None

    def structure(self, event: Event) -> Payload | None:
        """The structure alone, for folds that need no content; None if unknown."""
        decode = self._structures.get((event.kind, event.version))
        if decode is not None:
            try:
                return decode(event.structure)
            except _UNDECODABLE as error:
                raise _unreadable(event, error) from None
        # Unknown kinds and versions are carried unread.
        if event.kind not in self.kinds or event.version > self.kinds[event.kind].version:
            return None
        lifted = self._lifted(event)
        return lifted.structure if isinstance(lifted, Decoded) else None

    def structures(self, events: Iterable[Event]) -> Iterator[Payload | None]:
        """`structure` of each event, at three quarters of the price of asking one by one."""
        present = self._structures
        for event in events:
            decode = present.get((event.kind, event.version))
            try:
                yield self.structure(event) if decode is None else decode(event.structure)
            except _UNDECODABLE as error:
                raise _unreadable(event, error) from None

    def _lifted(self, event: Event) -> Decoded | Opaque:
        """The payload of an older version in the present one; `Opaque` if that is not known."""
        structure = decoded_part(event, event.structure, _raw)
        content = None if event.content is None else decoded_part(event, event.content, _raw)
        opaque = Opaque(structure, content)
        kind = self.kinds.get(event.kind)
        if kind is None or event.version > kind.version:
            return opaque
        try:
            for version in range(event.version, kind.version):
                upcaster = self._upcasters.get((event.kind, version))
                if upcaster is None:
                    return opaque
                structure, content = upcaster(structure, content)
            lifted = msgspec.convert(structure, kind.structure)
            known = msgspec.convert(content, kind.content) if kind.content and content else None
            return Decoded(lifted, known)
        except _NOT_LIFTED as error:
            raise _unreadable(event, error) from None


_BY_CONTENT: dict[type[Payload] | None, tuple[type[Payload], ...]] = {
    kinds.Reason: (
        *(kinds.Superseded, kinds.Reinstated, kinds.Withdrawn, kinds.Restored),
        *(kinds.Pinned, kinds.Unpinned, kinds.Redacted, kinds.Undone, kinds.Configured),
        *(kinds.Unlinked, kinds.Settled, kinds.Reopened, kinds.Weakened, kinds.Strengthened),
    ),
    kinds.MemoryContent: (kinds.Remembered, kinds.Buffered),
    kinds.EdgeContent: (kinds.Linked,),
    kinds.ConflictContent: (kinds.Conflicted,),
    kinds.FailureContent: (kinds.Failed,),
    kinds.RecalledContent: (kinds.Recalled,),
    kinds.Summary: (kinds.Degraded,),
    kinds.Met: (kinds.Reinforced,),
    kinds.Note: (kinds.Resolved,),
    None: (
        *(kinds.Imported, kinds.Consolidated, kinds.Maintained, kinds.Ticked, kinds.Revived),
        *(kinds.Relearned, kinds.Unlearned, kinds.Admitted, kinds.Dropped, kinds.Voted),
    ),
}
"""Structures of the kinds of events by their content; a kind has its structure's name."""

VOCABULARY = Vocabulary(
    {
        structure.__name__.lower(): Kind(structure, content)
        for content, structures in _BY_CONTENT.items()
        for structure in structures
    }
)
