"""The log in memory keeps the contract of logs."""

from __future__ import annotations

from pathlib import Path

from mnemolog.ledger.sqlite.sqlite_log import VolatileLog
from tests.homes import HandClock
from tests.ledger.log_contract import LogContract


class TestVolatileLog(LogContract):
    """The contract, on a log in memory."""

    def open(self, directory: Path, clock: HandClock) -> VolatileLog:
        """An empty log."""
        return VolatileLog(clock)
