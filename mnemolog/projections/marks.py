"""Marks of salience on memories: emphasised, correcting an error, serving a goal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import apsw

from mnemolog.ledger.events import Event, Mark, Remembered
from mnemolog.ledger.ids import Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.projections.projection import Projection


def _apply(db: apsw.Connection, events: Sequence[Event]) -> None:
    rows: list[tuple[int, str, str]] = []
    for event in events:
        # Most memories have none, and are not decoded once more to learn that.
        if event.kind != "remembered" or event.structure.find(b'"marks"') < 0:
            continue
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Remembered):
            rows += [(event.position, mark, event.space) for mark in dict.fromkeys(structure.marks)]
    db.executemany("INSERT INTO marks VALUES (?, ?, ?)", rows)


MARKS = Projection(
    "marks",
    1,
    frozenset({"remembered"}),
    """
    CREATE TABLE marks (
        memory INTEGER NOT NULL,
        mark   TEXT NOT NULL,
        space  TEXT NOT NULL,
        PRIMARY KEY (memory, mark)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX marks_by_space ON marks (space, memory);
    """,
    _apply,
)
"""One row a mark of a memory, by the memory's position; a mark stays."""


def marks_as_of(
    db: apsw.Connection, space: str, position: Position
) -> dict[Position, frozenset[Mark]]:
    """The marks of a space's memories as of a position, by the position of each memory."""
    rows = db.execute(
        "SELECT memory, mark FROM marks WHERE space = ? AND memory <= ?", (space, position)
    )
    found: dict[Position, set[Mark]] = {}
    for memory, mark in cast("list[tuple[Position, Mark]]", rows.fetchall()):
        found.setdefault(memory, set()).add(mark)
    return {memory: frozenset(marks) for memory, marks in found.items()}
