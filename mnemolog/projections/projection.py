"""Projections: folds of events into tables of their own."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar, cast

import msgspec
from apsw import Connection

from mnemolog.ledger.events import Event, Payload
from mnemolog.ledger.vocabulary import VOCABULARY

_Structure = TypeVar("_Structure", bound=Payload)
_CREATED = re.compile(r"CREATE TABLE (\w+)")
_KIND_OF = {kind.structure: name for name, kind in VOCABULARY.kinds.items()}

Rule = Callable[[Connection, Event, Payload], None]
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
    apply: Callable[[Connection, Sequence[Event]], None]
    indexes: str = ""

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table of the schema, for comparison with a rebuild."""
        return tuple(_CREATED.findall(self.schema))


def on(
    structure: type[_Structure], fold: Callable[[Connection, Event, _Structure], None]
) -> tuple[str, Rule]:
    """The kind of event that has a structure, with the function that folds it."""
    return _KIND_OF[structure], cast("Rule", fold)


def projection(
    name: str, version: int, schema: str, *rules: tuple[str, Rule], indexes: str = ""
) -> Projection:
    """A projection that folds its events one by one, each by the rule of its kind."""
    by_kind = dict(rules)

    def apply(db: Connection, events: Sequence[Event]) -> None:
        for event in events:
            rule = by_kind.get(event.kind)
            # A later version of the kind, unknown here, has no structure.
            if rule is not None and (structure := VOCABULARY.structure(event)) is not None:
                rule(db, event, structure)

    return Projection(name, version, frozenset(by_kind), schema, apply, indexes)
