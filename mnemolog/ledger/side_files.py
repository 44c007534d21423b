"""Files that SQLite left beside a ledger that is not there any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemolog.ledger.errors import CorruptLog, MissingLog
from mnemolog.ledger.switching import side_files

if TYPE_CHECKING:
    from pathlib import Path

_JOURNAL_HEADER_BYTES = 28


def refuse_foreign_side_files(ledger: Path) -> None:
    """Raise `MissingLog` or `CorruptLog` where the log is gone or empty that they belong to.

    Call it before the log is opened: SQLite would begin a new one, or replay them into it.
    """
    beside = side_files(ledger)
    if not beside:
        return
    try:
        empty = ledger.stat().st_size == 0
    except FileNotFoundError:
        raise MissingLog(ledger, f"{_names(beside)} of it {_are(beside)}") from None
    # A journal alone is that of a log whose creation was interrupted, if its log was empty.
    foreign = [path for path in beside if not _began_empty(path)]
    if empty and foreign:
        raise CorruptLog(f"{ledger.name} is empty, but {_names(foreign)} {_are(foreign)} there", 0)


def _names(paths: list[Path]) -> str:
    return " and ".join(path.name for path in paths)


def _are(paths: list[Path]) -> str:
    return "is" if len(paths) == 1 else "are"


def _began_empty(side_file: Path) -> bool:
    """True if it is a rollback journal of a database that had no pages; its header says so."""
    if not side_file.name.endswith("-journal"):
        return False
    with side_file.open("rb") as file:
        return not any(file.read(_JOURNAL_HEADER_BYTES)[16:20])
