"""Consolidation: what is taken up, what is merged and what never is, and that undo restores."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mnemolog import Contradiction, Memory, NewEvent, NewMemory, Recall, Statement, Thing
from mnemolog.application.commands.receipts import drafts
from mnemolog.application.home.space import Author
from mnemolog.application.retention.consolidate import Stated
from mnemolog.application.retention.near_duplicates import Likes
from mnemolog.ledger.events import ConflictContent, Conflicted, Redacted
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.supersession import Decision
from tests.homes import DAY, BagOfWords, HandClock, open_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mnemolog.application.retention.consolidate import Dropped
    from mnemolog.policies.retention.consolidation import MergePart
    from mnemolog.projections.edges import EdgeRow

TEA = "Dana prefers green tea in the morning"
TEA_TURNED = "In the morning, Dana prefers green tea."
CUES = ("what does Dana drink in the morning?", "green tea", "Dana", "which port?", "almonds")


@pytest.fixture
def memory(memory: Memory) -> Memory:
    """A space with some things in it that nothing calls for."""
    memory.remember_many([f"The staging server {n} listens on port 80{n}0" for n in range(6)])
    return memory


def worthy(memory: Memory, text: str, **fields: object) -> str:
    """A memory that is worth consolidating: it serves a goal, is emphasised and well joined."""
    new = NewMemory(text, marks=("emphasised", "serves_goal"), **fields)
    stored = memory.remember(new, contradictions="off").memory_id or ""
    memory.graph.link(stored, "PART_OF", Thing("the household"))
    memory.graph.link(stored, "DEPENDS_ON", Thing("the kettle"))
    return stored


def _answers(memory: Memory) -> list[object]:
    """Everything that recall answers to some cues, but for the moment at which it does."""
    found: list[Recall] = [
        memory.recall(cue, strategy=strategy, min_relevance=0)
        for cue in CUES
        for strategy in ("hybrid", "rrf", "keyword", "semantic")
    ]
    return [(one.hits, one.constraints, one.conflicts, one.message) for one in found]


def _standing(memory: Memory) -> set[str]:
    return {item.content or "" for item in memory.list(limit=100)}


def test_what_says_the_same_becomes_one(memory: Memory, clock: HandClock) -> None:
    """Near-duplicates become one memory that supersedes them and names them as evidence."""
    first = worthy(memory, TEA, tags=("drinks",), aliases=("tea",), importance="low")
    clock.move(DAY)
    second = memory.remember(
        TEA_TURNED, tags=("drinks",), aliases=("Dana's tea",), importance="high"
    ).memory_id
    done = memory.upkeep.consolidate()
    assert done.merged == 1
    (hit,) = memory.recall("what does Dana drink in the morning?", limit=1).hits
    merged = memory.get(hit.memory_id)
    assert merged.content == TEA_TURNED
    assert merged.evidence == (first, second)
    assert set(merged.supersedes) == {first, second}
    assert merged.tags == ("drinks",)
    assert set(merged.aliases) == {"tea", "Dana's tea"}
    assert merged.importance == "high"
    assert merged.marks == ("emphasised", "serves_goal")
    assert {memory.get(one).status for one in merged.evidence} == {"superseded"}
    assert TEA not in _standing(memory)


@pytest.mark.parametrize(
    "other",
    [
        f"{TEA}. Dana buys the tea in Kyoto.",
        f"Things that were so once:\n{TEA}",
        f"The following is no longer true. {TEA}",
    ],
)
def test_what_says_more_is_another_memory(memory: Memory, other: str) -> None:
    """A sentence beside the same one may take it back, or say of what it holds."""
    worthy(memory, TEA)
    memory.remember(other, contradictions="off")
    assert memory.upkeep.consolidate().merged == 0
    assert {TEA, other} <= _standing(memory)


def test_what_is_tagged_otherwise_is_another_memory(memory: Memory) -> None:
    """Tags are scopes: what is so of the one need not be of the other."""
    worthy(memory, TEA, tags=("home",))
    memory.remember(TEA, tags=("office",), contradictions="off")
    assert memory.upkeep.consolidate().merged == 0


def test_undo_restores_recall_exactly(memory: Memory, clock: HandClock) -> None:
    """After the undo of a consolidation, recall answers as before, to the last digit."""
    worthy(memory, TEA)
    memory.remember(TEA_TURNED)
    worthy(memory, "Almonds are a kind of nut")
    clock.move(DAY)
    before, edges = _answers(memory), memory.graph.links()
    done = memory.upkeep.consolidate()
    assert done.merged == 1
    assert done.linked == 1
    after = _answers(memory)
    assert after != before
    undone = [memory.undo(step.events[0].event_id) for step in reversed(done.steps)]
    assert _answers(memory) == before
    assert memory.graph.links() == edges
    for undo in reversed(undone):
        memory.undo(undo.events[0].event_id)
    assert _answers(memory) == after
    assert all(finding.level == "ok" for finding in memory.upkeep.doctor().findings)


def test_uses_and_time_do_not_keep_a_merge_from_being_undone(
    memory: Memory, clock: HandClock
) -> None:
    """A merged memory that was of use, and that fell with time, can still be set apart."""
    first = worthy(memory, TEA)
    memory.remember(TEA_TURNED)
    (step,) = memory.upkeep.consolidate().steps
    memory.use(step.memory_id or "")
    memory.upkeep.write_uses()
    clock.move(300 * DAY)
    memory.upkeep.tick(confirmed=True)
    memory.undo(step.events[0].event_id)
    assert memory.get(step.memory_id or "").status == "withdrawn"
    assert memory.get(first).superseded_by == ()


def test_an_undone_merge_is_not_made_again(memory: Memory) -> None:
    """What was merged and set apart stays apart, even when a third one says the same."""
    worthy(memory, TEA)
    worthy(memory, TEA_TURNED)
    done = memory.upkeep.consolidate()
    (merge,) = [step for step in done.steps if len(step.events) > 1]
    memory.undo(merge.events[0].event_id)
    third = worthy(memory, TEA)
    assert memory.upkeep.consolidate().merged == 0
    assert memory.get(third).status == "active"
    assert len(memory.recall("green tea", min_relevance=0, tags=()).hits) >= 3


def test_a_memory_is_taken_up_once(memory: Memory, clock: HandClock) -> None:
    """A second run finds nothing to do, and appends nothing."""
    worthy(memory, TEA)
    memory.remember(TEA_TURNED)
    memory.upkeep.consolidate()
    clock.move(30 * DAY)
    head = memory.log.checkpoint()
    assert memory.upkeep.consolidate().steps == ()
    assert memory.log.checkpoint() == head


def test_a_later_duplicate_joins_the_merged_one(memory: Memory, clock: HandClock) -> None:
    """What says the same later is merged with what was merged before."""
    worthy(memory, TEA)
    memory.remember(TEA_TURNED)
    memory.upkeep.consolidate()
    clock.move(DAY)
    memory.remember(f"Note: {TEA}")
    memory.remember("Dana prefers black tea in the morning", contradictions="off")
    assert memory.upkeep.consolidate().merged == 1
    assert len([text for text in _standing(memory) if "green tea" in text]) == 1
    assert memory.upkeep.consolidate().steps == ()


def test_a_run_is_bounded_and_the_next_goes_on(memory: Memory) -> None:
    """At most so many memories are taken up at once; what is left is told, and taken up next."""
    for text in ("Dana prefers tabs", "Ben prefers spaces", "Mia prefers vim"):
        worthy(memory, text)
    first = memory.upkeep.consolidate(limit=2)
    assert (len(first.steps), first.left) == (2, 1)
    second = memory.upkeep.consolidate(limit=2)
    assert (len(second.steps), second.left) == (1, 0)


def test_what_nothing_calls_for_is_left(memory: Memory, clock: HandClock) -> None:
    """Memories under the line are left alone, however long they lie there."""
    memory.remember_many([TEA, TEA_TURNED])
    clock.move(10 * DAY)
    head = memory.log.checkpoint()
    assert memory.upkeep.consolidate().steps == ()
    assert memory.log.checkpoint() == head


_DESERVING = ("emphasised", "serves_goal", "corrects_error")


def _called_for(memory: Memory) -> set[str]:
    """What called for the consolidation of the only memory that was worth it."""
    (step,) = memory.upkeep.consolidate().steps
    (event,) = memory.log.events(after=step.events[0].position - 1, limit=1)
    return set(event.structure["triggers"])


def test_three_uses_call_for_it(memory: Memory) -> None:
    """A memory that was of use three times is taken up, and not after two."""
    stored = memory.remember(TEA, marks=_DESERVING[:1]).memory_id or ""
    for _ in range(8):
        memory.graph.link(memory.remember("A kettle").memory_id or "", "NEEDS", Thing("a kettle"))
    memory.graph.link(stored, "PART_OF", Thing("a kettle"))
    for _ in range(2):
        memory.use(stored)
        memory.upkeep.write_uses()
    assert memory.upkeep.consolidate().steps == ()
    memory.use(stored)
    memory.upkeep.write_uses()
    assert _called_for(memory) == {"recalled"}


def test_a_week_over_the_line_calls_for_it(memory: Memory, clock: HandClock) -> None:
    """A memory whose persistence stayed over 0.3 for seven days is taken up, and not before."""
    memory.remember(TEA, marks=_DESERVING)
    clock.move(6 * DAY)
    assert memory.upkeep.consolidate().steps == ()
    clock.move(DAY)
    assert _called_for(memory) == {"lasting"}


@pytest.mark.parametrize(
    ("relation", "trigger"),
    [("SUPPORTS", "confirmed"), ("GOAL_SUPPORTS", "helped"), ("APPLIED_IN", "helped")],
)
def test_a_confirmation_or_a_goal_calls_for_it(memory: Memory, relation: str, trigger: str) -> None:
    """A verified edge that supports a memory, or says that it helped a goal, calls for it."""
    memory.remember(TEA, marks=_DESERVING)
    memory.graph.link(Thing("the doctor"), relation, "@7")
    assert _called_for(memory) == {trigger}


def test_a_merged_memory_is_as_strong_as_the_machines_clock_says(
    memory: Memory, clock: HandClock
) -> None:
    """Years by a clock that was wrong would weaken it for good."""
    memory.configure({"recognise_lasting": False})
    worthy(memory, TEA)
    memory.remember(TEA_TURNED, contradictions="off")
    clock.move(3650 * DAY)
    memory.remember("the lamp is new", contradictions="off")
    clock.move(-3640 * DAY)
    assert memory.upkeep.consolidate().merged == 1
    merged = memory.get(memory.recall("green tea", limit=1).hits[0].memory_id)
    assert merged.strength > 0.9


def test_a_merged_memory_goes_on_from_its_parts(memory: Memory, clock: HandClock) -> None:
    """It is as strong as the strongest of its parts, fades as slowly, and has all of their uses."""
    memory.configure({"recognise_lasting": False})
    first = worthy(memory, TEA)
    second = memory.remember(TEA_TURNED).memory_id or ""
    memory.use(first)
    memory.use(first)
    memory.use(second)
    memory.upkeep.write_uses()
    clock.move(20 * DAY)
    before = [memory.get(one) for one in (first, second)]
    assert memory.upkeep.consolidate().merged == 1
    merged = memory.get(memory.recall("green tea", limit=1).hits[0].memory_id)
    assert merged.strength == max(item.strength for item in before) < 1
    assert merged.accesses == 3
    clock.move(20 * DAY)
    strongest = max(memory.get(one).strength for one in (first, second))
    assert memory.get(merged.memory_id).strength == pytest.approx(strongest, abs=0.001)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"kind": "preference"}),
        ({"source": "user:dana"}, {"source": "user:ben"}),
        ({"place": "home"}, {"place": "office"}),
        ({"category": "user_preference"}, {}),
        ({"constraint": "safety"}, {"constraint": "cost"}),
        ({}, {"immutable": True}),
        ({"valid_until": "2027-01-01"}, {}),
        ({"valid_from": "2024-01-01"}, {"valid_from": "2025-01-01"}),
        ({"kind": "episodic"}, {"kind": "episodic"}),
    ],
)
def test_what_differs_beside_its_words_is_not_merged(
    memory: Memory, one: dict[str, object], other: dict[str, object]
) -> None:
    """Another kind, source, place, category, class or time keeps equal texts apart."""
    worthy(memory, TEA, **one)
    memory.remember(NewMemory(TEA, **other), contradictions="off")
    assert memory.upkeep.consolidate().merged == 0


def test_what_is_pinned_contested_or_elsewhere_is_not_merged(
    memory: Memory, tmp_path: Path, clock: HandClock
) -> None:
    """A pin, a conflict, another speaker and another space keep equal texts apart."""
    worthy(memory, TEA)
    pinned = memory.remember(TEA).memory_id or ""
    memory.pin(pinned)
    with Memory.open(
        tmp_path / "home", actor="user:ben", clock=clock, embedder=BagOfWords()
    ) as ben:
        ben.remember(TEA)
    with open_home(tmp_path / "home", "attic", clock) as attic:
        attic.remember(TEA)
    assert memory.upkeep.consolidate().merged == 0
    memory.unpin(pinned)


def test_what_is_in_dispute_is_not_merged(memory: Memory) -> None:
    """Neither side of an open conflict is merged, the one that stands as little as the other."""
    stands = worthy(memory, "Ben was born in 1980.")
    told = memory.remember("Ben was born in 1990.", source="agent:coder")
    assert told.conflicts
    assert memory.get(stands).status == "active"
    memory.remember("Ben was born in 1980.", contradictions="off")
    assert memory.upkeep.consolidate().merged == 0


def test_what_the_judge_finds_to_disagree_is_not_merged(tmp_path: Path) -> None:
    """A judge of one's own has the last word on whether two texts may become one."""

    class Contrary:
        name = "contrary"

        def judge(self, new: Statement, old: Statement) -> Contradiction | None:
            return Contradiction("direct", "minor", None, True, None, "never")  # noqa: FBT003

    with Memory.open(tmp_path, embedder=BagOfWords(), judge=Contrary()) as memory:
        worthy(memory, TEA)
        memory.remember(TEA, contradictions="off")
        assert memory.upkeep.consolidate().merged == 0


def test_an_imported_piece_is_not_merged(memory: Memory) -> None:
    """What an import follows stays its own: a new version of it must find it."""
    from mnemolog.application.imports.files import ImportItem

    worthy(memory, TEA)
    memory.import_memories([ImportItem(NewMemory(TEA), "notes.md#tea", "notes.md", revisable=True)])
    assert memory.upkeep.consolidate().merged == 0


# -- relations -------------------------------------------------------------------------


def test_relations_become_inferred_edges_once(memory: Memory) -> None:
    """What a memory states of two things becomes an edge, and another statement adds none."""
    first = worthy(memory, "Almonds are a kind of nut")
    worthy(memory, "As I said, almonds are a kind of nut, and tasty")
    done = memory.upkeep.consolidate()
    assert done.linked == 1
    (edge,) = [edge for edge in memory.graph.links(Thing("almond")) if edge.type == "IS_A"]
    assert (edge.target, edge.origin, edge.confidence) == (Thing("nut"), "inferred", 0.9)
    stated = [event.structure for event in memory.log.events(kinds=("linked",))]
    assert [one.get("evidence") for one in stated if one.get("evidence")] == [(first,)]


def test_an_edge_ends_with_what_stated_it(memory: Memory) -> None:
    """When the memory that states a relation is corrected, the edge drawn from it is dropped."""
    stated = worthy(memory, "Almonds are a kind of nut")
    memory.upkeep.consolidate()
    memory.supersede(stated, "Almonds are seeds, not nuts")
    dropped = memory.upkeep.consolidate().dropped
    assert dropped is not None
    assert not memory.graph.links(Thing("nut"))
    memory.undo(dropped.events[0].event_id)
    assert memory.upkeep.consolidate().dropped is None
    assert memory.graph.links(Thing("nut"))


def test_a_merge_does_not_end_the_edges_of_its_parts(memory: Memory) -> None:
    """What was drawn from a memory stands on when that is merged with its likes."""
    worthy(memory, "Almonds are a kind of nut")
    memory.upkeep.consolidate()
    worthy(memory, "Note: almonds are a kind of nut")
    done = memory.upkeep.consolidate()
    assert done.merged == 1
    assert done.dropped is None
    assert [edge for edge in memory.graph.links(Thing("almond")) if edge.type == "IS_A"]


def _nuts(memory: Memory) -> list[tuple[str, ...]]:
    """The evidence of the edges that say that almonds are nuts."""
    there = {edge.edge_id for edge in memory.graph.links(Thing("nut"))}
    drawn = memory.log.events(kinds=("linked",))
    return [event.structure["evidence"] for event in drawn if event.event_id in there]


@pytest.mark.parametrize("how", ["withdraw", "redact", "supersede"])
def test_an_edge_lives_on_while_another_states_it(memory: Memory, how: str) -> None:
    """What two memories state is drawn from the one that is left, and ends with the last."""
    first = worthy(memory, "Almonds are a kind of nut")
    second = worthy(memory, "Almonds are a kind of nut, and tasty")
    assert memory.upkeep.consolidate().linked == 1
    assert _nuts(memory) == [(first,)]
    if how == "supersede":
        memory.supersede(first, "Nothing is known of them")
    else:
        getattr(memory, how)(first)
    done = memory.upkeep.consolidate()
    assert done.dropped is not None
    assert done.linked == 1
    assert _nuts(memory) == [(second,)]
    assert memory.upkeep.consolidate().dropped is None
    memory.withdraw(second)
    assert memory.upkeep.consolidate().linked == 0
    assert _nuts(memory) == []


def test_an_edge_comes_back_with_what_stated_it(memory: Memory) -> None:
    """When what stated a dropped edge stands again, it is drawn again, once."""
    stated = worthy(memory, "Almonds are a kind of nut")
    memory.upkeep.consolidate()
    told = memory.withdraw(stated)
    memory.upkeep.consolidate()
    memory.undo(told.events[0].event_id)
    assert memory.upkeep.consolidate().linked == 1
    assert _nuts(memory) == [(stated,)]
    assert memory.upkeep.consolidate().dropped is None


def test_what_somebody_ended_is_not_drawn_again(memory: Memory) -> None:
    """An edge that was ended by hand stays so, whatever memories state, come and go."""
    first = worthy(memory, "Almonds are a kind of nut")
    worthy(memory, "Almonds are a kind of nut, and tasty")
    memory.upkeep.consolidate()
    told = memory.withdraw(first)
    memory.upkeep.consolidate()
    memory.graph.unlink(Thing("almond"), "IS_A", Thing("nut"))
    assert memory.upkeep.consolidate().dropped is None
    memory.undo(told.events[0].event_id)
    assert memory.upkeep.consolidate().dropped is None
    assert _nuts(memory) == []


def test_what_comes_while_edges_are_looked_at_is_seen(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edge is not dropped for a memory that came back between the look and the deed."""
    stated = worthy(memory, "Almonds are a kind of nut")
    memory.upkeep.consolidate()
    told = memory.withdraw(stated)
    looked = Stated.dropped
    seen = []

    def looks(self: Stated, rows: Sequence[EdgeRow]) -> Iterator[Dropped]:
        found = list(looked(self, rows))
        seen.append(len(found))
        if len(seen) == 1:
            memory.undo(told.events[0].event_id)
        return iter(found)

    monkeypatch.setattr(Stated, "dropped", looks)
    assert memory.upkeep.consolidate().dropped is None
    assert seen == [1, 0]
    assert _nuts(memory) == [(stated,)]


@pytest.mark.parametrize(
    ("confidence", "origin", "relation", "drops"),
    [
        (0.09, "inferred", "IS_A", True),
        (0.09, "speculative", "IS_A", True),
        (0.09, "verified", "RELATED_TO", True),
        (0.09, "verified", "IS_A", False),
        (0.1, "inferred", "RELATED_TO", False),
    ],
)
def test_faint_edges_are_dropped(
    memory: Memory, confidence: float, origin: str, relation: str, *, drops: bool
) -> None:
    """An edge under 0.1 goes if nobody verified it or it only associates; undo brings it back."""
    memory.graph.link(Thing("a"), relation, Thing("b"), confidence=confidence, origin=origin)
    dropped = memory.upkeep.consolidate().dropped
    assert (dropped is not None) is drops
    assert bool(memory.graph.links(Thing("a"))) is not drops
    if dropped is not None:
        memory.undo(dropped.events[0].event_id)
        assert memory.upkeep.consolidate().dropped is None
        assert memory.graph.links(Thing("a"))


# -- the past, and others --------------------------------------------------------------


def test_as_of_before_sees_no_effect(memory: Memory) -> None:
    """As of a moment before a consolidation everything is as it was, and rebuilt it stays so."""
    worthy(memory, TEA)
    memory.remember(TEA_TURNED)
    before = memory.as_of(memory.log.checkpoint().position)
    known = (_answers(before), before.inspect.everything(), before.list(by="persistence"))
    memory.upkeep.consolidate()
    assert (_answers(before), before.inspect.everything(), before.list(by="persistence")) == known
    after = _answers(memory)
    memory.upkeep.rebuild()
    assert (_answers(before), before.inspect.everything(), before.list(by="persistence")) == known
    assert _answers(memory) == after


def test_the_history_says_why(memory: Memory) -> None:
    """The audit trail tells what called for a consolidation, and what came of it."""
    first = worthy(memory, TEA)
    memory.remember(TEA_TURNED)
    memory.upkeep.consolidate()
    told = " ".join(entry.summary for entry in memory.history(first))
    assert "two edges join it" in told
    assert "2 that say the same become" in told
    assert "because it says the same" in told


def test_two_handles_at_once_take_each_memory_up_once(
    memory: Memory, tmp_path: Path, clock: HandClock
) -> None:
    """However many consolidate at once, every memory is taken up once and merged once."""
    for n in range(8):
        worthy(memory, f"Person{n} prefers tea number {n} to coffee")
        memory.remember(f"Note: Person{n} prefers tea number {n} to coffee")
    others = [open_home(tmp_path / "home", clock=clock) for _ in range(3)]
    threads = [threading.Thread(target=other.upkeep.consolidate) for other in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    memory.upkeep.consolidate()
    taken = [event.memory_id for event in memory.log.events(kinds=("consolidated",))]
    assert len(taken) == len(set(taken)) == 8
    assert len([text for text in _standing(memory) if "prefers tea" in text]) == 8
    for other in others:
        other.close()


def test_a_redaction_that_comes_meanwhile_reaches_the_merge(
    memory: Memory, tmp_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redaction between the look at two memories and their merge leaves nothing of them."""
    first = worthy(memory, TEA)
    second = memory.remember(TEA_TURNED).memory_id or ""
    looked = Likes.of
    others: list[threading.Thread] = []

    def redact() -> None:
        with open_home(tmp_path / "home", clock=clock) as other:
            other.redact(first, second)

    def looks(likes: Likes, part: MergePart) -> list[MergePart]:
        if not others:
            others.append(threading.Thread(target=redact))
            others[0].start()
        return looked(likes, part)

    monkeypatch.setattr(Likes, "of", looks)
    memory.upkeep.consolidate()
    others[0].join()
    assert b"green tea" not in (tmp_path / "home" / "ledger.db").read_bytes()
    assert not memory.recall("green tea", strategy="keyword").hits


def test_where_others_write_of_a_memory_without_a_pause_its_step_waits(
    memory: Memory, tmp_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that others are first to time and again is left, told, and done by the next run."""
    one = worthy(memory, TEA)
    memory.remember(TEA_TURNED)
    looked = Likes.of
    with open_home(tmp_path / "home", clock=clock) as other:

        def looks(likes: Likes, part: MergePart) -> list[MergePart]:
            told = NewEvent("weakened", {"factor": 1.0}, memory_id=one)
            other.log.append([told])
            return looked(likes, part)

        monkeypatch.setattr(Likes, "of", looks)
        busy = memory.upkeep.consolidate()
        assert (busy.steps, busy.left) == ((), 1)
        monkeypatch.undo()
        assert memory.upkeep.consolidate().merged == 1


def test_where_others_write_of_other_things_no_step_waits(
    memory: Memory, tmp_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes to the space meanwhile and names no memory of a step is nothing to it."""
    worthy(memory, TEA)
    memory.remember(TEA_TURNED)
    looked = Likes.of
    with open_home(tmp_path / "home", clock=clock) as other:
        written: list[str | None] = []

        def looks(likes: Likes, part: MergePart) -> list[MergePart]:
            told = other.remember("The shelf is of oak", contradictions="off")
            written.append(told.memory_id)
            return looked(likes, part)

        monkeypatch.setattr(Likes, "of", looks)
        done = memory.upkeep.consolidate()
    assert (done.merged, done.left, len(written)) == (1, 0, 1)


def test_a_dispute_and_a_redaction_that_come_meanwhile_are_seen(
    memory: Memory, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an import appends names parts and concerns none: it keeps these from being merged."""
    disputed, other = worthy(memory, TEA), memory.remember(TEA_TURNED).memory_id
    gone = [worthy(memory, "The kettle is blue"), memory.remember("The kettle is blue.").memory_id]
    new = memory.remember("Coffee is all that counts").memory_id
    conflict = Conflicted(MemoryId(other or ""), "direct", "major", "escalate", "pending", "others")
    quoting = ConflictContent("It is coffee.")
    log, author, looked = memory._space.home.log, Author(memory.space, "user:other", None), Likes.of
    known = log.positions_of([EventId(one or "") for one in gone])
    told = {
        disputed: (Decision(conflict, MemoryId(new or ""), quoting), []),
        gone[0]: (Decision(Redacted(tuple(known)), None), [*known.values()]),
    }

    def looks(likes: Likes, part: MergePart) -> list[MergePart]:
        found = looked(likes, part)
        if part.memory_id in told:
            decision, erased = told.pop(part.memory_id)
            log.append(drafts([decision], author, clock.now()), erase=erased)
        return found

    monkeypatch.setattr(Likes, "of", looks)
    assert memory.upkeep.consolidate().merged == 0
    assert told == {}
    assert all("kettle is" not in text for text in _standing(memory))


def test_ranked_by_persistence(memory: Memory) -> None:
    """`list` by persistence begins with what most deserves to be kept, as its parts say."""
    kept = worthy(memory, TEA)
    ranked = memory.list(by="persistence")
    assert ranked[0].memory_id == kept
    values = [memory.inspect.persistence(item.memory_id).value for item in ranked]
    assert values == sorted(values, reverse=True)
    found = memory.inspect.persistence(kept)
    assert found.importance == 0.8
    assert found.centrality > 0.9


def test_to_be_contradicted_makes_nothing_central(memory: Memory) -> None:
    """However many contradict a memory, it is no more central for that, and no less."""
    kept = worthy(memory, TEA)
    before = memory.inspect.persistence(kept).centrality
    disputed = memory.remember("Dana eats fish", contradictions="off").memory_id or ""
    for n in range(5):
        other = memory.remember(f"Dana eats no fish since 201{n}", contradictions="off")
        memory.graph.link(other.memory_id or "", "CONTRADICTS", disputed)
    assert memory.inspect.persistence(disputed).centrality == 0
    assert memory.inspect.persistence(kept).centrality == before


def test_a_merged_memory_lasts_if_one_of_its_parts_does(memory: Memory) -> None:
    """That a fact lasts is not lost where it is merged with one that was not known to."""
    memory.configure({"recognise_lasting": False})
    lasting = worthy(memory, TEA, lasting=True)
    memory.remember(TEA_TURNED)
    assert memory.upkeep.consolidate().merged == 1
    (merged,) = memory.get(lasting).superseded_by
    assert memory.get(merged).lasting
