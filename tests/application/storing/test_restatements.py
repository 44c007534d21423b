"""What is heard again after it was corrected, by several threads and after redactions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mnemolog import Memory, NewMemory
from tests.homes import DAY, START, BagOfWords, HandClock

_OLD = "The archive of the harbour office is kept in Hamburg"
_NEW = "The archive of the harbour office is kept in Bremen"
_BEFORE = "2020-01-01T00:00:00Z"


def _open(home: Path) -> Memory:
    return Memory.open(
        home, "home", actor="user:dana", clock=HandClock(START + DAY), embedder=BagOfWords()
    )


def test_every_thread_knows_what_was_retired(tmp_path: Path) -> None:
    """However many threads hear the old statement at once, each is superseded by its correction."""
    with _open(tmp_path) as memory:
        for number in range(40):
            old = memory.remember(f"Box {number} of the depot stands in aisle {number}")
            memory.supersede(old.memory_id or "", f"Box {number} of the depot was sold")
        old = memory.remember(_OLD)
        memory.supersede(old.memory_id or "", _NEW)
    with _open(tmp_path) as memory, ThreadPoolExecutor(8) as threads:
        again = NewMemory(_OLD, valid_from=_BEFORE)
        receipts = list(threads.map(lambda _: memory.remember(again), range(8)))
        statuses = {memory.get(receipt.memory_id or "").status for receipt in receipts}
        assert statuses == {"superseded"}


def test_what_was_redacted_is_not_kept_for_hearing(tmp_path: Path) -> None:
    """A retired text that is redacted leaves memory at the next look, and retires nothing more."""
    with _open(tmp_path) as memory:
        old = memory.remember(_OLD)
        new = memory.supersede(old.memory_id or "", _NEW)
        other = memory.remember("The kettle is blue")
        memory.supersede(other.memory_id or "", "The kettle is green")
        heard = memory.remember(NewMemory(_OLD, valid_from=_BEFORE))
        kept = memory._space.retired
        assert _OLD in kept._texts.values()
        for receipt in (heard, new, old):
            memory.redact(receipt.memory_id or "")
        again = memory.remember(NewMemory(_OLD, valid_from=_BEFORE))
        assert memory.get(again.memory_id or "").status == "active"
        assert list(kept._texts.values()) == ["The kettle is blue"]


def test_what_was_said_before_a_correction_is_outdated_by_it(tmp_path: Path) -> None:
    """An old statement heard again tells of the conflict with what superseded it."""
    with _open(tmp_path) as memory:
        old = memory.remember(_OLD)
        new = memory.supersede(old.memory_id or "", _NEW).memory_id
        receipt = memory.remember(NewMemory(_OLD, valid_from=_BEFORE))
        (found,) = receipt.conflicts
        assert (found.memory_id, found.outcome) == (new, "outdated")
        assert [event.kind for event in receipt.events].count("superseded") == 1
