"""Tool arguments: one structure per tool, the source of its input schema.

A field with the default None is optional in the schema; a null is treated as missing.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from mnemolog.ledger.events import Importance, MemoryKind, Vote
from mnemolog.serve.mcp.results import EVENTS

_Reference = Annotated[str, Meta(description="Its memory_id, its beginning, or @position.")]
_Reason = Annotated[str | None, Meta(description="Why; kept with it.")]
_AsOf = Annotated[
    int | str | None,
    Meta(description="Answer as of then: an ISO 8601 time with a zone, or a log position."),
]
_Kind = Annotated[
    MemoryKind | None,
    Meta(description="semantic unless given; preference: what somebody likes; procedural: how to."),
]
_Source = Annotated[
    str | None,
    Meta(description="Who or what it comes from: user:NAME, agent:NAME, file:PATH or a URL."),
]
_Tags = Annotated[tuple[str, ...], Meta(description="Words to narrow a recall by.")]
_ValidFrom = Annotated[
    str | None,
    Meta(
        description="Since when it holds, if not from now; not recalled before: ISO 8601 with "
        "a zone."
    ),
]
_ValidUntil = Annotated[str | None, Meta(description="Until when it holds.")]
_Goal = Annotated[str, Meta(description="What is to be decided or done.")]


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What any tool is given."""


class Remember(Arguments, frozen=True):
    """A memory to be stored."""

    content: Annotated[str, Meta(description="One statement that can be understood by itself.")]
    kind: _Kind = None
    source: _Source = None
    tags: _Tags = ()
    valid_from: _ValidFrom = None
    valid_until: _ValidUntil = None
    importance: Annotated[
        Importance | None, Meta(description="How slowly to forget it; medium unless given.")
    ] = None
    lasting: Annotated[
        bool | None, Meta(description="Never let it fade; else what it says decides.")
    ] = None
    id: Annotated[
        str | None, Meta(description="32 hex digits of your own, to make a retry safe.")
    ] = None


class Recall(Arguments, frozen=True):
    """What is to be recalled."""

    cue: Annotated[str, Meta(description="A question, or words that it is about.")]
    limit: Annotated[int, Meta(description="How many at most.", ge=1, le=100)] = 10
    as_of: _AsOf = None
    kinds: Annotated[tuple[MemoryKind, ...], Meta(description="Only of these kinds.")] = ()
    tags: Annotated[tuple[str, ...], Meta(description="Only with all of these tags.")] = ()
    source: Annotated[
        str | None, Meta(description="Only from this source, whole or its beginning.")
    ] = None
    valid_at: Annotated[
        str | None, Meta(description="Ask what was true then, by today's knowledge.")
    ] = None
    explain: Annotated[
        bool, Meta(description="Add why each stands where it does, and what it replaced.")
    ] = False


class Supersede(Arguments, frozen=True):
    """What takes the place of which memories."""

    old: Annotated[
        tuple[str, ...] | str, Meta(description="The memory_id that no longer holds, or several.")
    ]
    content: Annotated[str | None, Meta(description="What holds now; or give `by`.")] = None
    by: Annotated[
        str | None, Meta(description="The memory_id of what holds now, if it is stored already.")
    ] = None
    reason: _Reason = None
    kind: _Kind = None
    source: _Source = None
    tags: _Tags = ()
    valid_from: _ValidFrom = None


class Pin(Arguments, frozen=True):
    """What is to be pinned."""

    memory_id: _Reference
    until: Annotated[str | None, Meta(description="When to let it go: ISO 8601 with a zone.")] = (
        None
    )
    reason: _Reason = None


class Unpin(Arguments, frozen=True):
    """What is to be unpinned."""

    memory_id: _Reference
    reason: _Reason = None


class Plan(Arguments, frozen=True):
    """Options to be ranked."""

    goal: _Goal
    options: Annotated[
        tuple[str, ...], Meta(description="What may be chosen; none for the constraints alone.")
    ] = ()
    limit: Annotated[int, Meta(description="How many constraints at most.", ge=1, le=100)] = 20


class Context(Arguments, frozen=True):
    """A prompt that a context is to be put together for."""

    prompt: Annotated[str, Meta(description="What the user asks.")]
    budget: Annotated[int, Meta(description="How many tokens at most.", ge=1)] = 8_000
    task: Annotated[str | None, Meta(description="What is being worked on, if not said.")] = None


class History(Arguments, frozen=True):
    """Whose history is asked for."""

    memory_id: _Reference
    as_of: _AsOf = None
    limit: Annotated[int, Meta(description="How many events at most, the latest.", ge=1)] = EVENTS


class Redact(Arguments, frozen=True):
    """What is to be destroyed."""

    memory_ids: Annotated[
        tuple[str, ...], Meta(description="The memories to destroy.", min_length=1)
    ]
    reason: Annotated[str, Meta(description="Why; kept for good.")]


class SessionStart(Arguments, frozen=True):
    """What a recall session is to find."""

    query: Annotated[str, Meta(description="What you look for.")]
    entity: Annotated[str | None, Meta(description="Whom or what it is about.")] = None
    limit: Annotated[int, Meta(description="How many a round at most.", ge=1, le=50)] = 5
    max_rounds: Annotated[int, Meta(description="How many rounds of votes.", ge=1, le=20)] = 4


class SessionVote(Arguments, frozen=True):
    """Votes on what a recall session showed."""

    session_id: Annotated[str, Meta(description="From recall_session_start.")]
    votes: Annotated[
        dict[str, Vote],
        Meta(
            description="By memory_id: hot (exactly this), warm (closer), cold (not this), wrong "
            "(misleading), spark (not this, but reminds me of something)."
        ),
    ]


class SessionResolve(Arguments, frozen=True):
    """What a recall session came to."""

    session_id: Annotated[str, Meta(description="From recall_session_start.")]
    accepted_memory_ids: Annotated[
        tuple[str, ...], Meta(description="What answered; none if nothing did.")
    ] = ()
    note: Annotated[str | None, Meta(description="A remark, kept with it.")] = None
