"""Views: the tables of all projections in one file, kept up to date with the log.

`views-<generation>.db` has every projection's tables and one checkpoint (position and digest),
moved in the same transaction. A rebuild folds the whole log into a new generation while the old
one still serves readers, and then switches the manifest.
"""

import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw
from apsw import Connection

from mnemolog.ledger.digests import EMPTY, Head
from mnemolog.ledger.errors import CorruptLog, ForeignFormat, LedgerError, StorageFailed
from mnemolog.ledger.files import failures_of, remove_database, sync
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.sqlite.connections import connect
from mnemolog.projections.edges import edges
from mnemolog.projections.folding import GARBLED, Folding, Losses, Notify, Progress, ShortenedLog
from mnemolog.projections.lessons import LESSONS
from mnemolog.projections.lifecycle import BUFFERS, DELETIONS, DUES
from mnemolog.projections.manifest import (
    DamagedViews,
    Generations,
    ManifestFile,
    PrivateViews,
    ReadTransaction,
)
from mnemolog.projections.memories import memories
from mnemolog.projections.spaces import ACTIVITY, ORIGINS, SETTINGS, UNDOS, UPKEEP
from mnemolog.projections.sql import Projection
from mnemolog.projections.strengths import MARKS, PINS, STRENGTHS, WEIGHTS

_Result = TypeVar("_Result")

_ATTEMPTS = 3
# One thread uses the connection of a build, so that SQLite need not lock it.
_BUILDING = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_NOMUTEX


def all_projections(secret: bytes) -> tuple[Projection, ...]:
    """Projections of a home, in the order in which they fold."""
    first = (memories(secret), PINS, SETTINGS, ORIGINS, UNDOS, edges(secret), STRENGTHS, MARKS)
    return (*first, UPKEEP, DELETIONS, DUES, WEIGHTS, BUFFERS, ACTIVITY, LESSONS)


class Views:
    """Views of a home, brought up to date and repaired as questions need them.

    If their files cannot be written, this process keeps its own in memory, and notifies the user.
    """

    def __init__(self, home: Path, log: Log, parts: Sequence[Projection], notify: Notify) -> None:
        self._home = home
        self._log = log
        self._notify = notify
        self.manifest = ManifestFile(home)
        self.losses = Losses(home, log, self.manifest)
        self.generations = Generations(home, self.manifest)
        self._folding = Folding(log, tuple(parts))
        self._turn = threading.Lock()
        self._private: PrivateViews | None = None
        self._refused: StorageFailed | None = None
        self._reached = EMPTY

    # -- following ---------------------------------------------------------------------
    def catch_up(self, position: Position, needed: Position | None = None) -> None:
        """Fold until the views reach at least `position`, which the log must hold.

        In a damaged log, reaching `needed` is enough. Without `needed`, damage after `position`
        is raised as well, because a misnumbered last event makes the log look shorter.
        """
        if self.generations.leave_parent():
            self._private = None
            self._turn = threading.Lock()
        if self._reached.position < position or not self._is_current():
            self.follow(needed)

    def _is_current(self) -> bool:
        return self._private is not None or self.generations.is_current()

    def follow(self, needed: Position | None = None) -> None:
        """Compare the checkpoint with the log and fold the events after it; see `catch_up`."""
        with self._turn:
            self.generations.check_open()
            try:
                self._reached = self._folded_into_file(needed)
            except StorageFailed as refused:
                self._keep_in_memory(refused, needed)
            else:
                # A reader of the views in memory keeps its own reference until it is done.
                self._private = self._refused = None

    def check_kept(self) -> None:
        """Raise `StorageFailed` if the views are in memory because no file can be written."""
        if self._private is not None and self._refused is not None:
            raise self._refused

    def _folded_into_file(self, needed: Position | None) -> Head:
        files = self.generations
        for _ in range(_ATTEMPTS):
            generation = files.current()
            try:
                with files.folding(), files.translated(generation):
                    return self._folding.as_far_as_good(files.writer(), needed)
            except (DamagedViews, ForeignFormat) as error:
                problem: Exception = error
            if (rebuilt := self._replace(generation, problem, needed)) is not None:
                return rebuilt
        raise _unmade(problem)

    def _keep_in_memory(self, refused: StorageFailed, needed: Position | None) -> None:
        """Fold into private views in memory, since those on disk cannot be written."""
        fold = partial(self._folding.as_far_as_good, needed=needed)
        self._refused = refused
        if self._private is None:
            self._notify(f"views are kept in memory: {refused.path}: {refused.problem}")
            self.generations.disconnect()
        try:
            files = self.generations
            private = self._private or PrivateViews.copied(files.path(files.known()))
            self._reached = private.ask(fold)
        except (DamagedViews, StorageFailed) as problem:
            if isinstance(problem, ShortenedLog):
                self._notify(f"views are made from the log: {problem}")
                self.losses.record(problem.loss)
            private = PrivateViews(self._home)
            private.ask(self._folding.begin_tables)
            self._reached = private.ask(fold)
            private.ask(self._folding.make_indexes)
            self.generations.used = secrets.token_hex(8)
        self._private = private

    # -- rebuilding --------------------------------------------------------------------
    def rebuild(self, progress: Progress | None = None) -> Head:
        """Fold the whole log into a new generation, then switch to it."""
        with self._turn, self.generations.building():
            self.generations.check_open()
            return self._build(None, progress)

    def _replace(self, failed: str | None, why: Exception, needed: Position | None) -> Head | None:
        """Head of a new generation in the place of `failed`; None if another process built one."""
        with self.generations.building():
            if self.generations.current() != failed:
                return None
            if isinstance(why, ShortenedLog):
                self.losses.record(why.loss)
            # Without a manifest it is gone, damaged, or the first build was killed.
            lost = failed is None and self.generations.unlisted()
            if said := "no manifest names those that are there" if lost else str(why):
                self._notify(f"views are rebuilt from the log: {said}")
            try:
                return self._build(needed)
            except (DamagedViews, ForeignFormat) as error:
                raise _unmade(error) from None

    def _build(self, needed: Position | None, progress: Progress | None = None) -> Head:
        generation = secrets.token_hex(8)
        files, folding, path = self.generations, self._folding, self.generations.path(generation)
        try:
            with (
                files.translated(generation),
                closing(connect(path, synchronous="OFF", flags=_BUILDING)) as connection,
            ):
                # Nobody reads it yet: a write-ahead log would only write every page twice.
                connection.pragma("journal_mode", "memory")
                folding.begin_tables(connection)
                folding.anew(connection, needed, progress)
                folding.make_indexes(connection)
                # Events that others folded into the old generation meanwhile must be in this one
                # before the switch, or the next question of those processes would miss them.
                with files.folding():
                    reached = folding.anew(connection, needed)
                    connection.pragma("journal_mode", "wal")
                    connection.close()
                    with failures_of(path):
                        sync(path)
                    self._switch(generation)
        except BaseException:
            with suppress(StorageFailed):
                if files.current() != generation:
                    remove_database(path)
            raise
        # Only now: until the switch, readers ask the old generation, which may be behind.
        self._reached = reached
        return reached

    def _switch(self, generation: str) -> None:
        self.generations.switch(generation)
        try:
            self.generations.remove_unlisted()
        except StorageFailed as error:
            self._notify(f"an older file of views is left: {error}")

    # -- losses ------------------------------------------------------------------------
    def check_losses(self) -> None:
        """Raise `LogReplaced` or `LogShortened` if the log is known to have held other events.

        Compares the checkpoints of views and bases with the log, however new the views seem.
        """
        head = self._log.head().position
        self.catch_up(head)
        self.follow()
        self.losses.check(head)

    def accept_losses(self) -> None:
        """Forget that the log is known to have held other events."""
        # Look first, to accept an unnoticed loss too. Damage is no loss; it is reported elsewhere.
        with suppress(CorruptLog):
            self.catch_up(self._log.head().position)
            self.follow()
        self.losses.accept()

    # -- reading -----------------------------------------------------------------------
    def read(self, question: Callable[[Connection], _Result]) -> _Result:
        """Answer of `question`, asked inside one read transaction, and again after any repair."""
        files = self.generations
        for _ in range(_ATTEMPTS):
            generation = None
            try:
                if (private := self._private) is not None:
                    return private.ask(question)
                generation = files.current()
                with ReadTransaction(files, generation) as db:
                    return question(db)
            except (DamagedViews, ForeignFormat, StorageFailed) as error:
                problem: Exception = error
            except LedgerError:
                raise
            except GARBLED as error:
                problem = DamagedViews(f"a row in them is damaged ({error})")
            self._repair(generation, problem)
        raise problem if isinstance(problem, StorageFailed) else _unmade(problem)

    def _repair(self, generation: str | None, problem: Exception) -> None:
        """Repair the views after a failed question, so that it can be asked again."""
        needed = self._reached.position
        with self._turn:
            self.generations.check_open()
            self._private = None
            try:
                if isinstance(problem, StorageFailed):
                    raise problem
                self._replace(generation, problem, needed)
            except StorageFailed as refused:
                self._keep_in_memory(refused, needed)

    @property
    def generation(self) -> str | None:
        """Generation in use; a different one may have been made from another log."""
        return self.generations.used

    def reached(self) -> Head:
        """Head that the views have reached."""
        return self._reached

    def close(self) -> None:
        """Wait for a fold in progress, and close every connection."""
        if self.generations.end():
            with self._turn:
                self.generations.disconnect()
                self.generations.leave_lock()
                self._private = None


def _unmade(problem: Exception) -> CorruptLog:
    return CorruptLog(f"views cannot be made from it: {problem}", 0)
