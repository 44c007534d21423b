"""Memories of a space that are due for consolidation."""

from __future__ import annotations

import msgspec

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.application.questions.persistence import standings
from mnemolog.application.retention.repeats import repeats
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.retention.consolidation import Standing, is_worth_it
from mnemolog.projections.memory_queries import listed
from mnemolog.projections.upkeep import consolidated_as_of


def worthy(home: Home, space: str, cut: Cut) -> list[tuple[MemoryId, Standing]]:
    """Memories due for consolidation as of a cut, by descending persistence."""
    done = home.views.read(lambda db: consolidated_as_of(db, space, cut.position))
    active = home.views.read(lambda db: listed(db, space, cut.position, ("active",)))
    rows = [row for row in active if row.memory_id not in done]
    if not rows:
        return []
    known = [row for row in active if row.memory_id in done]
    again = repeats(home, space, cut, known, rows)
    found = standings(home, space, cut, rows)
    for one in again:
        found[one] = msgspec.structs.replace(found[one], repeats=True)
    chosen = [(one, standing) for one, standing in found.items() if is_worth_it(standing)]
    return sorted(chosen, key=lambda each: -each[1].persistence.value)
