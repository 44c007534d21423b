"""Writing of appends that come together: one transaction, an answer for each request."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from mnemolog.ledger.clock import Clock, recorded_after
from mnemolog.ledger.digests import Head, check_same, sealed
from mnemolog.ledger.errors import InvalidField, LedgerError, StaleExpectation
from mnemolog.ledger.events import Draft
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.log import Appended, Expected, Quiet
from mnemolog.ledger.sqlite.erasures_table import erase_contents
from mnemolog.ledger.sqlite.events_table import (
    events_in_after,
    insert_events,
    last_about,
    last_in,
    last_in_after,
    recorded_at,
    rows_with_id,
)
from mnemolog.ledger.sqlite.group_commit import Request
from mnemolog.ledger.sqlite.write_transaction import WriteTransaction

_NO_DRAFT = (InvalidField, TypeError, ValueError, OverflowError, AttributeError)
"""Errors of sealing values that are no draft's: the fault of one request alone."""


class GroupWriter:
    """Writes the requests of a group in the transaction that its caller holds."""

    def __init__(self, transaction: WriteTransaction, clock: Clock) -> None:
        self._transaction = transaction
        self._db = transaction.writer
        self._clock = clock

    def write(self, group: list[Request]) -> Head:
        """Insert the events of all requests that can be written; the new head."""
        return self._written_together(group) or self._written_one_by_one(group)

    def _written_together(self, group: list[Request]) -> Head | None:
        """Insert plain appends at once; None if the group must be written one by one."""
        if any(request.expected or request.erase for request in group):
            return None
        drafts = (
            group[0].drafts
            if len(group) == 1
            else [draft for request in group for draft in request.drafts]
        )
        now, head = self._clock.now(), self._transaction.head
        try:
            rows, after = sealed(drafts, head, recorded_after(now, head.recorded_at))
            insert_events(self._db, rows)
        except (apsw.ConstraintError, *_NO_DRAFT):
            self._transaction.begin_again()
            return None
        time = recorded_after(now, head.recorded_at)
        end = head.position + 1
        for request in group:
            first, end = end, end + len(request.drafts)
            positions: tuple[Position, ...] = tuple(range(first, end))  # type: ignore[arg-type]
            request.result = Appended(positions, time, max(0, time - now))
        return after

    def _written_one_by_one(self, group: list[Request]) -> Head:
        head = self._transaction.head
        for request in group:
            try:
                head = self._written(request, head)
            except (LedgerError, *_NO_DRAFT) as error:
                request.error = error
        return head

    def _written(self, request: Request, head: Head) -> Head:
        """Insert the events of a request that are not in the log yet."""
        try:
            if request.expected is not None:
                self._check_expected(request.expected)
            # A savepoint: a request that fails leaves nothing behind.
            with self._db:
                after = self._inserted(request, request.drafts, {}, head)
        except (apsw.ConstraintError, StaleExpectation) as error:
            # A retry of an acknowledged append. Looked up only now: fresh ids are the
            # rule, and a look-up an event would cost a third of the append.
            known = self._known(request.drafts)
            fresh = [draft for draft in request.drafts if draft.event_id not in known]
            if not known or (fresh and isinstance(error, StaleExpectation)):
                raise
            with self._db:
                after = self._inserted(request, fresh, known, head)
        return after

    def _inserted(
        self,
        request: Request,
        fresh: Sequence[Draft],
        known: dict[EventId, Position],
        head: Head,
    ) -> Head:
        now = self._clock.now()
        rows, after = sealed(fresh, head, recorded_after(now, head.recorded_at))
        insert_events(self._db, rows)
        if request.erase:
            erase_contents(self._db, request.erase, request.traces)
        written = {draft.event_id: row[0] for draft, row in zip(fresh, rows, strict=True)} | known
        positions = tuple(written[draft.event_id] for draft in request.drafts)
        time = after.recorded_at
        if known and not rows:
            time = recorded_at(self._db, min(positions)) or time
        request.result = Appended(positions, time, max(0, time - now))
        return after

    def _known(self, drafts: Sequence[Draft]) -> dict[EventId, Position]:
        """Positions of the drafts that are in the log already, their payloads compared."""
        known: dict[EventId, Position] = {}
        for draft in drafts:
            for row in rows_with_id(self._db, draft.event_id):
                check_same(draft, row)
                known[draft.event_id] = row[0]
        return known

    def _check_expected(self, expected: Expected) -> None:
        for memory_id, position in expected.memories.items():
            _compare(f"memory {memory_id}", position, last_about(self._db, memory_id))
        if expected.space is not None:
            space, position = expected.space
            _compare(f"space {space!r}", position, last_in(self._db, space))
        if expected.quiet is not None:
            quiet = expected.quiet
            _compare(f"space {quiet.space!r}", quiet.after, self._last_that_matters(quiet))

    def _last_that_matters(self, quiet: Quiet) -> Position:
        """The last position that breaks a quiet; its beginning if none does."""
        if quiet.matters is None:
            return last_in_after(self._db, quiet.space, quiet.after)
        events = events_in_after(self._db, quiet.space, quiet.after)
        return max((one.position for one in events if quiet.matters(one)), default=quiet.after)


def _compare(subject: str, expected: int, actual: int) -> None:
    if expected != actual:
        raise StaleExpectation(subject, expected, actual)
