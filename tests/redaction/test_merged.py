"""Redaction reaches what was merged: nothing of a redacted part lives on in the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from traces import bytes_left, new_secret, open_home, vector_left

from mnemolog import Memory, NewMemory, Thing
from tests.homes import ALL_TIERS, DAY, HandClock, open_home as open_with_clock

_OTHERS = [f"The ladder of note-{number} stands in the orchard" for number in range(20)]


def _worthy(memory: Memory, text: str, **fields: object) -> str:
    new = NewMemory(text, marks=("emphasised", "serves_goal"), **fields)
    stored = memory.remember(new, contradictions="off").memory_id or ""
    memory.graph.link(stored, "PART_OF", Thing("the household"))
    memory.graph.link(stored, "DEPENDS_ON", Thing("the kettle"))
    return stored


def _word() -> str:
    # No plural: an edge has the singular of what it names.
    return new_secret().split()[0].removesuffix("s")


def _merged(memory: Memory) -> str:
    (hit,) = (item for item in memory.list(limit=1000) if item.extraction_method)
    return hit.memory_id


def test_a_merged_memory_goes_with_a_part(tmp_path: Path) -> None:
    """What a part alone said is nowhere; the other part stands again; the receipt names them."""
    kind, tag, alias, snippet = (_word() for _ in range(4))
    text = f"A {kind} is a kind of lantern"
    with open_home(tmp_path) as memory:
        memory.remember_many(_OTHERS)
        first = _worthy(memory, text, aliases=(tag, alias), snippet=snippet)
        second = memory.remember(f"Note: {text}", contradictions="off").memory_id or ""
        done = memory.upkeep.consolidate()
        assert (done.merged, done.linked) == (1, 1)
        merged = _merged(memory)
        memory.use(merged)
        memory.upkeep.write_uses()
        memory.upkeep.rebuild()
        assert memory.recall(text, limit=1).hits[0].memory_id == merged
        redaction = memory.redact(first)
        assert redaction.complete
        told = " ".join(redaction.changed)
        assert f"{merged} is redacted as well" in told
        assert f"{second} stands by itself again" in told
        for word in (tag, alias, snippet):
            assert bytes_left(tmp_path, word) == []
        assert memory.get(merged).content is None
        assert memory.get(second).status == "active"
        assert memory.recall(text, limit=1).hits[0].memory_id == second
        memory.redact(second)
        assert bytes_left(tmp_path, kind) == []
        assert vector_left(tmp_path, text) == []
        assert memory.log.verify()
    assert bytes_left(tmp_path, kind) == []


def test_its_parts_go_with_a_merged_memory(tmp_path: Path) -> None:
    """Redacting a merged memory redacts what it was merged from: its words are theirs."""
    kind = _word()
    with open_home(tmp_path) as memory:
        memory.remember_many(_OTHERS)
        _worthy(memory, f"A {kind} is a kind of lantern")
        memory.remember(f"Note: a {kind} is a kind of lantern")
        memory.upkeep.consolidate()
        memory.upkeep.rebuild()
        redaction = memory.redact(_merged(memory))
        assert len([said for said in redaction.changed if "as well" in said]) == 2
        assert bytes_left(tmp_path, kind) == []
        assert {item.content for item in memory.list(limit=100)} == set(_OTHERS)
    assert bytes_left(tmp_path, kind) == []


def test_what_was_merged_again_goes_too(tmp_path: Path) -> None:
    """However often it was merged on, nothing made from a redacted part is left."""
    kind, tag = _word(), _word()
    text = f"A {kind} is a kind of lantern"
    with open_home(tmp_path) as memory:
        first = _worthy(memory, text, aliases=(tag,))
        second = memory.remember(f"Note: {text}", contradictions="off").memory_id or ""
        memory.upkeep.consolidate()
        third = _worthy(memory, f"By the way, {text}")
        assert memory.upkeep.consolidate().merged == 1
        memory.redact(first)
        assert bytes_left(tmp_path, tag) == []
        standing = {item.memory_id for item in memory.list(limit=100)}
        assert standing == {second, third}


def test_an_undone_merge_goes_too(tmp_path: Path) -> None:
    """A merged memory that was undone still holds the words, and goes with its part."""
    tag = _word()
    with open_home(tmp_path) as memory:
        first = _worthy(memory, "Dana prefers tea", tags=(tag,))
        memory.remember("Note: Dana prefers tea")
        (step,) = memory.upkeep.consolidate().steps
        memory.undo(step.events[0].event_id)
        memory.redact(first)
        assert bytes_left(tmp_path, tag) == []
        assert [item.content for item in memory.list()] == ["Note: Dana prefers tea"]


@pytest.mark.parametrize("taken_out", ["superseded", "withdrawn"])
def test_a_correction_of_a_merged_memory_holds(tmp_path: Path, taken_out: str) -> None:
    """What a correction retired does not come back because a part of it is redacted."""
    with open_home(tmp_path) as memory:
        first = _worthy(memory, "Dana prefers tea")
        memory.remember("Note: Dana prefers tea")
        memory.upkeep.consolidate()
        if taken_out == "superseded":
            memory.supersede(_merged(memory), "Dana prefers coffee")
        else:
            memory.withdraw(_merged(memory))
        memory.redact(first)
        expected = ["Dana prefers coffee"] if taken_out == "superseded" else []
        assert [item.content for item in memory.list()] == expected


def test_an_edge_goes_with_the_memory_that_stated_it(tmp_path: Path) -> None:
    """The names in an edge that was drawn from a memory go with it, made anew or not."""
    kind = _word()
    with open_home(tmp_path) as memory:
        memory.remember_many(_OTHERS)
        stated = _worthy(memory, f"A {kind} is a kind of lantern")
        (step,) = memory.upkeep.consolidate().steps
        undone = memory.undo(step.events[0].event_id)
        memory.undo(undone.events[0].event_id)
        assert memory.graph.links(Thing(kind))
        memory.redact(stated)
        assert bytes_left(tmp_path, kind) == []
        assert not memory.graph.links(Thing(kind))


def test_what_time_deletes_takes_its_parts_along(tmp_path: Path) -> None:
    """A merged memory that fades until it is deleted leaves none of its words in its parts."""
    kind, clock = _word(), HandClock()
    with open_with_clock(tmp_path, clock=clock) as memory:
        memory.configure(ALL_TIERS)
        _worthy(memory, f"A {kind} is a kind of lantern")
        memory.remember(f"Note: a {kind} is a kind of lantern")
        assert memory.upkeep.consolidate().merged == 1
        clock.move(5 * 365 * DAY)
        told = memory.upkeep.tick(confirmed=True)
        assert told.falls["deleted"] == 1
        assert told.complete
        assert bytes_left(tmp_path, kind) == []
        assert {item.status for item in memory.inspect.everything().values()} == {"redacted"}
        assert memory.log.verify()
