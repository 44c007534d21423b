"""What is stored is held against what is there, and what is decided is in the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mnemolog import (
    Contradiction,
    EmbedderUnavailable,
    ImmutableMemory,
    InvalidField,
    InvalidNumber,
    Memory,
    NewEvent,
    NewMemory,
    Statement,
    UnknownConflict,
)
from tests.application.storing.quarrels import KINDS, PlainJudge, ReadingJudge
from tests.homes import DAY, BagOfWords, HandClock
from tests.laws.life import tables

OLD, NEW, THIRD = "0a" * 16, "0b" * 16, "0c" * 16


def opened(home: Path, judge: object = None, clock: HandClock | None = None) -> Memory:
    """A home with a judge of plain sentences."""
    return Memory.open(
        home,
        actor="user:dana",
        run="talk",
        clock=clock or HandClock(),
        embedder=BagOfWords(),
        judge=judge or PlainJudge(),
    )


@pytest.fixture
def clock() -> HandClock:
    """The clock of the home."""
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """An empty home with such a judge."""
    with opened(tmp_path / "home", clock=clock) as one:
        yield one


def kinds(receipt: object) -> list[str]:
    """The kinds of a receipt's events."""
    return [event.kind for event in receipt.events]


# -- what is decided -------------------------------------------------------------------


def test_a_newer_value_supersedes_the_older_and_weakens_it(
    memory: Memory, clock: HandClock
) -> None:
    """By recency the new memory takes the place of the old one, whose strength halves."""
    memory.remember("the home of dana is paris", id=OLD)
    clock.move(DAY)
    receipt = memory.remember("the home of dana is lyon", id=NEW)
    assert kinds(receipt) == ["remembered", "conflicted", "superseded", "weakened"]
    assert {event.memory_id for event in receipt.events} == {NEW, OLD}
    (found,) = receipt.conflicts
    assert (found.memory_id, found.content) == (OLD, "the home of dana is paris")
    assert (found.type, found.severity, found.attribute) == ("value", "major", "home")
    assert (found.resolution, found.outcome) == ("recency", "superseded")
    assert "The homes differ." in found.reason
    assert any("contradicts 0a0a" in said for said in receipt.changed)
    old = memory.get(OLD)
    assert (old.status, old.superseded_by) == ("superseded", (NEW,))
    assert old.strength == pytest.approx((1 - 0.005) / 2, abs=1e-4)
    assert (memory.get(NEW).status, memory.get(NEW).strength) == ("active", 1.0)
    (hit,) = memory.recall("where is the home of dana").hits
    assert hit.memory_id == NEW
    assert [entry.memory_id for entry in hit.trail] == [OLD]
    # A question about the day before finds what held then.
    then = memory.recall("the home of dana", valid_at="2025-06-15").hits
    assert [hit.memory_id for hit in then] == [OLD]
    assert memory.conflicts.list() == ()
    (known,) = memory.conflicts.list("all")
    assert (known.open, known.outcome, known.winner) == (False, "superseded", None)


def test_two_sources_as_reliable_leave_the_new_one_contested(memory: Memory) -> None:
    """Where authority does not tell, both stand, the new one marked, and the conflict is open."""
    memory.remember("the birthday of dana is monday", id=OLD, source="user:ben")
    receipt = memory.remember("the birthday of dana is friday", id=NEW, source="user:ann")
    assert kinds(receipt) == ["remembered", "conflicted"]
    assert receipt.conflicts[0].outcome == "contested"
    assert [memory.get(one).status for one in (OLD, NEW)] == ["active", "contested"]
    (open_one,) = memory.conflicts.list()
    assert (open_one.old.memory_id, open_one.new.memory_id) == (OLD, NEW)
    assert (open_one.old.content, open_one.new.content) == (
        "the birthday of dana is monday", "the birthday of dana is friday",
    )  # fmt: skip
    assert open_one.conflict_id == receipt.conflicts[0].conflict_id
    assert open_one.judge == "plain"
    assert open_one.similarity is not None
    assert open_one.similarity > 0.7
    assert [item.memory_id for item in memory.list(statuses=("contested",))] == [NEW]


def test_what_nothing_decides_is_pending(memory: Memory, clock: HandClock) -> None:
    """A major contradiction between equals waits for a person, and says for how long."""
    memory.remember("the truth is this", id=OLD)
    receipt = memory.remember("the truth is that", id=NEW)
    assert receipt.conflicts[0].outcome == "pending"
    assert memory.get(NEW).status == "pending"
    clock.move(3 * DAY)
    memory.remember("something else")
    assert memory.conflicts.list()[0].age_days == 3.0


def test_both_stand_under_a_condition(memory: Memory) -> None:
    """Where one states a condition an edge that carries it joins the two."""
    memory.remember("the diet of dana is vegan", id=OLD)
    receipt = memory.remember("the diet of dana is mixed", id=NEW)
    assert kinds(receipt) == ["remembered", "conflicted", "linked"]
    assert [memory.get(one).status for one in (OLD, NEW)] == ["active", "active"]
    edge = next(memory.log.events(kinds=("linked",)))
    assert edge.structure["type"] == "CONTRADICTS"
    assert (edge.memory_id, edge.structure["target"]) == (NEW, OLD)
    assert edge.content is not None
    assert edge.content["condition"] == "at work"
    assert memory.conflicts.list() == ()


def test_what_tells_of_an_earlier_time_is_outdated(memory: Memory) -> None:
    """Stored as superseded from the start, it is found for its own time and no other."""
    memory.remember("the home of dana is lyon", id=OLD, valid_from="2024-01-01")
    receipt = memory.remember("the home of dana is paris", id=NEW, valid_from="2020-01-01")
    assert receipt.conflicts[0].outcome == "outdated"
    assert memory.get(NEW).superseded_by == (OLD,)
    assert [hit.memory_id for hit in memory.recall("the home of dana").hits] == [OLD]
    then = memory.recall("the home of dana", valid_at="2022-01-01").hits
    assert [hit.memory_id for hit in then] == [NEW]


def test_an_immutable_memory_is_never_superseded_by_a_check(memory: Memory) -> None:
    """The new one is contested then, and says why."""
    memory.remember("the home of dana is paris", id=OLD, immutable=True)
    receipt = memory.remember("the home of dana is lyon", id=NEW)
    assert receipt.conflicts[0].outcome == "contested"
    assert "immutable" in receipt.conflicts[0].reason
    assert [memory.get(one).status for one in (OLD, NEW)] == ["active", "contested"]
    with pytest.raises(ImmutableMemory):
        memory.conflicts.settle(NEW, "new")
    memory.conflicts.settle(NEW, "new", override=True)
    assert memory.get(OLD).status == "superseded"


def test_what_is_superseded_by_name_is_not_judged(memory: Memory) -> None:
    """A memory that the new one replaces anyway is no conflict."""
    memory.remember("the truth is this", id=OLD)
    receipt = memory.remember("the truth is that", id=NEW, supersedes=(OLD,))
    assert kinds(receipt) == ["remembered", "superseded"]
    assert receipt.conflicts == ()


def test_what_does_not_stand_is_not_judged(memory: Memory) -> None:
    """Withdrawn, superseded and redacted memories contradict nothing any more."""
    for place, text in enumerate(("this", "these", "those")):
        memory.remember(f"the truth is {text}", id=f"{place:032x}", contradictions="off")
    memory.withdraw("0" * 32)
    memory.supersede(f"{1:032x}", "nothing at all")
    memory.redact(f"{2:032x}")
    assert memory.remember("the truth is that").conflicts == ()


def test_an_earlier_item_of_the_same_batch_is_judged(memory: Memory) -> None:
    """Order is kept: an item may contradict one before it, and what was retired is passed over."""
    receipts = memory.remember_many(
        [
            NewMemory("the home of dana is paris", id=OLD),
            "the weather is mild",
            NewMemory("the home of dana is lyon", id=NEW),
            NewMemory("the home of dana is nice", id=THIRD),
        ]
    )
    assert [kinds(one) for one in receipts] == [
        ["remembered"],
        ["remembered"],
        ["remembered", "conflicted", "superseded", "weakened"],
        ["remembered", "conflicted", "superseded", "weakened"],
    ]
    assert [receipt.position for receipt in receipts] == [1, 2, 3, 7]
    assert receipts[2].conflicts[0].memory_id == OLD
    assert receipts[2].conflicts[0].content == "the home of dana is paris"
    assert [one.memory_id for one in receipts[3].conflicts] == [NEW]
    assert [memory.get(one).status for one in (OLD, NEW, THIRD)] == [
        "superseded", "superseded", "active",
    ]  # fmt: skip
    # Said at one instant, they held one after the other all the same.
    then = memory.recall("the home of dana", valid_at="2020-01-01").hits
    assert OLD in {hit.memory_id for hit in then}
    assert {hit.memory_id for hit in memory.recall("home of dana").hits}.isdisjoint({OLD, NEW})


def test_a_thousand_are_compared_by_their_words(memory: Memory) -> None:
    """A long batch is stored without waiting for its vectors, and its conflicts are found."""
    items = [f"note {number} about nothing" for number in range(200)]
    receipts = memory.remember_many([*items, "the truth is this", *items, "the truth is that"])
    assert [one.outcome for receipt in receipts for one in receipt.conflicts] == ["pending"]
    assert memory.conflicts.list()[0].similarity is None
    # In the next batch too, with all of those waiting to be embedded.
    receipts = memory.remember_many(["the home is here", "the truth is neither"])
    assert len(receipts[1].conflicts) == 2
    assert len(memory.recall("the truth").hits) >= 3


def test_the_check_can_be_turned_off(memory: Memory) -> None:
    """For one call, or for a space by a setting, which a call may overrule."""
    memory.remember("the truth is this", id=OLD)
    assert memory.remember("the truth is that", contradictions="off").conflicts == ()
    memory.configure({"contradictions": "off"})
    assert memory.remember_many(["the truth is neither"])[0].conflicts == ()
    assert len(memory.remember("the truth is both", contradictions="check").conflicts) == 3
    with pytest.raises(InvalidField, match="contradictions"):
        memory.remember("the truth is all", contradictions="no")
    with pytest.raises(InvalidField):
        memory.configure({"contradictions": "maybe"})


def test_a_space_is_judged_alone(tmp_path: Path) -> None:
    """What another space says contradicts nothing here."""
    with opened(tmp_path / "home") as memory:
        memory.remember("the truth is this")
    with Memory.open(
        tmp_path / "home", "other", embedder=BagOfWords(), judge=PlainJudge(), clock=HandClock()
    ) as other:
        assert other.remember("the truth is that").conflicts == ()


# -- the port --------------------------------------------------------------------------


class Failing:
    """A judge that is out of order."""

    name = "absent"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Nothing."""
        raise ConnectionError(f"no answer about {len(new.text) + len(old.text)} letters")


class Babbling:
    """A judge that says what no vocabulary knows."""

    name = "babble"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """A word of its own."""
        del new, old
        return msgspec.structs.replace(KINDS["truth"], type="mood")


class Illiterate(Failing):
    """A judge that fails before it is asked."""

    def reads(self, text: str) -> bool:
        """Nothing."""
        raise UnicodeError(text)


@pytest.mark.parametrize("judge", [Failing(), Babbling(), Illiterate()])
def test_a_judge_that_fails_keeps_nothing_from_being_stored(tmp_path: Path, judge: object) -> None:
    """The memory is stored, and the receipt warns of what was not looked at."""
    with opened(tmp_path / "home", judge) as memory:
        memory.remember("the truth is this")
        receipt = memory.remember("the truth is that", id=NEW)
        assert memory.get(NEW).status == "active"
        assert any(judge.name in warning for warning in receipt.warnings)
        # It is not asked for ever: a thousand memories do not wait for a thousand failures.
        many = memory.remember_many([f"the truth is {number}" for number in range(9)])
        assert all(one.warnings for one in many)


def test_a_judge_is_not_asked_about_what_states_nothing(tmp_path: Path) -> None:
    """A text that the judge cannot read costs no search; its own name is in the events."""
    judge = ReadingJudge()
    with opened(tmp_path / "home", judge) as memory:
        memory.remember_many(["the truth is this", "hello truth"])
        memory.remember("hello again, truth")
        assert judge.asked == []
        receipt = memory.remember("the truth is that")
        # Of two memories that share a word, the one that states nothing is asked about too.
        assert ("the truth is that", "the truth is this") in judge.asked
        assert next(memory.log.events(kinds=("conflicted",))).structure["judge"] == "plain"
        assert len(receipt.conflicts) == 1


@pytest.mark.parametrize("error", [EmbedderUnavailable, ConnectionError])
def test_without_a_model_words_are_compared(tmp_path: Path, error: type[Exception]) -> None:
    """An embedder that is not there keeps nothing from being stored or found."""

    class Absent(BagOfWords):
        def embed(self, texts: object) -> object:
            raise error("it is not there")

    with Memory.open(
        tmp_path / "home", embedder=Absent(), judge=PlainJudge(), clock=HandClock()
    ) as memory:
        memory.remember("the truth is this")
        assert memory.remember("the truth is that").conflicts[0].outcome == "pending"


# -- as of, rebuilt, retried, undone ---------------------------------------------------


def test_statuses_and_conflicts_are_of_the_moment(memory: Memory, clock: HandClock) -> None:
    """Before it was found a conflict is not there, and before it was settled it is open."""
    memory.remember("the truth is this", id=OLD)
    memory.remember("the truth is that", id=NEW)
    clock.move(DAY)
    settled = memory.conflicts.settle(NEW, "new", reason="I looked")
    assert memory.as_of(2).get(NEW).status == "active"
    assert memory.as_of(2).conflicts.list("all") == ()
    then = memory.as_of(3)
    assert then.get(NEW).status == "pending"
    (one,) = then.conflicts.list()
    assert (one.open, one.winner, one.settled_at) == (True, None, None)
    assert memory.conflicts.list() == ()
    (now,) = memory.conflicts.list("all")
    assert (now.winner, now.settled_at) == ("new", settled.recorded_at)
    assert now.age_days == 1.0
    assert memory.get(NEW).status == "active"
    assert memory.get(OLD).superseded_by == (NEW,)


def test_rebuilt_views_hold_the_same(memory: Memory) -> None:
    """Tables and answers after a rebuild are those before it."""
    memory.remember_many(["the truth is this", "the home is paris", "the diet is vegan"])
    memory.remember_many(["the truth is that", "the home is lyon", "the diet is mixed"])
    memory.conflicts.settle_all("recency")
    before = (tables(memory), memory.conflicts.list("all"), memory.list(limit=50))
    memory.upkeep.rebuild()
    assert (tables(memory), memory.conflicts.list("all"), memory.list(limit=50)) == before


def test_a_retry_meets_the_same_events(memory: Memory) -> None:
    """The same memory under its id appends nothing, and the receipt names the conflict again."""
    memory.remember("the home is paris", id=OLD)
    first = memory.remember("the home is lyon", id=NEW)
    memory.remember("the home is nice")
    again = memory.remember("the home is lyon", id=NEW)
    assert again.events == first.events
    assert [one.conflict_id for one in again.conflicts] == [
        one.conflict_id for one in first.conflicts
    ]
    assert memory.log.checkpoint().position == 9


@pytest.mark.parametrize("key", ["home", "birthday", "truth", "diet"])
def test_undo_restores_what_the_check_changed(memory: Memory, key: str) -> None:
    """The old memory answers as before, at its strength; undone in turn, all is back."""
    memory.log.append(
        [NewEvent("remembered", content={"text": f"the {key} is this"}, event_id=OLD)]
    )
    memory.log.append([NewEvent("weakened", {"factor": 0.3}, memory_id=OLD)])
    before = memory.get(OLD)
    memory.remember(f"the {key} is that", id=NEW, source="user:ann")
    after = [memory.get(one) for one in (OLD, NEW)]
    conflicts = memory.conflicts.list()
    undone = memory.undo()
    assert memory.get(OLD) == before
    assert memory.get(NEW).status == "withdrawn"
    assert memory.conflicts.list() == ()
    memory.undo(undone.events[0].event_id)
    assert [memory.get(one) for one in (OLD, NEW)] == after
    assert [one.conflict_id for one in memory.conflicts.list()] == [
        one.conflict_id for one in conflicts
    ]


def test_what_a_later_conflict_depends_on_is_not_undone(memory: Memory) -> None:
    """Undo names the conflict that was found with what it would take away."""
    memory.remember("the truth is this", id=OLD)
    memory.remember("the truth is that", id=NEW)
    with pytest.raises(Exception, match="later events depend"):
        memory.undo(OLD)
    memory.undo(NEW)
    memory.undo(OLD)
    assert memory.get(OLD).status == "withdrawn"


# -- settling --------------------------------------------------------------------------


def quarrel(memory: Memory) -> str:
    """Two memories that contradict each other, the new one pending; the conflict's id."""
    memory.remember("the truth is this", id=OLD, source="user:ben")
    return memory.remember("the truth is that", id=NEW).conflicts[0].conflict_id


@pytest.mark.parametrize(
    ("winner", "statuses", "events"),
    [
        ("new", ["superseded", "active"], ["settled", "superseded"]),
        ("old", ["active", "superseded"], ["settled", "superseded"]),
        ("both", ["active", "active"], ["settled", "linked"]),
        ("neither", ["withdrawn", "withdrawn"], ["settled", "withdrawn", "withdrawn"]),
    ],
)
def test_a_conflict_is_settled_by_hand(
    memory: Memory, winner: str, statuses: list[str], events: list[str]
) -> None:
    """Who stands is said once; the undo of it opens the conflict again."""
    conflict = quarrel(memory)
    receipt = memory.conflicts.settle(conflict[:14], winner, reason="I asked")
    assert kinds(receipt) == events
    assert [memory.get(one).status for one in (OLD, NEW)] == statuses
    assert memory.conflicts.list() == ()
    assert memory.conflicts.list("all")[0].winner == winner
    with pytest.raises(UnknownConflict):
        memory.conflicts.settle(conflict, winner)
    undone = memory.undo()
    assert [memory.get(one).status for one in (OLD, NEW)] == ["active", "pending"]
    assert memory.conflicts.list()[0].conflict_id == conflict
    memory.undo(undone.events[0].event_id)
    assert [memory.get(one).status for one in (OLD, NEW)] == statuses
    assert memory.conflicts.list("all")[0].winner == winner


def test_what_lost_answers_no_question(memory: Memory) -> None:
    """The memory that stands takes the place of the other for any time that is asked about."""
    quarrel(memory)
    memory.conflicts.settle(NEW, "old")
    for when in (None, "2020-01-01", "2030-01-01"):
        hits = memory.recall("the truth", valid_at=when).hits
        assert [hit.memory_id for hit in hits] == [OLD]


def test_open_conflicts_are_settled_by_policy(memory: Memory) -> None:
    """By recency the newer stands and the older weakens; by authority the more reliable."""
    quarrel(memory)
    memory.remember("the birthday is monday", source="user:ben", source_confidence=0.8)
    memory.remember("the birthday is friday", source="user:ann", source_confidence=0.7, id=THIRD)
    receipts = memory.conflicts.settle_all("authority")
    # Two users are as reliable, and no source said both: that one stays open.
    assert [kinds(one) for one in receipts] == [["settled", "superseded"]]
    assert memory.get(THIRD).status == "superseded"
    assert [one.new.memory_id for one in memory.conflicts.list()] == [NEW]
    (by_recency,) = memory.conflicts.settle_all("recency")
    assert kinds(by_recency) == ["settled", "superseded", "weakened"]
    assert memory.get(OLD).strength == 0.5
    assert memory.conflicts.settle_all("recency") == ()
    with pytest.raises(InvalidField):
        memory.conflicts.settle_all("chance")


def test_nonsense_is_refused_by_field(memory: Memory) -> None:
    """A winner that is none, a conflict that is none, or one of several."""
    conflict = quarrel(memory)
    with pytest.raises(InvalidField, match="winner"):
        memory.conflicts.settle(conflict, "me")
    with pytest.raises(InvalidField, match="which"):
        memory.conflicts.list("some")
    for reference in ("ff" * 16, "@1000"):
        with pytest.raises(UnknownConflict):
            memory.conflicts.settle(reference, "new")


@pytest.mark.parametrize("loser", [OLD, NEW])
@pytest.mark.parametrize("command", ["withdraw", "redact"])
def test_a_side_that_is_taken_out_settles_it(memory: Memory, loser: str, command: str) -> None:
    """What no longer stands contradicts nothing; the other side is active."""
    quarrel(memory)
    getattr(memory, command)(loser)
    stands = ({OLD, NEW} - {loser}).pop()
    assert memory.get(stands).status == "active"
    assert memory.conflicts.list() == ()
    assert memory.conflicts.list("all")[0].winner == ("new" if loser == OLD else "old")


@pytest.mark.parametrize(("source", "target"), [(OLD, NEW), (NEW, OLD)])
def test_two_memories_that_are_joined_already_are_not_joined_again(
    memory: Memory, source: str, target: str
) -> None:
    """Where an edge says already that both contradict each other, settling adds no second one."""
    conflict = quarrel(memory)
    memory.graph.link(source, "CONTRADICTS", target)
    assert kinds(memory.conflicts.settle(conflict, "both")) == ["settled"]
    assert [edge.type for edge in memory.graph.links(OLD)] == ["CONTRADICTS"]


def test_superseding_one_side_by_the_other_settles_it(memory: Memory) -> None:
    """Said by name, it is a settlement as well; undone, the conflict is open again."""
    quarrel(memory)
    assert kinds(memory.supersede(OLD, by=NEW)) == ["superseded", "settled"]
    assert memory.get(NEW).status == "active"
    memory.undo()
    assert memory.get(NEW).status == "pending"


def test_the_history_of_either_side_tells_of_the_conflict(memory: Memory) -> None:
    """With what it is, how it was settled, and why."""
    quarrel(memory)
    memory.conflicts.settle(NEW, "both", reason="I asked")
    for side in (OLD, NEW):
        told = {entry.kind: entry.summary for entry in memory.history(side)}
        said = f"it contradicts {OLD}: the new one is pending. One denies the other."
        assert told["conflicted"].startswith(said)
        assert told["settled"].endswith("is settled: both stand, because I asked")
    assert "conflicted" not in {entry.kind for entry in memory.as_of(2).history(OLD)}


# -- asking ----------------------------------------------------------------------------


def test_a_hit_says_what_it_contradicts(memory: Memory) -> None:
    """The other side comes along, found by the cue or not, and both are marked."""
    memory.remember("Ben said that the truth is this", id=OLD)
    memory.remember("Ann insists: the truth is that", id=NEW)
    memory.remember("Ben has a cat")
    found = memory.recall("what does Ann insist on", limit=1, strategy="keyword")
    assert [hit.memory_id for hit in found.hits] == [NEW]
    assert found.hits[0].note == "pending; contradicts @1"
    assert [(hit.memory_id, hit.relevance) for hit in found.conflicts] == [(OLD, 0.0)]
    assert found.conflicts[0].note == "contradicted by @2, pending"
    both = memory.recall("truth", strategy="keyword")
    assert {hit.memory_id for hit in both.hits} == {OLD, NEW}
    assert {hit.memory_id for hit in both.conflicts} == {OLD, NEW}
    assert memory.as_of(2).recall("truth").conflicts == ()
    assert memory.recall("cat", strategy="keyword").conflicts == ()
    memory.conflicts.settle(NEW, "both")
    settled = memory.recall("truth", strategy="keyword")
    assert settled.conflicts == ()
    assert [hit.note for hit in settled.hits] == [None, None]


# -- events of a caller's own ----------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "structure", "error"),
    [
        ("weakened", {"factor": 1.5}, InvalidNumber),
        ("weakened", {"factor": -0.1}, InvalidNumber),
        ("strengthened", {"strength": 2}, InvalidNumber),
        ("settled", {"conflict": "no id", "winner": "new"}, InvalidField),
        ("settled", {"conflict": OLD, "winner": "me"}, InvalidField),
        ("reopened", {"conflict": "0A" * 16}, InvalidField),
        ("reopened", {"conflict": OLD}, UnknownConflict),
        ("conflicted", {"other": "x"}, InvalidField),
        ("conflicted", {"other": NEW}, InvalidField),
    ],
)
def test_nonsense_about_conflicts_is_not_appended(
    memory: Memory, kind: str, structure: dict[str, object], error: type[Exception]
) -> None:
    """Each is refused by its field, and nothing is appended."""
    memory.remember("tea", id=OLD)
    with pytest.raises(error):
        memory.log.append([NewEvent(kind, structure, memory_id=OLD)])
    assert memory.log.checkpoint().position == 1


def test_a_caller_may_append_what_a_command_would(memory: Memory) -> None:
    """A conflict, its settlement and a weakening by hand count like those of a command."""
    memory.remember_many([NewMemory("tea", id=OLD), NewMemory("coffee", id=NEW)])
    said = {
        "other": OLD, "type": "value", "severity": "minor", "resolution": "authority",
        "outcome": "contested", "judge": "me", "similarity": 0.5,
    }  # fmt: skip
    memory.log.append(
        [NewEvent("conflicted", said, {"reason": "taste"}, memory_id=NEW, event_id=THIRD)]
    )
    assert memory.conflicts.list()[0].reason == "taste"
    memory.log.append([NewEvent("settled", {"conflict": THIRD, "winner": "both"}, memory_id=NEW)])
    assert memory.get(NEW).status == "active"
