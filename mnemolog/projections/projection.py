"""What a projection is: a fold of events into tables of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import apsw

from mnemolog.ledger.events import Event


class Projection(Protocol):
    """Folds events into tables: no clock, no model, no randomness, no other I/O.

    Bump `version` when the tables or the fold change: the views are then built
    anew beside the old ones.
    """

    @property
    def name(self) -> str:
        """What the projection is called."""
        ...

    @property
    def version(self) -> int:
        """Which version of tables and fold this is."""
        ...

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of events that the fold has to do with."""
        ...

    @property
    def schema(self) -> str:
        """The statements that create the tables, and the indexes that folding uses."""
        ...

    @property
    def indexes(self) -> str:
        """The statements that create the indexes that questions use, and no fold.

        Where a whole log is folded they are made at the end: sorting once is faster.
        """
        ...

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table of the schema, for comparison with a rebuild."""
        ...

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events of its kinds, which follow those before, in the caller's transaction."""
        ...
