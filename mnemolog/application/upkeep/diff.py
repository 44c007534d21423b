"""Diff of a space between two cuts, and replay of a log with the changes of each event."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import msgspec

from mnemolog.application.history import Entry, entry
from mnemolog.application.home.home import LEDGER, REPLAYING, Home
from mnemolog.application.home.space import Space, cut_at
from mnemolog.application.questions.browse import all_memories, find_memory, read_settings
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import HomeNotEmpty
from mnemolog.ledger.files import check_outside
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.scratch import scratch_directory
from mnemolog.recall.answers import AsOf
from mnemolog.recall.items import Item
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


class Step(Results[Change], frozen=True):
    """Event of a replay, and the changes that folding it made."""

    _over = "changes"

    entry: Entry
    changes: tuple[Change, ...]


def difference(space: Space, a: int | datetime | str, b: int | datetime | str) -> Diff:
    """Differences of this space between two moments; those of going back if `b` is earlier."""
    sides = [space.at(cut_at(space.home, moment)) for moment in (a, b)]
    before, after = map(all_memories, sides)
    ids = sorted(before.keys() | after.keys())
    changes = [one for each in ids for one in _changes_of(before.get(each), after.get(each))]
    old, new = (msgspec.structs.asdict(read_settings(side)) for side in sides)
    first, last = (
        AsOf(cut.position, to_datetime(cut.instant)) for cut in (side.cut() for side in sides)
    )
    changes += [
        Change(None, last.position, f"setting {name}", str(old[name]), str(new[name]), None)
        for name in new
        if old[name] != new[name]
    ]
    return Diff(first, last, tuple(changes))


def replay(
    home: Path | str,
    scratch: Path | str | None = None,
    *,
    to: int | datetime | str | None = None,
) -> Iterator[Step]:
    """Copy a home's log into a scratch home event by event; yield each event with its changes.

    The replay ends at the cut `to`, if given. A named scratch home must be empty; it is kept
    and holds a log that is identical to the bit. The home itself is only read.
    """
    home, scratch = Path(home), None if scratch is None else Path(scratch)
    with ExitStack() as stack:
        if scratch is not None:
            check_outside("scratch", scratch, home)
            if (scratch / LEDGER).exists():
                raise HomeNotEmpty(scratch, 1)
        source = Home(home, missing="refuse")
        stack.callback(source.close)
        if scratch is None:
            scratch = stack.enter_context(scratch_directory(home, REPLAYING))
        end = source.log.head().position if to is None else cut_at(source, to).position
        copy = Home(scratch)
        stack.callback(copy.close)
        for position in map(Position, range(1, end + 1)):
            (event,) = source.log.events_at([position])
            copy.log.adopt([event])
            copy.head()
            before, after = (
                find_memory(Space(copy, event.space, cut_at(copy, at)), event.memory_id or "")
                for at in (position - 1, position)
            )
            yield Step(entry(event), tuple(_changes_of(before, after)))


def _changes_of(before: Item | None, after: Item | None) -> list[Change]:
    item = after or before
    if item is None:
        return []
    old, new = _facts(before), _facts(after)
    return [
        Change(item.memory_id, item.position, what, old.get(what), new.get(what), item.content)
        for what in ("status", "pinned", "superseded by")
        if old.get(what) != new.get(what)
    ]


def _facts(item: Item | None) -> dict[str, str]:
    if item is None:
        return {}
    facts: dict[str, str] = {"status": item.status}
    if item.pinned:
        facts["pinned"] = "for good" if item.pinned_until is None else str(item.pinned_until)
    if item.superseded_by:
        facts["superseded by"] = ", ".join(item.superseded_by)
    return facts
