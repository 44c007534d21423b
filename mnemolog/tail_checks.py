"""Check that the log's last events verify, so that nothing is stored behind damage unsaid."""

from __future__ import annotations

from ledger.errors import CorruptLog
from ledger.ids import Position
from ledger.sqlite_log import SqliteLog
from ledger.verification import check_range

_FIRST = 500
"""Events of the first check: 0.4 ms, where all of a large log take seconds."""
_AGAIN = 32
"""Events that each later check goes over once more, as other processes write as well."""


class TailCheck:
    """Verifies the last events of a log, each time from where the last check ended."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log
        self._checked: Position | None = None

    def damage(self) -> CorruptLog | None:
        """The first event near the head that does not verify; None if all do.

        The first check covers 500 events; `verify` covers the log.
        """
        head = self._log.head().position
        start = head - _FIRST if self._checked is None else min(self._checked, head - _AGAIN)
        result = check_range(self._log, max(start, 0) + 1, head)
        if result.bad_position is None:
            self._checked = head
            return None
        # The next check begins with it, and stops there.
        self._checked = Position(result.bad_position - 1)
        return CorruptLog(f"event {result.bad_position}: {result.problem}", self._checked)
