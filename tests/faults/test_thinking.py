"""Models that think for long: nobody waits for them, and what was destroyed meanwhile stays so."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hashed_words import HashedWords
from thinking import MONDAYS, Later

from mnemolog import InvalidState, Memory, NewMemory, Thing
from tests.files import holding
from tests.homes import ALL_TIERS

BOILER = (
    "Mara fixed the boiler in the cellar of the lighthouse in March. It had leaked for two weeks. "
    "The plumber from Kiel was on holiday, so she took the seal of the old pump."
)
FRIDAYS = "The pump of the lighthouse is checked on Fridays by Bo"
PERSISTING = (
    "relevance: new, related, known; high: persist, persist, reinforce; "
    "medium: persist, persist, reinforce; low: persist, persist, reinforce"
)
COMMANDS = ("tick", "pin", "use", "undo", "admit", "flush", "consolidate")
_LONGEST_S = 30.0


def _fill(home: Path) -> list[str]:
    """A text that will have faded, one twice, and one that waits in the buffer; the memories."""
    with Memory.open(home, embedder=HashedWords()) as memory:
        memory.configure({"contradictions": "off", "admission_noise": 0.0, **ALL_TIERS})
        stored = [memory.remember(BOILER, kind="episodic").memory_id or ""]
        for text in (FRIDAYS, f"{FRIDAYS}."):
            new = NewMemory(text, marks=("emphasised", "serves_goal"))
            stored.append(memory.remember(new).memory_id or "")
            memory.graph.link(stored[-1], "PART_OF", Thing("the household"))
            memory.graph.link(stored[-1], "DEPENDS_ON", Thing("the shelf"))
        memory.configure({"admission": PERSISTING.replace("persist", "buffer")})
        memory.admission.admit(MONDAYS)
        memory.configure({"admission": PERSISTING, "contradictions": None})
    return stored


@contextmanager
def _thinking(home: Path, command: str, reference: str) -> Iterator[list[str]]:
    """Another process that has just asked its model; what it tells after it was answered."""
    told: list[str] = []
    with subprocess.Popen(
        [sys.executable, Path(__file__).with_name("thinking.py"), home, command, reference],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        assert process.stdout.readline() == "asked\n"
        # Whoever waits for the model would wait for ever.
        late = threading.Timer(_LONGEST_S, process.kill)
        late.start()
        yield told
        late.cancel()
        rest, _ = process.communicate("\n" * 200)
        assert process.returncode == 0
        told += [line for line in rest.split() if line != "asked"]


@pytest.mark.parametrize("command", COMMANDS)
def test_nobody_waits_for_a_model_of_another_process(tmp_path: Path, command: str) -> None:
    """While one process asks a judge or a summarizer, all commands of another come to their end."""
    boiler, *_ = _fill(tmp_path)
    with Memory.open(tmp_path, clock=Later(), embedder=HashedWords()) as memory:
        named = boiler
        if command == "undo":
            named = f"@{memory.withdraw(boiler).position}"
        tea = memory.remember("Dana drinks tea").memory_id or ""
        with _thinking(tmp_path, command, named) as told:
            memory.recall("who fixed the boiler?")
            salt = memory.remember("The salt is in the jar").memory_id or ""
            memory.pin(tea)
            memory.unpin(tea)
            memory.undo()
            memory.use(tea)
            memory.redact(salt)
            memory.upkeep.tick(confirmed=True)
        assert told == []
        assert memory.get(tea).pinned
        assert memory.get(salt).status == "redacted"
        done = {"tick": "ticked", "use": "recalled", "undo": "undone", "pin": "pinned"}
        done |= {"admit": "admitted", "flush": "admitted", "consolidate": "consolidated"}
        assert [*memory.log.events(kinds=(done[command],))]
        summaries = [entry for entry in memory.history(boiler) if "stands for it" in entry.summary]
        assert len(summaries) <= 1
        memory.log.verify()


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_redacted_while_a_model_thinks_of_it_does_not_live_on(
    tmp_path: Path, command: str
) -> None:
    """No summary of it, no judgement that quotes it and no merge with its words is stored."""
    stored = _fill(tmp_path)
    with Memory.open(tmp_path, clock=Later(), embedder=HashedWords()) as memory:
        named = stored[0]
        if command == "undo":
            named = f"@{memory.withdraw(named).position}"
        with _thinking(tmp_path, command, named) as told:
            memory.redact(*stored)
        # Nothing is left to pin, to bring back or to use.
        assert told == ([InvalidState.__name__] if command == "pin" else told)
        assert {memory.get(one).status for one in stored} == {"redacted"}
        memory.log.verify()
    assert holding(tmp_path, b"Mara fixed", b"on Fridays") == []
