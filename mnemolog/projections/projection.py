"""Projections: folds of events into tables of their own, and the SQL that all of them share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import apsw
import msgspec

from mnemolog.ledger.events import Event, Payload
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from apsw import SQLiteValue

_Structure = TypeVar("_Structure", bound=Payload)
_CREATED = re.compile(r"CREATE TABLE (\w+)")
_KIND_OF = {kind.structure: name for name, kind in VOCABULARY.kinds.items()}

Rule = Callable[[apsw.Connection, Event, Payload], None]
"""Changes tables by one event of a kind and its structure."""


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
    apply: Callable[[apsw.Connection, Sequence[Event]], None]
    indexes: str = ""

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table of the schema, for comparison with a rebuild."""
        return tuple(_CREATED.findall(self.schema))


def on(
    structure: type[_Structure], fold: Callable[[apsw.Connection, Event, _Structure], None]
) -> tuple[str, Rule]:
    """The kind of event that has a structure, with the function that folds it."""
    return _KIND_OF[structure], cast("Rule", fold)


def projection(
    name: str, version: int, schema: str, *rules: tuple[str, Rule], indexes: str = ""
) -> Projection:
    """A projection that folds its events one by one, each by the rule of its kind."""
    by_kind = dict(rules)
    return Projection(name, version, frozenset(by_kind), schema, _one_by_one(by_kind), indexes)


def _one_by_one(
    rules: Mapping[str, Rule],
) -> Callable[[apsw.Connection, Sequence[Event]], None]:
    def apply(db: apsw.Connection, events: Sequence[Event]) -> None:
        for event in events:
            rule = rules.get(event.kind)
            # A later version of the kind, unknown here, has no structure.
            if rule is not None and (structure := VOCABULARY.structure(event)) is not None:
                rule(db, event, structure)

    return apply


# -- SQL of rows with the positions [since, until) at which they held ------------------


def held(position: str, row: str = "") -> str:
    """The condition that a row, such as 'm.', held at a position, such as '?2'."""
    return f"{row}since <= {position} AND ({row}until IS NULL OR {row}until > {position})"


def add_row(db: apsw.Connection, table: str, *values: SQLiteValue) -> None:
    """Insert a row, with a value for each column in the order of the table."""
    db.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)


def end_row(db: apsw.Connection, table: str, at: Position, **key: bytes | str) -> None:
    """End at a position the present row of a key, given by its columns, if there is one."""
    condition = " AND ".join(f"{column} = ?" for column in key)
    values = (at, *key.values())
    db.execute(f"UPDATE {table} SET until = ? WHERE {condition} AND until IS NULL", values)


def exists(db: apsw.Connection, query: str, values: Sequence[SQLiteValue]) -> bool:
    """True if a query finds any row."""
    return bool(db.execute(f"SELECT EXISTS ({query})", values).get)


def id_column(rows: Iterable[tuple[SQLiteValue, ...]]) -> tuple[MemoryId, ...]:
    """The ids in the first column of rows."""
    return tuple(MemoryId(cast("bytes", row[0]).hex()) for row in rows)


def position_column(rows: Iterable[tuple[SQLiteValue, ...]]) -> list[Position]:
    """The positions in the first column of rows."""
    return [cast("Position", row[0]) for row in rows]
