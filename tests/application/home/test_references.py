"""References name memories and events: by id, by the beginning of one, or by position."""

from __future__ import annotations

import pytest

from mnemolog import AmbiguousId, Memory, NewEvent, UnknownEvent
from tests.files import holding
from tests.homes import open_home

ID, OLD = "0a" * 16, "0b" * 16
SECRET = "the reason is secret"


@pytest.mark.parametrize("digits", [32, 20], ids=["whole", "beginning"])
def test_an_event_is_redacted_by_its_id(memory: Memory, digits: int) -> None:
    """Its own content is destroyed, and what is said of the memory otherwise stays."""
    memory.remember("tea", id=ID)
    event = memory.withdraw(ID, reason=SECRET).events[0]
    redaction = memory.redact(event.event_id[:digits])
    assert redaction.erased == (event.position,)
    assert memory.get(ID).content == "tea"
    assert holding(memory.home, SECRET.encode()) == []


def test_a_beginning_names_the_memory_before_other_events(memory: Memory) -> None:
    """Events of one command begin alike; a listing shows the beginning that a memory has."""
    memory.log.append(
        [
            NewEvent("remembered", {}, {"text": "tea"}, memory_id=ID, event_id=ID),
            NewEvent("pinned", {}, memory_id=ID, event_id="0a" * 15 + "0b", causation_id=ID),
        ]
    )
    memory.remember("coffee", id=OLD)
    assert memory.redact("0a0a").erased == (1,)
    assert memory.undo("0b0b").changed[0] == "the command at position 3 is undone"


def test_a_beginning_that_fits_several_is_refused(memory: Memory) -> None:
    """Several memories, or no memory and several events: nothing is redacted or undone."""
    memory.remember("tea", id=ID)
    memory.remember("coffee", id="0a" * 15 + "0b")
    for last in ("c", "d"):
        memory.log.append(
            [NewEvent("deployed", {}, {"to": "Kiel"}, event_id="0c" * 15 + f"0{last}")]
        )
    for reference in ("0a", "0c0c"):
        for command in (memory.redact, memory.undo):
            with pytest.raises(AmbiguousId) as raised:
                command(reference)
            assert len(raised.value.matches) == 2
    assert memory.redact("0c" * 15 + "0d").erased == (4,)
    assert memory.log.checkpoint().position == 5


def test_a_memory_is_found_behind_many_events_that_begin_alike(memory: Memory) -> None:
    """However many there are: one memory of two would else be taken for the one that is meant."""
    memory.remember("tea", id="0a" * 16)
    memory.log.append(
        [NewEvent("deployed", {}, event_id=f"0a0b{number:028x}") for number in range(100)]
    )
    memory.remember("coffee", id="0a" + "0c" * 15)
    with pytest.raises(AmbiguousId):
        memory.get("0a")
    with pytest.raises(AmbiguousId):
        memory.redact("0a")
    assert memory.get("0a0c").content == "coffee"


def test_another_spaces_event_is_not_named(memory: Memory) -> None:
    """Neither by its id nor by its position."""
    with open_home(memory.home, "elsewhere") as other:
        event = other.configure({"strategy": "rrf"}, reason=SECRET).events[0]
    for reference in (event.event_id, f"@{event.position}", "ff"):
        with pytest.raises(UnknownEvent):
            memory.redact(reference)
