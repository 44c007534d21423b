"""Storage of imported items: skip known ones, and let new versions supersede old ones."""

import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from mnemolog.application.home.space import Space
from mnemolog.application.imports import files
from mnemolog.application.questions.browse import read_settings
from mnemolog.application.transfer.event_imports import stopped
from mnemolog.ledger.errors import InvalidField, LogBusy, NothingRead, OutcomeUnknown, StorageFailed
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.memories import check_memory_size, checked_run, remembered
from mnemolog.projections.folding import Progress
from mnemolog.projections.memory_queries import active_by_origin, superseded
from mnemolog.results import Value

_BATCH = 500

Arrival = tuple[files.ImportItem, tuple[MemoryId, ...]]
"""An item to be stored, and the memories that it supersedes."""


class ImportReport(Value, frozen=True):
    """Result of an import: numbers of items and of conflicts between new and other memories.

    `superseded` counts the new memories that replaced an earlier version, `known` items that
    were already stored, `outdated` versions that a later one in the same source replaced.
    """

    added: int
    superseded: int
    known: int
    outdated: int
    problems: tuple[files.Problem, ...]
    conflicts: int = 0


def readable(
    items: Iterator[files.ReadItem], source: Path, limit_bytes: int
) -> Iterator[files.ReadItem]:
    """Same items. Raises `NothingRead` if none can be stored within the content limit."""
    problems = files.Problems()
    for item in items:
        problem = item if isinstance(item, files.Problem) else _misfit(item, limit_bytes)
        if problem is None:
            return chain(problems.told(), [item], items)
        problems.add(problem)
    if len(problems):
        raise nothing_read(source, problems.told())
    return iter(())


def nothing_read(source: Path, problems: Sequence[files.Problem]) -> NothingRead:
    """Error for a source that yields only problems."""
    return NothingRead(source, [f"{one.where}: {one.what}" for one in problems], problems[0].fix)


def _misfit(item: files.ImportItem, limit_bytes: int) -> files.Problem | None:
    try:
        structure, content = remembered(item.memory, limit_bytes)
        if item.run is not None:
            checked_run(item.run)
        check_memory_size(replace(structure, origin=item.origin), content)
    except InvalidField as error:
        return files.refused(item.where, error)
    return None


class Importing:
    """Import into a space; `store` stores a batch atomically and counts its conflicts."""

    def __init__(self, space: Space, store: Callable[[Sequence[Arrival]], int]) -> None:
        self._home = space.home
        self._store = store
        self._limit_bytes = read_settings(space).content_limit_bytes
        self._heads = self._home.views.read(lambda db: active_by_origin(db, space.name))
        self._added = self._superseded = self._known = self._conflicts = 0

    def run(self, items: Iterable[files.ReadItem], progress: Progress | None) -> ImportReport:
        """Store the new items and report on all; batches stored before a failure stay."""
        try:
            return self._stored(items, progress)
        except OutcomeUnknown:
            # The advice of `OutcomeUnknown` takes precedence.
            raise
        except (StorageFailed, LogBusy) as error:
            if self._added == 0:
                raise
            raise stopped(error, f"{self._added:,} memories") from error

    def _stored(self, items: Iterable[files.ReadItem], progress: Progress | None) -> ImportReport:
        problems = files.Problems()
        outdated = 0
        fixed: list[files.ImportItem] = []
        latest: dict[str, files.ImportItem] = {}
        for seen, item in enumerate(items, start=1):
            if isinstance(item, files.Problem):
                problems.add(item)
            elif (problem := _misfit(item, self._limit_bytes)) is not None:
                problems.add(problem)
            elif item.revisable:
                outdated += item.origin in latest
                latest[item.origin] = self._keyed(item)
            else:
                fixed.append(self._keyed(item))
            if len(fixed) >= _BATCH:
                self._store_batch(fixed)
                fixed = []
            if progress is not None:
                progress("reading", seen, 0)
        self._store_batch(fixed)
        versions = list(latest.values())
        for start in range(0, len(versions), _BATCH):
            self._store_batch(versions[start : start + _BATCH])
        counts = self._added, self._superseded, self._known, outdated
        return ImportReport(*counts, problems.told(), self._conflicts)

    def _keyed(self, item: files.ImportItem) -> files.ImportItem:
        # The reader's id is a plain digest: after a redaction it could confirm a guess.
        own = b"import\x00" + (item.memory.id or "").encode()
        return files.rekeyed(item, hmac.digest(self._home.log.secret, own, "sha256").hex())

    def _store_batch(self, items: Sequence[files.ImportItem]) -> None:
        known = self._home.log.positions_of([EventId(item.memory.id or "") for item in items])
        arrivals: dict[str | None, Arrival] = {}
        for item in items:
            own = item.memory.id
            head = self._heads.get(item.origin) if item.revisable else None
            if own in arrivals:
                self._known += 1
            elif own not in known:
                arrivals[own] = (item, () if head is None else (head,))
            elif head is None or head == own or self._is_return(item, head):
                # Known, or removed since by a user: an import does not restore it.
                self._known += 1
            else:
                arrivals[own] = (files.returned(item, head), (head,))
        if arrivals:
            self._conflicts += self._store(list(arrivals.values()))
        self._added += len(arrivals)
        self._superseded += sum(len(olds) for _, olds in arrivals.values())

    def _is_return(self, item: files.ImportItem, head: MemoryId) -> bool:
        position = self._home.head()
        olds = self._home.views.read(lambda db: superseded(db, head, position))
        return any(files.returned(item, old).memory.id == head for old in olds)
