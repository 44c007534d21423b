"""One of several processes that keep a home up at once, as two crons would.

    python keeping.py HOME

Waits for a line, maintains the home, and tells how many steps it took.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hashed_words import HashedWords

from mnemolog import Memory


def main(home: str) -> None:
    """Maintain at every line, until they end."""
    with Memory.open(Path(home), actor="system:cron", embedder=HashedWords()) as memory:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        for _ in sys.stdin:
            done = memory.upkeep.maintain()
            steps = sum(len(one.consolidation.steps) for one in done.spaces if one.consolidation)
            sys.stdout.write(f"{steps}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
