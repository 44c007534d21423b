"""The views of a home in memory, for a process that cannot write them to their file."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

import apsw

from mnemolog.ledger.sqlite.connections import connect_reading, translated
from mnemolog.projections.folding import DamagedViews

_Result = TypeVar("_Result")


class PrivateViews:
    """Tables in memory; for several threads, one at a time.

    Errors name `path`, the file whose place they take.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Lock()
        self._connection = apsw.Connection(":memory:")

    @classmethod
    def copied(cls, path: Path) -> Self:
        """A copy of a file of views; raises `DamagedViews`, and `StorageFailed` as reading it."""
        made = cls(path)
        with translated(path, DamagedViews):
            source = connect_reading(path)
        try:
            with (
                translated(path, DamagedViews, source),
                made._connection.backup("main", source, "main") as backup,
            ):
                backup.step(-1)
        finally:
            source.close()
        return made

    def ask(self, question: Callable[[apsw.Connection], _Result]) -> _Result:
        """The result of a question or fold, while no other thread uses the tables."""
        with self._turn, translated(self._path, DamagedViews, self._connection):
            return question(self._connection)
