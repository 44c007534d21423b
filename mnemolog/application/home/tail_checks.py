"""Tail check: verification of the log's last events, so that appends behind damage are reported."""

from __future__ import annotations

from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.verification import check_range

_MOST_EVENTS, _MOST_BYTES = 500, 1 << 20
"""How much a check covers: 0.5 ms, where all of a large log take seconds."""
_AGAIN = 32
"""Events that each later check goes over once more, as other processes write as well."""


class TailCheck:
    """Verifier of a log's last events; each check continues where the last one ended."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log
        self._checked: Position | None = None

    def damage(self) -> CorruptLog | None:
        """First event near the head that does not verify; None if all verify.

        A check covers at most 500 events or 1 MiB; `verify` covers the whole log.
        """
        head = self._log.head().position
        news = _MOST_EVENTS if self._checked is None else max(head - self._checked, _AGAIN)
        first = self._log.first_of_last(head, min(news, _MOST_EVENTS), _MOST_BYTES)
        result = check_range(self._log, first, head)
        if result.bad_position is None:
            self._checked = head
            return None
        # The next check starts at the bad event and stops there.
        self._checked = Position(result.bad_position - 1)
        return CorruptLog(f"event {result.bad_position}: {result.problem}", self._checked)
