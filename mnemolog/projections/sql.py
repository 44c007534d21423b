"""SQL that all projections share: rows [since, until) through time, and typed answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

import apsw
from apsw import Connection

from mnemolog.ledger.ids_and_times import MemoryId, Position
from mnemolog.results import converted

_Row = TypeVar("_Row")


def held(position: str, row: str = "") -> str:
    """The condition that a row, such as 'm.', held at a position, such as '?2'."""
    return f"{row}since <= {position} AND ({row}until IS NULL OR {row}until > {position})"


AS_OF = held("?2")
"""The condition that a row held at the position '?2'."""


def add_row(db: Connection, table: str, *values: apsw.SQLiteValue) -> None:
    """Insert a row, with a value for each column in the order of the table."""
    db.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)


def end_row(db: Connection, table: str, at: Position, **key: bytes | str) -> None:
    """End at a position the present row of a key, given by its columns, if there is one."""
    condition = " AND ".join(f"{column} = ?" for column in key)
    values = (at, *key.values())
    db.execute(f"UPDATE {table} SET until = ? WHERE {condition} AND until IS NULL", values)


def fetch(db: Connection, kind: type[_Row], query: str, *values: apsw.SQLiteValue) -> list[_Row]:
    """The rows of a query as values of a type, such as an array-like struct; ids come as text."""
    # Not strict: flags are 0 and 1 in SQLite.
    rows = db.execute(query, values).fetchall()
    return [converted(row, kind, strict=False) for row in rows]


def by_memory(
    db: Connection, kind: type[_Row], query: str, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, _Row]:
    """The row that a query finds for each memory '?1' as of '?2'; those without one left out."""
    return {
        one: row
        for one in memory_ids
        for row in fetch(db, kind, query, bytes.fromhex(one), position)
    }


def exists(db: Connection, query: str, *values: apsw.SQLiteValue) -> bool:
    """True if a query finds any row."""
    return bool(db.execute(f"SELECT EXISTS ({query})", values).get)


def ids(db: Connection, query: str, *values: apsw.SQLiteValue) -> tuple[MemoryId, ...]:
    """The ids, stored as bytes, in the first column of a query's rows."""
    rows = cast("list[tuple[bytes]]", db.execute(query, values).fetchall())
    return tuple(MemoryId(row[0].hex()) for row in rows)


def positions(db: Connection, query: str, *values: apsw.SQLiteValue) -> list[Position]:
    """The positions in the first column of a query's rows."""
    return [cast("Position", row[0]) for row in db.execute(query, values).fetchall()]


def hex(column: str) -> str:  # noqa: A001 - as SQLite calls it
    """An id of a column as text, None where there is none."""
    return f"nullif(lower(hex({column})), '')"
