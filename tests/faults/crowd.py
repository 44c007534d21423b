"""One of several processes on a home, in four threads: it remembers, admits, recalls and ticks.

    python crowd.py HOME NAME COUNT

Tells each acknowledged memory as `POSITION ID`, then `ready`; then answers
each cue that it is given on a line with the content of the best hit.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from hashed_words import HashedWords
from hurried import Hurried

from mnemolog import Memory
from mnemolog.policies.contradictions.rules import RuleJudge

SPACE = "square"
FENCE = "the fence of the square is painted green"
_THREADS = 4


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def _work(memory: Memory, name: str, thread: int, count: int, errors: list[str]) -> None:
    clock = memory._space.home.clock
    assert isinstance(clock, Hurried)
    try:
        for number in range(count):
            text = f"{name}{thread} saw carriage{number} of {name}{thread}x{number} pass"
            told = memory.remember(text, kind="episodic", importance="low")
            _say(f"{told.position} {told.memory_id}")
            memory.use(told.memory_id or "")
            if number % 4 == 0:
                memory.admission.admit(FENCE, contradictions="off")
            if number % 5 == thread:
                # Fifteen days after it was stored such a memory is archived, by the clock of
                # whichever process is ahead.
                clock.hurry(12)
                memory.upkeep.tick(confirmed=True)
            hits = memory.recall(f"{name}{thread}x{number}", limit=1).hits
            if not hits or hits[0].content != text:
                errors.append(f"{text!r} was not found at once: {hits!r}")
    except BaseException as error:
        errors.append(repr(error))
        raise


def main(home: str, name: str, count: str) -> None:
    """Remember and recall, then answer cues until the lines end."""
    errors: list[str] = []
    clock = Hurried()
    with Memory.open(
        Path(home),
        SPACE,
        actor=f"agent:{name}",
        clock=clock,
        embedder=HashedWords(),
        judge=RuleJudge(),
    ) as memory:
        clock.reach(memory._space.home.present()[1])
        threads = [
            threading.Thread(target=_work, args=(memory, name, thread, int(count), errors))
            for thread in range(_THREADS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # Else they are written while the log is being counted.
        memory.upkeep.write_uses()
        _say("ready")
        for line in sys.stdin:
            hits = memory.recall(line.strip(), limit=1).hits
            _say(hits[0].content if hits else "nothing")
    for error in errors:
        sys.stderr.write(f"{error}\n")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main(*sys.argv[1:])
