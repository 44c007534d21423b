"""SQL of erasure: contents to destroy, and the table `pending_erasures` of what is unfinished.

Notes on an erasure lie in `properties`, by position: 'traces N' keeps what identifies the
content until it is gone from every file, 'cleaned N' says that no file of ours has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import apsw

from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Traces


def erase_contents(db: apsw.Connection, positions: Sequence[Position], traces: Traces) -> None:
    """Destroy content and salt of events, and note the erasure as pending."""
    ids = [(position,) for position in positions]
    db.executemany("UPDATE events SET content = NULL, salt = NULL WHERE position = ?", ids)
    db.executemany("INSERT OR IGNORE INTO pending_erasures VALUES (?)", ids)
    db.executemany("INSERT OR REPLACE INTO properties VALUES ('traces ' || ?, ?)", traces)


def pending_erasures(db: apsw.Connection) -> list[Position]:
    """Positions whose content is destroyed here, but perhaps not yet in derived files."""
    rows = db.execute("SELECT position FROM pending_erasures ORDER BY position")
    return [Position(position) for (position,) in rows]


def uncleaned_erasures(db: apsw.Connection) -> list[Position]:
    """Pending positions whose content may still be in a file of ours."""
    rows = db.execute(
        "SELECT position FROM pending_erasures WHERE NOT EXISTS "
        "(SELECT 1 FROM properties WHERE name = 'cleaned ' || position) ORDER BY position"
    )
    return [Position(position) for (position,) in rows]


def pending_traces(db: apsw.Connection) -> list[bytes]:
    """The traces of all pending erasures."""
    rows = db.execute(
        "SELECT value FROM pending_erasures JOIN properties ON name = 'traces ' || position"
    )
    return [cast("bytes", value) for (value,) in rows]


def note_cleaned(db: apsw.Connection, positions: Sequence[Position]) -> None:
    """Note that no file of ours has the content of these positions any more."""
    with db:
        db.executemany(
            "INSERT OR IGNORE INTO properties VALUES ('cleaned ' || ?, x'')",
            [(position,) for position in positions],
        )


def drop_notes(db: apsw.Connection, positions: Sequence[Position]) -> None:
    """Forget the traces and notes of erasures, which stay pending."""
    done = [(position,) for position in positions]
    with db:
        db.executemany("DELETE FROM properties WHERE name = 'traces ' || ?", done)
        db.executemany("DELETE FROM properties WHERE name = 'cleaned ' || ?", done)


def drop_pending(db: apsw.Connection, positions: Sequence[Position]) -> None:
    """Forget that erasures were pending."""
    with db:
        db.executemany(
            "DELETE FROM pending_erasures WHERE position = ?", [(one,) for one in positions]
        )
