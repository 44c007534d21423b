"""How many memories a space holds of each status, and since when it holds any."""

from __future__ import annotations

from typing import cast

import apsw

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.ids import Position


def statuses_of(db: apsw.Connection, space: str, position: Position) -> dict[str, int]:
    """How many memories of a space there are of each status as of a position."""
    rows = db.execute(
        "SELECT status, count(*) FROM memories WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2) GROUP BY status ORDER BY status",
        (space, position),
    )
    return {str(status): cast("int", number) for status, number in rows}


def first_recorded(db: apsw.Connection, space: str, position: Position) -> Micros | None:
    """When the first memory of a space was remembered, as of a position; None if there is none."""
    found: int | None = db.execute(
        "SELECT said_at FROM memories WHERE space = ? AND since <= ? ORDER BY since LIMIT 1",
        (space, position),
    ).get
    return None if found is None else Micros(found)
