"""Leftovers: files of dead processes in a home, and their removal.

A lock marks work in progress (see `ledger.scratch`): restores that have changed nothing yet
(`restore-*.partial/`), scratch homes (`replay-*.partial/`), index bases (`index-*.partial/`), small
files (`manifest.*.partial`, `mcp-token.*.partial`, `ledger.db.switch.*.partial`), and those of
earlier versions (`ledger.db.*.partial` with side files, `manifest.tmp`, `mcp-token.<token>`). The
manifest, with the lock of the building process, identifies rebuilds (`views-<generation>.db` with
side files) and replaced index bases (`indexes/<space>/<generation>/`). The name identifies side
files without a database, which is made first and removed last, and restores (`ledger.db.new`,
`ledger.db.switch`), which opening the log removes or finishes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.files import failures_of, real_path, remove_file
from mnemolog.ledger.ids_and_times import EventId
from mnemolog.ledger.scratch import SIDE_FILE, Swept, is_left_over, sweep
from mnemolog.ledger.sqlite.switching import BEFORE_RESTORE, side_files
from mnemolog.ledger.sqlite.tables import holds_content
from mnemolog.projections.manifest import WRITING
from mnemolog.projections.views import Views

if TYPE_CHECKING:
    from mnemolog.indexes.space_state import Bases

RESTORING, REPLAYING = "restore-", "replay-"
"""Names of scratch directories in a home, by the work done in them."""


class Removed(NamedTuple):
    """Leftovers that could not be removed at an opening; `restore`: one removed was a restore's."""

    failed: list[StorageFailed]
    restore: bool


def remove_at_opening(home: Path, views: Views, bases: Callable[[], Bases]) -> Removed:
    """Remove leftovers of dead processes. List one directory; open the bases only if needed."""
    swept, failed = _swept(home, views)
    removed = [path.name for path in swept.removed]
    if any(name.startswith(WRITING) for name in removed):
        failed += bases().remove_leftovers()
    return Removed(failed, restore=any(name.startswith(RESTORING) for name in removed))


def remove_for_erasure(home: Path, views: Views, bases: Bases) -> list[str]:
    """Remove all leftovers in a home; return the places where content may remain, with reasons."""
    swept, failed = _swept(home, views)
    failed += bases.remove_leftovers()
    in_use = [path for path in swept.live if path.name.startswith((RESTORING, REPLAYING))]
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
        side_file = SIDE_FILE.fullmatch(name)
        # Check again: another process may have created the database since the listing.
        if side_file is None or (home / side_file[1]).exists():
            continue
        try:
            remove_file(path)
        except StorageFailed as error:
            failed.append(error)
    return swept, failed


def copies_beside(home: Path, events: Sequence[EventId]) -> list[Path]:
    """Directories beside a home with a replaced log that may hold the content of these events."""
    place = real_path(home)
    begins = place.name + BEFORE_RESTORE
    with failures_of(place.parent):
        beside = (path for path in place.parent.iterdir() if path.name.startswith(begins))
        kept = [path for path in beside if path.is_dir()]
    return sorted(path for path in kept if _may_hold(path, events))


def _may_hold(directory: Path, events: Sequence[EventId]) -> bool:
    """True if a replaced log holds the content of any of the events, or cannot be checked."""
    try:
        databases = [*directory.rglob("ledger.db")]
        if len(databases) != 1 or side_files(databases[0]):
            return any(directory.iterdir())
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        with closing(apsw.Connection(f"{databases[0].as_uri()}?immutable=1", flags=flags)) as log:
            return holds_content(log, events)
    except (apsw.Error, OSError):
        return True
