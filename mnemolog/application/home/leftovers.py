"""Leftovers: files of dead processes in a home, and their removal.

A lock on the file or directory marks work in progress (see `ledger.scratch`):

- `restore-*.partial/`: a restore that has changed nothing yet.
- `replay-*.partial/`: a scratch home.
- `index-*.partial/`: an index base that is being written.
- `manifest.*.partial`, `mcp-token.*.partial`, `ledger.db.switch.*.partial`: small files.
- `ledger.db.*.partial` with side files, `manifest.tmp`, `mcp-token.<token>`: earlier versions'.

The manifest, with the lock of the building process, identifies:

- `views-<generation>.db` with side files: a rebuild.
- `indexes/<space>/<generation>/`: an index base that was replaced.

The name identifies:

- `-wal`, `-shm`, `-journal` without a database, which is made first and removed last.
- `ledger.db.new`, `ledger.db.switch`: a restore; opening the log removes or finishes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.files import SQLITE_SUFFIXES, failures_of, real_path, remove_file
from mnemolog.ledger.ids import EventId
from mnemolog.ledger.scratch import Swept, database_of, is_left_over, sweep
from mnemolog.ledger.sqlite.switching import BEFORE_RESTORE
from mnemolog.ledger.sqlite.tables import holds_content
from mnemolog.projections.manifest import WRITING
from mnemolog.projections.views import Views

if TYPE_CHECKING:
    from mnemolog.indexes.bases import Bases

RESTORING = "restore-"
REPLAYING = "replay-"
"""How scratch directories in a home are named, by what is done in them."""

_HOLDS_CONTENT = (RESTORING, REPLAYING)


class Removed(NamedTuple):
    """Leftovers that an opening removed, by name, and failures to remove others."""

    names: list[str]
    failed: list[StorageFailed]

    def holds_restore(self) -> bool:
        """True if a removed leftover belonged to a restore."""
        return any(name.startswith(RESTORING) for name in self.names)


def remove_at_opening(home: Path, views: Views, bases: Callable[[], Bases]) -> Removed:
    """Remove leftovers of dead processes. List one directory; open the bases only if needed."""
    swept, failed = _swept(home, views)
    removed = [path.name for path in swept.removed]
    if any(name.startswith(WRITING) for name in removed):
        failed += bases().remove_leftovers()
    return Removed(removed, failed)


def remove_for_erasure(home: Path, views: Views, bases: Bases) -> list[str]:
    """Remove all leftovers in a home; return the places where content may remain, with reasons."""
    swept, failed = _swept(home, views)
    failed += bases.remove_leftovers()
    in_use = [path for path in swept.live if path.name.startswith(_HOLDS_CONTENT)]
    return [*map(str, failed), *(f"{path}: another process works in it" for path in in_use)]


def _swept(home: Path, views: Views) -> tuple[Swept, list[StorageFailed]]:
    try:
        names = {path.name: path for path in home.iterdir()}
    except OSError as error:
        return Swept((), (), ()), [StorageFailed.from_os(error, home)]
    swept = sweep(path for name, path in names.items() if is_left_over(name))
    failed = [*swept.failed]
    try:
        views.generations.remove_leftovers()
    except OSError as error:
        failed.append(StorageFailed.from_os(error, home))
    for name, path in names.items():
        database = database_of(name)
        # Check again: another process may have created the database since the listing.
        if database is None or (home / database).exists():
            continue
        try:
            remove_file(path)
        except StorageFailed as error:
            failed.append(error)
    return swept, failed


def copies_beside(home: Path, events: Sequence[EventId]) -> list[Path]:
    """Directories beside a home with a log that a restore replaced and that may hold the events.

    Raises `StorageFailed` if the parent directory of the home cannot be listed.
    """
    place = real_path(home)
    with failures_of(place.parent):
        kept = [
            path
            for path in place.parent.iterdir()
            if path.name.startswith(place.name + BEFORE_RESTORE) and path.is_dir()
        ]
    return sorted(path for path in kept if _may_hold(path, events))


def _may_hold(directory: Path, events: Sequence[EventId]) -> bool:
    """True if a replaced log holds the content of any of the events, or cannot be checked."""
    try:
        databases = [*directory.rglob("ledger.db")]
        if len(databases) != 1 or any(
            databases[0].with_name(databases[0].name + suffix).exists()
            for suffix in SQLITE_SUFFIXES
        ):
            return any(directory.iterdir())
        log = apsw.Connection(
            f"{databases[0].as_uri()}?immutable=1",
            flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
        )
        with closing(log):
            return holds_content(log, events)
    except (apsw.Error, OSError):
        return True
