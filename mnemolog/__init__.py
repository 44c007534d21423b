"""Long-term memory for AI agents, kept as an append-only ledger.

    from mnemolog import Memory

    with Memory.open("notes") as memory:
        memory.remember("Dana prefers green tea", source="user:dana")
        print(memory.recall("what does Dana drink?").hits[0].content)

Everything that a user of the library needs is importable from here.
"""

from indexes.embedder import Embedder, MiniLM
from ledger.checkpoints import Checkpoint, parse_checkpoint
from ledger.clock import Clock, SystemClock
from ledger.errors import (
    AmbiguousId,
    CannotUndo,
    CheckpointMismatch,
    ClosedHandle,
    ContentTooLarge,
    CorruptLog,
    DiskFull,
    EmbedderUnavailable,
    EmptyContent,
    EventIdTaken,
    ForeignFormat,
    HomeNotEmpty,
    ImmutableMemory,
    InvalidField,
    InvalidNumber,
    InvalidState,
    InvalidTime,
    LedgerError,
    LogBusy,
    LogShortened,
    MissingLog,
    StaleExpectation,
    SupersessionCycle,
    UnknownEvent,
    UnknownMemory,
    UnknownPosition,
    UnsafeLibrary,
)
from ledger.log import Durability, Expected
from ledger.verification import Verified
from mnemolog.backups import restore
from mnemolog.correcting import Correction, CorrectionCandidate
from mnemolog.diagnosis import Diagnosis, Finding, Stats
from mnemolog.differences import Change, Diff
from mnemolog.drafting import NewEvent
from mnemolog.entries import Entry
from mnemolog.exports import Imported
from mnemolog.home import default_home
from mnemolog.importing import ImportReport
from mnemolog.memory import Memory, Rebuilt
from mnemolog.moment import Moment
from mnemolog.questions import Count
from mnemolog.receipts import Receipt, ReceiptEvent, Redaction
from mnemolog.replays import Step, replay
from mnemolog.settings import Settings
from policies.memories import MemoryFields, NewMemory
from recall.answers import AsOf, Explanation, Hit, Recall, TrailEntry
from recall.items import Item

__all__ = [
    "AmbiguousId",
    "AsOf",
    "CannotUndo",
    "Change",
    "Checkpoint",
    "CheckpointMismatch",
    "Clock",
    "ClosedHandle",
    "ContentTooLarge",
    "Correction",
    "CorrectionCandidate",
    "CorruptLog",
    "Count",
    "Diagnosis",
    "Diff",
    "DiskFull",
    "Durability",
    "Embedder",
    "EmbedderUnavailable",
    "EmptyContent",
    "Entry",
    "EventIdTaken",
    "Expected",
    "Explanation",
    "Finding",
    "ForeignFormat",
    "Hit",
    "HomeNotEmpty",
    "ImmutableMemory",
    "ImportReport",
    "Imported",
    "InvalidField",
    "InvalidNumber",
    "InvalidState",
    "InvalidTime",
    "Item",
    "LedgerError",
    "LogBusy",
    "LogShortened",
    "Memory",
    "MemoryFields",
    "MiniLM",
    "MissingLog",
    "Moment",
    "NewEvent",
    "NewMemory",
    "Rebuilt",
    "Recall",
    "Receipt",
    "ReceiptEvent",
    "Redaction",
    "Settings",
    "StaleExpectation",
    "Stats",
    "Step",
    "SupersessionCycle",
    "SystemClock",
    "TrailEntry",
    "UnknownEvent",
    "UnknownMemory",
    "UnknownPosition",
    "UnsafeLibrary",
    "Verified",
    "default_home",
    "parse_checkpoint",
    "replay",
    "restore",
]
