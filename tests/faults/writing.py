"""A process that writes to a home without a pause.

    python writing.py HOME SPACE

Says that it is ready, waits for a line, and remembers one thing after the other until
there is another line; then it tells how many.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from hashed_words import HashedWords

from mnemolog import Memory


def main(home: str, space: str) -> None:
    """Remember until told to stop."""
    with Memory.open(Path(home), space, actor="user:other", embedder=HashedWords()) as memory:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        stopped = threading.Event()
        threading.Thread(target=lambda: (sys.stdin.readline(), stopped.set())).start()
        count = 0
        while not stopped.is_set():
            memory.remember(f"Crate {count} is of pine", contradictions="off")
            count += 1
        sys.stdout.write(f"{count}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
