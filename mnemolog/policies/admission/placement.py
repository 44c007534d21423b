"""What enters the memory: content placed by how relevant and how new it is.

Relevance is how far activation spreads to it, novelty how far the nearest memory
is from it; each has three levels, and a table of nine cells says what becomes of
content: it is persisted, it reinforces its near-duplicate, it waits in the
buffer, or it is dropped.
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
    """The nine cells: what becomes of content, by its relevance and its novelty."""

    cells: Mapping[tuple[Relevance, Novelty], Placement]


class Placed(msgspec.Struct, frozen=True):
    """Where content was placed: its levels, and what becomes of it."""

    relevance: Relevance
    novelty: Novelty
    placement: Placement


def relevance_of(spreading: float | None) -> Relevance:
    """How relevant content is to which so much activation spreads.

    Medium where there was nothing that it could spread from: neither an attention
    nor an identity nor a heavy memory says what matters.
    """
    if spreading is None:
        return "medium"
    return "high" if spreading >= HIGH else "medium" if spreading >= MEDIUM else "low"


def novelty_of(similarity: float | None, *, duplicate: bool) -> Novelty:
    """How new content is whose nearest memory has this cosine to it; None where there is none."""
    if duplicate:
        return "known"
    return "new" if similarity is None or similarity < NEAR else "related"


def place(table: Table, spreading: float | None, novelty: Novelty) -> Placed:
    """What the table says of content to which so much activation spreads, and that is so new."""
    relevance = relevance_of(spreading)
    return Placed(relevance, novelty, table.cells[relevance, novelty])


def place_for_good(placed: Placed, score: Activation) -> Placement:
    """What becomes of content when the buffer is emptied, where nothing may wait any longer.

    What the table would let wait is persisted if its activation has reached the
    threshold, because it was met lately or often; else it is dropped.
    """
    if placed.placement != "buffer":
        return placed.placement
    return "persist" if score.total >= THRESHOLD else "drop"


def scores_of(
    score: Activation, placed: Placed, nearest: MemoryId | None, similarity: float | None
) -> Scores:
    """What a decision went by, as its event keeps it."""
    return Scores(
        score.base_level,
        score.spreading,
        score.partial_match,
        score.noise,
        placed.relevance,
        placed.novelty,
        nearest,
        # Of vectors kept in few bits it comes to a little more than 1 at times.
        None if similarity is None else round(min(1.0, max(-1.0, similarity)), 6),
    )


def read_table(text: str) -> Table:
    """A table as `TABLE` writes it; rows end with semicolons or lines.

    Raises `InvalidField`, naming the row and the cell, for one that is not whole.
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
