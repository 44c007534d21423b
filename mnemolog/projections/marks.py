"""Which memories are marked as salient: emphasised, correcting an error, serving a goal."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from mnemolog.ledger.events import VOCABULARY, Event, Mark, Remembered
from mnemolog.ledger.ids import Position


class Marks:
    """One row a mark of a memory, by where the memory was remembered; a mark stays."""

    name = "marks"
    version = 1
    kinds = frozenset({"remembered"})
    tables = ("marks",)
    indexes = ""
    schema = """
    CREATE TABLE marks (
        memory INTEGER NOT NULL,
        mark   TEXT NOT NULL,
        space  TEXT NOT NULL,
        PRIMARY KEY (memory, mark)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX marks_by_space ON marks (space, memory);
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        rows: list[tuple[int, str, str]] = []
        for event in events:
            # Most memories have none, and are not decoded once more to learn that.
            if event.kind != "remembered" or event.structure.find(b'"marks"') < 0:
                continue
            structure = VOCABULARY.structure(event)
            if isinstance(structure, Remembered):
                rows += [
                    (event.position, mark, event.space) for mark in dict.fromkeys(structure.marks)
                ]
        db.executemany("INSERT INTO marks VALUES (?, ?, ?)", rows)


def marks_as_of(
    db: apsw.Connection, space: str, position: Position
) -> dict[Position, frozenset[Mark]]:
    """The marks of a space's memories as of a position, by where each was remembered."""
    rows = db.execute(
        "SELECT memory, mark FROM marks WHERE space = ? AND memory <= ?", (space, position)
    )
    found: dict[Position, set[Mark]] = {}
    for memory, mark in rows:
        found.setdefault(memory, set()).add(mark)
    return {memory: frozenset(marks) for memory, marks in found.items()}
