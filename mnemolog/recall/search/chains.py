"""Chains of supersession, and the memory that answers for a superseded one.

The newest supported memory of the chain answers: one that is in force, valid at the
instant of the question, and inside its filters.
"""

from __future__ import annotations

from collections.abc import Callable

from mnemolog.indexes.columns import NOBODY, Columns, Mask
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import Status

IN_FORCE = frozenset({"active", "superseded", "archived", "summarized"})
"""Statuses in which a memory closes its predecessor; a superseded one's successor may too."""


class Chains:
    """Supersession chains of a space as of a position, for one question."""

    def __init__(
        self, columns: Columns, position: Position, instant: int, size: int, matching: Mask | None
    ) -> None:
        self._columns, self._position, self._instant = columns, position, instant
        self._changed = columns.changed(position)
        self._size, self._matching = size, matching
        self._valid: dict[Position, bool] = {}
        self._ordinals: dict[Position, int] = {}

    def status(self, memory: Position) -> Status:
        """Status of a memory; redacted if its content is gone."""
        ordinal = self._ordinal(memory)
        if ordinal == NOBODY or ordinal >= self._size:
            return "redacted"
        return self._changed.get(ordinal, "active")

    def standing(self, memory: Position) -> Position | None:
        """Memory that answers for `memory`, itself or a successor; None if there is none."""
        later = _reached(memory, self._closing)
        supported = [one for one in later if self.status(one) in IN_FORCE and self._fits(one)]
        if supported:
            return max(supported)
        hidden = self.status(memory) in {"withdrawn", "redacted", "tombstone"}
        return None if hidden or not self._fits(memory) else memory

    def note(self, memory: Position) -> str | None:
        """Note to show with a memory: its status if unsettled, and its successors, or None."""
        status = self.status(memory)
        notes: list[str] = [status] if status in {"contested", "pending"} else []
        for edge in self._columns.successors(memory, self._position):
            state = self.status(edge.new)
            said = f"superseded by @{edge.new}"
            if state not in IN_FORCE:
                notes.append(f"{said}, which is {state}")
            else:
                notes.append(f"since {said}" if edge.closes > self._instant else said)
        return "; ".join(notes) or None

    def trail(self, memory: Position) -> list[Position]:
        """Memories that this one supersedes, directly or indirectly, newest first."""
        return sorted(_reached(memory, self._older), reverse=True)

    def upwards(self, memory: Position, met: set[Position]) -> list[Position]:
        """Memories that supersede this one, directly or indirectly, followed by itself."""
        # Each one comes after those that supersede it. Memories in `met` are skipped together with
        # their successors; the returned ones are added to it.
        # Iterative, because a chain may be longer than Python's recursion limit.
        ordered: list[Position] = []
        ahead: list[tuple[Position, bool]] = [(memory, False)]
        while ahead:
            one, done = ahead.pop()
            if done:
                ordered.append(one)
            elif one not in met:
                met.add(one)
                ahead += [(one, True), *((newer, False) for newer in self._newer(one))]
        return ordered

    def _newer(self, memory: Position) -> list[Position]:
        return [edge.new for edge in self._columns.successors(memory, self._position)]

    def _older(self, memory: Position) -> list[Position]:
        return [edge.old for edge in self._columns.predecessors(memory, self._position)]

    def _closing(self, memory: Position) -> list[Position]:
        edges = self._columns.successors(memory, self._position)
        return [edge.new for edge in edges if edge.closes <= self._instant]

    def _ordinal(self, memory: Position) -> int:
        if memory not in self._ordinals:
            self._ordinals[memory] = self._columns.ordinal(memory)
        return self._ordinals[memory]

    def _fits(self, memory: Position) -> bool:
        """True if a memory is inside the filters, in its own period, and not superseded."""
        if memory not in self._valid:
            ordinal = self._ordinal(memory)
            self._valid[memory] = (
                (self._matching is None or bool(self._matching[ordinal]))
                and self._columns.holds(ordinal, self._instant)
                and not any(map(self._counts, self._closing(memory)))
            )
        return self._valid[memory]

    def _counts(self, successor: Position) -> bool:
        """True if a successor, or one that supersedes it, is in force."""
        if self.status(successor) in IN_FORCE:
            return True
        return any(self.status(one) in IN_FORCE for one in _reached(successor, self._newer))


def _reached(memory: Position, step: Callable[[Position], list[Position]]) -> set[Position]:
    found: set[Position] = set()
    ahead = [memory]
    while ahead:
        for one in step(ahead.pop()):
            if one not in found:
                found.add(one)
                ahead.append(one)
    return found
