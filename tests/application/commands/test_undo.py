"""Undo restores what a command changed, or says why it cannot."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from mnemolog import CannotUndo, InvalidField, Memory, NewEvent, UnconfirmedUndo, UnknownEvent
from mnemolog.ledger.clock import to_datetime
from tests.homes import DAY, START, HandClock, open_home

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
    with pytest.raises(CannotUndo, match="nothing is left to undo in space 'default'"):
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


def test_an_import_of_events_is_not_undone(memory: Memory, tmp_path: Path) -> None:
    """The error says what to do instead, and an earlier command is still undone by position."""
    with open_home(tmp_path / "other") as other:
        other.remember("coffee")
        file = io.BytesIO()
        other.log.export_events(file)
    memory.remember("tea", id=ID)
    file.seek(0)
    memory.log.import_events(file)
    head = memory.log.checkpoint()
    with pytest.raises(CannotUndo, match="name an earlier command by its @position") as raised:
        memory.undo()
    assert "withdraw or redact what came in" in str(raised.value)
    assert memory.log.checkpoint() == head
    memory.undo("@1")
    assert memory.get(ID).status == "withdrawn"


def test_a_redaction_is_for_good(memory: Memory) -> None:
    """What was destroyed cannot be brought back, nor a command on it undone."""
    memory.remember("tea", id=ID)
    memory.redact(ID)
    for reference in (None, ID):
        with pytest.raises(CannotUndo):
            memory.undo(reference)
    assert memory.log.checkpoint().position == 2


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
    own = memory.log.append([NewEvent("deployed", causation_id=ID)])
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
    with pytest.raises(CannotUndo, match="nothing is left to undo in space 'default'"):
        memory.undo()
    for reference in ("ff", "@1"):
        with pytest.raises(UnknownEvent):
            memory.undo(reference)
    with pytest.raises(InvalidField):
        memory.undo("tea")


def test_a_preview_shows_the_command_and_changes_nothing(memory: Memory) -> None:
    """Position, kind, text, time, actor and events, of the last command or a named one."""
    memory.remember("coffee", id=OLD)
    memory.supersede(OLD, "tea", id=ID)
    seen = memory.preview_undo()
    assert (seen.position, seen.kind, seen.memory_id, seen.content) == (2, "remembered", ID, "tea")
    assert (seen.recorded_at, seen.actor) == (to_datetime(START), "user:dana")
    assert (seen.summary, seen.events, seen.reasons) == ("remembered “tea”", 2, ())
    assert memory.preview_undo("@3") == seen
    with pytest.raises(CannotUndo) as raised:
        memory.preview_undo(OLD)
    assert raised.value.dependents == (3,)
    memory.configure({"strategy": "rrf"})
    setting = memory.preview_undo()
    assert (setting.memory_id, setting.content) == (None, None)
    assert setting.summary == "set strategy = rrf"
    assert memory.log.checkpoint().position == 4


def test_the_text_of_what_was_redacted_is_not_shown(memory: Memory) -> None:
    """A command on it is shown without."""
    memory.remember("tea", id=ID)
    memory.remember("coffee", id=OLD)
    memory.pin(OLD)
    memory.redact(ID, OLD)
    assert memory.preview_undo("@3").content is None


def test_an_old_command_is_undone_by_name_alone(memory: Memory, clock: HandClock) -> None:
    """A day later a bare undo refuses with the facts; to name the command confirms."""
    memory.remember("tea", id=ID)
    clock.move(DAY)
    assert memory.preview_undo().reasons == ()
    clock.move(1)
    with pytest.raises(UnconfirmedUndo) as raised:
        memory.undo()
    told = raised.value
    assert (told.position, told.kind, told.content, told.events) == (1, "remembered", "tea", 1)
    assert (told.recorded_at, told.actor) == (to_datetime(START), "user:dana")
    assert told.reasons == ("it is 1 day old",)
    assert memory.log.checkpoint().position == 1
    memory.undo("@1")
    assert memory.get(ID).status == "withdrawn"


@pytest.mark.parametrize("upkeep", ["tick", "maintain", "consolidate"])
def test_upkeep_since_is_a_reason_to_ask(memory: Memory, upkeep: str) -> None:
    """What a tick, a run of upkeep or a consolidation followed is undone by name alone."""
    memory.remember("Dana prefers tea to coffee", id=OLD)
    memory.remember("Note: Dana prefers tea to coffee", id=ID)
    memory.pin(ID)
    memory.pin(OLD)
    for _ in range(3):
        memory.use(OLD, ID)
        memory.upkeep.write_uses()
    if upkeep == "maintain":
        memory.upkeep.maintain(jobs=("consolidation",))
    else:
        getattr(memory.upkeep, upkeep)()
    (reason,) = memory.preview_undo().reasons
    assert reason.startswith("upkeep ran since, at position ")
    with pytest.raises(UnconfirmedUndo):
        memory.undo()
    assert memory.get(OLD).pinned
    memory.undo("@4")
    assert not memory.get(OLD).pinned


def test_upkeep_that_is_undone_is_no_reason(memory: Memory) -> None:
    """What a tick did is as before, so the last command is as safe to undo as before."""
    memory.remember("tea", id=ID)
    memory.upkeep.tick()
    assert memory.preview_undo().reasons
    memory.undo(f"@{memory.log.checkpoint().position}")
    assert memory.preview_undo().reasons == ()


def test_another_actors_command_is_undone_by_name_alone(memory: Memory) -> None:
    """Who undoes their own last command does not mean what an agent did just after."""
    memory.remember("tea", id=ID)
    with memory.acting(actor="agent:planner") as agent:
        agent.remember("coffee", id=OLD)
    (reason,) = memory.preview_undo().reasons
    assert reason == "it was given by agent:planner, not by user:dana"
    with pytest.raises(UnconfirmedUndo):
        memory.undo()
    assert memory.preview_undo("@2").reasons == ()
    memory.undo("@2")
    memory.undo()
    assert {memory.get(one).status for one in (ID, OLD)} == {"withdrawn"}


def test_no_older_command_takes_the_place_of_one_that_cannot_be_undone(memory: Memory) -> None:
    """A redaction is named, and the command before it stays."""
    memory.remember("Dana prefers tea", id=ID)
    memory.remember("a secret", id=OLD)
    redaction = memory.redact(OLD)
    for _ in range(2):
        with pytest.raises(CannotUndo) as raised:
            memory.undo()
        assert raised.value.position == redaction.position
    assert memory.get(ID).status == "active"


@pytest.mark.parametrize(
    ("kind", "structure"), [("withdrawn", {}), ("superseded", {"by": OLD})], ids=str
)
def test_a_command_that_stores_and_takes_out_is_undone(
    memory: Memory, kind: str, structure: dict[str, object]
) -> None:
    """What was not there before it has no shelter to come back to; undone again, all is as was."""
    memory.remember("coffee", id=OLD)
    memory.log.append(
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
    memory.log.append(
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
    told = memory.sessions.vote_once(
        "tea at noon or coffee at six", {one: "hot", other: "cold"}
    ).changed
    assert f"{one} is voted hot" in "\n".join(told)
    assert f"{other} is voted cold" in "\n".join(told)
    assert memory.withdraw(other).changed == (f"{other} is withdrawn from all answers",)
