"""Several processes, each with several threads, at one home at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crowd import FENCE, SPACE
from hashed_words import HashedWords

from mnemolog import Memory
from mnemolog.policies.contradictions.rules import RuleJudge
from mnemolog.policies.retention.forgetting import reinforced_weight
from tests.files import holding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PROCESSES = ("ada", "ben", "cid", "dot")
_THREADS = 4


class Crowd:
    """The processes, and what they have told."""

    def __init__(self, processes: list[subprocess.Popen[str]]) -> None:
        self._processes = processes

    def until_ready(self) -> list[tuple[int, str]]:
        """What they acknowledged, once all have done their work: positions and ids."""
        told = []
        for process in self._processes:
            while (line := process.stdout.readline().strip()) != "ready":
                assert line, "a process ended early"
                position, memory_id = line.split(" ")
                told.append((int(position), memory_id))
        return told

    def answers(self, cue: str) -> set[str]:
        """What they find first for a cue."""
        for process in self._processes:
            process.stdin.write(f"{cue}\n")
            process.stdin.flush()
        return {process.stdout.readline().rstrip("\n") for process in self._processes}


@contextmanager
def _crowd(home: Path, count: int) -> Iterator[Crowd]:
    """Four processes at work; none of them may end with an error."""
    script = Path(__file__).with_name("crowd.py")
    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, script, home, name, str(count)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for name in _PROCESSES
        ]
        yield Crowd(processes)
        for process in processes:
            process.stdin.close()
            assert process.wait() == 0


def _open(home: Path) -> Memory:
    return Memory.open(home, SPACE, actor="user:dana", embedder=HashedWords(), judge=RuleJudge())


@pytest.fixture
def count(*, soak: bool) -> int:
    """How many memories each thread remembers."""
    return 200 if soak else 8


def _all_there(memory: Memory, told: list[tuple[int, str]], count: int) -> None:
    """Every acknowledged memory stands where it was said to, and there are no gaps."""
    assert len(told) == len(_PROCESSES) * _THREADS * count
    entries = {entry.position: entry for entry in memory.log.events(spaces=())}
    assert list(entries) == list(range(1, len(entries) + 1))
    for position, memory_id in told:
        assert entries[position].memory_id == memory_id
    assert memory.log.verify().events == len(entries)


def test_nothing_is_lost_and_nothing_refused(tmp_path: Path, count: int) -> None:
    """Sixteen threads of four processes lose nothing, and each sees what the others appended."""
    with _open(tmp_path) as first:
        fence = first.remember(FENCE).memory_id or ""
    with _crowd(tmp_path, count) as crowd, _open(tmp_path) as memory:
        told = crowd.until_ready()
        _all_there(memory, told, count)
        met = sum(entry.kind == "reinforced" for entry in memory.log.events())
        assert met == len(_PROCESSES) * _THREADS * len(range(0, count, 4))
        assert memory.get(fence).accesses == met
        weight = (2.0, 2.0)
        for _ in range(met):
            weight = reinforced_weight(weight)
        assert memory.get(fence).depth_weight == weight
        memory.remember("The juggler lost a skittle")
        assert crowd.answers("juggler") == {"The juggler lost a skittle"}
        memory.supersede(memory.recall("juggler").hits[0].memory_id, "The juggler found it again")
        assert crowd.answers("juggler skittle") == {"The juggler found it again"}
    with _open(tmp_path) as memory:
        assert {memory.get(memory_id).accesses for _, memory_id in told} == {1}
        assert [*memory.log.events(kinds=("degraded",))]


def test_redaction_while_others_write_and_recall(tmp_path: Path, count: int) -> None:
    """What is redacted amid the crowd is gone from every file, and nothing else is."""
    with _open(tmp_path) as memory:
        secrets = [f"the seekrit{number}zyx of the juggler" for number in range(6)]
        ids = [receipt.memory_id or "" for receipt in memory.remember_many(secrets)]
        with _crowd(tmp_path, count) as crowd:
            redactions = [memory.redact(memory_id, timeout_s=30) for memory_id in ids]
            told = crowd.until_ready()
            assert all(redaction.complete for redaction in redactions)
            _all_there(memory, told, count)
            assert "seekrit" not in " ".join(crowd.answers("juggler"))
            assert holding(tmp_path, b"seekrit") == []


def test_rebuilding_while_others_write_and_recall(tmp_path: Path, count: int) -> None:
    """Views and index are rebuilt under the crowd's feet without a question going wrong."""
    with _open(tmp_path) as memory, _crowd(tmp_path, count) as crowd:
        done = threading.Event()

        def rebuild() -> None:
            while not done.is_set():
                memory.upkeep.rebuild()

        thread = threading.Thread(target=rebuild)
        thread.start()
        try:
            told = crowd.until_ready()
        finally:
            done.set()
            thread.join()
        _all_there(memory, told, count)
        assert memory.notices == []
        assert len(list(tmp_path.glob("views-*.db"))) == 1


@pytest.mark.parametrize("pattern", ["views-*.db", "views*", "vectors.db*", "manifest", "indexes"])
def test_derived_files_deleted_under_a_live_process(tmp_path: Path, pattern: str) -> None:
    """Handles go on after a derived part is deleted, and a new one finds everything."""
    with _open(tmp_path) as memory:
        memory.remember_many([f"The juggler threw club{number}" for number in range(20)])
        memory.upkeep.rebuild()
        before = memory.recall("juggler club7").hits
        for path in tmp_path.glob(pattern):
            subprocess.run(["rm", "-r", path], check=True)
        assert memory.recall("juggler club7").hits == before
        memory.remember("The juggler threw club99")
        with _open(tmp_path) as other:
            assert other.recall("club99").hits[0].content == "The juggler threw club99"
            other.remember("The juggler threw club100")
            assert other.recall("juggler club7", limit=1).hits[0].content == before[0].content
        assert memory.recall("club100").hits[0].content == "The juggler threw club100"
        assert memory.log.verify().events == 22


def _forked(work: Callable[[], None]) -> int:
    """The exit code of a fork of this process that does some work and ends."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001 - a fork of the test runner must never return
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_fork_uses_an_open_memory(tmp_path: Path) -> None:
    """A handle opened before a fork serves parent and child, and neither loses anything."""
    with _open(tmp_path) as memory:
        memory.remember("The juggler threw a club")
        assert not memory.recall("juggler").empty

        def child() -> None:
            assert memory.recall("juggler").hits[0].content == "The juggler threw a club"
            memory.remember("The child juggled too")
            assert memory.recall("child").hits[0].content == "The child juggled too"

        assert _forked(child) == 0
        assert memory.recall("child juggled").hits[0].content == "The child juggled too"
        memory.remember("The parent went on")
        assert _forked(child) == 0
        assert memory.log.verify().events == 4
        assert memory.notices == []
