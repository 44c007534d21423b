"""`kill -9` at random moments of every kind of work: what was acknowledged is there."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hashed_words import HashedWords
from living import SPACE, WORK, remember_what_is_kept

from mnemolog import Memory

if TYPE_CHECKING:
    import random

_ROUNDS = 2
_ROUNDS_SOAK = 22
_LONGEST_S = 0.25


@pytest.fixture
def rounds(*, soak: bool) -> int:
    """How often each kind of work is killed: over 200 times in all when soaking."""
    return _ROUNDS_SOAK if soak else _ROUNDS


def _killed(home: Path, work: str, chance: random.Random) -> list[str]:
    """What a process acknowledged before it was killed, at a random moment of its work."""
    worker = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("living.py"), home, work, str(chance.random())],
        stdout=subprocess.PIPE,
    )
    assert worker.stdout is not None
    first = worker.stdout.readline()
    time.sleep(chance.random() * _LONGEST_S)
    worker.send_signal(signal.SIGKILL)
    rest = worker.stdout.read()
    worker.stdout.close()
    assert worker.wait() == -signal.SIGKILL, "it ended before it was killed"
    return (first + rest).decode().splitlines()


def _check(home: Path, acknowledged: list[str]) -> None:
    """Everything that was said to be done is done, and the home goes on working."""
    with Memory.open(home, SPACE, actor="user:dana", embedder=HashedWords()) as memory:
        entries = list(memory.log.events())
        assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
        there = {(str(entry.position), str(entry.event_id)) for entry in entries}
        erased = {entry.event_id for entry in entries if entry.erased}
        for line in acknowledged:
            what, *facts = line.split(" ")
            if what == "event":
                assert tuple(facts) in there, line
            elif what == "redacted":
                assert facts[0] in erased, line
        assert memory.log.verify().events == len(entries)
        assert not memory.recall("the kettle and the ladder", min_relevance=0).empty
        receipt = memory.remember("The kettle survived it all")
        assert receipt.position == len(entries) + 1
        assert memory.recall("the kettle survived it all", limit=1, min_relevance=0).hits[
            0
        ].position == (receipt.position)
        assert not memory._space.home.log.pending_erasures()


@pytest.mark.parametrize("work", sorted(WORK))
def test_nothing_acknowledged_is_lost_when_killed(
    tmp_path: Path, chance: random.Random, rounds: int, work: str
) -> None:
    """A process killed while it works leaves every acknowledged event, gapless and verified."""
    acknowledged: list[str] = []
    for _ in range(rounds):
        acknowledged += _killed(tmp_path / "home", work, chance)
        _check(tmp_path / "home", acknowledged)
    with Memory.open(tmp_path / "home", SPACE, embedder=HashedWords()) as memory:
        levels = {finding.subject: finding.level for finding in memory.upkeep.doctor().findings}
        assert levels["views"] == "ok"


def test_maintenance_that_was_killed_is_finished_by_the_next(
    tmp_path: Path, chance: random.Random, rounds: int
) -> None:
    """Killed anywhere in a run, no memory is taken up twice and none is left for good."""
    # Whoever is killed at once may have stored none whole.
    with Memory.open(tmp_path / "home", SPACE, embedder=HashedWords()) as memory:
        assert [*remember_what_is_kept(memory, "The kettle stands on the stove")]
    for _ in range(rounds):
        _killed(tmp_path / "home", "maintaining", chance)
    with Memory.open(tmp_path / "home", SPACE, embedder=HashedWords()) as memory:
        memory.upkeep.maintain(jobs=["decay", "consolidation"])
        (schedule,) = memory.upkeep.schedule()
        assert schedule.waiting == 0
        taken = [entry.memory_id for entry in memory.log.events(kinds=("consolidated",))]
        assert len(taken) == len(set(taken)) > 0
        merged = [item for item in memory.list(limit=1000) if item.extraction_method]
        assert len(merged) == len({item.content for item in merged})
        assert all(finding.level == "ok" for finding in memory.upkeep.doctor().findings)


def test_crashes_leave_no_litter(tmp_path: Path, chance: random.Random, rounds: int) -> None:
    """What a killed rebuild left half made is gone once another has been made."""
    for _ in range(rounds):
        _killed(tmp_path / "home", "rebuilding", chance)
    with Memory.open(tmp_path / "home", SPACE, embedder=HashedWords()) as memory:
        memory.upkeep.rebuild()
        assert len(list(memory.home.glob("views-*.db"))) == 1
        assert len([path for path in memory.home.glob("indexes/*/*") if path.is_dir()]) == 1
    assert not list((tmp_path / "home").glob("*.tmp"))
