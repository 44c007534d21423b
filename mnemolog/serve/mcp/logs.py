"""Server log on standard error, without the contents of memories and requests."""

from __future__ import annotations

import logging
import math
import sys
import time
import traceback
from asyncio import CancelledError
from collections.abc import Callable
from types import TracebackType

_A_MINUTE = 10
_MINUTE_S = 60


class _WithoutWords(logging.Formatter):
    """Formatter that logs an error's class and place: its message may quote contents."""

    def formatException(  # noqa: N802 - the name is logging's
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        if ei[0] is None:
            return ""
        return f"{ei[0].__name__}, at\n{''.join(traceback.format_tb(ei[2]))}"


class Repeats(logging.Filter):
    """Log filter: ten lines a minute per place in the code, then a count of the omitted ones.

    Without it, any client that can connect could fill a disk: each invalid request is logged.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Use `clock` for the time in seconds."""
        super().__init__()
        self._clock = clock
        self._minutes: dict[tuple[str, int, type[BaseException] | None], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """True if the record is to be logged."""
        kind = record.exc_info[0] if record.exc_info else None
        place = (record.pathname, record.lineno, kind)
        since, count = self._minutes.get(place, (-math.inf, 0))
        now = self._clock()
        if now - since >= _MINUTE_S:
            if count > _A_MINUTE:
                left_out = f"{count - _A_MINUTE:,} more were left out"
                record.msg, record.args = f"{record.getMessage()} ({left_out})", ()
            since, count = now, 0
        self._minutes[place] = (since, count + 1)
        return count < _A_MINUTE


def log_to_stderr() -> None:
    """Log warnings and errors of the server, its libraries and the ledger to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_is_no_end)
    handler.addFilter(Repeats())
    handler.setFormatter(_WithoutWords("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def _is_no_end(record: logging.LogRecord) -> bool:
    """True unless a record is about a request that ends with the server."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, CancelledError)
