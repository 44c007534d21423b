"""History entries: events for readers, each with a summary."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from mnemolog.language.lists import Lists
from mnemolog.ledger import events
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.decay import FALLS, TIERS
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded, Opaque, Raw
from mnemolog.policies.retention.forgetting import centre
from mnemolog.projections.spaces import OriginRow
from mnemolog.results import Value

_SHOWN, _SESSION_SHOWN = 80, 8
_GONE = "something that was redacted since"
_INSTANTS = frozenset({"at", "until", "below_since", "due_at"})
TIER_WORDS: dict[Tier, str] = {**{tier: tier for tier in TIERS}, "tombstone": "a tombstone"}
_WORDS = Lists("mnemolog.application", "history")


class Origin(Value, frozen=True):
    """Origin of an imported event: its position and time of recording in the source log."""

    position: Position
    recorded_at: datetime


class Entry(Value, frozen=True):
    """History entry of one event: who, when and what; `summary` describes it in a sentence.

    `erased` is True if its content was destroyed, `opaque` if this version of mnemolog does not
    know its kind or the version of that kind. `origin` is where an import found it.
    """

    position: Position
    event_id: EventId
    recorded_at: datetime
    space: str
    actor: str
    kind: str
    version: int
    memory_id: MemoryId | None
    correlation_id: str | None
    causation_id: EventId | None
    structure: Raw
    content: Raw | None
    erased: bool
    opaque: bool
    summary: str
    origin: Origin | None = None


def entry(event: Event, origin: OriginRow | None = None) -> Entry:
    """History entry of an event. Raises `CorruptLog` if its content does not match its hash."""
    check_content(event)
    decoded = VOCABULARY.decode(event)
    summary, came = _summary(event, decoded), None
    if origin is not None:
        came = Origin(origin.position, to_datetime(origin.recorded_at))
        at = came.recorded_at.isoformat(timespec="seconds")
        summary += f" (imported: recorded as @{came.position} at {at})"
    return Entry(
        position=event.position,
        event_id=event.event_id,
        recorded_at=to_datetime(event.recorded_at),
        space=event.space,
        actor=event.actor,
        kind=event.kind,
        version=event.version,
        memory_id=event.memory_id,
        correlation_id=event.correlation_id,
        causation_id=event.causation_id,
        structure=msgspec.to_builtins(decoded.structure),
        content=msgspec.to_builtins(decoded.content),
        erased=event.erased,
        opaque=isinstance(decoded, Opaque),
        summary=summary,
        origin=came,
    )


def _summary(event: Event, decoded: Decoded | Opaque) -> str:
    said = _what(event, decoded)
    match decoded.content if isinstance(decoded, Decoded) else None:
        case events.EdgeContent(condition=condition, reason=reason):
            said += "" if condition is None else f" where {condition}"
            said += "" if reason is None else f", because {reason}"
        case events.MemoryContent(text=text) if event.kind == "buffered":
            said += f": “{_short(text)}”"
        case events.Summary(summary=summary):
            said += f". What stands for it: “{_short(summary)}”"
        case events.RecalledContent(cue=cue):
            said += f", for “{_short(cue)}”"
        case events.ConflictContent(reason=reason):
            said += f". {reason}"
        case events.Note(note=note):
            said += f". “{_short(note)}”"
        case events.Reason(reason=reason) if reason is not None:
            said += f", because {reason}"
    return said


def _what(event: Event, decoded: Decoded | Opaque) -> str:
    if isinstance(decoded, Opaque):
        return f"recorded {event.kind!r}, version {event.version}"
    structure, content = decoded.structure, decoded.content
    facts = {"text": _GONE, "cue": "a redacted cue"}
    match content:
        case events.MemoryContent(text=text):
            facts["text"] = f"“{_short(text)}”"
        case events.FailureContent(cue=cue):
            facts["cue"] = f"“{_short(cue)}”"
    match structure:
        case events.Failed(mitigated=mitigated):
            facts["kept"] = "with" if mitigated else "without"
        case events.Pinned(expires_at=int() as until):
            return f"pinned it until {to_datetime(until).isoformat()}"
        case events.Linked(target=target, type=relation):
            names = content if isinstance(content, events.EdgeContent) else events.EdgeContent()
            ends = [_GONE if one is None else f"“{one}”" for one in (names.source, names.target)]
            source = ends[0] if event.memory_id is None else "it"
            return f"linked {source} to {target or ends[1]} as {relation}"
    whole = isinstance(structure, events.Consolidated) and event.memory_id is None
    words = _WORDS.file.tables["entries"].get(event.kind, event.kind)
    return describe(structure, "" if whole else "it") or words.format(**_facts(structure) | facts)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def describe(event: events.Payload | None, name: str) -> str | None:
    """Description of an event about the memory `name`; None for kinds that are worded elsewhere."""
    facts: dict[str, object] = {"name": name}
    kind = type(event).__name__.lower()
    match event:
        case events.Resolved():
            return _resolved(event)
        case events.Consolidated():
            return _consolidated(event, name)
        case events.Revived(tier=tier):
            facts["tier"] = TIER_WORDS[tier]
        case events.Degraded(tier=tier):
            (rule,) = (one for one in FALLS if one.tier == tier)
            facts |= {"tier": TIER_WORDS[tier], "below": rule.below, "days": rule.days}
        case events.Reinforced(depth_weight=weight):
            facts["weight"] = centre(weight)
        case events.Buffered(of=str()):
            kind = "buffered again"
        case events.Conflicted(outcome="offered"):
            kind = "offered"
    if isinstance(event, events.Admitted | events.Reinforced | events.Buffered | events.Dropped):
        came = "" if event.of is None else f", out of the buffer ({event.of})"
        if event.scores is not None:
            came += f", as {event.scores.relevance} in relevance and {event.scores.novelty}"
        facts["came"] = came
    words = _WORDS.file.tables["descriptions"].get(kind)
    return None if event is None or words is None else words.format(**_facts(event) | facts)


def _facts(structure: events.Payload) -> dict[str, object]:
    fields, tables = msgspec.structs.asdict(structure).items(), _WORDS.file.tables
    return {field: _in_words(field, value, tables.get(field)) for field, value in fields}


def _in_words(field: str, value: object, words: Mapping[str, str] | None) -> object:
    match value:
        case tuple():
            return ", ".join(map(str, value))
        case dict():
            return ", ".join(f"{name} = {one}" for name, one in value.items())
        case int() if field in _INSTANTS:
            return f"{to_datetime(value):%Y-%m-%d %H:%M} UTC"
        case str() if words is not None:
            return words[value]
    return value


def _resolved(event: events.Resolved) -> str:
    learned = (
        (len(event.accepted), "accepted"),
        (sum(one.bearing > 0 for one in event.lessons), "come up sooner"),
        (sum(one.bearing < 0 for one in event.lessons), "come up later"),
        (len(event.together), "associated"),
        (len(event.leads), "found through a spark"),
    )
    told = ", ".join(f"{count} {what}" for count, what in learned if count)
    rounds = "1 round" if event.rounds == 1 else f"{event.rounds} rounds"
    said = f"session {event.session[:_SESSION_SHOWN]} is resolved after {rounds}"
    return f"{said}: {told or 'nothing was learned'}"


def _consolidated(event: events.Consolidated, name: str) -> str:
    if not name:
        return "the edges of the space are consolidated: what follows ends, or is drawn anew"
    said = f"{name} is consolidated: its persistence is {event.persistence:.2f}"
    if event.triggers:
        words = _WORDS.file.tables["triggers"]
        said += f", and {' and '.join(words[trigger] for trigger in event.triggers)}"
    if event.merged is not None:
        said += f"; {len(event.parts)} that say the same become {event.merged}"
    return said
