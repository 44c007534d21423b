"""A home with something of everything in it, copies of it to damage, and what it answers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from hashed_words import HashedWords

from mnemolog import Memory, NewMemory
from mnemolog.policies.contradictions.rules import RuleJudge

SPACE = "kitchen"
MEMORIES = 40

# Rooms and things so that each text has words of its own and words that it shares.
_THINGS = ("kettle", "ladder", "compass", "violin", "harbour", "lantern", "orchard", "saddle")
_CUES = ("who has the kettle", "the ladder in room 12", "orchard", "note-07", "lanteern", "violin")
_MAY = datetime(2026, 5, 1, tzinfo=UTC)


class Answer(msgspec.Struct, frozen=True):
    """What one question brought back: its hits in order, and how well they fit."""

    hits: tuple[tuple[str, str, str, float], ...]


class MadeHome(msgspec.Struct, frozen=True):
    """A home as it was made: what it answers, what was remembered, how far it reached."""

    path: Path
    answers: tuple[Answer, ...]
    contents: dict[str, str]
    head: int

    def copy(self, target: Path) -> Path:
        """A copy that can be damaged, in place of an earlier one."""
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.path, target)
        return target


def open_home(path: Path) -> Memory:
    """A handle on a home."""
    return Memory.open(path, SPACE, actor="user:dana", embedder=HashedWords(), judge=RuleJudge())


def ask(memory: Memory) -> tuple[Answer, ...]:
    """What the memory answers to some cues, now, under filters and as of a moment."""
    recalls = [memory.recall(cue) for cue in _CUES]
    recalls.append(memory.recall("the compass", tags=("even",)))
    recalls.append(memory.recall("the compass", place="room 3"))
    recalls.append(memory.recall("the saddle", valid_at=_MAY))
    recalls.append(memory.recall("the saddle", statuses=("superseded",)))
    recalls.append(memory.as_of(MEMORIES // 2).recall("the harbour"))
    return tuple(
        Answer(
            tuple((hit.memory_id, hit.content, hit.status, hit.relevance) for hit in recall.hits)
        )
        for recall in recalls
    )


def listed(memory: Memory) -> dict[str, str]:
    """Every memory's id with its content, as lists show them."""
    return {item.memory_id: item.content or "" for item in memory.list(limit=1000)}


def make_home(path: Path) -> Iterator[MadeHome]:
    """A home with a base and a tail; first as it lies closed, then as another process has it open.

    In the second, the last events are in write-ahead logs alone.
    """
    with open_home(path) as memory:
        receipts = memory.remember_many([_memory(number) for number in range(MEMORIES)])
        ids = [receipt.memory_id or "" for receipt in receipts]
        memory.supersede(ids[3], "The violin of note-03 was sold in spring", reason="it was sold")
        memory.withdraw(ids[5])
        memory.pin(ids[7])
        memory.redact(ids[9])
        memory.upkeep.rebuild()
        memory.remember("The lantern of note-98 hangs in room 12")
        yield _made(memory, path, closed=True)
    with open_home(path) as memory:
        memory.remember("The kettle of note-99 was mended")
        memory.supersede(ids[11], "The lantern of note-11 went to the museum")
        yield _made(memory, path, closed=False)


def _memory(number: int) -> NewMemory:
    thing = _THINGS[number % len(_THINGS)]
    return NewMemory(
        f"The {thing} of note-{number:02} stands in room {number % 5} beside the {number} chairs",
        tags=("even",) if number % 2 == 0 else ("odd",),
        place=f"room {number % 5}",
        valid_from=_MAY if number % 7 == 0 else None,
        snippet=f"said on day {number}",
    )


def _made(memory: Memory, path: Path, *, closed: bool) -> MadeHome:
    answers = ask(memory)
    contents = {
        entry.memory_id or "": str((entry.content or {}).get("text"))
        for entry in memory.log.events(kinds=("remembered",))
    }
    made = MadeHome(path, answers, contents, memory.log.checkpoint().position)
    if closed:
        memory.close()
    return made
