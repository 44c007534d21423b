"""When a space was last ticked, and what was reported as used of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import apsw
import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import VOCABULARY, Event, Recalled, Ticked
from mnemolog.ledger.ids import Position


class Activity:
    """One row a `ticked` event, with the instant up to which it looked, and one a use."""

    name = "activity"
    version = 1
    kinds = frozenset({"ticked", "recalled"})
    tables = ("ticks", "uses")
    schema = """
    CREATE TABLE ticks (
        space    TEXT NOT NULL,
        since    INTEGER NOT NULL,
        until_at INTEGER NOT NULL,
        PRIMARY KEY (space, since)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE uses (
        space    TEXT NOT NULL,
        since    INTEGER NOT NULL,
        memories INTEGER NOT NULL,
        PRIMARY KEY (space, since)
    ) STRICT, WITHOUT ROWID;
    """

    indexes = ""

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            structure = VOCABULARY.structure(event) if event.kind in self.kinds else None
            if isinstance(structure, Ticked):
                row = (event.space, event.position, structure.until)
                db.execute("INSERT INTO ticks VALUES (?, ?, ?)", row)
            elif isinstance(structure, Recalled):
                row = (event.space, event.position, len(structure.memories))
                db.execute("INSERT INTO uses VALUES (?, ?, ?)", row)


class Uses(msgspec.Struct, frozen=True):
    """How many recalls were reported as used, and how many memories they were of use by."""

    recalls: int
    memories: int


def last_tick_as_of(
    db: apsw.Connection, space: str, position: Position, latest: Micros
) -> Micros | None:
    """The instant, `latest` at most, up to which a space was ticked as of a position, or None."""
    found: int | None = db.execute(
        "SELECT max(until_at) FROM ticks WHERE space = ? AND since <= ? AND until_at <= ?",
        (space, position, latest),
    ).get
    return None if found is None else Micros(found)


def uses_between(db: apsw.Connection, space: str, after: Position, position: Position) -> Uses:
    """What was of use or met again in a space after one position, up to another."""
    recalls, memories = cast(
        "tuple[int, int]",
        db.execute(
            "SELECT count(*), coalesce(sum(memories), 0) FROM uses "
            "WHERE space = ? AND since > ? AND since <= ?",
            (space, after, position),
        ).get,
    )
    return Uses(recalls, memories)
