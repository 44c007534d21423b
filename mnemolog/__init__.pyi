# The public names and the module of each, which is imported when the name is first used.

from .application.admission.decide import Admission as Admission, Decided as Decided
from .application.commands.new_events import NewEvent as NewEvent
from .application.commands.receipts import (
    FoundConflict as FoundConflict,
    Receipt as Receipt,
    ReceiptEvent as ReceiptEvent,
    Redaction as Redaction,
)
from .application.commands.undo import UndoPreview as UndoPreview
from .application.history import Entry as Entry, Origin as Origin
from .application.home.home import default_home as default_home
from .application.home.settings import Settings as Settings
from .application.imports.files import ImportReport as ImportReport
from .application.questions.browse import (
    Count as Count,
    StrengthCurve as StrengthCurve,
    StrengthMark as StrengthMark,
    StrengthPoint as StrengthPoint,
)
from .application.questions.health import Destroyed as Destroyed, Health as Health, Vital as Vital
from .application.questions.listings import Edge as Edge, Waiting as Waiting
from .application.questions.persistence import Associate as Associate, Associations as Associations
from .application.questions.plan import (
    ChainLink as ChainLink,
    Judgement as Judgement,
    Plan as Plan,
    RankedOption as RankedOption,
)
from .application.retention.consolidate import Consolidation as Consolidation
from .application.retention.maintain import (
    CatchUp as CatchUp,
    JobState as JobState,
    Kept as Kept,
    Maintenance as Maintenance,
    Schedule as Schedule,
)
from .application.retention.tick import FallDue as FallDue, Tick as Tick
from .application.sessions import (
    Resolution as Resolution,
    Session as Session,
    SparkBranch as SparkBranch,
)
from .application.storing.correct import (
    Correction as Correction,
    CorrectionCandidate as CorrectionCandidate,
)
from .application.transfer.backups import Restoration as Restoration, restore as restore
from .application.transfer.event_imports import EventsImported as EventsImported
from .application.upkeep.diff import Change as Change, Diff as Diff, Step as Step, replay as replay
from .application.upkeep.integrity import (
    Diagnosis as Diagnosis,
    Finding as Finding,
    Rebuilt as Rebuilt,
)
from .application.upkeep.metrics import Stats as Stats, prometheus_text as prometheus_text
from .async_memory import AsyncMemory as AsyncMemory, AsyncMoment as AsyncMoment
from .evaluation.counterfactual import (
    Counterfactual as Counterfactual,
    LabelledQuestion as LabelledQuestion,
    OtherAnswer as OtherAnswer,
    OtherTier as OtherTier,
    counterfactual as counterfactual,
)
from .evaluation.evaluating import (
    Evaluation as Evaluation,
    Interval as Interval,
    SupportJudge as SupportJudge,
    WordJudge as WordJudge,
    evaluate as evaluate,
)
from .evaluation.labelled import read_answers as read_answers
from .indexes.embedder import (
    Embedder as Embedder,
    MiniLM as MiniLM,
    TokenCounter as TokenCounter,
    WordPieces as WordPieces,
)
from .ledger.clock import Clock as Clock, SystemClock as SystemClock
from .ledger.errors import (
    AmbiguousId as AmbiguousId,
    ArtifactsDenied as ArtifactsDenied,
    ArtifactsRateLimited as ArtifactsRateLimited,
    ArtifactsUnavailable as ArtifactsUnavailable,
    CannotUndo as CannotUndo,
    CatchUpNotConfirmed as CatchUpNotConfirmed,
    CheckpointMismatch as CheckpointMismatch,
    ClosedHandle as ClosedHandle,
    ContentTooLarge as ContentTooLarge,
    CorruptBackup as CorruptBackup,
    CorruptLog as CorruptLog,
    DiskFull as DiskFull,
    EdgeExists as EdgeExists,
    EmbedderUnavailable as EmbedderUnavailable,
    EmptyContent as EmptyContent,
    EventIdTaken as EventIdTaken,
    ExportedInPart as ExportedInPart,
    ForeignFormat as ForeignFormat,
    HomeNotEmpty as HomeNotEmpty,
    ImmutableMemory as ImmutableMemory,
    ImportNotConfirmed as ImportNotConfirmed,
    InvalidField as InvalidField,
    InvalidNumber as InvalidNumber,
    InvalidState as InvalidState,
    InvalidTime as InvalidTime,
    LedgerError as LedgerError,
    LogBusy as LogBusy,
    LogReplaced as LogReplaced,
    LogShortened as LogShortened,
    MalformedFile as MalformedFile,
    MalformedSet as MalformedSet,
    MissingHome as MissingHome,
    MissingLog as MissingLog,
    ModelFailed as ModelFailed,
    NotShown as NotShown,
    OutcomeUnknown as OutcomeUnknown,
    RedactionNotAllowed as RedactionNotAllowed,
    SessionOver as SessionOver,
    StaleExpectation as StaleExpectation,
    StorageFailed as StorageFailed,
    SummarizerFailed as SummarizerFailed,
    SupersessionCycle as SupersessionCycle,
    UnconfirmedUndo as UnconfirmedUndo,
    UnknownConflict as UnknownConflict,
    UnknownEdge as UnknownEdge,
    UnknownEvent as UnknownEvent,
    UnknownMemory as UnknownMemory,
    UnknownPosition as UnknownPosition,
    UnknownSession as UnknownSession,
    UnsafeLibrary as UnsafeLibrary,
)
from .ledger.log import Durability as Durability, Expected as Expected, Quiet as Quiet
from .ledger.sqlite.verification import (
    Checkpoint as Checkpoint,
    Verified as Verified,
    parse_checkpoint as parse_checkpoint,
)
from .memory import Memory as Memory, Moment as Moment
from .policies.constraints.option_ranking import Option as Option
from .policies.contradictions.judge import (
    Contradiction as Contradiction,
    Judge as Judge,
    Statement as Statement,
)
from .policies.contradictions.rules import RuleJudge as RuleJudge
from .policies.learning import (
    FailureClass as FailureClass,
    FailureReport as FailureReport,
    Gate as Gate,
    GateProposal as GateProposal,
)
from .policies.linking import Thing as Thing
from .policies.memories import MemoryFields as MemoryFields, NewMemory as NewMemory
from .policies.retention.consolidation import Persistence as Persistence
from .policies.retention.summaries import (
    ExtractiveSummarizer as ExtractiveSummarizer,
    Summarizer as Summarizer,
)
from .projections.spaces import Uses as Uses
from .recall.answers import (
    AsOf as AsOf,
    Conflict as Conflict,
    Explanation as Explanation,
    Hit as Hit,
    Recall as Recall,
    Side as Side,
    TrailEntry as TrailEntry,
)
from .recall.context import (
    Context as Context,
    Exploration as Exploration,
    LeftOut as LeftOut,
    Part as Part,
    Section as Section,
    Turn as Turn,
)
from .recall.detector import Detection as Detection
from .recall.items import Item as Item
from .recall.layers import (
    Artifact as Artifact,
    ArtifactSource as ArtifactSource,
    Asked as Asked,
    Checked as Checked,
    Passage as Passage,
    Wanted as Wanted,
)
from .recall.search.question import Attention as Attention
from .recall.search.reranking import Reranker as Reranker
from .results import Listing as Listing, Results as Results, Value as Value
