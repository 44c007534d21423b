"""A process that redacts a memory and dies at one step of it.

python redactor.py HOME MEMORY_ID STEP
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))

from traces import open_home

from mnemolog.indexes.space_index import SpaceIndex
from mnemolog.indexes.vectors.vector_store import VectorStore
from mnemolog.ledger.sqlite.database_files import LedgerFile
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS: dict[str, tuple[type, str]] = {
    "vectors": (VectorStore, "forget"),
    "index": (SpaceIndex, "forget"),
    "vectors' WAL": (VectorStore, "truncate_wal"),
    "log's WAL": (LedgerFile, "truncate_wal"),
    "all": (SqliteLog, "finish_erasure"),
}


def _dies(step: Callable[..., object], *, before: bool) -> Callable[..., object]:
    def dying(*arguments: object, **named: object) -> object:
        if not before:
            step(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    return dying


def main(home: str, memory_id: str, step: str, when: str) -> None:
    """Redact the memory, and die before or after a step."""
    owner, name = STEPS[step]
    with open_home(Path(home)) as memory:
        memory.upkeep.index()
        setattr(owner, name, _dies(getattr(owner, name), before=when == "before"))
        memory.redact(memory_id)


if __name__ == "__main__":
    main(*sys.argv[1:])
