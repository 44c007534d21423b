"""Pool of idle read connections, each lent to one thread at a time."""

from __future__ import annotations

from contextlib import suppress

import apsw


class ReaderPool:
    """Idle connections of one database file; several threads take and give back at once.

    No lock is held: adding to and taking from a list are atomic.
    """

    def __init__(self) -> None:
        self._idle: list[apsw.Connection] = []
        self._closed = False

    def take(self) -> apsw.Connection | None:
        """An idle connection; None if there is none."""
        with suppress(IndexError):
            return self._idle.pop()
        return None

    def give(self, connection: apsw.Connection) -> None:
        """Take a connection in, or close it if the pool is closed."""
        self._idle.append(connection)
        # After the append: a closing thread finds it in the list, or is noticed here.
        if self._closed:
            self.close()

    def close(self) -> None:
        """Close the idle connections, and each other one when it is given back."""
        self._closed = True
        while (connection := self.take()) is not None:
            connection.close()
