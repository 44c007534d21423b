"""Logs that a restore replaced and kept beside the home: they may hold redacted content."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import apsw

from mnemolog.ledger import files
from mnemolog.ledger.ids import EventId
from mnemolog.ledger.sqlite import switching
from mnemolog.ledger.sqlite.tables import holds_content


def copies_beside(home: Path, events: Sequence[EventId]) -> list[Path]:
    """Directories beside a home with a replaced log that may hold the content of these events."""
    place = files.real_path(home)
    begins = place.name + switching.BEFORE_RESTORE
    with files.failures_of(place.parent):
        beside = [path for path in place.parent.iterdir() if path.name.startswith(begins)]
        return sorted(path for path in beside if path.is_dir() and _may_hold(path, events))


def _may_hold(directory: Path, events: Sequence[EventId]) -> bool:
    """True if a replaced log holds the content of any of the events, or cannot be checked."""
    try:
        databases = [*directory.rglob("ledger.db")]
        if len(databases) != 1 or switching.side_files(databases[0]):
            return any(directory.iterdir())
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        with closing(apsw.Connection(f"{databases[0].as_uri()}?immutable=1", flags=flags)) as log:
            return holds_content(log, events)
    except (apsw.Error, OSError):
        return True
