"""Several processes that keep one home up at once, with a writer among them."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from hashed_words import HashedWords

from mnemolog import Memory, NewMemory, Thing

_PROCESSES = 3
_MEMORIES = 12


def _fill(home: Path, space: str) -> None:
    with Memory.open(home, space, actor="user:dana", embedder=HashedWords()) as memory:
        for number in range(_MEMORIES):
            text = f"Person{number} keeps lantern number {number} on the shelf"
            new = NewMemory(text, marks=("emphasised", "serves_goal"))
            stored = memory.remember(new, contradictions="off").memory_id or ""
            memory.remember(f"Note: {text}", contradictions="off")
            memory.graph.link(stored, "PART_OF", Thing("the household"))
            memory.graph.link(stored, "DEPENDS_ON", Thing("the shelf"))


def _started(stack: ExitStack, name: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """A process of its own that is ready."""
    process = stack.enter_context(
        subprocess.Popen(
            [sys.executable, Path(__file__).with_name(name), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
    )
    assert process.stdout.readline() == "ready\n"
    return process


def _go(crons: list[subprocess.Popen[str]]) -> None:
    for cron in crons:
        cron.stdin.write("go\n")
        cron.stdin.flush()


def test_crons_in_several_processes_do_nothing_twice(tmp_path: Path) -> None:
    """Each job of each space is done once and each memory taken up once, while another writes."""
    for space in ("kitchen", "square"):
        _fill(tmp_path, space)
    with ExitStack() as stack:
        crons = [_started(stack, "keeping.py", tmp_path) for _ in range(_PROCESSES)]
        _go(crons)
        with Memory.open(tmp_path, "kitchen", embedder=HashedWords()) as writer:
            stored = [writer.remember(f"Shelf {n} is of oak").memory_id or "" for n in range(20)]
        steps = [int(cron.stdout.readline()) for cron in crons]
        for cron in crons:
            cron.stdin.close()
            assert cron.wait() == 0
    assert sum(steps) == 2 * _MEMORIES
    with Memory.open(tmp_path, "kitchen", embedder=HashedWords()) as memory:
        entries = list(memory.log.events(spaces=()))
        marked = [entry for entry in entries if entry.kind == "maintained"]
        jobs = Counter((entry.space, job) for entry in marked for job in entry.structure["jobs"])
        assert set(jobs.values()) == {1}
        assert {space for space, _ in jobs} == {"kitchen", "square"}
        taken = Counter(entry.memory_id for entry in entries if entry.kind == "consolidated")
        assert len(taken) == 2 * _MEMORIES
        assert set(taken.values()) == {1}
        assert {memory.get(one).status for one in stored} == {"active"}
        assert memory.log.verify().events == len(entries)


def test_writers_without_a_pause_hold_up_no_upkeep(tmp_path: Path) -> None:
    """Beside two processes that write to the space all the time, every memory is taken up."""
    _fill(tmp_path, "kitchen")
    with ExitStack() as stack:
        writers = [_started(stack, "writing.py", tmp_path, "kitchen") for _ in range(2)]
        memory = stack.enter_context(Memory.open(tmp_path, "kitchen", embedder=HashedWords()))
        _go(writers)
        done = memory.upkeep.consolidate()
        _go(writers)
        written = [int(writer.stdout.readline()) for writer in writers]
        assert min(written) > 0
        assert (len(done.steps), done.left) == (_MEMORIES, 0)
