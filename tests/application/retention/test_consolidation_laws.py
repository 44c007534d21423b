"""Laws of consolidation, over spaces in which much is said again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings, strategies as st

from mnemolog import Item, Memory, NewMemory, Thing
from mnemolog.language.sameness import says_all
from tests.homes import DAY, HandClock, open_home

FEW = settings(max_examples=6, deadline=None)
SAID = (
    "Dana prefers green tea in the morning",
    "In the morning Dana prefers green tea.",
    "Note: Dana prefers green tea in the morning",
    "Dana prefers green tea in the morning. The kettle is blue.",
    "Dana prefers black tea in the morning",
    "Dana does not prefer green tea in the morning",
    "Almonds are a kind of nut",
    "By the way, almonds are a kind of nut",
    "The build failed",
)
memories = st.builds(
    NewMemory,
    st.sampled_from(SAID),
    kind=st.sampled_from(("semantic", "semantic", "preference")),
    source=st.sampled_from((None, None, "user:dana")),
    tags=st.sampled_from(((), ("a",), ("b",))),
    marks=st.sampled_from(((), ("emphasised", "serves_goal"))),
)
lives = st.lists(st.tuples(memories, st.integers(0, 3)), min_size=2, max_size=10)


def _lived(memory: Memory, clock: HandClock, life: list[tuple[NewMemory, int]]) -> None:
    for new, uses in life:
        stored = memory.remember(new, contradictions="off").memory_id or ""
        if new.marks:
            memory.graph.link(stored, "PART_OF", Thing("the household"))
            memory.graph.link(stored, "DEPENDS_ON", Thing("the kettle"))
        for _ in range(uses):
            memory.use(stored)
        clock.move(DAY)
    memory.upkeep.write_uses()


def _facts(memory: Memory) -> dict[str, tuple[object, ...]]:
    return {
        one: (item.status, item.content, item.superseded_by, item.strength, item.accesses)
        for one, item in memory.inspect.everything().items()
    }


def _says(after: Item, before: Item) -> bool:
    return (
        says_all(after.content or "", before.content or "")
        and (after.kind, after.source) == (before.kind, before.source)
        and set(after.tags) >= set(before.tags)
    ) or after.content == before.content


@given(lives)
@FEW
def test_nothing_that_was_said_is_lost(life: list[tuple[NewMemory, int]]) -> None:
    """Whatever stood before stands in one that says all of it, as strong, with its tags and uses.

    Nobody's words are made up, what is merged is one thing in each of its parts, and undone
    it is all as it was.
    """
    with tempfile.TemporaryDirectory() as directory:
        clock = HandClock()
        with open_home(Path(directory), clock=clock) as memory:
            _lived(memory, clock, life)
            before, facts = memory.list(limit=100), _facts(memory)
            done = memory.upkeep.consolidate()
            after = memory.list(limit=100)
            for item in before:
                said = [one for one in after if _says(one, item)]
                assert said, item
                assert max(one.strength for one in said) >= item.strength
                assert max(one.accesses for one in said) >= item.accesses
            assert {item.content for item in after} <= {item.content for item in before}
            for item in after:
                parts = [memory.get(one) for one in item.evidence]
                assert all(part.superseded_by == (item.memory_id,) for part in parts)
                assert sum(part.accesses for part in parts) in {0, item.accesses}
            for step in reversed(done.steps):
                memory.undo(step.events[0].event_id)
            restored = _facts(memory)
            assert {one: restored[one] for one in facts} == facts
            assert {restored[one][0] for one in restored.keys() - facts.keys()} <= {"withdrawn"}
