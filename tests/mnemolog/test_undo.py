"""Undo restores what a command changed, or says why it cannot."""

from __future__ import annotations

import pytest

from ledger.clock import to_datetime
from mnemolog import CannotUndo, InvalidField, Memory, NewEvent, UnknownEvent
from tests.homes import DAY, START, HandClock

ID, OLD = "0a" * 16, "0b" * 16


def test_an_undone_remember_is_withdrawn(memory: Memory) -> None:
    """The memory answers no more, its story says why, and the old one answers again."""
    memory.remember("coffee", id=OLD)
    memory.remember("tea", id=ID, supersedes=(OLD,))
    receipt = memory.undo(reason="a mistake")
    assert [event.kind for event in receipt.events] == ["undone", "reinstated", "withdrawn"]
    assert memory.get(ID).status == "withdrawn"
    assert (memory.get(OLD).status, memory.get(OLD).superseded_by) == ("active", ())
    assert any("a mistake" in entry.summary for entry in memory.history(ID))


def test_an_undo_can_be_undone(memory: Memory) -> None:
    """Undoing the undo brings the command back, with the time at which the old one ended."""
    memory.remember("coffee", id=OLD)
    memory.supersede(OLD, "tea", id=ID, valid_from="2025-01-01")
    then = memory.recall("coffee", valid_at="2024-12-31").hits
    undone = memory.undo()
    memory.undo(undone.events[0].event_id)
    assert memory.get(OLD).superseded_by == (ID,)
    again = memory.recall("coffee", valid_at="2024-12-31").hits
    assert [hit.memory_id for hit in again] == [hit.memory_id for hit in then]


def test_the_last_command_is_undone_first(memory: Memory) -> None:
    """Without a reference undo goes back command by command, undone ones passed over."""
    memory.remember("tea", id=ID)
    memory.pin(ID)
    memory.configure({"strategy": "rrf"})
    memory.withdraw(ID)
    memory.undo()
    assert memory.get(ID).status == "active"
    memory.undo()
    assert memory.settings().strategy == "hybrid"
    memory.undo()
    assert not memory.get(ID).pinned
    memory.undo()
    assert memory.get(ID).status == "withdrawn"
    with pytest.raises(CannotUndo, match="no command left"):
        memory.undo()


def test_pins_come_back_as_they_were(memory: Memory, clock: HandClock) -> None:
    """Undoing a pin or an unpin restores the earlier pin with its end."""
    ends = to_datetime(START + 9 * DAY)
    memory.remember("tea", id=ID)
    memory.pin(ID, until=ends)
    memory.pin(ID)
    memory.undo()
    assert memory.get(ID).pinned_until == ends
    memory.unpin(ID)
    memory.undo()
    assert memory.get(ID).pinned_until == ends


def test_what_others_depend_on_is_not_undone(memory: Memory) -> None:
    """Later events about the command's memories are named; undone themselves, they are no bar."""
    memory.remember("coffee", id=OLD)
    memory.remember("tea", id=ID)
    memory.pin(OLD)
    memory.supersede(OLD, by=ID)
    with pytest.raises(CannotUndo) as raised:
        memory.undo(OLD)
    assert (raised.value.position, raised.value.dependents) == (1, (3, 4))
    with pytest.raises(CannotUndo) as raised:
        memory.undo(ID)
    assert raised.value.dependents == (4,)
    memory.undo("@4")
    memory.undo("@3")
    memory.undo(OLD)
    assert memory.get(OLD).status == "withdrawn"


def test_a_setting_that_was_changed_again_is_not_undone(memory: Memory) -> None:
    """An older change of a setting gives way to the newer one, of another setting it does not."""
    first = memory.configure({"strategy": "rrf"}).events[0].event_id
    memory.configure({"content_limit_bytes": 100})
    second = memory.configure({"strategy": "keyword"})
    with pytest.raises(CannotUndo) as raised:
        memory.undo(first)
    assert raised.value.dependents == (second.position,)
    assert memory.settings().strategy == "keyword"
    memory.undo()
    memory.undo(first)
    assert memory.settings().strategy == "hybrid"
    assert memory.settings().content_limit_bytes == 100


def test_a_redaction_is_for_good(memory: Memory) -> None:
    """What was destroyed cannot be brought back, nor a command on it undone."""
    memory.remember("tea", id=ID)
    memory.redact(ID)
    for reference in (None, ID):
        with pytest.raises(CannotUndo):
            memory.undo(reference)
    assert memory.checkpoint().position == 2


def test_a_command_is_undone_once(memory: Memory) -> None:
    """A second undo of the same command is refused."""
    memory.remember("tea", id=ID)
    memory.undo(ID)
    with pytest.raises(CannotUndo, match="undone already"):
        memory.undo(ID)


def test_events_of_own_kinds_are_not_undone(memory: Memory) -> None:
    """Nothing is known to reverse them, and what they name as cause is not taken for them."""
    memory.remember("tea", id=ID)
    memory.configure({"strategy": "rrf"})
    own = memory.append([NewEvent("deployed", causation_id=ID)])
    for reference in (None, own.events[0].event_id, f"@{own.position}"):
        with pytest.raises(CannotUndo) as raised:
            memory.undo(reference)
        assert raised.value.position == own.position
    assert memory.get(ID).status == "active"


def test_any_event_of_a_command_names_it(memory: Memory) -> None:
    """A command is undone as a whole, whichever of its events is given."""
    memory.remember("coffee", id=OLD)
    memory.supersede(OLD, "tea", id=ID)
    told = memory.undo("@3")
    assert told.changed[0] == "the command at position 2 is undone"
    assert (memory.get(ID).status, memory.get(OLD).status) == ("withdrawn", "active")


def test_undo_names_what_it_does_not_know(memory: Memory) -> None:
    """Unknown references are refused, and an empty space has nothing to undo."""
    with pytest.raises(CannotUndo, match="no command left"):
        memory.undo()
    for reference in ("ff", "@1"):
        with pytest.raises(UnknownEvent):
            memory.undo(reference)
    with pytest.raises(InvalidField):
        memory.undo("tea")


@pytest.mark.parametrize(
    ("kind", "structure"), [("withdrawn", {}), ("superseded", {"by": OLD})], ids=str
)
def test_a_command_that_stores_and_takes_out_is_undone(
    memory: Memory, kind: str, structure: dict[str, object]
) -> None:
    """What was not there before it has no shelter to come back to; undone again, all is as was."""
    memory.remember("coffee", id=OLD)
    memory.append(
        [
            NewEvent("remembered", {}, {"text": "tea"}, memory_id=ID, event_id=ID),
            NewEvent(kind, structure, memory_id=ID, causation_id=ID),
        ]
    )
    before = memory.get(ID).status
    undone = memory.undo(ID)
    assert memory.get(ID).status == "withdrawn"
    memory.undo(undone.events[0].event_id)
    assert memory.get(ID).status == before


@pytest.mark.parametrize(
    ("kind", "structure"), [("pinned", {}), ("weakened", {"factor": 0.5})], ids=str
)
def test_a_command_that_stores_and_changes_is_undone(
    memory: Memory, kind: str, structure: dict[str, object]
) -> None:
    """Before it there was nothing to come back to; undone again, the change is there again."""
    memory.append(
        [
            NewEvent("remembered", {}, {"text": "tea"}, memory_id=ID, event_id=ID),
            NewEvent(kind, structure, memory_id=ID, causation_id=ID),
        ]
    )
    before = memory.get(ID)
    undone = memory.undo(ID)
    assert memory.get(ID).status == "withdrawn"
    memory.undo(undone.events[0].event_id)
    after = memory.get(ID)
    assert (after.status, after.pinned, after.strength) == (
        before.status,
        before.pinned,
        pytest.approx(before.strength),
    )


def test_a_receipt_names_each_memory_by_its_whole_id(memory: Memory) -> None:
    """Memories of one instant begin alike: a receipt tells them apart all the same."""
    one, other = (kept.memory_id for kept in memory.remember_many(["tea at noon", "coffee at six"]))
    assert one is not None
    assert other is not None
    assert one[:13] == other[:13]
    told = memory.vote("tea at noon or coffee at six", {one: "hot", other: "cold"}).changed
    assert f"{one} is voted hot" in "\n".join(told)
    assert f"{other} is voted cold" in "\n".join(told)
    assert memory.withdraw(other).changed == (f"{other} is withdrawn from all answers",)
