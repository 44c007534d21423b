"""Long-term memory for AI agents, kept as an append-only ledger.

    from mnemolog import Memory

    with Memory.open("notes") as memory:
        memory.remember("Dana prefers green tea", source="user:dana")
        print(memory.recall("what does Dana drink?").hits[0].content)

Everything that a user of the library needs is importable from here.
"""

from indexes.embedder import Embedder, MiniLM
from indexes.tokens import TokenCounter, WordPieces
from ledger.checkpoints import Checkpoint, parse_checkpoint
from ledger.clock import Clock, SystemClock
from ledger.errors import (
    AmbiguousId,
    ArtifactsDenied,
    ArtifactsRateLimited,
    ArtifactsUnavailable,
    CannotUndo,
    CatchUpNotConfirmed,
    CheckpointMismatch,
    ClosedHandle,
    ContentTooLarge,
    CorruptBackup,
    CorruptLog,
    DiskFull,
    EdgeExists,
    EmbedderUnavailable,
    EmptyContent,
    EventIdTaken,
    ExportedInPart,
    ForeignFormat,
    HomeNotEmpty,
    ImmutableMemory,
    ImportNotConfirmed,
    InvalidField,
    InvalidNumber,
    InvalidState,
    InvalidTime,
    LedgerError,
    LogBusy,
    LogReplaced,
    LogShortened,
    MalformedFile,
    MalformedSet,
    MissingHome,
    MissingLog,
    NotShown,
    OutcomeUnknown,
    RedactionNotAllowed,
    SessionOver,
    StaleExpectation,
    StorageFailed,
    SummarizerFailed,
    SupersessionCycle,
    UnconfirmedUndo,
    UnknownConflict,
    UnknownEdge,
    UnknownEvent,
    UnknownMemory,
    UnknownPosition,
    UnknownSession,
    UnsafeLibrary,
)
from ledger.log import Durability, Expected, Quiet
from ledger.verification import Verified
from mnemolog.admissions import Admission, Decided, Waiting
from mnemolog.associations import Associate, Associations
from mnemolog.backups import Restored, restore
from mnemolog.consolidating import Consolidation
from mnemolog.correcting import Correction, CorrectionCandidate
from mnemolog.counterfactual import (
    Counterfactual,
    LabelledQuestion,
    OtherAnswer,
    OtherTier,
    counterfactual,
)
from mnemolog.curves import StrengthCurve, StrengthMark, StrengthPoint
from mnemolog.diagnosis import Diagnosis, Finding, Stats
from mnemolog.differences import Change, Diff
from mnemolog.drafting import NewEvent
from mnemolog.edges import Edge
from mnemolog.entries import Entry, Origin
from mnemolog.evaluation.evaluating import Evaluation, evaluate
from mnemolog.evaluation.intervals import Interval
from mnemolog.evaluation.labelled import read_answers
from mnemolog.evaluation.support import SupportJudge, WordJudge
from mnemolog.event_imports import EventsImported
from mnemolog.health import Destroyed, Health, Vital
from mnemolog.home import default_home
from mnemolog.importing import ImportReport
from mnemolog.looking import Count
from mnemolog.memory import Memory, Rebuilt
from mnemolog.moment import Moment
from mnemolog.planning import ChainLink, Judgement, Plan, RankedOption
from mnemolog.prometheus import prometheus_text
from mnemolog.receipts import FoundConflict, Receipt, ReceiptEvent, Redaction
from mnemolog.replays import Step, replay
from mnemolog.session_rounds import SparkBranch
from mnemolog.sessions import Resolution, Session
from mnemolog.settings import Settings
from mnemolog.ticking import FallDue, Tick
from mnemolog.undo_previews import UndoPreview
from mnemolog.upkeep import CatchUp, Kept, Maintenance
from mnemolog.upkeep_questions import JobState, Schedule
from policies.contradictions import Contradiction, Judge, RuleJudge, Statement
from policies.gating import FailureClass, FailureReport, Gate, GateProposal
from policies.limits.planning import Option
from policies.linking import Thing
from policies.memories import MemoryFields, NewMemory
from policies.persistence import Persistence
from policies.summaries import ExtractiveSummarizer, Summarizer
from projections.activity import Uses
from recall.answers import AsOf, Explanation, Hit, Recall, TrailEntry
from recall.artifacts import Artifact, ArtifactSource, Wanted
from recall.attention import Attention
from recall.compaction import Turn
from recall.conflicts import Conflict, Side
from recall.context import Context, Exploration, LeftOut, Part, Section
from recall.items import Item
from recall.layers import Asked, Checked, Passage
from recall.reading.detector import Detection
from recall.reranking import Reranker

__all__ = [
    "Admission",
    "AmbiguousId",
    "Artifact",
    "ArtifactSource",
    "ArtifactsDenied",
    "ArtifactsRateLimited",
    "ArtifactsUnavailable",
    "AsOf",
    "Asked",
    "Associate",
    "Associations",
    "Attention",
    "CannotUndo",
    "CatchUp",
    "CatchUpNotConfirmed",
    "ChainLink",
    "Change",
    "Checked",
    "Checkpoint",
    "CheckpointMismatch",
    "Clock",
    "ClosedHandle",
    "Conflict",
    "Consolidation",
    "ContentTooLarge",
    "Context",
    "Contradiction",
    "Correction",
    "CorrectionCandidate",
    "CorruptBackup",
    "CorruptLog",
    "Count",
    "Counterfactual",
    "Decided",
    "Destroyed",
    "Detection",
    "Diagnosis",
    "Diff",
    "DiskFull",
    "Durability",
    "Edge",
    "EdgeExists",
    "Embedder",
    "EmbedderUnavailable",
    "EmptyContent",
    "Entry",
    "Evaluation",
    "EventIdTaken",
    "EventsImported",
    "Expected",
    "Explanation",
    "Exploration",
    "ExportedInPart",
    "ExtractiveSummarizer",
    "FailureClass",
    "FailureReport",
    "FallDue",
    "Finding",
    "ForeignFormat",
    "FoundConflict",
    "Gate",
    "GateProposal",
    "Health",
    "Hit",
    "HomeNotEmpty",
    "ImmutableMemory",
    "ImportNotConfirmed",
    "ImportReport",
    "Interval",
    "InvalidField",
    "InvalidNumber",
    "InvalidState",
    "InvalidTime",
    "Item",
    "JobState",
    "Judge",
    "Judgement",
    "Kept",
    "LabelledQuestion",
    "LedgerError",
    "LeftOut",
    "LogBusy",
    "LogReplaced",
    "LogShortened",
    "Maintenance",
    "MalformedFile",
    "MalformedSet",
    "Memory",
    "MemoryFields",
    "MiniLM",
    "MissingHome",
    "MissingLog",
    "Moment",
    "NewEvent",
    "NewMemory",
    "NotShown",
    "Option",
    "Origin",
    "OtherAnswer",
    "OtherTier",
    "OutcomeUnknown",
    "Part",
    "Passage",
    "Persistence",
    "Plan",
    "Quiet",
    "RankedOption",
    "Rebuilt",
    "Recall",
    "Receipt",
    "ReceiptEvent",
    "Redaction",
    "RedactionNotAllowed",
    "Reranker",
    "Resolution",
    "Restored",
    "RuleJudge",
    "Schedule",
    "Section",
    "Session",
    "SessionOver",
    "Settings",
    "Side",
    "SparkBranch",
    "StaleExpectation",
    "Statement",
    "Stats",
    "Step",
    "StorageFailed",
    "StrengthCurve",
    "StrengthMark",
    "StrengthPoint",
    "Summarizer",
    "SummarizerFailed",
    "SupersessionCycle",
    "SupportJudge",
    "SystemClock",
    "Thing",
    "Tick",
    "TokenCounter",
    "TrailEntry",
    "Turn",
    "UnconfirmedUndo",
    "UndoPreview",
    "UnknownConflict",
    "UnknownEdge",
    "UnknownEvent",
    "UnknownMemory",
    "UnknownPosition",
    "UnknownSession",
    "UnsafeLibrary",
    "Uses",
    "Verified",
    "Vital",
    "Waiting",
    "Wanted",
    "WordJudge",
    "WordPieces",
    "counterfactual",
    "default_home",
    "evaluate",
    "parse_checkpoint",
    "prometheus_text",
    "read_answers",
    "replay",
    "restore",
]
