"""Results of tools and resources, and errors as text for a model.

A structure for each tool is the source of its output schema; ordinary values are left out.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar
from urllib.parse import quote, unquote

from msgspec import Struct, ValidationError
from msgspec.structs import asdict, fields, replace

import mnemolog
from mnemolog.ledger import errors
from mnemolog.ledger.errors import InvalidField, LedgerError
from mnemolog.results import converted

EVENTS = 50  # the default number of events in a history
SCHEME = "memory://"
TEMPLATE = SCHEME + "{space}/{memory_id}"
_DIGITS = 3


class Result(Struct, frozen=True, omit_defaults=True):
    """Result of a tool, or a part of one."""


Kind = TypeVar("Kind", bound=Result)


class ToolAsOf(Result, frozen=True):
    """Moment as of which a question was answered."""

    position: int
    instant: datetime


class ToolExplanation(Result, frozen=True):
    """Reasons for the rank of a hit."""

    ranks: dict[str, int]
    scores: dict[str, float]
    matched: tuple[str, ...] = ()
    found: str | None = None


class Replaced(Result, frozen=True):
    """Memory that a hit replaced; without content if that was redacted."""

    memory_id: str
    recorded_at: datetime
    status: str
    content: str | None = None


class ToolHit(Result, frozen=True):
    """Memory in an answer."""

    memory_id: str
    content: str
    recorded_at: datetime
    relevance: float | None = None
    status: str = "active"
    kind: str = "semantic"
    source: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    note: str | None = None
    explanation: ToolExplanation | None = None
    trail: tuple[Replaced, ...] = ()


class ToolRecall(Result, frozen=True):
    """Result of a recall: hits, best first, and related memories.

    `unembedded` new memories were searched by words alone; ask again later.
    """

    hits: tuple[ToolHit, ...]
    as_of: ToolAsOf
    support: str
    constraints: tuple[ToolHit, ...] = ()
    instructions: tuple[ToolHit, ...] = ()
    conflicts: tuple[ToolHit, ...] = ()
    brought: tuple[ToolHit, ...] = ()
    message: str | None = None
    why: str | None = None
    unembedded: int = 0


class ToolConflict(Result, frozen=True):
    """Contradiction found when a memory was stored."""

    memory_id: str
    outcome: str
    reason: str
    content: str | None = None


class ToolOffer(Result, frozen=True):
    """Memory that the stored one may replace."""

    conflict_id: str
    memory_id: str
    content: str | None = None


class Done(Result, frozen=True):
    """Result of a command."""

    position: int
    changed: tuple[str, ...]
    memory_id: str | None = None
    conflicts: tuple[ToolConflict, ...] = ()
    may_replace: tuple[ToolOffer, ...] = ()
    warnings: tuple[str, ...] = ()


class ToolJudgement(Result, frozen=True):
    """Judgement of one constraint on an option."""

    constraint: str
    why: str
    severity: int
    memory_id: str


class ToolOption(Result, frozen=True):
    """Option with its rank, and the constraints that it violates."""

    option: str
    rank: int
    standing: str
    violations: tuple[ToolJudgement, ...] = ()
    unknown: tuple[ToolJudgement, ...] = ()


class Branch(Result, frozen=True):
    """Memories that a spark leads to."""

    spark: str
    memories: tuple[ToolHit, ...]


class ToolSession(Result, frozen=True):
    """Round of a recall session."""

    session_id: str
    round: int
    rounds_left: int
    memories: tuple[ToolHit, ...]
    expires_at: datetime
    converged: bool = False
    spark_branches: tuple[Branch, ...] = ()


class ToolResolution(Result, frozen=True):
    """Result of resolving a session."""

    position: int
    updated: int
    learned: bool


class Planned(Result, frozen=True):
    """Options best first, and the constraints that were considered."""

    options: tuple[ToolOption, ...]
    constraints: tuple[ToolHit, ...]


class Assembled(Result, frozen=True):
    """Context assembled for a prompt."""

    text: str
    tokens: int
    memory_ids: tuple[str, ...] = ()
    left_out: dict[str, int] = {}
    message: str | None = None


class ToolEvent(Result, frozen=True):
    """Event of a memory's history."""

    position: int
    recorded_at: datetime
    actor: str
    kind: str
    summary: str
    memory_id: str | None = None


class ToolHistory(Result, frozen=True):
    """Latest events of a memory, oldest first, and the number of earlier ones."""

    events: tuple[ToolEvent, ...]
    earlier: int = 0


class ToolRedaction(Result, frozen=True):
    """Result of a redaction: what it erased, and what is left."""

    position: int
    erased: tuple[int, ...]
    complete: bool
    changed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


class Whole(Result, frozen=True):
    """Memory in full: its fields and its history."""

    memory_id: str
    space: str
    status: str
    kind: str
    recorded_at: datetime
    actor: str
    history: tuple[ToolEvent, ...]
    earlier: int = 0
    content: str | None = None
    source: str | None = None
    place: str | None = None
    tags: tuple[str, ...] = ()
    constraint: str | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    pinned: bool = False
    immutable: bool = False
    lasting: bool = False
    strength: float = 1.0
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()


def short(value: object, kind: type[Kind]) -> Kind:
    """Short form of a library's value: the fields that `kind` has."""
    return converted(value, kind, from_attributes=True)


def hit_of(hit: mnemolog.Hit, *, explain: bool = False) -> ToolHit:
    """Short form of a hit; `explain` adds the reasons for its rank and what it replaced."""
    brief = replace(short(hit, ToolHit), relevance=round(hit.relevance, _DIGITS))
    if not explain or brief.explanation is None:
        return replace(brief, explanation=None, trail=())
    scores = {name: round(score, _DIGITS) for name, score in brief.explanation.scores.items()}
    return replace(brief, explanation=replace(brief.explanation, scores=scores))


def session_of(session: mnemolog.Session) -> ToolSession:
    """Short form of a session's round."""
    found = [Branch(one.spark, tuple(map(hit_of, one.memories))) for one in session.spark_branches]
    hits = tuple(map(hit_of, session.memories))
    return replace(short(session, ToolSession), memories=hits, spark_branches=tuple(found))


def tool_history(entries: Sequence[mnemolog.Entry], limit: int) -> ToolHistory:
    """Latest events of a memory, at most `limit`: a memory used often has thousands."""
    latest = entries[-limit:]
    return ToolHistory(tuple(short(one, ToolEvent) for one in latest), len(entries) - len(latest))


def whole(memory: mnemolog.Memory, memory_id: str) -> Whole:
    """Memory with all its fields and latest events. Raises `UnknownMemory` or `AmbiguousId`."""
    item = memory.get(memory_id)
    events = tool_history(memory.history(item.memory_id), EVENTS)
    more = {"history": events.events, "earlier": events.earlier}
    return converted({**asdict(item), **more, "strength": round(item.strength, _DIGITS)}, Whole)


def uri_of(space: str, memory_id: str) -> str:
    """URI of a memory."""
    return f"{SCHEME}{quote(space, safe='')}/{memory_id}"


def address_of(uri: str) -> tuple[str, str]:
    """Space and id of the memory of a URI. Raises `InvalidField` if it is not valid."""
    space, slash, memory_id = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or not slash or not memory_id:
        raise InvalidField("uri", f"{uri!r} is no memory's", f"write {TEMPLATE}")
    return unquote(space), unquote(memory_id)


_PERSON = "tell the user: only a person can mend this"
_OVERRIDE = "that cannot be done from here: tell the user, who can override it on the command line"
_STORAGE = "tell the user, who has to make room or see to the disk and the permissions"
_RECALL = "use the memory_id that a recall or another tool gave"

# For errors whose own message gives no advice, or gives it for the command line.
ADVICE: Mapping[type[LedgerError], str] = {
    errors.ContentTooLarge: "split it into several memories",
    errors.ImmutableMemory: _OVERRIDE,
    errors.SupersessionCycle: "recall both to see which of them holds",
    errors.StorageFailed: _STORAGE,
    errors.OutcomeUnknown: (
        f"it may be stored all the same: recall it before you try again; {_STORAGE}"
    ),
    errors.ClosedHandle: "the server is shutting down; try again when it is back",
    **dict.fromkeys((errors.UnknownMemory, errors.UnknownEvent), _RECALL),
    **dict.fromkeys((errors.LogBusy, errors.StaleExpectation), "try again in a moment"),
    **dict.fromkeys((errors.CorruptLog, errors.LogShortened, errors.LogReplaced), _PERSON),
    **dict.fromkeys((errors.MissingLog, errors.ForeignFormat), _PERSON),
    **dict.fromkeys((errors.EmbedderUnavailable, errors.UnsafeLibrary), _PERSON),
}

_LONGEST = 300
_AT = re.compile(r" - at `\$\.?(.+)`$")
_FIELD = re.compile(r"field `(.+)`$")


class UnknownTool(InvalidField):
    """Error for a call of a tool that the server does not offer."""


def error_text(error: Exception) -> str:
    """Error text for a model: the class, the problem, and what to do.

    For a defect it contains only the class, because the message may quote any content.
    """
    name = type(error).__name__
    if isinstance(error, LedgerError):
        advice = next((ADVICE[one] for one in type(error).__mro__ if one in ADVICE), None)
        problem, _, fix = str(error).rpartition("; ")
        if not problem:
            problem, fix = fix, ""
        if len(problem) > _LONGEST:
            # The problem quotes input of the model, which recognises it by its beginning.
            problem = f"{problem[:_LONGEST]}…"
        return f"{name}: {'; '.join(filter(None, (problem, advice or fix)))}"
    if isinstance(error, OSError):
        return f"{name}: a file of the ledger cannot be used; {_PERSON}"
    return f"Unexpected: a defect of the server ({name}); tell the user"


def misfit(error: ValidationError, given: type[Struct]) -> InvalidField:
    """Validation error of tool arguments, as an `InvalidField` that names the field."""
    words = str(error)
    at, named = _AT.search(words), _FIELD.search(words)
    if at is not None:
        problem = words[: at.start()].replace("Expected", "wants").replace("got", "not")
        return InvalidField(at[1], problem, "see the tool's input schema")
    field = "arguments" if named is None else named[1]
    if named is not None and "missing" in words:
        return InvalidField(field, "is missing", "give it")
    known = ", ".join(one.encode_name for one in fields(given))
    return InvalidField(field, "is unknown here", f"this tool takes {known}")
