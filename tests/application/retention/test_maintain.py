"""Maintenance: what is due is done in every space, once, and the log says when."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import apsw
import msgspec
import pytest

from mnemolog import (
    InvalidField,
    LedgerError,
    Maintenance,
    Memory,
    NewEvent,
    NewMemory,
    SummarizerFailed,
    Thing,
)
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import WritableSpace
from mnemolog.application.retention import maintain, maintain as upkeep
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.events import Conflicted, Maintained
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import MemoryId
from mnemolog.projections.spaces import jobs_done
from tests.homes import ALL_TIERS, DAY, SECOND, BagOfWords, HandClock, open_home, undo_last

HOUR = 3600 * SECOND


@pytest.fixture
def clock() -> HandClock:
    """A clock set by hand."""
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Memory:
    """A home of two spaces, each with something to consolidate and something that fades."""
    for space in ("attic", "default"):
        with open_home(tmp_path, space, clock) as one:
            new = NewMemory("Dana prefers tea to coffee", marks=("emphasised", "serves_goal"))
            stored = one.remember(new).memory_id or ""
            one.remember("Note: Dana prefers tea to coffee")
            one.graph.link(stored, "PART_OF", Thing("the household"))
            one.graph.link(stored, "DEPENDS_ON", Thing("the kettle"))
            one.remember("The lamp stood on the left", kind="episodic", importance="low")
    return open_home(tmp_path, clock=clock)


def _done(maintenance: Maintenance) -> dict[str, set[str]]:
    return {
        kept.space: {job.job for job in kept.jobs if job.result is not None}
        for kept in maintenance.spaces
    }


TICKED = {"decay", "archiving", "forgetting"}


def test_every_space_is_kept_up(memory: Memory) -> None:
    """The first run does all there is to do in all spaces of the home, and says what."""
    done = memory.upkeep.maintain()
    assert _done(done) == dict.fromkeys(("attic", "default"), TICKED | {"consolidation"})
    assert done.message is None
    for kept in done.spaces:
        assert kept.consolidation is not None
        assert kept.consolidation.merged == 1
        told = {job.job: job.why for job in kept.jobs if job.result is None}
        assert set(told) == {"recency", "centrality"}
        assert all(why.startswith("nothing to do") for why in told.values())
    (marked,) = memory.log.events(kinds=("maintained",))
    assert marked.structure["jobs"] == ("decay", "archiving", "forgetting", "consolidation")


def test_what_is_not_due_is_left_alone(memory: Memory, clock: HandClock) -> None:
    """A second run at once appends nothing; each job comes round by its own hours."""
    memory.upkeep.maintain()
    head = memory.log.checkpoint()
    again = memory.upkeep.maintain()
    assert again.message == "nothing is due"
    assert memory.log.checkpoint() == head
    clock.move(6 * HOUR)
    assert _done(memory.upkeep.maintain())["default"] == {"consolidation"}
    clock.move(18 * HOUR)
    assert _done(memory.upkeep.maintain())["default"] == {"consolidation", "decay"}
    clock.move(6 * DAY)
    assert _done(memory.upkeep.maintain())["attic"] == {"consolidation", "decay", "forgetting"}


def test_a_tick_is_part_of_it(memory: Memory, clock: HandClock) -> None:
    """What has faded falls to its tier by a run of maintenance alone."""
    memory.upkeep.maintain()
    clock.move(40 * DAY)
    done = memory.upkeep.maintain()
    assert {kept.tick.falls["archived"] for kept in done.spaces if kept.tick} == {1}
    assert "1 archived" in str(done.spaces[0].jobs[1].result)


def test_a_job_can_be_asked_for(memory: Memory) -> None:
    """A job that is named is done though its time has not come; others and closed forms are not."""
    memory.upkeep.maintain()
    done = memory.upkeep.maintain("default", jobs=["consolidation", "recency"])
    assert _done(done) == {"default": {"consolidation"}}
    with pytest.raises(InvalidField, match="jobs"):
        memory.upkeep.maintain(jobs=["dusting"])
    with pytest.raises(InvalidField, match="cellar"):
        memory.upkeep.maintain("cellar")


def test_what_is_due_can_be_asked(memory: Memory, clock: HandClock) -> None:
    """The question what is due writes nothing; a space that holds nothing is refused."""
    head = memory.log.checkpoint()
    due = {one.space: one for one in memory.upkeep.schedule()}
    assert memory.log.checkpoint() == head
    assert set(due) == {"attic", "default"}
    assert due["default"].waiting == 1
    assert {job.job for job in due["default"].jobs if job.due} == TICKED | {"consolidation"}
    memory.upkeep.maintain()
    clock.move(40 * DAY)
    (later,) = memory.upkeep.schedule("default")
    assert (later.waiting, later.falling) == (0, 1)
    with pytest.raises(InvalidField, match="cellar"):
        memory.upkeep.schedule("cellar")


def test_what_is_left_of_a_consolidation_is_due_again(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, clock: HandClock
) -> None:
    """A run that reaches its bound leaves the job due, so that the next one goes on with it."""
    for word in ("Ben", "Mia", "Tom"):
        new = NewMemory(f"{word} prefers tabs", marks=("emphasised", "serves_goal"))
        stored = memory.remember(new).memory_id or ""
        memory.graph.link(stored, "PART_OF", Thing("the team"))
        memory.graph.link(stored, "DEPENDS_ON", Thing("the editor"))
    bounded = maintain.consolidate
    monkeypatch.setattr(maintain, "consolidate", lambda space: bounded(space, limit=3))
    first = memory.upkeep.maintain("default").spaces[0].consolidation
    assert first is not None
    assert (len(first.steps), first.left) == (3, 1)
    second = memory.upkeep.maintain("default").spaces[0]
    assert second.consolidation is not None
    assert (len(second.consolidation.steps), second.consolidation.left) == (1, 0)
    assert memory.upkeep.maintain("default").message == "nothing is due"


@pytest.mark.parametrize(
    "trouble", [LedgerError, apsw.BusyError, apsw.FullError, OSError, PermissionError]
)
def test_trouble_in_one_space_keeps_nothing_from_the_others(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, trouble: type[Exception]
) -> None:
    """What goes wrong in a space is told there, its job stays due, and the others are kept up."""
    works = maintain.consolidate

    def breaks(space: WritableSpace) -> object:
        if space.name == "attic":
            raise trouble("the attic is dark")
        return works(space)

    monkeypatch.setattr(maintain, "consolidate", breaks)
    attic, default = memory.upkeep.maintain().spaces
    assert attic.problem == "the attic is dark"
    assert _done(Maintenance((attic,)))["attic"] == TICKED
    assert default.problem is None
    monkeypatch.undo()
    assert _done(memory.upkeep.maintain()) == {"attic": {"consolidation"}, "default": set()}


def test_only_one_maintains_at_a_time(memory: Memory, tmp_path: Path) -> None:
    """While another is at it a run does nothing, and says so."""
    lock = FileLock(tmp_path / "maintain.lock")
    with lock.held():
        head = memory.log.checkpoint()
        done = memory.upkeep.maintain()
        assert done.spaces == ()
        assert "another process" in str(done.message)
        assert memory.log.checkpoint() == head
    lock.close()
    assert memory.upkeep.maintain().spaces


def test_others_write_meanwhile(memory: Memory, tmp_path: Path, clock: HandClock) -> None:
    """Writers of the same spaces lose nothing and wait for nothing while a home is kept up."""
    stop = threading.Event()
    stored: list[str] = []

    def write() -> None:
        with open_home(tmp_path, clock=clock) as other:
            while not stop.is_set() or len(stored) < 5:
                told = other.remember(f"The shelf number {len(stored)} is of oak")
                stored.append(told.memory_id or "")

    writer = threading.Thread(target=write)
    writer.start()
    done = memory.upkeep.maintain(jobs=["decay", "consolidation"])
    stop.set()
    writer.join()
    assert all(kept.problem is None for kept in done.spaces)
    assert {item.status for one in stored if (item := memory.inspect.find(one))} == {"active"}
    assert memory.log.verify()


def test_a_bare_undo_leaves_upkeep_alone(memory: Memory) -> None:
    """`undo` without a reference undoes what somebody did, not what kept the home up."""
    told = memory.remember("The ladder is in the shed")
    memory.upkeep.maintain()
    undo_last(memory)
    assert memory.get(told.memory_id or "").status == "withdrawn"
    (step,) = memory.log.events(kinds=("consolidated",))
    memory.undo(step.event_id)
    assert {item.content for item in memory.list()} >= {
        "Dana prefers tea to coffee",
        "Note: Dana prefers tea to coffee",
    }


def _again(memory: Memory, monkeypatch: pytest.MonkeyPatch, said: str) -> Maintenance:
    """A run of consolidation behind whose look a memory is stored, before it is said to be done."""
    works = maintain.consolidate

    def slow(space: WritableSpace) -> object:
        done = works(space)
        memory.remember(said, contradictions="off")
        return done

    with monkeypatch.context() as while_it_runs:
        while_it_runs.setattr(maintain, "consolidate", slow)
        return memory.upkeep.maintain("default", jobs=["consolidation"])


def _tea(memory: Memory) -> int:
    return sum("prefers tea" in (item.content or "") for item in memory.list(limit=100))


def test_what_comes_while_a_run_is_under_way_is_looked_at_by_the_next(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, clock: HandClock
) -> None:
    """A run looks at what was there when it began, and says so: what came later is new."""
    memory.upkeep.maintain()
    clock.move(DAY)
    before = memory.log.checkpoint().position
    _again(memory, monkeypatch, "By the way, Dana prefers tea to coffee")
    marked = list(memory.log.events(kinds=("maintained",)))[-1]
    assert marked.structure["through"] == before
    assert _tea(memory) == 2
    clock.move(DAY)
    memory.upkeep.maintain()
    assert _tea(memory) == 1


def test_an_older_log_says_nothing_of_how_far_a_run_looked() -> None:
    """A `maintained` event without the newer fields is read as it always was."""
    structure = msgspec.json.decode(b'{"jobs":["decay"]}', type=Maintained)
    assert (structure.through, structure.at) == (None, None)


@pytest.mark.parametrize("held", ["pinned", "pinned for a day", "in dispute", "withdrawn"])
def test_what_comes_free_later_is_looked_at_again(
    memory: Memory, clock: HandClock, held: str
) -> None:
    """What a pin, a conflict or a withdrawal kept apart is merged once nothing does."""
    memory.upkeep.maintain()
    told = memory.remember("By the way, Dana prefers tea to coffee", contradictions="off")
    one = told.memory_id or ""
    clock.move(1)
    if held == "pinned":
        memory.pin(one)
    elif held == "withdrawn":
        memory.withdraw(one)
    elif held == "pinned for a day":
        memory.pin(one, until=to_datetime(Micros(clock.time + DAY)))
    else:
        against = memory.remember("Dana prefers coffee to tea", contradictions="off")
        other = Conflicted(MemoryId(one), "direct", "minor", "escalate", "pending", "me")
        memory.log.append([NewEvent("conflicted", other, memory_id=against.memory_id)])
    memory.upkeep.maintain("default", jobs=["consolidation"])
    assert memory.get(one).superseded_by == ()
    clock.move(DAY)
    if held == "pinned":
        memory.unpin(one)
    elif held == "withdrawn":
        undo_last(memory)
    elif held == "in dispute":
        (conflict,) = memory.conflicts.list()
        memory.conflicts.settle(conflict.conflict_id, "old")
    memory.upkeep.maintain("default", jobs=["consolidation"])
    assert memory.get(one).superseded_by != ()


def test_a_clock_that_was_years_ahead_does_not_stop_upkeep(
    memory: Memory, clock: HandClock
) -> None:
    """After a clock was set right, jobs are due at once and by their own hours again."""
    memory.upkeep.maintain()
    clock.move(5 * 365 * DAY)
    memory.remember("The lamp is new")
    memory.upkeep.maintain(confirmed=True)
    clock.move(-5 * 365 * DAY + HOUR)
    decay = memory.upkeep.schedule("default")[0].jobs[1]
    assert decay.due
    assert "a clock was wrong" in decay.why
    assert _done(memory.upkeep.maintain("default"))["default"] == TICKED | {"consolidation"}
    assert memory.upkeep.maintain("default").message == "nothing is due"
    clock.move(6 * HOUR)
    assert _done(memory.upkeep.maintain("default"))["default"] == {"consolidation"}
    clock.move(18 * HOUR)
    assert _done(memory.upkeep.maintain("default"))["default"] == {"consolidation", "decay"}


def test_a_run_that_is_undone_is_due_again(memory: Memory, clock: HandClock) -> None:
    """What `undo` takes back was not done: due again as of then, and not as of before."""
    memory.upkeep.maintain()
    clock.move(HOUR)
    (marked,) = memory.log.events(kinds=("maintained",))
    head = memory.log.checkpoint().position
    undone = memory.undo(marked.event_id)
    due = {job.job for job in memory.upkeep.schedule("default")[0].jobs if job.due}
    assert due == TICKED | {"consolidation"}
    for _ in range(2):
        ask = partial(jobs_done, space="default", position=head)
        assert set(memory._space.home.views.read(ask)) == TICKED | {"consolidation"}
        ask = partial(jobs_done, space="default", position=memory.log.checkpoint().position)
        assert memory._space.home.views.read(ask) == {}
        memory.upkeep.rebuild()
    memory.undo(undone.events[0].event_id)
    assert memory.upkeep.maintain("default").message == "nothing is due"


def test_trouble_before_anything_was_done_is_told_as_well(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A space of which not even what is due can be read keeps nothing from the others."""
    works = upkeep._jobs_of

    def breaks(home: Home, space: str, *others: object) -> object:
        if space == "attic":
            raise apsw.BusyError
        return works(home, space, *others)

    with monkeypatch.context() as broken:
        broken.setattr(upkeep, "_jobs_of", breaks)
        attic, default = memory.upkeep.maintain().spaces
    assert (attic.problem, attic.jobs) == ("BusyError", ())
    assert default.problem is None
    assert _done(memory.upkeep.maintain())["attic"] == TICKED | {"consolidation"}


class _Choosy:
    """A summarizer of one's own, which some texts are too much for."""

    name = "choosy"

    def summary(self, text: str) -> str:
        """The text itself, but for what it cannot bear."""
        if "poison" in text:
            raise TimeoutError("no answer")
        return text


def test_a_summarizer_that_fails_keeps_one_memory_from_falling(
    tmp_path: Path, clock: HandClock
) -> None:
    """The others fall, what failed is told as it is, and tried again by the next tick."""
    with open_home(tmp_path, clock=clock) as memory:
        memory.configure(ALL_TIERS)
        ids = [
            memory.remember(text, kind="episodic", importance="low").memory_id or ""
            for text in ("The tea had poison in it", "The lamp stood on the left")
        ]
    clock.move(100 * DAY)
    choosy = Memory.open(tmp_path, clock=clock, embedder=BagOfWords(), summarizer=_Choosy())
    with choosy as memory:
        (kept,) = memory.upkeep.maintain(confirmed=True).spaces
        assert kept.tick is not None
        assert kept.tick.falls["summarized"] == 1
        assert "_Choosy failed: no answer" in str(kept.problem)
        assert kept.consolidation is not None
        assert [memory.get(one).tier for one in ids] == ["active", "summarized"]
        with pytest.raises(SummarizerFailed, match="no answer"):
            memory.pin(ids[0])
        assert memory.upkeep.tick(confirmed=True).problems == kept.tick.problems
    with open_home(tmp_path, clock=clock) as memory:
        assert memory.upkeep.tick(confirmed=True).problems == ()
        assert memory.get(ids[0]).tier == "summarized"
