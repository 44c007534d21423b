"""Memories that fade, fall through their tiers, and come back when they are of use."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from mnemolog import Memory, NewEvent
from mnemolog.application.commands.command import strengths_locked
from mnemolog.application.upkeep.integrity import table_rows
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.decay import next_due
from mnemolog.ledger.errors import CannotUndo, InvalidField, LedgerError, UnknownMemory
from mnemolog.projections.lifecycle import fall_conditions
from mnemolog.projections.strengths import pace_as_of
from mnemolog.projections.views import all_projections
from mnemolog.recall.answers import WAS_KNOWN
from tests.files import holding
from tests.homes import ALL_TIERS, DAY, START, HandClock, open_home, undo_last

LONG = (
    "Mara fixed the boiler in the cellar of the lighthouse in March. It had leaked for two weeks. "
    "The plumber from Kiel was on holiday, so she took the seal of the old pump. "
    "Nobody noticed the noise until the first storm came. Later they laughed about it a lot. "
    "The new seal cost eleven euros and is kept in the drawer beside the stairs."
)


@pytest.fixture
def memory(memory: Memory) -> Memory:
    """A home in which nothing is held against what is there."""
    memory.configure({"contradictions": "off", **ALL_TIERS})
    return memory


def remembered(memory: Memory, text: str = LONG, kind: str = "episodic") -> str:
    """A memory, by default one that fades by a twentieth a day; its id."""
    return memory.remember(text, kind=kind).memory_id or ""  # type: ignore[arg-type]


def dues(memory: Memory) -> list[tuple[object, ...]]:
    """What falls due when."""
    return memory._space.home.views.read(lambda db: table_rows(db, "dues"))


def test_a_memory_falls_tier_by_tier(memory: Memory, clock: HandClock) -> None:
    """An episode is archived, summarized, a tombstone, and deleted at the days that follow."""
    one = remembered(memory)
    seen = {}
    for day in range(500):
        told = memory.upkeep.tick(confirmed=True)
        for tier in told.falls:
            seen[tier] = day
        clock.move(DAY)
    # ln(1/limit)/0.05 days until it is below each limit, and then 7, 30, 90 and 180 more.
    assert seen == {"archived": 32, "summarized": 68, "tombstone": 150, "deleted": 319}
    assert memory.get(one).status == "redacted"
    assert memory.get(one).content is None


def test_every_fall_is_explained_by_the_history(memory: Memory, clock: HandClock) -> None:
    """Each says the limit, since when it was below it, and how strong it was when it was due."""
    one = remembered(memory)
    clock.move(70 * DAY)
    memory.upkeep.tick(confirmed=True)
    said = [entry.summary for entry in memory.history(one) if entry.kind == "degraded"]
    assert len(said) == 2
    assert said[0].startswith("it is archived: its strength has been under 0.3 since 2025-07-09")
    assert "30 days long by" in said[1]
    assert "What stands for it: “" in said[1]


def test_an_archived_memory_answers_behind_a_fresh_one(memory: Memory, clock: HandClock) -> None:
    """Of two that match alike the one that has faded comes second, with its strength told."""
    old = remembered(memory, "the key of the shed hangs behind the door")
    clock.move(33 * DAY)
    memory.upkeep.tick(confirmed=True)
    new = remembered(memory, "the key of the shed lies behind the stove")
    first, second = memory.recall("where is the key of the shed?", min_relevance=0.0).hits
    assert (first.memory_id, second.memory_id) == (new, old)
    assert second.status == "archived"
    assert 0.99 < second.explanation.scores["faded"] < 1


def test_a_summary_stands_in_for_the_text_in_recall_alone(memory: Memory, clock: HandClock) -> None:
    """A recall shows the summary; showing the memory, its whole text; as of before, no summary."""
    one = remembered(memory)
    whole = memory.log.checkpoint().position
    clock.move(70 * DAY)
    memory.upkeep.tick(confirmed=True)
    (hit,) = memory.recall("who fixed the boiler in the cellar?").hits
    assert (hit.memory_id, hit.status) == (one, "summarized")
    assert hit.content != LONG
    assert all(part.strip() in LONG for part in hit.content.split(". "))
    item = memory.get(one)
    assert (item.content, item.summary, item.status) == (LONG, hit.content, "summarized")
    (then,) = memory.as_of(whole).recall("who fixed the boiler in the cellar?").hits
    assert (then.content, then.status) == (LONG, "active")


def test_a_tombstone_says_only_that_something_was_known(memory: Memory, clock: HandClock) -> None:
    """It answers no cue; asked for by status it says no more than that it was there."""
    one = remembered(memory)
    clock.move(160 * DAY)
    memory.upkeep.tick(confirmed=True)
    assert memory.recall("who fixed the boiler in the cellar?").empty
    (hit,) = memory.recall("who fixed the boiler?", statuses=("tombstone",)).hits
    assert (hit.memory_id, hit.content) == (one, WAS_KNOWN)


def test_what_is_deleted_is_destroyed_and_known_again(memory: Memory, clock: HandClock) -> None:
    """No byte of its text is left in the home; storing the same again says that it was known."""
    one = remembered(memory)
    clock.move(400 * DAY)
    told = memory.upkeep.tick(confirmed=True)
    assert (told.deleted, told.complete) == ((one,), True)
    assert holding(memory.home, b"boiler") == []
    memory.log.verify()
    again = memory.remember(LONG.upper())
    assert [event.kind for event in again.events] == ["remembered", "relearned"]
    assert any("had faded and was deleted" in said for said in again.changed)
    # Noticed once: the next one is a plain repetition.
    assert [event.kind for event in memory.remember(LONG).events] == ["remembered"]


def test_what_was_said_again_does_not_count_once_that_is_undone(
    memory: Memory, clock: HandClock
) -> None:
    """Nor is it noticed less when it is said once more; undoing the undo makes it count again."""
    remembered(memory)
    clock.move(400 * DAY)
    memory.upkeep.tick(confirmed=True)
    again = memory.remember(LONG)
    assert memory.upkeep.health().relearned == 1
    undone = memory.undo()
    assert [event.kind for event in undone.events] == ["undone", "unlearned", "withdrawn"]
    assert memory.upkeep.health().relearned == 0
    assert memory.as_of(again.events[-1].position).upkeep.health().relearned == 1
    more = memory.remember(LONG)
    assert [event.kind for event in more.events] == ["remembered", "relearned"]
    memory.undo()
    assert memory.upkeep.health().relearned == 0
    memory.undo(f"@{undone.position}")
    assert memory.upkeep.health().relearned == 1
    assert [event.kind for event in memory.remember(LONG).events] == ["remembered"]
    rows = memory._space.home.views.read(lambda db: table_rows(db, "relearnings"))
    memory.upkeep.rebuild()
    assert memory._space.home.views.read(lambda db: table_rows(db, "relearnings")) == rows


def test_memories_fall_no_lower_than_the_space_allows(memory: Memory, clock: HandClock) -> None:
    """With `lowest_tier` at tombstone nothing is destroyed; set back, it is, at the next tick."""
    one = remembered(memory)
    memory.configure({"lowest_tier": "tombstone"})
    clock.move(900 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {"tombstone": 1}
    assert memory.get(one).status == "tombstone"
    memory.configure({"lowest_tier": "deleted"})
    assert memory.upkeep.tick(confirmed=True).deleted == (one,)


def test_nothing_fades_where_time_stands_still(memory: Memory, clock: HandClock) -> None:
    """At a speed of 0 strength stays; at twice the speed it falls in half the time."""
    one = remembered(memory)
    memory.configure({"forgetting_speed": 0})
    clock.move(500 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {}
    assert memory.get(one).strength == 1.0
    memory.configure({"forgetting_speed": 2})
    clock.move(10 * DAY)
    assert memory.get(one).strength == pytest.approx(0.3679, abs=1e-4)
    clock.move(5 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {}
    clock.move(1 * DAY)
    # Below the limit after twelve days at this speed, and the seven days pass as fast.
    assert memory.upkeep.tick(confirmed=True).falls == {"archived": 1}
    memory.configure({"forgetting_speed": 0})
    clock.move(900 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {}


@pytest.mark.parametrize("setting", [{"forgetting_speed": 3}, {"lowest_tier": "summarized"}])
def test_a_new_pace_schedules_all_as_one_by_one(
    memory: Memory, clock: HandClock, setting: dict[str, str | int]
) -> None:
    """Whatever happened to them, memories fall when their own standing says, at every pace."""
    ids = [remembered(memory, f"note {n}", KINDS[n % len(KINDS)]) for n in range(16)]
    memory.configure({"forgetting_speed": 2})
    ids += [remembered(memory, f"more {n}", KINDS[n % len(KINDS)]) for n in range(4)]
    clock.move(18 * DAY)
    happened = ("use", "use", "pin", "weaken", "supersede", "withdraw")
    for one, what in zip(ids, happened, strict=False):
        _carry_out(memory, what, one)
    memory.pin(ids[6], until=to_datetime(clock.time + 90 * DAY))
    memory.redact(ids[7])
    memory.upkeep.tick(confirmed=True)
    clock.move(2 * DAY)
    memory.use(ids[8])
    memory.upkeep.write_uses()
    memory.configure(setting)
    head = memory.log.checkpoint().position
    ask = memory._space.home.views.read
    pace = ask(lambda db: pace_as_of(db, "default", head))
    expected = {}
    for place, _, space, standing in ask(
        lambda db: fall_conditions(db, [*memory.inspect.everything()], head)
    ):
        due = None if standing is None else next_due(standing, pace)
        if due is not None:
            expected[place] = (place, space, due.due_at)
    assert dues(memory) == sorted(expected.values())


@pytest.mark.parametrize("speed", [1, 2, 100])
@pytest.mark.parametrize("every", [1, 10])
def test_what_is_young_does_not_fall(
    memory: Memory, clock: HandClock, speed: float, every: int
) -> None:
    """Seven days of the calendar, at any speed; then it falls as far as it has faded."""
    memory.configure({"forgetting_speed": speed})
    one = memory.remember(LONG, kind="episodic", importance="low").memory_id or ""
    memory.log.append([NewEvent("weakened", {"factor": 0.0}, memory_id=one)])
    clock.move(7 * DAY - 1)
    assert memory.upkeep.tick(confirmed=True).falls == {}
    clock.move(1)
    assert memory.upkeep.falling_due()[0].due_at == to_datetime(clock.time)
    if every > 1:
        clock.move(every * DAY)
    falls = memory.upkeep.tick(confirmed=True).falls
    assert sum(falls.values()) == 1
    assert ("deleted" in falls) == (speed == 100)


def test_what_is_pinned_immutable_or_superseded_is_kept(memory: Memory, clock: HandClock) -> None:
    """Pins and immutable memories do not fall; what was superseded ends as a tombstone."""
    pinned, fixed = remembered(memory), memory.remember("never at sea", immutable=True).memory_id
    old = remembered(memory, "the ferry leaves at eight", "semantic")
    memory.supersede(old, "the ferry leaves at nine", kind="preference")
    memory.pin(pinned)
    clock.move(2000 * DAY)
    assert memory.upkeep.tick(confirmed=True).deleted == ()
    assert memory.get(pinned).status == memory.get(fixed or "").status == "active"
    assert (memory.get(old).status, memory.get(old).tier) == ("superseded", "tombstone")
    # Let go of, it has its days under the limit before it.
    memory.unpin(pinned)
    clock.move(6 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {}
    clock.move(2 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {"archived": 1}


@pytest.mark.parametrize("pinned_days", [0, 5])
@pytest.mark.parametrize("ends", ["withdraw", "supersede"])
def test_what_stands_again_falls_as_if_nothing_had_happened(
    memory: Memory, clock: HandClock, ends: str, pinned_days: int
) -> None:
    """Undone, a withdrawal or a supersession moves no fall; what it kept is not destroyed at once.

    Undoing it twice over, and a pin before it, make no difference.
    """
    one = remembered(memory)
    if pinned_days:
        memory.pin(one, until=to_datetime(START + pinned_days * DAY))
    clock.move(28 * DAY)
    due = dues(memory)
    for _ in range(2):
        _carry_out(memory, ends, one)
        clock.move(DAY)
        undone = undo_last(memory)
        assert dues(memory) == due
    memory.undo(f"@{undone.position}")
    memory.undo(f"@{memory.log.checkpoint().position}")
    assert dues(memory) == due
    _carry_out(memory, ends, one)
    clock.move(900 * DAY)
    undo_last(memory)
    clock.move(179 * DAY)
    assert memory.upkeep.tick(confirmed=True).deleted == ()
    clock.move(2 * DAY)
    assert memory.upkeep.tick(confirmed=True).deleted == (one,)


def test_use_brings_a_memory_back(memory: Memory, clock: HandClock) -> None:
    """What was of use is stronger, fades slower, and is active again; looking does nothing."""
    one = remembered(memory)
    clock.move(40 * DAY)
    memory.upkeep.tick(confirmed=True)
    memory.recall("who fixed the boiler in the cellar?")
    memory.get(one)
    assert (memory.get(one).tier, memory.get(one).accesses) == ("archived", 0)
    head = memory.log.checkpoint().position
    memory.use(one)
    memory.use(f"@{memory.get(one).position}", one[:12], cue="who fixed the boiler?")
    memory.upkeep.write_uses()
    item = memory.get(one)
    assert (item.status, item.accesses) == ("active", 2)
    told = [entry.kind for entry in memory.history(one)]
    assert told == ["remembered", "ticked", "degraded", "recalled", "recalled", "revived"]
    assert item.strength == pytest.approx(0.1353 + 0.3, abs=1e-4)
    kinds = [entry.kind for entry in memory.log.events(after=head)]
    # The first one brings it to 0.285, which is still under the limit.
    assert kinds == ["recalled", "recalled", "revived"]
    assert all(entry.content is None for entry in memory.log.events(after=head))
    clock.move(10 * DAY)
    assert memory.get(one).strength == pytest.approx(
        0.4353 * 2.718281828 ** (-0.05 * 0.64 * 10), abs=1e-3
    )


def test_cues_are_kept_where_the_space_says_so(memory: Memory) -> None:
    """A cue is content of its event, and gone when the memory that it brought is redacted."""
    memory.configure({"keep_cues": True})
    one = remembered(memory)
    memory.use(one, cue="who mended the xylophone?")
    memory.upkeep.write_uses()
    (entry,) = memory.log.events(kinds=("recalled",))
    assert entry.content == {"cue": "who mended the xylophone?"}
    memory.redact(one)
    assert holding(memory.home, b"xylophone") == []


@pytest.mark.parametrize("cue", ["", " ", 7, "\ud800"])
@pytest.mark.parametrize("keep", [True, False])
def test_a_cue_that_recalls_nothing_is_refused(memory: Memory, cue: object, keep: bool) -> None:  # noqa: FBT001 - a parameter
    """Whether it is kept or not: nobody was brought back by it."""
    memory.configure({"keep_cues": keep})
    one = remembered(memory)
    with pytest.raises(InvalidField) as raised:
        memory.use(one, cue=cue)
    assert raised.value.field == "cue"
    memory.upkeep.write_uses()
    assert memory.get(one).accesses == 0


def test_uses_are_written_when_the_memory_is_closed(tmp_path: Path) -> None:
    """Nothing that was reported is lost by closing, and a bad reference changes nothing."""
    with open_home(tmp_path) as memory:
        one = remembered(memory)
        memory.use(one)
        with pytest.raises(UnknownMemory):
            memory.use(one, "ffffffff")
        with pytest.raises(InvalidField):
            memory.use()
    with open_home(tmp_path) as memory:
        assert memory.get(one).accesses == 1


def test_what_a_tick_will_do_can_be_asked(memory: Memory, clock: HandClock) -> None:
    """The falls that are due are listed with their reasons, and asking lets nothing fall."""
    one = remembered(memory)
    assert memory.upkeep.falling_due() == ()
    clock.move(70 * DAY)
    (due,) = memory.upkeep.falling_due()
    assert (due.memory_id, due.tier, due.to) == (one, "active", ("archived", "summarized"))
    assert memory.get(one).status == "active"
    memory.upkeep.tick(confirmed=True)
    assert memory.upkeep.falling_due() == ()


def test_a_tick_can_be_undone_until_it_destroyed_something(
    memory: Memory, clock: HandClock
) -> None:
    """Undone by name it gives back tier and summary; a deletion stays; plain undo passes it by."""
    one = remembered(memory)
    clock.move(33 * DAY)
    first = memory.upkeep.tick(confirmed=True)
    clock.move(40 * DAY)
    second = memory.upkeep.tick(confirmed=True)
    memory.undo(f"@{second.positions[0]}")
    assert memory.get(one).status == "archived"
    memory.undo(f"@{first.positions[0]}")
    assert memory.get(one).status == "active"
    memory.upkeep.tick(confirmed=True)
    assert memory.get(one).status == "summarized"
    undo_last(memory)
    assert memory.get(one).status == "withdrawn"
    memory.undo(f"@{memory.log.checkpoint().position}")
    clock.move(400 * DAY)
    gone = memory.upkeep.tick(confirmed=True)
    with pytest.raises(CannotUndo):
        memory.undo(f"@{gone.positions[0]}")


def test_a_use_can_be_undone(memory: Memory, clock: HandClock) -> None:
    """Undone by name, strength, accesses and tier are as they were."""
    one = remembered(memory)
    clock.move(40 * DAY)
    memory.upkeep.tick(confirmed=True)
    before = memory.get(one)
    head = memory.log.checkpoint().position
    memory.use(one)
    memory.upkeep.write_uses()
    memory.undo(f"@{head + 1}")
    assert memory.get(one) == before


@pytest.mark.parametrize("every", [1, 100])
def test_a_use_can_be_undone_though_the_memory_fell_again(
    memory: Memory, clock: HandClock, every: int
) -> None:
    """Told by ticks or not, it is as if it had not been of use; nothing is lifted by that."""
    one = remembered(memory)
    clock.move(40 * DAY)
    memory.upkeep.tick(confirmed=True)
    head = memory.log.checkpoint().position
    memory.use(one)
    memory.use(one)
    memory.upkeep.write_uses()
    assert memory.get(one).tier == "active"
    for day in range(1, 61):
        clock.move(DAY)
        if day % every == 0:
            memory.upkeep.tick(confirmed=True)
    memory.undo(f"@{head + 2}")
    memory.undo(f"@{head + 1}")
    assert (memory.get(one).tier, memory.get(one).accesses) == ("summarized", 0)
    assert memory.get(one).strength == pytest.approx(0.0067, abs=1e-4)
    assert memory.upkeep.tick(confirmed=True).falls == {}


def test_falls_and_ticks_come_by_command_alone(memory: Memory) -> None:
    """Events that say that time passed are refused from a caller's own hand."""
    one = remembered(memory)
    for kind in ("ticked", "degraded", "revived", "relearned", "unlearned", "recalled"):
        with pytest.raises(InvalidField):
            memory.log.append([NewEvent(kind, {}, memory_id=one)])


def test_what_was_used_is_not_deleted_by_the_tick_that_follows(
    memory: Memory, clock: HandClock
) -> None:
    """A use that waits to be written is written before a tick, a pin, an undo or a redaction."""
    one = remembered(memory)
    for _ in range(5):
        clock.move(80 * DAY)
        memory.remember("the clock is right", immutable=True)
    memory.use(one)
    assert memory.upkeep.tick(confirmed=True).deleted == ()
    # With 0.15 it holds the tier of what is archived.
    assert (memory.get(one).status, memory.get(one).accesses) == ("archived", 1)


def test_a_cue_is_not_kept_of_what_was_redacted_meanwhile(tmp_path: Path, clock: HandClock) -> None:
    """A use that waits while one of its memories is redacted elsewhere is kept without its cue."""
    with (
        open_home(tmp_path, clock=clock) as memory,
        open_home(tmp_path, clock=clock) as other,
    ):
        memory.configure({"keep_cues": True})
        one, two = remembered(memory), remembered(memory, "tea")
        memory.use(one, two, cue="who mended the xylophone?")
        other.redact(one)
        memory.upkeep.write_uses()
        (used,) = memory.log.events(kinds=("recalled",))
        assert (*used.structure["memories"], used.content) == (two, None)


def test_what_is_immutable_does_not_fall_though_it_is_weakened(
    memory: Memory, clock: HandClock
) -> None:
    """Nor does it keep others from falling; a preference does not fall either."""
    fixed = memory.remember("never at sea", immutable=True).memory_id or ""
    liked, one = remembered(memory, "tea", "preference"), remembered(memory)
    for weak in (fixed, liked):
        memory.log.append([NewEvent("weakened", {"factor": 0.0}, memory_id=weak)])
    clock.move(900 * DAY)
    assert memory.upkeep.tick(confirmed=True).deleted == (one,)
    assert {memory.get(fixed).status, memory.get(liked).status} == {"active"}


def test_undoing_what_weakened_a_memory_brings_it_back_up(memory: Memory, clock: HandClock) -> None:
    """Its strength is that of before, and its tier the one that it holds."""
    one = remembered(memory, kind="semantic")
    clock.move(100 * DAY)
    weakened = memory.log.append([NewEvent("weakened", {"factor": 0.3}, memory_id=one)])
    clock.move(8 * DAY)
    (told,) = memory.upkeep.falling_due()
    assert told.below_since == weakened.recorded_at
    memory.upkeep.tick(confirmed=True)
    assert memory.get(one).status == "archived"
    memory.undo(weakened.events[0].event_id)
    item = memory.get(one)
    assert (item.status, item.strength) == ("active", pytest.approx(1 - 108 * 0.005))


def test_undo_passes_the_uses_that_were_reported(memory: Memory, clock: HandClock) -> None:
    """The last command is the user's own, though a use came later that let something fall first."""
    one, two = remembered(memory), remembered(memory, "tea")
    memory.pin(two)
    clock.move(40 * DAY)
    memory.use(one)
    memory.upkeep.write_uses()
    assert [entry.kind for entry in memory.log.events()][-3:] == ["pinned", "recalled", "degraded"]
    undo_last(memory)
    assert not memory.get(two).pinned


def test_uses_wait_for_what_holds_them_up(memory: Memory, clock: HandClock) -> None:
    """While another process lets memories fall, `write_uses` and closing wait, and lose nothing."""
    one = remembered(memory)
    with strengths_locked(memory._space.home):
        memory.use(one)
        writer = threading.Thread(target=memory.upkeep.write_uses)
        writer.start()
        writer.join(1.5)
        assert writer.is_alive()
    writer.join()
    assert memory.get(one).accesses == 1


def test_memories_are_listed_by_strength(memory: Memory, clock: HandClock) -> None:
    """The strongest come first, as of any moment; open conflicts can be listed alone."""
    weak, strong = remembered(memory), remembered(memory, "tea", "preference")
    clock.move(3 * DAY)
    fresh = remembered(memory)
    assert [item.memory_id for item in memory.list(by="strength")] == [fresh, strong, weak]
    before = memory.log.checkpoint().position
    memory.use(weak)
    memory.use(weak)
    memory.upkeep.write_uses()
    clock.move(DAY)
    assert [item.memory_id for item in memory.list(by="strength")] == [strong, weak, fresh]
    then = memory.as_of(before).list(by="strength")
    assert [item.memory_id for item in then] == [fresh, strong, weak]
    assert memory.list(by="conflicts") == ()
    with pytest.raises(InvalidField):
        memory.list(by="colour")  # type: ignore[arg-type]


def test_important_memories_come_up_for_review(memory: Memory, clock: HandClock) -> None:
    """A day after it was stored, and three after it was of use; what is not important never."""
    remembered(memory)
    one = memory.remember("the lease ends in May", importance="high").memory_id or ""
    assert memory.list(by="review") == ()
    clock.move(DAY)
    assert [item.memory_id for item in memory.list(by="review")] == [one]
    memory.use(one)
    memory.upkeep.write_uses()
    clock.move(2 * DAY)
    assert memory.list(by="review") == ()
    clock.move(DAY)
    assert [item.memory_id for item in memory.list(by="review")] == [one]


def test_a_curve_tells_what_was_and_what_will_be(memory: Memory, clock: HandClock) -> None:
    """It falls from 1, rises where the memory was of use, and names the falls to come."""
    one = remembered(memory)
    clock.move(10 * DAY)
    memory.use(one)
    memory.upkeep.write_uses()
    clock.move(10 * DAY)
    curve = memory.inspect.strength_curve(one, points=41, ahead_days=20)
    strengths = [point.strength for point in curve.points]
    assert strengths[0] == 1.0
    assert strengths[9] == pytest.approx(0.6376, abs=1e-4)
    assert strengths[10] == pytest.approx(0.6065 + 0.15, abs=1e-4)
    assert strengths[20] == memory.get(one).strength
    assert [mark.kind for mark in curve.marks] == ["remembered", "recalled"]
    assert curve.to_come == ()
    (fall,) = memory.inspect.strength_curve(one, ahead_days=30).to_come
    assert fall.text == "falls due to be archived"
    clock.move(20 * DAY)
    assert memory.get(one).strength == strengths[40]
    # As of a past moment it is what was known then.
    then = memory.as_of(2).inspect.strength_curve(one, ahead_days=0)
    assert [mark.kind for mark in then.marks] == ["remembered"]


COMMANDS = st.lists(
    st.tuples(
        st.sampled_from(
            (
                "use", "use", "undo use", "pin", "unpin", "weaken", "supersede", "slow",
                "usual", "hurry", "withdraw", "undo",
            )
        ),
        st.integers(0, 3),
        st.integers(0, 60),
    ),
    max_size=8,
)  # fmt: skip
KINDS = ("episodic", "semantic", "procedural", "episodic")
SPEEDS = {"slow": 0.5, "usual": 1, "hurry": 20}


def live(path: Path, commands: list[tuple[str, int, int]], every: int | None) -> list[object]:
    """A life of four memories, with a tick every so many days, or at its end alone."""
    clock = HandClock()
    with open_home(path, clock=clock) as memory:
        memory.configure({"contradictions": "off", **ALL_TIERS, "lowest_tier": "tombstone"})
        ids = [remembered(memory, f"note {number}", kind) for number, kind in enumerate(KINDS)]
        for command, number, days in commands:
            for _ in range(days):
                clock.move(DAY)
                if every is not None and (clock.time - START) // DAY % every == 0:
                    memory.upkeep.tick(confirmed=True)
            # A sign of life: after a long silence the clock would be in doubt.
            memory.configure({"keep_cues": False})
            # What cannot be done to a memory as it stands is refused, late or punctual alike.
            with suppress(LedgerError):
                _carry_out(memory, command, ids[number])
        memory.upkeep.tick(confirmed=True)
        items = [memory.get(one) for one in ids]
        rebuilt = {table: rows(memory, table) for table in names()}
        memory.upkeep.rebuild()
        assert {table: rows(memory, table) for table in names()} == rebuilt
        due = memory._space.home.views.read(
            lambda db: db.execute("SELECT due_at FROM dues ORDER BY 1").fetchall()
        )
        return [
            due,
            [
                (item.status, item.tier, item.strength, item.accesses, item.summary)
                for item in items
            ],
        ]


def names() -> list[str]:
    """Every table of the views."""
    return [table for projection in all_projections(b"") for table in projection.tables]


def rows(memory: Memory, table: str) -> list[tuple[object, ...]]:
    """What a table holds."""
    return memory._space.home.views.read(lambda db: table_rows(db, table))


def _undo_use(memory: Memory) -> None:
    for last in [*memory.log.events(kinds=("recalled",))][-1:]:
        memory.undo(f"@{last.position}")


def _carry_out(memory: Memory, command: str, one: str) -> None:
    pinned = memory.get(one).pinned
    if command == "use":
        memory.use(one)
        memory.upkeep.write_uses()
    elif command == "undo use":
        _undo_use(memory)
    elif command == "pin" and not pinned:
        memory.pin(one)
    elif command == "unpin" and pinned:
        memory.unpin(one)
    elif command == "withdraw" and memory.get(one).status != "withdrawn":
        memory.withdraw(one)
    elif command == "undo":
        undo_last(memory)
    elif command == "weaken":
        memory.log.append([NewEvent("weakened", {"factor": 0.5}, memory_id=one)])
    elif command == "supersede":
        memory.supersede(one, "something else", kind="preference")
    elif command in SPEEDS:
        memory.configure({"forgetting_speed": SPEEDS[command]})


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(COMMANDS, st.sampled_from((1, 7, 30)))
def test_late_and_bundled_ticks_end_where_punctual_ones_do(
    tmp_path_factory: pytest.TempPathFactory, commands: list[tuple[str, int, int]], every: int
) -> None:
    """Whether time is told daily, weekly, monthly or once, the memories are the same."""
    homes = tmp_path_factory.mktemp("lives")
    late = live(homes / "late", commands, None)
    assert live(homes / "punctual", commands, every) == late
