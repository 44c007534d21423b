"""What the server logs: to standard error, and never what a memory or a client says."""

from __future__ import annotations

import logging
import sys
import traceback
from asyncio import CancelledError
from types import TracebackType


class _WithoutWords(logging.Formatter):
    """Errors by their class and place: an error's words may quote what was asked or stored."""

    def formatException(  # noqa: N802 - the name is logging's
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        if ei[0] is None:
            return ""
        return f"{ei[0].__name__}, at\n{''.join(traceback.format_tb(ei[2]))}"


def log_to_stderr() -> None:
    """Let warnings and errors of the server, its libraries and the ledger go to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_is_no_end)
    handler.setFormatter(_WithoutWords("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def _is_no_end(record: logging.LogRecord) -> bool:
    """Whether a record is of something else than a request that is ended with the server."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, CancelledError)
