"""Vocabulary: kinds of events, their payloads as JSON, and limits on any JSON that is read."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TypeVar

import msgspec

from mnemolog.ledger import events as kinds
from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import Event, Payload
from mnemolog.results import converted


def encode_payload(payload: Payload) -> bytes:
    """JSON of a payload, without the fields that equal their default."""
    # msgspec's own `omit_defaults` compares by identity: a retry would give other bytes.
    fields = _defaults(type(payload))
    given = {name: one for name, default in fields if (one := getattr(payload, name)) != default}
    return msgspec.json.encode(given)


@cache
def _defaults(payload: type[Payload]) -> tuple[tuple[str, object], ...]:
    none = msgspec.NODEFAULT
    return tuple(
        (one.name, one.default if one.default_factory is none else one.default_factory())
        for one in msgspec.structs.fields(payload)
    )


class Kind(msgspec.Struct, frozen=True):
    """Structure and content of one kind of event in its present version."""

    structure: type[Payload]
    content: type[Payload] | None = None
    version: int = 1


Raw = dict[str, object]
Upcaster = Callable[[Raw, Raw | None], tuple[Raw, Raw | None]]


class Decoded(msgspec.Struct, frozen=True):
    """Payload of an event in its kind's present version."""

    structure: Payload
    content: Payload | None


class Opaque(msgspec.Struct, frozen=True):
    """Payload of a kind or version that this vocabulary does not know."""

    structure: Raw
    content: Raw | None


_raw = msgspec.json.Decoder(Raw).decode
_UNDECODABLE = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)
_NOT_LIFTED = (*_UNDECODABLE, LookupError, TypeError, ValueError, AttributeError)
_Decoded = TypeVar("_Decoded")


def decoded_part(event: Event, part: bytes, decode: Callable[[bytes], _Decoded]) -> _Decoded:
    """One part of an event's payload; raises `CorruptLog` if it does not fit the kind."""
    try:
        return decode_json(decode, part)
    except msgspec.DecodeError as error:
        raise _unreadable(event, error) from None


def _unreadable(event: Event, problem: object) -> CorruptLog:
    words = f"event {event.position} ({event.kind!r:.40}) cannot be read: {problem}"
    return CorruptLog(words, max(0, event.position - 1))


class Vocabulary:
    """Known kinds of events; `upcasters` map (kind, version) to the lift to the next version."""

    def __init__(
        self, kinds: Mapping[str, Kind], upcasters: Mapping[tuple[str, int], Upcaster] | None = None
    ) -> None:
        self.kinds = dict(kinds)
        self._upcasters = dict(upcasters or {})
        # Keyed by kind and version: folding looks up every event, and needs one lookup for both.
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
        """Payload in the present version; `Opaque` if unknown. May raise `CorruptLog`."""
        structure = self._structures.get((event.kind, event.version))
        if structure is None:
            return self._lifted(event)
        read, content = self._contents.get(event.kind), event.content
        try:
            known = structure(event.structure)
            return Decoded(known, None if read is None or content is None else read(content))
        except _UNDECODABLE as error:
            raise _unreadable(event, error) from None

    def structure(self, event: Event) -> Payload | None:
        """Structure alone, for folds that need no content; None if unknown."""
        decode = self._structures.get((event.kind, event.version))
        if decode is not None:
            try:
                return decode(event.structure)
            except _UNDECODABLE as error:
                raise _unreadable(event, error) from None
        # Unknown kinds and newer versions are never decoded.
        if event.kind not in self.kinds or event.version > self.kinds[event.kind].version:
            return None
        lifted = self._lifted(event)
        return lifted.structure if isinstance(lifted, Decoded) else None

    def structures(self, events: Iterable[Event]) -> Iterator[Payload | None]:
        """`structure` of each event, in three quarters of the time of single calls."""
        present = self._structures
        for event in events:
            decode = present.get((event.kind, event.version))
            try:
                yield self.structure(event) if decode is None else decode(event.structure)
            except _UNDECODABLE as error:
                raise _unreadable(event, error) from None

    def _lifted(self, event: Event) -> Decoded | Opaque:
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
            lifted = converted(structure, kind.structure)
            known = converted(content, kind.content) if kind.content and content else None
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
"""Structures of events by type of content; a kind has its structure's name."""

VOCABULARY = Vocabulary(
    {
        structure.__name__.lower(): Kind(structure, content)
        for content, structures in _BY_CONTENT.items()
        for structure in structures
    }
)

MOST_NESTED = 100  # Deepest nesting of arrays and objects in JSON of any kind.

# Escaped backslashes and whole surrogate pairs match first, so no part of them counts as a half.
_HALF_A_PAIR = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def decode_json(decode: Callable[[bytes], _Decoded], text: bytes) -> _Decoded:
    """Value in a text. Raises `msgspec.DecodeError` also for deep nesting and broken UTF-8."""
    try:
        return decode(text)
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deep") from None
    except (UnicodeDecodeError, msgspec.DecodeError) as error:
        raise _bad_text(text) or error from None


def _bad_text(text: bytes) -> msgspec.DecodeError | None:
    # msgspec counts bytes from the start of a string, and reports half a pair as a cut text.
    try:
        text.decode()
    except UnicodeDecodeError as error:
        byte = f"byte {error.start + 1} (0x{text[error.start]:02x})"
        return msgspec.DecodeError(f"text is not UTF-8 at {byte}")
    for half in _HALF_A_PAIR.finditer(text):
        if half[1]:
            what = f"{half[1].decode()} at byte {half.start(1) + 1}"
            return msgspec.DecodeError(f"text holds {what}, half of a pair and no character")
    return None


def check_nesting(value: object) -> None:
    """Raise `msgspec.DecodeError` for a value nested too deep for code that walks recursively."""
    level = [value]
    for _ in range(MOST_NESTED + 1):
        level = [inner for outer in level for inner in _parts(outer)]
        if not level:
            return
    raise msgspec.DecodeError(f"JSON is nested more than {MOST_NESTED} deep")


def strings_of(content: bytes) -> Iterator[str]:
    """Every string in JSON; none if the JSON cannot be read."""
    try:
        pending = [msgspec.json.decode(content)]
    except (msgspec.DecodeError, RecursionError):
        return
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value
        pending += _parts(value)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
