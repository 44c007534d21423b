"""A process with a handle of its own that stays open: it does what each line asks, and says so.

python bystander.py HOME
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))

from traces import open_home


def main(home: str) -> None:
    """Recall, write a base, remember or append, until the lines end."""
    with open_home(Path(home)) as memory:
        for line in sys.stdin:
            what, _, rest = line.strip().partition(" ")
            if what == "recall":
                memory.recall(rest)
            elif what == "base":
                memory._space.home.index(memory.space).write_base()
            elif what == "rebuild":
                memory.upkeep.rebuild()
            elif what == "remember":
                memory.remember(rest)
            print("done", flush=True)  # noqa: T201 - the answer to the line


if __name__ == "__main__":
    main(*sys.argv[1:])
