"""A process whose judge and summarizer think until they are told to go on.

    python thinking.py HOME COMMAND REFERENCE

Says that it is ready, waits for a line, and carries out the command 70 days later. A port
that is asked says so, and waits for another line. At the end it tells what the command
raised, if anything.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hashed_words import HashedWords

from mnemolog import Contradiction, LedgerError, Memory, Statement
from mnemolog.ledger.clock import Micros, SystemClock

DAYS = 70 * 86_400_000_000
MONDAYS = "The pump of the lighthouse is checked on Mondays by Bo"


class Later:
    """The clock of 70 days from now."""

    def now(self) -> Micros:
        """The instant."""
        return Micros(SystemClock().now() + DAYS)


class Thinking:
    """A judge and a summarizer in one, which quotes what it was given."""

    name = "thinking"

    def summary(self, text: str) -> str:
        """The beginning of a text."""
        _think()
        return text[:30]

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """That two texts disagree unless they are the same but for a full stop."""
        _think()
        if new.text.strip(".") == old.text.strip("."):
            return None
        said = f"It was said: {old.text}."
        return Contradiction(
            "value", "major", "day", time_sensitive=False, condition=None, reason=said
        )


def _think() -> None:
    sys.stdout.write("asked\n")
    sys.stdout.flush()
    sys.stdin.readline()


def main(home: str, command: str, reference: str) -> None:
    """Carry out one command."""
    ports = Thinking()
    with Memory.open(
        Path(home), clock=Later(), embedder=HashedWords(), judge=ports, summarizer=ports
    ) as memory:
        carry_out = {
            "tick": memory.upkeep.tick,
            "pin": lambda: memory.pin(reference),
            "use": lambda: (memory.use(reference), memory.upkeep.write_uses()),
            "undo": lambda: memory.undo(reference),
            "admit": lambda: memory.admission.admit(MONDAYS, attention=MONDAYS),
            "flush": memory.admission.flush,
            "consolidate": memory.upkeep.consolidate,
        }
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        try:
            carry_out[command]()
        except LedgerError as error:
            sys.stdout.write(f"{type(error).__name__}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
