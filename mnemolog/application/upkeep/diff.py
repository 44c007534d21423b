"""Diff of a space between two cuts."""

from __future__ import annotations

import msgspec

from mnemolog.application.home.space import Space
from mnemolog.application.questions.browse import all_memories, read_settings
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.recall.answers.answers import AsOf
from mnemolog.recall.answers.items import Item
from mnemolog.results import Results, Value


class Change(Value, frozen=True):
    """Difference between two cuts: `what` of a memory or setting, before and after."""

    memory_id: MemoryId | None
    position: Position
    what: str
    before: str | None
    after: str | None
    content: str | None


class Diff(Results[Change], frozen=True):
    """Changes from cut `a` to cut `b`, memories in the order of the log."""

    _over = "changes"

    a: AsOf
    b: AsOf
    changes: tuple[Change, ...]


def difference(a: Space, b: Space) -> Diff:
    """Diff from `a` to `b`; if `b` is earlier, the changes that going back would make."""
    before, after = all_memories(a), all_memories(b)
    changes: list[Change] = []
    for memory_id in sorted(before.keys() | after.keys()):
        changes += changes_of(before.get(memory_id), after.get(memory_id))
    old = msgspec.structs.asdict(read_settings(a))
    new = msgspec.structs.asdict(read_settings(b))
    changes += [
        Change(None, b.cut().position, f"setting {name}", str(old[name]), str(new[name]), None)
        for name in new
        if old[name] != new[name]
    ]
    return Diff(_as_of(a), _as_of(b), tuple(changes))


def _as_of(space: Space) -> AsOf:
    cut = space.cut()
    return AsOf(cut.position, to_datetime(cut.instant))


def changes_of(before: Item | None, after: Item | None) -> list[Change]:
    """Changes of one memory between two cuts."""
    item = after or before
    if item is None:
        return []
    old = {} if before is None else _facts(before)
    new = {} if after is None else _facts(after)
    return [
        Change(item.memory_id, item.position, what, old.get(what), new.get(what), item.content)
        for what in ("status", "pinned", "superseded by")
        if old.get(what) != new.get(what)
    ]


def _facts(item: Item) -> dict[str, str]:
    facts: dict[str, str] = {"status": item.status}
    if item.pinned:
        facts["pinned"] = "for good" if item.pinned_until is None else str(item.pinned_until)
    if item.superseded_by:
        facts["superseded by"] = ", ".join(item.superseded_by)
    return facts
