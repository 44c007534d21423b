"""Whether what others appended meanwhile matters for a command."""

from __future__ import annotations

from mnemolog import Memory, NewEvent
from mnemolog.application.home.space import naming
from mnemolog.ledger.events import Superseded
from mnemolog.ledger.ids import MemoryId, Position

ID, OTHER, THIRD = MemoryId("0a" * 16), MemoryId("0b" * 16), MemoryId("0c" * 16)


def test_an_event_names_what_it_is_about_and_all_that_its_structure_has(memory: Memory) -> None:
    """Whole ids alone: digits of a longer number are none."""
    for one in (ID, OTHER, THIRD):
        memory.remember(f"tea {one[:2]}", id=one)
    memory.log.append([NewEvent("superseded", Superseded(OTHER), memory_id=ID)])
    memory.redact(ID, THIRD)
    memory.log.append([NewEvent("seen", {"digest": OTHER * 2, "of": [f"memory {THIRD}"]})])
    events = memory._space.home.log.read(Position(3), 10)
    named = [{one for one in (ID, OTHER, THIRD) if naming([one])(event)} for event in events]
    assert named == [{ID, OTHER}, {ID, THIRD}, {THIRD}]
    assert not any(naming([])(event) for event in events)
