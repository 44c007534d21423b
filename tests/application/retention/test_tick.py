"""What ticks and uses do where others write, clocks go wrong, or a program ends."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from mnemolog import Memory, NewMemory
from mnemolog.ledger.clock import NEVER
from mnemolog.ledger.errors import InvalidTime
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import MemoryId, Position
from tests.application.commands.test_overdue_falls import LONG, remembered
from tests.files import holding
from tests.homes import ALL_TIERS, DAY, HandClock, open_home


@pytest.fixture
def memory(memory: Memory) -> Memory:
    """A home in which nothing is held against what is there."""
    memory.configure({"contradictions": "off", **ALL_TIERS})
    return memory


@pytest.mark.parametrize("retired", ["withdrawn", "superseded"])
def test_a_pin_holds_through_what_is_undone(memory: Memory, clock: HandClock, retired: str) -> None:
    """A pinned memory that was taken out and brought back is as safe from falling as before."""
    one = remembered(memory)
    memory.pin(one)
    if retired == "withdrawn":
        memory.withdraw(one)
    else:
        memory.supersede(one, "Mara sold the boiler", kind="preference")
    memory.undo()
    clock.move(400 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {}
    assert (memory.get(one).status, memory.get(one).content) == ("active", LONG)


@pytest.mark.parametrize("punctual", [True, False])
def test_an_undone_use_leaves_the_summary(
    memory: Memory, clock: HandClock, *, punctual: bool
) -> None:
    """A memory that was summarized before a use has its summary after the use is undone."""
    one = remembered(memory)
    clock.move(70 * DAY)
    if punctual:
        memory.upkeep.tick(confirmed=True)
    memory.use(one)
    memory.upkeep.write_uses()
    (used,) = memory.log.events(kinds=("recalled",))
    memory.undo(used.event_id)
    item = memory.get(one)
    assert item.status == "summarized"
    assert item.summary
    assert memory.recall("who fixed the boiler in the cellar?").hits[0].content == item.summary


def test_a_tick_names_all_of_its_commands(memory: Memory, clock: HandClock) -> None:
    """A tick over more memories than one command lets fall can be undone whole."""
    many = [remembered(memory, f"Mara met guest {number} at the pier") for number in range(250)]
    clock.move(40 * DAY)
    told = memory.upkeep.tick(confirmed=True)
    assert told.falls == {"archived": 250}
    for position in reversed(told.positions):
        memory.undo(f"@{position}")
    assert {memory.get(one).status for one in many} == {"active"}


def test_a_use_of_very_many_can_be_undone(memory: Memory, clock: HandClock) -> None:
    """What a report of hundreds of memories did is undone by its commands."""
    many = [remembered(memory, f"Mara met guest {number} at the pier") for number in range(250)]
    clock.move(20 * DAY)
    before = [memory.get(one).strength for one in many]
    memory.use(*many)
    memory.upkeep.write_uses()
    used = [*memory.log.events(kinds=("recalled",))]
    assert len(used) == 3
    for event in reversed(used):
        memory.undo(event.event_id)
    assert [memory.get(one).strength for one in many] == before


def test_the_reason_of_an_undo_is_redacted_with_its_memory(
    tmp_path: Path, clock: HandClock
) -> None:
    """What was said when a withdrawal was undone, and when that was, goes with the memory."""
    with open_home(tmp_path / "home", clock=clock) as memory:
        one = remembered(memory)
        memory.withdraw(one)
        undone = memory.undo(reason="the walnut code is right after all")
        memory.undo(undone.events[0].event_id, reason="the hazel code")
        memory.redact(one)
    assert holding(tmp_path / "home", b"walnut", b"hazel") == []


@pytest.mark.parametrize("reading", [NEVER, NEVER + DAY, -1])
def test_a_clock_that_no_calendar_has_changes_nothing(
    memory: Memory, clock: HandClock, reading: int
) -> None:
    """What a clock past the year 9999 would record could not be read again, and is refused."""
    one = remembered(memory)
    head = memory.log.checkpoint()
    before, clock.time = clock.time, reading
    with pytest.raises(InvalidTime, match="clock"):
        memory.remember("Mara is away")
    clock.time = before
    assert memory.log.checkpoint() == head
    assert memory.get(one).status == "active"


def test_writers_without_a_pause_do_not_hold_up_a_deletion(
    tmp_path: Path, memory: Memory, clock: HandClock
) -> None:
    """A tick that destroys texts comes to its end while another handle writes on and on."""
    many = [remembered(memory, f"Mara met guest {number} at the pier") for number in range(120)]
    clock.move(400 * DAY)
    ended = threading.Event()
    written = []

    def write() -> None:
        with open_home(tmp_path / "home", clock=clock) as other:
            while not ended.is_set() and len(written) < 5000:
                written.append(other.remember(f"The tide is at {len(written)}").memory_id)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        told = memory.upkeep.tick(confirmed=True)
    finally:
        ended.set()
        writer.join()
    assert len(told.deleted) == len(many)
    assert len(written) < 5000


_ENDING = """
import shutil, sys
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog import Memory, NewMemory
memory = Memory.open(sys.argv[1])
one = memory.remember("Mara fixed the boiler").memory_id
memory.use(one)
shutil.rmtree(sys.argv[1])
"""


def test_a_program_whose_home_is_gone_ends(tmp_path: Path) -> None:
    """A program that cannot write its last uses says so, and does not go on for ever."""
    home = tmp_path / "home"
    done = subprocess.run(
        [sys.executable, "-c", _ENDING, str(home)], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0
    shutil.rmtree(home, ignore_errors=True)


def test_a_tick_reads_once_what_may_quote_what_it_destroys(
    memory: Memory, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quotations of memories go at each of its commands, and the log is read through once."""
    kept = str(memory.remember("The lamp in the hall is new", immutable=True).memory_id)
    texts = [f"Mara painted shelf {number} in the attic" for number in range(250)]
    told = [NewMemory(text, kind="episodic", importance="low") for text in texts]
    memory.remember_many(told)
    for number in (0, 120, 240):
        memory.pin(kept, reason=f"she said: {texts[number]}")
        memory.unpin(kept, reason="nobody said why")
    clock.move(800 * DAY)
    read, seen = memory._space.home.log.read, Counter[int]()

    def counted(
        after: Position, limit: int, space: str | None = None, kinds: Sequence[str] = ()
    ) -> list[Event]:
        page = read(after, limit, space, kinds)
        seen.update(event.position for event in page if kinds and event.kind == "unpinned")
        return page

    monkeypatch.setattr(memory._space.home.log, "read", counted)
    assert memory.upkeep.tick(confirmed=True).falls == {"deleted": 250}
    assert set(seen.values()) == {1}
    reasons = [event.content for event in memory._space.home.log.concerning(MemoryId(kept))]
    assert [content is None for content in reasons] == [False, *(True, False) * 3]
    assert not holding(memory._space.home.path, b"Mara painted shelf 120")
