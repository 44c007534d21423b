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


def test_what_is_superseded_in_passing_is_a_conflict_of_the_receipt(tmp_path: Path) -> None:
    """A statement that supersedes what it clearly means tells what it contradicted, once."""
    with _open(tmp_path) as memory:
        old = memory.remember("Bob works at Acme").memory_id
        receipt = memory.remember("Bob left Acme")
        (found,) = receipt.conflicts
        assert (found.memory_id, found.type, found.outcome) == (old, "direct", "superseded")
        kinds = [event.kind for event in receipt.events]
        assert sorted(kinds) == ["conflicted", "remembered", "superseded", "weakened"]
        assert [one.open for one in memory.conflicts.list("all")] == [False]
        assert memory.conflicts.list() == ()


def test_a_correction_is_a_contradiction_where_no_judge_sees_one(tmp_path: Path) -> None:
    """What a correction in passing takes back, by its own words, is told as what it contradicts."""
    with _open(tmp_path) as memory:
        memory.remember("The concert is on Tuesday")
        (found,) = memory.remember("The concert was cancelled").conflicts
        assert (found.content, found.outcome) == ("The concert is on Tuesday", "superseded")
        (listed,) = memory.conflicts.list("all")
        assert listed.judge == "correction"


def test_undoing_a_correction_in_passing_takes_back_all_of_it(tmp_path: Path) -> None:
    """Undone, a correction in passing leaves the old memory active and at its strength."""
    with _open(tmp_path) as memory:
        old = memory.remember("Bob works at Acme").memory_id or ""
        before = memory.get(old)
        receipt = memory.remember("Bob left Acme")
        memory.undo(receipt.memory_id or "")
        after = memory.get(old)
        assert (after.status, after.strength) == (before.status, before.strength)
        assert memory.conflicts.list() == ()


def test_what_was_said_before_a_correction_is_outdated_by_it(tmp_path: Path) -> None:
    """An old statement heard again tells of the conflict with what superseded it."""
    with _open(tmp_path) as memory:
        old = memory.remember(_OLD)
        new = memory.supersede(old.memory_id or "", _NEW).memory_id
        receipt = memory.remember(NewMemory(_OLD, valid_from=_BEFORE))
        (found,) = receipt.conflicts
        assert (found.memory_id, found.outcome) == (new, "outdated")
        assert [event.kind for event in receipt.events].count("superseded") == 1


def test_a_conflict_heard_in_passing_is_not_told_with_the_check_off(tmp_path: Path) -> None:
    """With the check off nothing is superseded in passing, and no conflict told."""
    with _open(tmp_path) as memory:
        memory.remember("Bob works at Acme")
        receipt = memory.remember("Bob left Acme", contradictions="off")
        assert receipt.conflicts == ()
        assert [event.kind for event in receipt.events] == ["remembered"]


def test_what_still_held_is_not_superseded_in_passing(tmp_path: Path) -> None:
    """Growth, another season and the same said again supersede nothing and contradict nothing."""
    for number, (old, new) in enumerate(
        (
            ("The fund had 200 members in May", "The fund grew to 450 members in December"),
            ("In summer the cabin is open", "In winter the cabin is closed"),
            ("Elena quit smoking", "Elena no longer smokes"),
        )
    ):
        with _open(tmp_path / str(number)) as memory:
            memory.remember(old)
            receipt = memory.remember(new)
            assert [event.kind for event in receipt.events] == ["remembered"]


def test_another_hour_of_the_same_is_a_correction(tmp_path: Path) -> None:
    """What is said to be moved does not hold at both hours; another season's hours do."""
    with _open(tmp_path) as memory:
        old = memory.remember("We hold the platform standup at 11:00.")
        moved = memory.remember("Quick update: we hold the platform standup at 8:45 now.")
        assert memory.get(old.memory_id or "").status == "superseded"
        assert any("superseded" in change for change in moved.changed)


def test_what_a_correction_in_passing_takes_back_is_told(tmp_path: Path) -> None:
    """Where a correction names but the new value, its reason quotes what was known before."""
    with _open(tmp_path) as memory:
        for known, said in (
            ("Bins are collected on Tuesday", "Bins are now collected on Wednesday"),
            ("The retro takes place every second Friday", "The retro was moved to Monday"),
        ):
            memory.remember(known)
            (found,) = memory.remember(said).conflicts
            assert found.outcome == "superseded"
            assert f" in the place of '{known}'." in found.reason
