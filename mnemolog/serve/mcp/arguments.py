"""Tool arguments: one structure per tool, the source of its input schema.

A field with the default None is optional in the schema; a null is treated as missing.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from mnemolog.ledger.events import Importance, MemoryKind, Vote
from mnemolog.serve.mcp.results import EVENTS

_UpToHundred = Annotated[int, Meta(ge=1, le=100)]
_Positive = Annotated[int, Meta(ge=1)]


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What any tool is given."""


class Remember(Arguments, frozen=True):
    """A memory to be stored."""

    content: str
    kind: MemoryKind | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: str | None = None
    valid_until: str | None = None
    importance: Importance | None = None
    lasting: bool | None = None
    id: str | None = None


class Recall(Arguments, frozen=True):
    """What is to be recalled."""

    cue: str
    limit: _UpToHundred = 10
    as_of: int | str | None = None
    kinds: tuple[MemoryKind, ...] = ()
    tags: tuple[str, ...] = ()
    source: str | None = None
    valid_at: str | None = None
    explain: bool = False


class Supersede(Arguments, frozen=True):
    """What takes the place of which memories."""

    old: tuple[str, ...] | str
    content: str | None = None
    by: str | None = None
    reason: str | None = None
    kind: MemoryKind | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: str | None = None


class Pin(Arguments, frozen=True):
    """What is to be pinned."""

    memory_id: str
    until: str | None = None
    reason: str | None = None


class Unpin(Arguments, frozen=True):
    """What is to be unpinned."""

    memory_id: str
    reason: str | None = None


class Plan(Arguments, frozen=True):
    """Options to be ranked."""

    goal: str
    options: tuple[str, ...] = ()
    limit: _UpToHundred = 20


class Context(Arguments, frozen=True):
    """A prompt that a context is to be put together for."""

    prompt: str
    budget: _Positive = 8_000
    task: str | None = None


class History(Arguments, frozen=True):
    """Whose history is asked for."""

    memory_id: str
    as_of: int | str | None = None
    limit: _Positive = EVENTS


class Redact(Arguments, frozen=True):
    """What is to be destroyed."""

    memory_ids: Annotated[tuple[str, ...], Meta(min_length=1)]
    reason: str


class SessionStart(Arguments, frozen=True):
    """What a recall session is to find."""

    query: str
    entity: str | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 5
    max_rounds: Annotated[int, Meta(ge=1, le=20)] = 4


class SessionVote(Arguments, frozen=True):
    """Votes on what a recall session showed."""

    session_id: str
    votes: dict[str, Vote]


class SessionResolve(Arguments, frozen=True):
    """What a recall session came to."""

    session_id: str
    accepted_memory_ids: tuple[str, ...] = ()
    note: str | None = None
