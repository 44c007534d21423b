"""A process to be killed: it does one kind of work on a home and tells what was acknowledged.

    python living.py HOME WORK SEED

Each line on standard output is one acknowledged thing, written after the call
that did it has returned: `event POSITION ID`, `redacted ID`, `done WHAT`.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TypeVar

from hashed_words import HashedWords
from hurried import Hurried

from mnemolog import Admission, Memory, NewMemory, Receipt, Thing
from mnemolog.indexes import space_index

SPACE = "kitchen"
_TAIL = 20

Done = TypeVar("Done", Receipt, Admission)


def _say(line: str) -> None:
    # One write a line, with no buffer in between: a line is there or it is not.
    os.write(1, f"{line}\n".encode())


def _told(receipt: Done) -> Done:
    for event in receipt.events:
        _say(f"event {event.position} {event.event_id}")
    return receipt


def _texts(chance: random.Random) -> Iterator[str]:
    words = ("kettle", "ladder", "compass", "violin", "harbour", "lantern", "orchard")
    for number in count():
        picked = " ".join(chance.choices(words, k=chance.randrange(2, 9)))
        yield f"kettle note {number} of {os.getpid()}: {picked}"


def _append(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    while True:
        receipt = _told(memory.remember(next(texts), tags=("one",)))
        if chance.random() < 0.3:
            _told(memory.supersede(receipt.memory_id or "", next(texts), reason="it changed"))


def _batches(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    while True:
        items = [NewMemory(next(texts)) for _ in range(chance.randrange(2, 60))]
        for receipt in memory.remember_many(items):
            _told(receipt)


def _threads(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    seeds = [chance.random() for _ in range(4)]
    threads = [
        threading.Thread(target=_append, args=(memory, _texts(chance), random.Random(seed)))
        for seed in seeds
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _fold(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    # Appended past the projections, so that recall has much to fold and to index.
    while True:
        for receipt in memory.remember_many([next(texts) for _ in range(30)]):
            _told(receipt)
        memory._space.home.views.rebuild()
        memory.recall("the kettle and the ladder")
        _say("done folding")


def _bases(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    space_index._TAIL_LIMIT = _TAIL
    while True:
        for receipt in memory.remember_many([next(texts) for _ in range(_TAIL)]):
            _told(receipt)
        memory.recall("the kettle and the ladder")
        memory._space.home.index(SPACE).write_base()
        _say("done writing a base")


def _rebuild(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    while True:
        _told(memory.remember(next(texts)))
        memory.upkeep.rebuild()
        _say("done rebuilding")


def _redact(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    while True:
        kept, gone = (_told(memory.remember(next(texts))) for _ in range(2))
        _told(memory.supersede(kept.memory_id or "", next(texts)))
        redaction = memory.redact(gone.memory_id or "", reason="asked for")
        for event in redaction.events:
            _say(f"event {event.position} {event.event_id}")
        if redaction.complete:
            _say(f"redacted {gone.memory_id}")


def _tick(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    clock = memory._space.home.clock
    assert isinstance(clock, Hurried)
    while True:
        kept = _told(memory.remember(next(texts), kind="preference"))
        fading = [_told(memory.remember(next(texts), kind="episodic")) for _ in range(4)]
        clock.hurry(chance.randrange(1, 90))
        memory.use(kept.memory_id or "", fading[0].memory_id or "")
        memory.upkeep.write_uses()
        told = memory.upkeep.tick(confirmed=True)
        if told.complete:
            for one in told.deleted:
                _say(f"redacted {one}")


def _admit(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    _told(memory.remember(next(texts)))
    while True:
        text = next(texts)
        for _ in range(chance.randrange(1, 3)):
            attention = chance.choice((None, text, "an orchard"))
            _told(memory.admission.admit(text, attention=attention))
        if chance.random() < 0.3:
            waited = memory.admission.buffer()
            told = _told(memory.admission.flush())
            for one in waited if told.complete else ():
                _say(f"redacted {one.event_id}")


def remember_what_is_kept(memory: Memory, text: str) -> Iterator[Receipt]:
    """Store a text that deserves to be kept, and says the same as another; each step's receipt."""
    stored = memory.remember(NewMemory(text, marks=("emphasised", "serves_goal")))
    yield stored
    yield memory.remember(f"Note: {text}")
    for thing in ("the household", "the shelf"):
        yield memory.graph.link(stored.memory_id or "", "PART_OF", Thing(thing))


def _maintain(memory: Memory, texts: Iterator[str], chance: random.Random) -> None:
    while True:
        for receipt in remember_what_is_kept(memory, next(texts)):
            _told(receipt)
        if chance.random() < 0.3:
            _told(memory.remember(NewMemory(next(texts), kind="episodic", importance="low")))
        done = memory.upkeep.maintain(jobs=["decay", "consolidation"])
        for kept in done.spaces:
            for step in kept.consolidation.steps if kept.consolidation else ():
                _told(step)
        if done.spaces:
            _say("done maintaining")


WORK: dict[str, Callable[[Memory, Iterator[str], random.Random], None]] = {
    "appending": _append,
    "batches": _batches,
    "threads": _threads,
    "folding": _fold,
    "bases": _bases,
    "rebuilding": _rebuild,
    "redacting": _redact,
    "maintaining": _maintain,
    "ticking": _tick,
    "admitting": _admit,
}


def main(home: str, work: str, seed: str) -> None:
    """Do one kind of work until killed."""
    chance = random.Random(seed)
    clock = Hurried()
    with Memory.open(
        Path(home), SPACE, actor="agent:living", clock=clock, embedder=HashedWords()
    ) as memory:
        clock.reach(memory._space.home.present()[1])
        if memory.settings().lowest_tier != "deleted":
            memory.configure({"lowest_tier": "deleted", "recognise_lasting": False})
        WORK[work](memory, _texts(chance), chance)


if __name__ == "__main__":
    main(*sys.argv[1:])
