"""Projections as folds of events into tables, and SQL that they share: rows [since, until)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Never, TypeVar, cast, get_args, get_type_hints

import apsw
import msgspec
from apsw import Connection

from mnemolog.ledger.events import Event, Payload
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.results import converted

_Row = TypeVar("_Row")
_CREATED = re.compile(r"CREATE TABLE (\w+)")
_Fold = Callable[[Connection, Event, Never], None]  # of events of one structure, or of some
_AnyFold = Callable[[Connection, Event, Payload], None]
_KIND_OF = {kind.structure: name for name, kind in VOCABULARY.kinds.items()}


class Projection(msgspec.Struct, frozen=True):
    """Fold of events of some kinds into tables: no clock, no model, no randomness, no other I/O.

    `apply` folds events, which follow those before, in the caller's transaction, and skips
    those of other kinds. Raise `version` when the tables or the fold change: the views are
    then built anew beside the old ones. `schema` creates the tables, and the indexes that
    folding uses; `indexes` those that questions alone use. When a whole log is folded,
    these are made at the end: sorting once is faster.
    """

    name: str
    version: int
    kinds: frozenset[str]
    schema: str
    apply: Callable[[Connection, Sequence[Event]], None]
    indexes: str = ""

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table of the schema, for comparison with a rebuild."""
        return tuple(_CREATED.findall(self.schema))


def projection(
    name: str, version: int, schema: str, *folds: _Fold, indexes: str = ""
) -> Projection:
    """A projection that folds its events one by one, each by the fold for its structure.

    As in `singledispatch`, a fold's annotation says what it is for: its parameter `structure`
    is of one type, or a union.
    """
    by_kind: dict[str, _AnyFold] = {}
    for fold in folds:
        kind = get_type_hints(fold)["structure"]
        for structure in get_args(kind) or (kind,):
            by_kind[_KIND_OF[structure]] = cast("_AnyFold", fold)

    def apply(db: Connection, events: Sequence[Event]) -> None:
        for event in events:
            fold = by_kind.get(event.kind)
            # A later version of the kind, unknown here, has no structure.
            if fold is not None and (structure := VOCABULARY.structure(event)) is not None:
                fold(db, event, structure)

    return Projection(name, version, frozenset(by_kind), schema, apply, indexes)


# -- rows ------------------------------------------------------------------------------
def held(position: str, row: str = "") -> str:
    """The condition that a row, such as 'm.', held at a position, such as '?2'."""
    return f"{row}since <= {position} AND ({row}until IS NULL OR {row}until > {position})"


AS_OF = held("?2")  # the condition that a row held at the position '?2'
AMONG = "(SELECT unhex(value) FROM json_each(?2))"  # the ids of the list '?2' from `as_list`


def as_list(values: Sequence[str]) -> str:
    """Strings as one value of a query, for `json_each`."""
    return msgspec.json.encode(values).decode()


def add_row(db: Connection, table: str, *values: apsw.SQLiteValue) -> None:
    """Insert a row, with a value for each column in the order of the table."""
    db.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)


def end_row(db: Connection, table: str, at: Position, **key: bytes | str) -> None:
    """End at a position the present row of a key, given by its columns, if there is one."""
    condition = " AND ".join(f"{column} = ?" for column in key)
    values = (at, *key.values())
    db.execute(f"UPDATE {table} SET until = ? WHERE {condition} AND until IS NULL", values)


# -- answers ---------------------------------------------------------------------------
def fetch(db: Connection, kind: type[_Row], query: str, *values: apsw.SQLiteValue) -> list[_Row]:
    """The rows of a query as values of a type, such as an array-like struct; ids come as text."""
    # Not strict: flags are 0 and 1 in SQLite.
    return [converted(row, kind, strict=False) for row in db.execute(query, values).fetchall()]


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
