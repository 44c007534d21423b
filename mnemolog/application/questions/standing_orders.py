"""Orders of `list_memories`: memories ranked without a cue."""

from __future__ import annotations

import builtins
from collections.abc import Container, Sequence
from typing import Literal, get_args

from mnemolog.application.home.elapsed import present
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.retention.forgetting import centre, review_at
from mnemolog.projections.memory_queries import MemoryRow
from mnemolog.projections.weights import reinforced_in
from mnemolog.recall.answers.items import Vitality, vitality_of

Order = Literal[
    "recency", "oldest", "pinned", "strength", "weight", "review", "conflicts", "persistence"
]
ORDERS: tuple[Order, ...] = get_args(Order)

Rows = builtins.list[MemoryRow]


def checked_order(by: str) -> Order:
    """Order with a given name. Raises `InvalidField` if the name is unknown."""
    for known in ORDERS:
        if by == known:
            return known
    raise InvalidField("by", f"{by!r} is unknown", f"use one of {', '.join(ORDERS)}")


def ordered(
    rows: Sequence[MemoryRow], by: Order, at: tuple[Home, str, Cut], pins: Container[MemoryId]
) -> Rows:
    """Memories in a given order; `rows` are oldest first, `at` is a space as of a moment.

    `pinned`, `review` and `conflicts` keep only memories that are pinned, due for review,
    or in an open conflict.
    """
    newest = builtins.list(reversed(rows))
    if by == "oldest":
        return builtins.list(rows)
    if by == "pinned":
        return [row for row in newest if row.memory_id in pins]
    if by == "conflicts":
        return [row for row in newest if row.status in {"contested", "pending"}]
    return newest if by == "recency" else _ranked(newest, by, at)


def _ranked(newest: Rows, by: Order, at: tuple[Home, str, Cut]) -> Rows:
    """Memories ranked by their values at an instant; newer ones first among equals."""
    home, space, cut = at
    now = present(home, cut)
    if by == "persistence":
        from mnemolog.application.questions.persistence import standings  # noqa: PLC0415 - heavy

        found = standings(home, space, cut, newest)
        return sorted(newest, key=lambda row: -found[row.memory_id].persistence.value)
    if by == "weight":
        grown = home.views.read(lambda db: reinforced_in(db, space, cut.position))
        weights = {memory_id: centre(weight) for memory_id, weight in grown.items()}
        return sorted(newest, key=lambda row: -weights.get(row.memory_id, row.weight))
    ids = [row.memory_id for row in newest if by != "review" or row.importance == "high"]
    known = home.views.read(lambda db: vitality_of(db, ids, space, cut.position, now))
    if by == "strength":
        return sorted(newest, key=lambda row: -known[row.memory_id].strength)
    return _for_review([row for row in newest if row.memory_id in known], known, now)


def _for_review(rows: Rows, known: dict[MemoryId, Vitality], instant: Micros) -> Rows:
    """Memories whose review is due, longest overdue first."""
    due = [(at, row) for row in rows if (at := _review(row, known)) is not None and at <= instant]
    return [row for _, row in sorted(due, key=lambda one: one[0])]


def _review(row: MemoryRow, known: dict[MemoryId, Vitality]) -> Micros | None:
    vitality = known[row.memory_id]
    return review_at(row.importance, Micros(vitality.accessed_at or row.said_at), vitality.accesses)
