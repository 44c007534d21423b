"""Names of the files in a home: in use, derived from the log, or left over by dead processes."""

from __future__ import annotations

import re
from fnmatch import fnmatch

from mnemolog.ledger.files import SQLITE_SUFFIXES

DERIVED = (
    *(
        name + suffix
        for name in ("views-*.db", "vectors.db", "sessions.db")
        for suffix in ("", *SQLITE_SUFFIXES)
    ),
    "manifest",
    "manifest.tmp",
    "indexes",
)
"""Patterns of everything that is made from the log; it goes when the log is replaced."""

OWN = ("ledger.db*", *DERIVED)
"""Patterns of the log and everything that is made from it."""

LOCKS = ("*.lock", "indexes/*.lock")

_DERIVED_DATABASE = r"(?:views-[^/]*|vectors|sessions)\.db"
_SIDE = r"(?:-wal|-shm|-journal)"
_IN_USE = re.compile(
    rf"(?:ledger\.db|{_DERIVED_DATABASE}){_SIDE}?"
    r"|ledger\.db\.(?:new|switch)|manifest|mcp-token|indexes"
)
_LEFT_OVER = re.compile(
    # Work in progress, while its process lives.
    r"(?:(?:restore|replay|index)-[0-9a-f]{8}"
    rf"|(?:ledger\.db|manifest|mcp-token|views-[^/]*|{_DERIVED_DATABASE})(?:\.[^/]*)?)"
    rf"\.partial(?:{_SIDE}|\.lock)?"
    # Files of earlier versions.
    r"|manifest\.tmp|mcp-token\.[0-9a-f]{8}"
)
_SIDE_FILE = re.compile(rf"({_DERIVED_DATABASE}){_SIDE}")


def is_ours(name: str) -> bool:
    """True if processes of ours make a file or directory of this name in a home."""
    return bool(_IN_USE.fullmatch(name)) or is_left_over(name)


def is_left_over(name: str) -> bool:
    """True if a file or directory of this name is left over, unless a process works on it."""
    return bool(_LEFT_OVER.fullmatch(name))


def is_made_at_opening(name: str) -> bool:
    """True if opening a home makes a file of this name, before anything is stored."""
    return name.endswith(".lock") or any(fnmatch(name, pattern) for pattern in OWN)


def database_of(name: str) -> str | None:
    """The derived database that a side file of this name belongs to; None for other names."""
    found = _SIDE_FILE.fullmatch(name)
    return None if found is None else found[1]
