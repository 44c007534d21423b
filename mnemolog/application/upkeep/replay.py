"""Replay: the log folded again, event by event, into a scratch home."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from mnemolog.application.history.entries import Entry, entry
from mnemolog.application.home.home import LEDGER, Home
from mnemolog.application.home.leftovers import REPLAYING
from mnemolog.application.home.space import Space, cut_at
from mnemolog.application.questions.browse import find_memory
from mnemolog.application.upkeep.diff import Change, changes_of
from mnemolog.ledger.errors import HomeNotEmpty
from mnemolog.ledger.files import check_outside
from mnemolog.ledger.ids import Position
from mnemolog.ledger.scratch import scratch_directory
from mnemolog.recall.answers.items import Item
from mnemolog.results import Results


class Step(Results[Change], frozen=True):
    """Event of a replay, and the changes that folding it made."""

    _over = "changes"

    entry: Entry
    changes: tuple[Change, ...]


def replay(
    home: Path, scratch: Path | None = None, *, to: int | datetime | str | None = None
) -> Iterator[Step]:
    """Copy a home's log into a scratch home event by event; yield each event with its changes.

    The replay ends at the cut `to`, if given. A named scratch home must be empty; it is kept
    and holds a log that is identical to the bit. The home itself is only read.
    """
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
        yield from _steps(source, copy, end)


def _steps(source: Home, copy: Home, end: Position) -> Iterator[Step]:
    for number in range(1, end + 1):
        (event,) = source.log.events_at([Position(number)])
        copy.log.adopt([event])
        copy.head()
        before = _concerned(copy, event.space, number - 1, event.memory_id)
        after = _concerned(copy, event.space, number, event.memory_id)
        changes = changes_of(before, after)
        yield Step(entry(event), tuple(changes))


def _concerned(home: Home, space: str, position: int, memory_id: str | None) -> Item | None:
    """Memory that an event concerns, at a position; None if it does not exist there."""
    if memory_id is None:
        return None
    return find_memory(Space(home, space, cut_at(home, position)), memory_id)
