"""New memories: validation, and the event that stores one."""

import math
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from operator import is_
from typing import TypedDict, TypeVar, get_args

import msgspec
from msgspec.structs import astuple

from mnemolog.language.lists import regex
from mnemolog.ledger import errors
from mnemolog.ledger.clock import Micros, from_datetime, parse_time
from mnemolog.ledger.errors import InvalidField, InvalidNumber, InvalidTime
from mnemolog.ledger.events import (
    MOST_PAYLOAD_BYTES,
    Importance,
    Mark,
    MemoryContent,
    MemoryKind,
    Remembered,
    SourceType,
    Volatility,
)
from mnemolog.ledger.ids import MemoryId, parse_id

Time = datetime | str
"""An aware datetime, or ISO 8601 with a zone; a date alone is its midnight UTC."""

_KINDS, _SOURCE_TYPES = get_args(MemoryKind), get_args(SourceType)
_IMPORTANCES, _VOLATILITIES = get_args(Importance), get_args(Volatility)
_MARKS = get_args(Mark)
SOURCE_CONFIDENCE = {"user_stated": 0.9, "external": 0.7, "inferred": 0.6, "system": 1.0}
IMMUTABLE_WEIGHT = (50.0, 1.0)
LONGEST_REMARK = 10_000  # characters of a reason or a note: it is shown with its event, for good
_MOST_BYTES = MOST_PAYLOAD_BYTES - (1 << 20)  # the rest is for what storing adds: a summary
_NAME_LIMIT, _MOST_TEXTS = 200, 10_000
_Word = TypeVar("_Word", bound=str)
_encode = msgspec.json.Encoder().encode
_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TYPE_OF_SCHEME: dict[str, SourceType] = {
    "user": "user_stated",
    "agent": "inferred",
    "system": "system",
    "thread": "user_stated",
}


class MemoryFields(TypedDict, total=False):
    """Fields of a memory except its content; see `NewMemory`."""

    kind: MemoryKind
    category: str | None
    source: str | None
    source_note: str | None
    source_type: SourceType | None
    source_confidence: float | None
    extraction_method: str | None
    extraction_confidence: float
    place: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    snippet: str | None
    constraint: str | None
    evidence: tuple[str, ...]
    valid_from: Time | None
    valid_until: Time | None
    importance: Importance
    volatility: Volatility
    marks: tuple[Mark, ...]
    immutable: bool
    lasting: bool | None
    supersedes: tuple[str, ...]
    id: str | None


class NewMemory(msgspec.Struct, frozen=True):
    """Memory to be stored; only `content` is required.

    - `source` is normalised to a scheme (`user:`, `agent:`, `file:`, a URL …). It sets the
      trust in the memory unless `source_type` does.
    - `place` is a path such as `room/drawer`; `snippet` is the original context.
    - Confidences are in [0, 1].
    - A `lasting` memory never fades; None lets the text decide.
    - `supersedes` names memories that this one replaces.
    - `id`, if given, makes a retry safe: the same memory under the same id is stored once.
    """

    content: str
    kind: MemoryKind = "semantic"
    category: str | None = None
    source: str | None = None
    source_note: str | None = None
    source_type: SourceType | None = None
    source_confidence: float | None = None
    extraction_method: str | None = None
    extraction_confidence: float = 1.0
    place: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    snippet: str | None = None
    constraint: str | None = None
    evidence: tuple[str, ...] = ()
    valid_from: Time | None = None
    valid_until: Time | None = None
    importance: Importance = "medium"
    volatility: Volatility = "normal"
    marks: tuple[Mark, ...] = ()
    immutable: bool = False
    lasting: bool | None = None
    supersedes: tuple[str, ...] = ()
    id: str | None = None


def remembered(new: NewMemory, content_limit_bytes: int) -> tuple[Remembered, MemoryContent]:
    """Structure and content of the event that stores a memory.

    Raises `EmptyContent`, `ContentTooLarge`, or `InvalidField` or a subclass, with the field.
    """
    _check_type("content", new.content, str, "give a text")
    if not new.content.strip():
        raise errors.EmptyContent
    size = _size("content", new.content)
    if size > content_limit_bytes:
        raise errors.ContentTooLarge(size, content_limit_bytes)
    # Most texts come without fields. By identity: 0 equals False and is no choice.
    if all(map(is_, astuple(new)[1:], NewMemory.__struct_defaults__)):
        structure, content = _plain(), MemoryContent(new.content)
    else:
        structure, content = _with_fields(new)
    check_memory_size(structure, content)
    return structure, content


@cache
def _plain() -> Remembered:
    return _with_fields(NewMemory(""))[0]


def _with_fields(new: NewMemory) -> tuple[Remembered, MemoryContent]:
    source = None if new.source is None else normalised_source(new.source)
    source_type = new.source_type or type_of_source(source)
    valid_from = instant("valid_from", new.valid_from)
    valid_until = instant("valid_until", new.valid_until)
    if valid_from is not None and valid_until is not None and valid_until <= valid_from:
        raise InvalidTime("valid_until", "is not after valid_from", "give a later time")
    confidence = new.source_confidence
    structure = Remembered(
        kind=_one_of("kind", new.kind, _KINDS),
        category=_name("category", new.category),
        source=source,
        source_type=_one_of("source_type", source_type, _SOURCE_TYPES),
        source_confidence=_share(
            "source_confidence",
            SOURCE_CONFIDENCE[source_type] if confidence is None else confidence,
        ),
        extraction_method=_name("extraction_method", new.extraction_method),
        extraction_confidence=_share("extraction_confidence", new.extraction_confidence),
        place=None if new.place is None else normalised_place(new.place),
        constraint=_name("constraint", new.constraint),
        evidence=tuple(
            MemoryId(parse_id("evidence", item)) for item in checked_texts("evidence", new.evidence)
        ),
        valid_from=valid_from,
        valid_until=valid_until,
        importance=_one_of("importance", new.importance, _IMPORTANCES),
        volatility=_one_of("volatility", new.volatility, _VOLATILITIES),
        marks=tuple(_one_of("marks", mark, _MARKS) for mark in checked_texts("marks", new.marks)),
        depth_weight=IMMUTABLE_WEIGHT if new.immutable else (2.0, 2.0),
        immutable=new.immutable,
        lasting=new.lasting is True,
    )
    _check_type("immutable", new.immutable, bool, "give True or False")
    if new.lasting is not None:
        _check_type("lasting", new.lasting, bool, "give True or False")
    checked_texts("supersedes", new.supersedes)
    checked_text("id", new.id)
    content = MemoryContent(
        new.content,
        tags=_words("tags", new.tags),
        aliases=_words("aliases", new.aliases),
        source_note=checked_text("source_note", new.source_note),
        snippet=checked_text("snippet", new.snippet),
    )
    return structure, content


def check_memory_size(structure: Remembered, content: MemoryContent) -> None:
    """Raise `InvalidField`, naming the longest field, if a memory is too large for an event."""
    size = len(_encode(structure)) + len(_encode(content))
    if size <= _MOST_BYTES:
        return
    fields = msgspec.structs.asdict(structure) | msgspec.structs.asdict(content)
    lengths = {name: len(_encode(value)) for name, value in fields.items()}
    longest = max(lengths, key=lengths.__getitem__)
    allowed = f"the memory {size:,} of {_MOST_BYTES:,} allowed"
    problem = f"takes {lengths[longest]:,} bytes as JSON, and {allowed}"
    raise InvalidField("content" if longest == "text" else longest, problem, "shorten it")


def _check_type(field: str, value: object, expected: type, fix: str) -> None:
    if not isinstance(value, expected):
        raise InvalidField(field, f"is of type {type(value).__name__}", fix)


def _size(field: str, text: str) -> int:
    """Bytes of a text. Raises `InvalidField` for a text that JSON cannot encode."""
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        fix = "decode it with errors='replace' first"
        raise InvalidField(field, "holds half of a surrogate pair", fix) from None


def checked_text(field: str, value: str | None) -> str | None:
    """Text that JSON can encode, or None. Raises `InvalidField`."""
    if value is not None:
        _check_type(field, value, str, "give a text")
        _size(field, value)
    return value


def checked_remark(field: str, value: str | None) -> str | None:
    """Reason or note; None for a blank one. Raises `InvalidField` if it is too long."""
    text = checked_text(field, value)
    if text is None or not text.strip():
        return None
    return checked_length(LONGEST_REMARK, field, text)


def checked_length(most: int, field: str, value: str) -> str:
    """Text of at most `most` characters. Raises `InvalidField` for a longer one."""
    if len(value) > most:
        problem = f"has {len(value):,} characters of {most:,} allowed"
        raise InvalidField(field, problem, "give a shorter one")
    return value


def checked_texts(field: str, values: Sequence[_Word]) -> tuple[_Word, ...]:
    """At most 10,000 texts that JSON can encode, in order. Raises `InvalidField`, also for a set.

    The order of a set varies between processes, so a retry would not be recognised.
    """
    if isinstance(values, tuple) and not values:
        # Most fields of most memories are empty, and checking a sequence is slow.
        return ()
    listed = isinstance(values, Sequence) and not isinstance(values, str)
    if not listed or not all(isinstance(value, str) for value in values):
        raise InvalidField(field, "is no sequence of texts", "give a list or tuple of them")
    if len(values) > _MOST_TEXTS:
        raise InvalidField(field, f"are {len(values):,}", f"give at most {_MOST_TEXTS:,}")
    for value in values:
        _size(field, value)
    return tuple(values)


def instant(field: str, value: Time | None) -> Micros | None:
    """Time as microseconds; None stays None. Raises `InvalidTime`."""
    if value is None:
        return None
    if isinstance(value, str):
        return parse_time(field, value)
    if not isinstance(value, datetime):
        raise InvalidTime(
            field, f"is of type {type(value).__name__}", "give a datetime or ISO 8601"
        )
    return from_datetime(field, value)


def normalised_source(source: str) -> str:
    """Source with a lowercase scheme; a bare path becomes `file:`, a bare word `user:`."""
    text = _name("source", source, limit=2_000)
    if text is None:
        raise InvalidField("source", "is empty", "give one such as user:dana or file:notes.md")
    if match := _SCHEME.match(text):
        return match[0].lower() + text[match.end() :]
    return f"file:{text}" if "/" in text or "." in text else f"user:{text}"


def type_of_source(source: str | None) -> SourceType:
    """Default source type, by the scheme of the source: it sets the trust in it."""
    scheme = "user" if source is None else source.partition(":")[0]
    return _TYPE_OF_SCHEME.get(scheme, "external")


def normalised_place(place: str) -> str:
    """Place as a path without empty steps, such as `room/drawer`."""
    text = _name("place", place, limit=1_000) or ""
    steps = [step.strip() for step in text.split("/") if step.strip()]
    if not steps:
        raise InvalidField("place", "names nothing", "give a path such as room/drawer")
    return "/".join(steps)


def _name(field: str, value: str | None, limit: int = _NAME_LIMIT) -> str | None:
    if value is None:
        return None
    _check_type(field, value, str, "give a text")
    text = value.strip()
    if not text or len(text) > limit or not text.isprintable():
        fix = f"give 1 to {limit} printable characters, or leave it out"
        raise InvalidField(field, "is empty, too long or not printable", fix)
    return text


def checked_space(space: str) -> str:
    """Space name, validated. Raises `InvalidField` if it is empty, too long or not printable."""
    name = _name("space", space)
    if name is None or name != space:
        raise InvalidField("space", "begins or ends with a blank", "give it without")
    return name


def checked_run(run: str) -> str:
    """Run name, validated. Raises `InvalidField` if it is empty, too long or not printable."""
    return _name("run", run) or ""


def checked_actor(actor: str) -> str:
    """Actor that causes events: `user:…`, `agent:…` or `system:…`. Raises `InvalidField`."""
    name = _name("actor", actor) or ""
    scheme, _, rest = name.partition(":")
    if scheme not in {"user", "agent", "system"} or not rest:
        fix = "write user:NAME, agent:NAME or system:NAME"
        raise InvalidField("actor", f"{actor!r} is not an actor", fix)
    return name


def _words(field: str, values: tuple[str, ...]) -> tuple[str, ...]:
    if not (texts := checked_texts(field, values)):
        return ()
    words = [_name(field, value) for value in texts]
    return tuple(dict.fromkeys(word for word in words if word is not None))


def _share(field: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidNumber(
            field, f"is of type {type(value).__name__}", "give a number from 0 to 1"
        )
    if not math.isfinite(value) or not 0 <= value <= 1:
        raise InvalidNumber(field, f"{value} is out of range", "give a number from 0 to 1")
    return float(value)


def _one_of(field: str, value: _Word, allowed: tuple[_Word, ...]) -> _Word:
    if value not in allowed:
        raise InvalidField(field, f"{value!r} is unknown", f"use one of {', '.join(allowed)}")
    return value
