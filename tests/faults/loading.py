"""A process that loads many messages into a home, embedded by hashed words.

    python loading.py import HOME FILE    `mnemolog import` of a file
    python loading.py remember HOME FILE  `remember_many` of its lines, under ids of their own

The second prints how many are acknowledged, each time that it is told.
"""

from __future__ import annotations

import sys
import uuid
from pathlib import Path

from hashed_words import HashedWords

from mnemolog import Memory, NewMemory
from mnemolog.application.home import home as homes
from mnemolog.cli.main import mnemolog


class _Unloaded(HashedWords):
    def unload(self) -> None:
        """Nothing to unload."""


def new_memories(source: Path) -> list[NewMemory]:
    """Each line of a file as a memory, whose id it decides."""
    lines = source.read_text().splitlines()
    return [NewMemory(line, id=uuid.uuid5(uuid.NAMESPACE_OID, line).hex) for line in lines]


def _remember(home: str, source: str) -> None:
    def told(_task: str, done: int, _total: int) -> None:
        sys.stdout.write(f"{done}\n")
        sys.stdout.flush()

    with Memory.open(Path(home), actor="user:dana", embedder=HashedWords()) as memory:
        memory.remember_many(new_memories(Path(source)), contradictions="off", progress=told)


def main(work: str, home: str, source: str) -> None:
    """Load the file."""
    if work == "remember":
        _remember(home, source)
        return
    homes.MiniLM = _Unloaded  # type: ignore[assignment, misc]
    mnemolog(["import", source, "--home", home, "--contradictions", "off", "--quiet"])


if __name__ == "__main__":
    main(*sys.argv[1:])
