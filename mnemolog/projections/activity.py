"""Activity of a space: its ticks, and the uses of memories that were reported."""

from __future__ import annotations

from typing import cast

import apsw

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Event, Recalled, Ticked
from mnemolog.ledger.ids import Position
from mnemolog.projections.projection import add_row, on, projection
from mnemolog.results import Value


def _tick(db: apsw.Connection, event: Event, structure: Ticked) -> None:
    add_row(db, "ticks", event.space, event.position, structure.until)


def _use(db: apsw.Connection, event: Event, structure: Recalled) -> None:
    add_row(db, "uses", event.space, event.position, len(structure.memories))


ACTIVITY = projection(
    "activity",
    1,
    """
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
    """,
    on(Ticked, _tick),
    on(Recalled, _use),
)
"""One row a `ticked` event, with the instant up to which it looked, and one a use."""


class Uses(Value, frozen=True):
    """The number of recalls that were reported as used, and of the memories that they used."""

    recalls: int
    memories: int


def last_tick_as_of(
    db: apsw.Connection, space: str, position: Position, latest: Micros
) -> Micros | None:
    """The instant, `latest` at most, up to which a space was ticked as of a position, or None."""
    found: Micros | None = db.execute(
        "SELECT max(until_at) FROM ticks WHERE space = ? AND since <= ? AND until_at <= ?",
        (space, position, latest),
    ).get
    return found


def uses_between(db: apsw.Connection, space: str, after: Position, position: Position) -> Uses:
    """The uses in a space after one position, up to another."""
    found = db.execute(
        "SELECT count(*), coalesce(sum(memories), 0) FROM uses "
        "WHERE space = ? AND since > ? AND since <= ?",
        (space, after, position),
    ).get
    return Uses(*cast("tuple[int, int]", found))
