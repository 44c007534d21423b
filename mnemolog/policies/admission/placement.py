"""Placement of offered content by relevance and novelty.

Relevance is the activation that spreads to the content; novelty is its distance from the
nearest memory. Each has three levels, and a table of nine cells gives the outcome: the
content is persisted, reinforces its near-duplicate, waits in the buffer, or is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar, get_args

import msgspec

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Novelty, Relevance, Scores
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.admission.activation import Activation
from mnemolog.policies.memories import checked_text

Placement = Literal["persist", "reinforce", "buffer", "drop"]

RELEVANCES: tuple[Relevance, ...] = get_args(Relevance)
NOVELTIES: tuple[Novelty, ...] = get_args(Novelty)
PLACEMENTS: tuple[Placement, ...] = get_args(Placement)

TABLE = (
    "relevance: new, related, known; "
    "high: persist, persist, reinforce; "
    "medium: persist, buffer, reinforce; "
    "low: buffer, drop, drop"
)
"""The table by default: a row a level of relevance, a column a level of novelty."""

HIGH, MEDIUM = 0.5, 0.25
"""From which spreading activation on relevance is high, and medium."""

SAME, NEAR = 0.85, 0.6
"""From which cosine on the nearest memory may be a near-duplicate, and is related."""

THRESHOLD = 0.0
"""The activation from which on what would wait for ever is persisted when the buffer is emptied.

That of something met once within the hour, and related to nothing.
"""

_Word = TypeVar("_Word", bound=str)


class Table(msgspec.Struct, frozen=True):
    """Placement table: nine outcomes, by relevance and novelty."""

    cells: Mapping[tuple[Relevance, Novelty], Placement]


class Placed(msgspec.Struct, frozen=True):
    """Placement of content: its two levels and its outcome."""

    relevance: Relevance
    novelty: Novelty
    placement: Placement


def relevance_of(spreading: float | None) -> Relevance:
    """Relevance level for an amount of spreading activation.

    Medium for None: without an attention, an identity or a heavy memory, there is no
    evidence of what matters.
    """
    if spreading is None:
        return "medium"
    return "high" if spreading >= HIGH else "medium" if spreading >= MEDIUM else "low"


def novelty_of(similarity: float | None, *, duplicate: bool) -> Novelty:
    """Novelty level by the cosine to the nearest memory; None if there is no memory."""
    if duplicate:
        return "known"
    return "new" if similarity is None or similarity < NEAR else "related"


def place(table: Table, spreading: float | None, novelty: Novelty) -> Placed:
    """Placement by the table, from spreading activation and novelty."""
    relevance = relevance_of(spreading)
    return Placed(relevance, novelty, table.cells[relevance, novelty])


def place_for_good(placed: Placed, score: Activation) -> Placement:
    """Final placement when the buffer is emptied and nothing may wait any longer.

    Content that the table would let wait is persisted if its activation reaches the
    threshold, because it was met recently or often; otherwise it is dropped.
    """
    if placed.placement != "buffer":
        return placed.placement
    return "persist" if score.total >= THRESHOLD else "drop"


def scores_of(
    score: Activation, placed: Placed, nearest: MemoryId | None, similarity: float | None
) -> Scores:
    """Scores behind a decision, as its event stores them."""
    return Scores(
        score.base_level,
        score.spreading,
        score.partial_match,
        score.noise,
        placed.relevance,
        placed.novelty,
        nearest,
        # Cosines of vectors quantised to few bits can slightly exceed 1.
        None if similarity is None else round(min(1.0, max(-1.0, similarity)), 6),
    )


def read_table(text: str) -> Table:
    """Placement table parsed from the format of `TABLE`; semicolons or newlines end rows.

    Raises `InvalidField`, which names the row and the cell, for an incomplete table.
    """
    rows = [row for line in (checked_text("admission", text) or "").splitlines()
            for row in line.split(";") if row.strip()]  # fmt: skip
    if not rows:
        raise _wrong("is empty")
    name, columns = _row(rows[0])
    if name != "relevance" or sorted(columns) != sorted(NOVELTIES):
        raise _wrong(f"begins with {rows[0].strip()!r}, not with relevance: new, related, known")
    order = [_known("column", column, NOVELTIES) for column in columns]
    cells: dict[tuple[Relevance, Novelty], Placement] = {}
    for row in rows[1:]:
        name, values = _row(row)
        relevance = _known("row", name, RELEVANCES)
        if len(values) != len(order) or (relevance, "new") in cells:
            raise _wrong(f"has more or less than three cells for {name}")
        for novelty, value in zip(order, values, strict=True):
            cells[relevance, novelty] = _known(f"cell {name}, {novelty}", value, PLACEMENTS)
    for relevance in RELEVANCES:
        if (relevance, "new") not in cells:
            raise _wrong(f"has no row {relevance}")
    for (relevance, novelty), placement in cells.items():
        if placement == "reinforce" and novelty != "known":
            raise _wrong(f"reinforces what is {novelty} ({relevance}): only what is known can be")
    return Table(cells)


def _row(text: str) -> tuple[str, list[str]]:
    name, _, values = text.partition(":")
    return name.strip().lower(), [value.strip().lower() for value in values.split(",")]


def _known(what: str, word: str, words: tuple[_Word, ...]) -> _Word:
    for known in words:
        if word == known:
            return known
    raise _wrong(f"has the {what} {word!r}, which is none of {', '.join(words)}")


def _wrong(problem: str) -> InvalidField:
    return InvalidField("admission", problem, f"write it like {TABLE!r}")
