"""What parts of a merged memory come back with, when the merge is undone or a part redacted."""

from __future__ import annotations

from pathlib import Path

from mnemolog import Memory
from tests.application.retention.test_consolidate import TEA, TEA_TURNED, worthy
from tests.homes import ALL_TIERS, DAY, HandClock, open_home

TEA_NOTED = f"Note: {TEA}"


def _merge(memory: Memory, *texts: str) -> tuple[list[str], str]:
    """What was stored, and what it was merged into."""
    stored = [worthy(memory, text) for text in texts]
    assert memory.upkeep.consolidate().merged == 1
    return stored, memory.recall("green tea", limit=1).hits[0].memory_id


def _use(memory: Memory, *memory_ids: str) -> None:
    memory.use(*memory_ids)
    memory.upkeep.write_uses()


def _live(memory: Memory, clock: HandClock, days: int, *used: str) -> None:
    """So many days of use every fifth day, with a tick every day."""
    for day in range(days):
        clock.move(DAY)
        memory.upkeep.tick(confirmed=True)
        if used and day % 5 == 0:
            _use(memory, *used)


def _undo_merge(memory: Memory, merged: str) -> None:
    (event,) = [
        event
        for event in memory.log.events(kinds=("consolidated",))
        if event.structure.get("merged") == merged
    ]
    memory.undo(event.event_id)


def test_an_undone_merge_gives_back_its_uses(
    tmp_path: Path, memory: Memory, clock: HandClock
) -> None:
    """Parts that are set apart are as strong as if they had been used themselves."""
    memory.configure(ALL_TIERS)
    stored, merged = _merge(memory, TEA, TEA_TURNED)
    _live(memory, clock, 300, merged)
    assert memory.get(merged).status == "active"
    assert {memory.get(one).tier for one in stored} != {"active"}
    _undo_merge(memory, merged)
    alone_clock = HandClock()
    alone = open_home(tmp_path / "alone", clock=alone_clock)
    alone.configure(ALL_TIERS)
    unmerged = [alone.remember(text, contradictions="off").memory_id or "" for text in (TEA, TEA)]
    _live(alone, alone_clock, 300, *unmerged)
    for one, other in zip(stored, unmerged, strict=True):
        back, never = memory.get(one), alone.get(other)
        assert (back.status, back.tier) == ("active", "active")
        assert (back.strength, back.accesses) == (never.strength, never.accesses)
        assert back.last_access is not None
    memory.upkeep.tick(confirmed=True)
    assert {memory.get(one).status for one in stored} == {"active"}
    assert {hit.memory_id for hit in memory.recall("green tea").hits} >= set(stored)


def test_a_merge_of_no_use_gives_nothing(memory: Memory, clock: HandClock) -> None:
    """Parts of what was not used come back as time has left them."""
    _, merged = _merge(memory, TEA, TEA_TURNED)
    clock.move(3 * DAY)
    _undo_merge(memory, merged)
    given = [event.memory_id for event in memory.log.events(kinds=("strengthened",))]
    assert given == [merged]


def test_the_undo_of_a_use_counts(memory: Memory, clock: HandClock) -> None:
    """A use of what was merged that was undone is none of its parts either."""
    stored, merged = _merge(memory, TEA, TEA_TURNED)
    clock.move(DAY)
    _use(memory, merged)
    (used,) = memory.log.events(kinds=("recalled",))
    memory.undo(used.event_id)
    _undo_merge(memory, merged)
    assert [memory.get(one).accesses for one in stored] == [0, 0]


def test_the_uses_of_all_that_it_became_count(memory: Memory, clock: HandClock) -> None:
    """What was merged again gives back the uses of all that it was part of, each once."""
    stored, first = _merge(memory, TEA, TEA_TURNED)
    _live(memory, clock, 30, first)
    (third,), second = _merge(memory, TEA_NOTED)
    assert second != first
    _live(memory, clock, 300, second)
    memory.redact(third)
    one = memory.get(first)
    assert (one.status, one.accesses) == ("active", 66)
    _live(memory, clock, 5, first)
    memory.redact(stored[0])
    left = memory.get(stored[1])
    assert (left.status, left.tier, left.accesses) == ("active", "active", 67)


def test_what_a_redaction_frees_is_merged_with_its_likes(memory: Memory, clock: HandClock) -> None:
    """A part that stands again because another was redacted was not set apart by anybody."""
    (first, second), merged = _merge(memory, TEA, TEA_TURNED)
    memory.redact(first)
    assert memory.get(merged).content is None
    assert memory.get(second).status == "active"
    clock.move(DAY)
    assert _merge(memory, TEA_NOTED)[0]
    assert memory.get(second).status == "superseded"


def test_merging_makes_nothing_more_recent(memory: Memory, clock: HandClock) -> None:
    """What is merged was last said when the newest of its parts was: recall ranks it no higher."""
    cue = "what does Dana prefer in the morning?"
    first = worthy(memory, TEA)
    clock.move(DAY)
    memory.remember(TEA_TURNED, contradictions="off")
    clock.move(20 * DAY)
    memory.remember("Dana prefers black coffee in the morning", contradictions="off")
    clock.move(60 * DAY)
    (before,) = [hit for hit in memory.recall(cue).hits if hit.content == TEA_TURNED]
    persistence = memory.inspect.persistence(before.memory_id)
    assert memory.upkeep.consolidate().merged == 1
    (after,) = [hit for hit in memory.recall(cue).hits if hit.content == TEA_TURNED]
    assert memory.get(after.memory_id).evidence == (first, before.memory_id)
    assert after.explanation.scores["temporal"] == before.explanation.scores["temporal"]
    assert memory.inspect.persistence(after.memory_id).recency == persistence.recency


def test_what_is_merged_holds_whenever_a_part_did(memory: Memory, clock: HandClock) -> None:
    """What one part says of no time in particular is not bound to the time that another names."""
    stored = worthy(memory, TEA)
    clock.move(40 * DAY)
    memory.remember(TEA_TURNED, valid_from="2030-01-01", contradictions="off")
    assert memory.upkeep.consolidate().merged == 1
    (merged,) = memory.get(stored).superseded_by
    assert memory.get(merged).valid_from is None


def test_redacting_an_undone_merge_spares_what_stands(memory: Memory) -> None:
    """A merged memory that was set apart goes alone; the receipt says who keeps its words."""
    stored, merged = _merge(memory, TEA, TEA_TURNED)
    _undo_merge(memory, merged)
    told = memory.redact(merged).changed
    assert memory.get(merged).content is None
    assert [memory.get(one).content for one in stored] == [TEA, TEA_TURNED]
    assert {memory.get(one).status for one in stored} == {"active"}
    for one in stored:
        assert f"{one} was merged into {merged} once, and keeps its words" in told
