"""Maintenance: what is due is done in every space, once, and the log says when."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from ledger.locks import FileLock
from mnemolog import InvalidField, LedgerError, Maintenance, Memory, NewMemory, Thing
from mnemolog.upkeep import Keeping
from tests.homes import DAY, SECOND, HandClock, open_home

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
            one.link(stored, "PART_OF", Thing("the household"))
            one.link(stored, "DEPENDS_ON", Thing("the kettle"))
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
    done = memory.maintain()
    assert _done(done) == dict.fromkeys(("attic", "default"), TICKED | {"consolidation"})
    assert done.message is None
    for kept in done.spaces:
        assert kept.consolidation is not None
        assert kept.consolidation.merged == 1
        told = {job.job: job.why for job in kept.jobs if job.result is None}
        assert set(told) == {"recency", "centrality"}
        assert all(why.startswith("nothing to do") for why in told.values())
    (marked,) = memory.events(kinds=("maintained",))
    assert marked.structure["jobs"] == ("decay", "archiving", "forgetting", "consolidation")


def test_what_is_not_due_is_left_alone(memory: Memory, clock: HandClock) -> None:
    """A second run at once appends nothing; each job comes round by its own hours."""
    memory.maintain()
    head = memory.checkpoint()
    again = memory.maintain()
    assert again.message == "nothing is due"
    assert memory.checkpoint() == head
    clock.move(6 * HOUR)
    assert _done(memory.maintain())["default"] == {"consolidation"}
    clock.move(18 * HOUR)
    assert _done(memory.maintain())["default"] == {"consolidation", "decay"}
    clock.move(6 * DAY)
    assert _done(memory.maintain())["attic"] == {"consolidation", "decay", "forgetting"}


def test_a_tick_is_part_of_it(memory: Memory, clock: HandClock) -> None:
    """What has faded falls to its tier by a run of maintenance alone."""
    memory.maintain()
    clock.move(40 * DAY)
    done = memory.maintain()
    assert {kept.tick.falls["archived"] for kept in done.spaces if kept.tick} == {1}
    assert "1 archived" in str(done.spaces[0].jobs[1].result)


def test_a_job_can_be_asked_for(memory: Memory) -> None:
    """A job that is named is done though its time has not come; others and closed forms are not."""
    memory.maintain()
    done = memory.maintain("default", jobs=["consolidation", "recency"])
    assert _done(done) == {"default": {"consolidation"}}
    with pytest.raises(InvalidField, match="jobs"):
        memory.maintain(jobs=["dusting"])
    with pytest.raises(InvalidField, match="cellar"):
        memory.maintain("cellar")


def test_what_is_due_can_be_asked(memory: Memory, clock: HandClock) -> None:
    """The question what is due writes nothing; a space that holds nothing is refused."""
    head = memory.checkpoint()
    due = {one.space: one for one in memory.upkeep()}
    assert memory.checkpoint() == head
    assert set(due) == {"attic", "default"}
    assert due["default"].waiting == 1
    assert {job.job for job in due["default"].jobs if job.due} == TICKED | {"consolidation"}
    memory.maintain()
    clock.move(40 * DAY)
    (later,) = memory.upkeep("default")
    assert (later.waiting, later.falling) == (0, 1)
    with pytest.raises(InvalidField, match="cellar"):
        memory.upkeep("cellar")


def test_what_is_left_of_a_consolidation_is_due_again(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, clock: HandClock
) -> None:
    """A run that reaches its bound leaves the job due, so that the next one goes on with it."""
    for word in ("Ben", "Mia", "Tom"):
        new = NewMemory(f"{word} prefers tabs", marks=("emphasised", "serves_goal"))
        stored = memory.remember(new).memory_id or ""
        memory.link(stored, "PART_OF", Thing("the team"))
        memory.link(stored, "DEPENDS_ON", Thing("the editor"))
    bounded = Keeping.consolidate
    monkeypatch.setattr(Keeping, "consolidate", lambda self: bounded(self, limit=3))
    first = memory.maintain("default").spaces[0].consolidation
    assert first is not None
    assert (len(first.steps), first.left) == (3, 1)
    second = memory.maintain("default").spaces[0]
    assert second.consolidation is not None
    assert (len(second.consolidation.steps), second.consolidation.left) == (1, 0)
    assert memory.maintain("default").message == "nothing is due"


def test_trouble_in_one_space_keeps_nothing_from_the_others(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes wrong in a space is told there, its job stays due, and the others are kept up."""

    class Broken(LedgerError):
        pass

    works = Keeping.consolidate

    def breaks(self: Keeping) -> object:
        if self.space == "attic":
            raise Broken("the attic is dark")
        return works(self)

    monkeypatch.setattr(Keeping, "consolidate", breaks)
    attic, default = memory.maintain().spaces
    assert attic.problem == "the attic is dark"
    assert _done(Maintenance((attic,)))["attic"] == TICKED
    assert default.problem is None
    monkeypatch.undo()
    assert _done(memory.maintain()) == {"attic": {"consolidation"}, "default": set()}


def test_only_one_maintains_at_a_time(memory: Memory, tmp_path: Path) -> None:
    """While another is at it a run does nothing, and says so."""
    lock = FileLock(tmp_path / "maintain.lock")
    with lock.held():
        head = memory.checkpoint()
        done = memory.maintain()
        assert done.spaces == ()
        assert "another process" in str(done.message)
        assert memory.checkpoint() == head
    lock.close()
    assert memory.maintain().spaces


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
    done = memory.maintain(jobs=["decay", "consolidation"])
    stop.set()
    writer.join()
    assert all(kept.problem is None for kept in done.spaces)
    assert {item.status for one in stored if (item := memory.find(one))} == {"active"}
    assert memory.verify()


def test_a_bare_undo_leaves_upkeep_alone(memory: Memory) -> None:
    """`undo` without a reference undoes what somebody did, not what kept the home up."""
    told = memory.remember("The ladder is in the shed")
    memory.maintain()
    memory.undo()
    assert memory.get(told.memory_id or "").status == "withdrawn"
    (step,) = memory.events(kinds=("consolidated",))
    memory.undo(step.event_id)
    assert {item.content for item in memory.list()} >= {
        "Dana prefers tea to coffee",
        "Note: Dana prefers tea to coffee",
    }
