"""Several that store opposite statements at the same time: none is missed."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from mnemolog import Memory
from mnemolog.application.storing.contradiction_check import Check
from mnemolog.ledger.ids import Position
from tests.application.storing.quarrels import PlainJudge
from tests.homes import BagOfWords

STATEMENTS = 6


def insist(home: Path, value: str, begin: Callable[[], object]) -> None:
    """Say the same again and again, beginning when all others do."""
    with Memory.open(home, actor="user:dana", embedder=BagOfWords(), judge=PlainJudge()) as memory:
        begin()
        for _ in range(STATEMENTS):
            memory.remember(f"the truth is {value}")


def rival(home: Path, value: str, barrier: Barrier) -> None:
    """One process that insists."""
    insist(home, value, barrier.wait)


def check_all_found(home: Path) -> None:
    """Of every two opposite statements the later one was found to contradict the earlier."""
    with Memory.open(home, embedder=BagOfWords(), judge=PlainJudge()) as memory:
        items = memory.list(by="oldest", limit=100)
        opposite = {
            (new.memory_id, old.memory_id)
            for new in items
            for old in items
            if old.position < new.position and old.content != new.content
        }
        found = [(one.new.memory_id, one.old.memory_id) for one in memory.conflicts.list()]
        assert len(found) == len(opposite)
        assert set(found) == opposite
        memory.log.verify()


def test_two_processes_that_contradict_each_other_are_both_heard(tmp_path: Path) -> None:
    """Whoever is second decides again, with the first one's memory before it."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    home = tmp_path / "home"
    with Memory.open(home, embedder=BagOfWords()):
        pass
    rivals = [
        context.Process(target=rival, args=(home, value, barrier)) for value in ("this", "that")
    ]
    for process in rivals:
        process.start()
    for process in rivals:
        process.join(60)
        assert process.exitcode == 0
    check_all_found(home)


def test_threads_that_contradict_each_other_are_all_heard(tmp_path: Path) -> None:
    """So it is with threads, which share a commit."""
    home = tmp_path / "home"
    barrier = threading.Barrier(2)
    threads = [
        threading.Thread(target=insist, args=(home, value, barrier.wait))
        for value in ("this", "that")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check_all_found(home)


def test_a_memory_is_stored_though_others_are_always_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some tries it is stored without another look, and the receipt says so."""
    with (
        Memory.open(tmp_path / "home", embedder=BagOfWords(), judge=PlainJudge()) as memory,
        Memory.open(tmp_path / "home", embedder=BagOfWords(), judge=PlainJudge()) as late,
    ):
        begin = Check.begin

        def interrupted(check: Check, position: Position) -> None:
            begin(check, position)
            # Nobody can be faster than this.
            memory.remember("hello", contradictions="off")

        monkeypatch.setattr(Check, "begin", interrupted)
        receipt = late.remember("the truth is this")
        assert memory.get(receipt.memory_id or "").status == "active"
        assert any("at the same time" in warning for warning in receipt.warnings)
