"""Memory resources: a URI for each memory, and a list of the current ones."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from urllib.parse import quote, unquote

from msgspec import Meta, Struct

from mnemolog import Item, Memory
from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.mcp import results

SCHEME = "memory://"
TEMPLATE = SCHEME + "{space}/{memory_id}"
_NEWEST = 20
_TITLE = 80


class Address(Struct, frozen=True):
    """Address of a memory: its space and its id."""

    space: str
    memory_id: str

    @property
    def uri(self) -> str:
        """Address as a URI."""
        return f"{SCHEME}{quote(self.space, safe='')}/{self.memory_id}"


class Whole(results.Result, frozen=True):
    """Memory in full: its fields and its history."""

    memory_id: str
    space: str
    status: str
    kind: str
    recorded_at: datetime
    actor: str
    history: tuple[results.Event, ...]
    earlier: Annotated[int, Meta(description="How many more events there are before them.")] = 0
    content: Annotated[str | None, Meta(description="Missing once it is redacted.")] = None
    source: str | None = None
    place: str | None = None
    tags: tuple[str, ...] = ()
    constraint: str | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    pinned: bool = False
    immutable: bool = False
    lasting: bool = False
    strength: float = 1.0
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()


class Listed(Struct, frozen=True):
    """Listed memory: its address, a short title, and the time of recording."""

    address: Address
    title: str
    recorded_at: datetime
    pinned: bool


def address_of(uri: str) -> Address:
    """Address in a URI. Raises `InvalidField` if it is not valid."""
    space, slash, memory_id = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or not slash or not memory_id:
        raise InvalidField("uri", f"{uri!r} is no memory's", f"write {TEMPLATE}")
    return Address(unquote(space), unquote(memory_id))


def read(memory: Memory, memory_id: str) -> Whole:
    """Memory of this space. Raises `UnknownMemory` or `AmbiguousId`."""
    item = memory.get(memory_id)
    told = results.told(memory.history(item.memory_id), results.EVENTS)
    return Whole(
        memory_id=item.memory_id,
        space=item.space,
        status=item.status,
        kind=item.kind,
        recorded_at=item.recorded_at,
        actor=item.actor,
        history=told.events,
        earlier=told.earlier,
        content=item.content,
        source=item.source,
        place=item.place,
        tags=item.tags,
        constraint=item.constraint,
        valid_from=item.valid_from,
        valid_until=item.valid_until,
        pinned=item.pinned,
        immutable=item.immutable,
        lasting=item.lasting,
        strength=round(item.strength, 3),
        supersedes=item.supersedes,
        superseded_by=item.superseded_by,
    )


def at_hand(memory: Memory) -> tuple[Listed, ...]:
    """Pinned memories, up to a list's limit, and the newest twenty."""
    items = (*memory.list(by="pinned"), *memory.list(by="recency", limit=_NEWEST))
    return tuple(map(_listed, {item.memory_id: item for item in items}.values()))


def _listed(item: Item) -> Listed:
    words = " ".join((item.content or "").split())
    title = words if len(words) <= _TITLE else f"{words[: _TITLE - 1]}…"
    return Listed(Address(item.space, item.memory_id), title, item.recorded_at, item.pinned)
