"""Chains of supersession, and the memory that answers for a superseded one.

The newest supported memory of the chain answers: one that is in force, valid at the
instant of the question, and inside its filters.
"""

from __future__ import annotations

from mnemolog.indexes.columns import NOBODY, Columns, Mask
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import Status

IN_FORCE = frozenset({"active", "superseded", "archived", "summarized"})
"""Statuses in which a memory closes its predecessor; a superseded one's successor may too."""


class Chains:
    """Supersession chains of a space as of a position, for one question."""

    def __init__(
        self,
        columns: Columns,
        position: Position,
        instant: int,
        size: int,
        matching: Mask | None,
    ) -> None:
        self._columns = columns
        self._position = position
        self._instant = instant
        self._changed = columns.changed(position)
        self._size = size
        self._matching = matching
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
        newest = max(
            (found for found in self._later(memory) if self._supported(found)), default=None
        )
        if newest is not None:
            return newest
        return memory if self._may_answer(memory) else None

    def note(self, memory: Position) -> str | None:
        """Note to show with a memory: its status if unsettled, and its successors, or None."""
        notes: list[str] = []
        status = self.status(memory)
        if status in {"contested", "pending"}:
            notes.append(status)
        for edge in self._columns.successors(memory, self._position):
            state = self.status(edge.new)
            said = f"superseded by @{edge.new}"
            if state not in IN_FORCE:
                notes.append(f"{said}, which is {state}")
            elif edge.closes > self._instant:
                notes.append(f"since {said}")
            else:
                notes.append(said)
        return "; ".join(notes) or None

    def trail(self, memory: Position) -> list[Position]:
        """Memories that this one supersedes, directly or indirectly, newest first."""
        found: set[Position] = set()
        ahead = [memory]
        while ahead:
            for edge in self._columns.predecessors(ahead.pop(), self._position):
                if edge.old not in found:
                    found.add(edge.old)
                    ahead.append(edge.old)
        return sorted(found, reverse=True)

    def upwards(self, memory: Position, met: set[Position]) -> list[Position]:
        """Memories that supersede this one, directly or indirectly, followed by itself.

        Each one comes after those that supersede it. Memories in `met` are skipped together with
        their successors; the returned ones are added to it.
        """
        # Iterative, because a chain may be longer than Python's recursion limit.
        ordered: list[Position] = []
        ahead: list[tuple[Position, bool]] = [(memory, False)]
        while ahead:
            one, done = ahead.pop()
            if done:
                ordered.append(one)
            elif one not in met:
                met.add(one)
                ahead.append((one, True))
                above = self._columns.successors(one, self._position)
                ahead += [(edge.new, False) for edge in above]
        return ordered

    def _ordinal(self, memory: Position) -> int:
        if memory not in self._ordinals:
            self._ordinals[memory] = self._columns.ordinal(memory)
        return self._ordinals[memory]

    def _later(self, memory: Position) -> set[Position]:
        """Memories that have superseded this one by the instant, directly or indirectly."""
        found: set[Position] = set()
        ahead = [memory]
        while ahead:
            for edge in self._columns.successors(ahead.pop(), self._position):
                if edge.new not in found and edge.closes <= self._instant:
                    found.add(edge.new)
                    ahead.append(edge.new)
        return found

    def _supported(self, memory: Position) -> bool:
        return (
            self.status(memory) in IN_FORCE
            and self._matches(memory)
            and self._valid_at_instant(memory)
        )

    def _may_answer(self, memory: Position) -> bool:
        return (
            self.status(memory) not in {"withdrawn", "redacted", "tombstone"}
            and self._matches(memory)
            and self._valid_at_instant(memory)
        )

    def _matches(self, memory: Position) -> bool:
        return self._matching is None or bool(self._matching[self._ordinal(memory)])

    def _valid_at_instant(self, memory: Position) -> bool:
        """True if a memory is valid at the instant: within its own period, and not superseded."""
        if memory not in self._valid:
            ordinal = self._ordinal(memory)
            self._valid[memory] = self._columns.holds(ordinal, self._instant) and not any(
                edge.closes <= self._instant and self._counts(edge.new)
                for edge in self._columns.successors(memory, self._position)
            )
        return self._valid[memory]

    def _counts(self, successor: Position) -> bool:
        """True if a successor, or one that supersedes it, is in force."""
        seen = {successor}
        ahead = [successor]
        while ahead:
            memory = ahead.pop()
            if self.status(memory) in IN_FORCE:
                return True
            later = {edge.new for edge in self._columns.successors(memory, self._position)} - seen
            seen |= later
            ahead += later
        return False
