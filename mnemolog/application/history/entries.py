"""History entries: events for readers, each with a summary."""

from datetime import datetime

import msgspec

from mnemolog.language.lists import Lists
from mnemolog.ledger import events
from mnemolog.ledger.decay import FALLS, TIERS
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import Event, Tier
from mnemolog.ledger.ids_and_times import EventId, MemoryId, Position, to_datetime
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded, Opaque, Raw
from mnemolog.policies.retention.forgetting import centre
from mnemolog.projections.spaces import OriginRow
from mnemolog.results import Value

_SHOWN, _SESSION_SHOWN = 80, 8
_GONE = "something that was redacted since"
TIER_WORDS: dict[Tier, str] = {**{tier: tier for tier in TIERS}, "tombstone": "a tombstone"}
_WORDS = Lists("mnemolog.application.history", "entries")


class Origin(Value, frozen=True):
    """Origin of an imported event: its position and time of recording in the source log."""

    position: Position
    recorded_at: datetime


class Entry(Value, frozen=True):
    """History entry of one event: who, when and what; `summary` describes it in a sentence.

    `erased` is True if its content was destroyed, `opaque` if this version of mnemolog does
    not know its kind or the version of that kind. `origin` is its position and its time of
    recording in the log that it was imported from.
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


def _what(event: Event, decoded: Decoded | Opaque) -> str:  # noqa: C901, PLR0911 - one per kind
    if isinstance(decoded, Opaque):
        return f"recorded {event.kind!r}, version {event.version}"
    structure, content = decoded.structure, decoded.content
    match structure:
        case events.Superseded():
            return f"superseded it by {structure.by}"
        case events.Reinstated():
            return f"took back that {structure.by} superseded it"
        case events.Pinned(expires_at=until) if until is not None:
            return f"pinned it until {to_datetime(until).isoformat()}"
        case events.Redacted():
            return f"redacted the content of {', '.join(structure.events)}"
        case events.Undone():
            return f"undid the command that began with event {structure.command}"
        case events.Configured():
            values = (f"{name} = {value}" for name, value in structure.settings.items())
            return f"set {', '.join(values)}"
        case events.Imported():
            return f"took in events of a log of {structure.position:,}"
        case events.Failed():
            cue = "a redacted cue"
            if isinstance(content, events.FailureContent):
                cue = f"“{_short(content.cue)}”"
            kept = f"{'with' if structure.mitigated else 'without'} mitigation in place"
            return f"reported a failure, {structure.failure}, {kept}, on {cue}"
        case events.Unlinked():
            return f"ended the edge {structure.edge}"
        case events.Linked():
            names = content if isinstance(content, events.EdgeContent) else events.EdgeContent()
            ends = [_GONE if one is None else f"“{one}”" for one in (names.source, names.target)]
            source = ends[0] if event.memory_id is None else "it"
            return f"linked {source} to {structure.target or ends[1]} as {structure.type}"
    whole = isinstance(structure, events.Consolidated) and event.memory_id is None
    text = f"“{_short(content.text)}”" if isinstance(content, events.MemoryContent) else None
    said = {
        "remembered": f"remembered {text or _GONE}",
        "withdrawn": "withdrew it from all answers",
        "restored": "let it answer again",
        "pinned": "pinned it",
        "unpinned": "unpinned it",
    }
    return describe(structure, "" if whole else "it") or said.get(event.kind, event.kind)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def describe(  # noqa: C901, PLR0911, PLR0912 - one per kind
    event: events.Payload | None, name: str
) -> str | None:
    """Description of an event's structure, about the memory called `name` if that is not empty.

    None for kinds that receipts and history word differently.
    """
    match event:
        case events.Admitted():
            return f"{name} was let in{_came(event.of, event.scores)}"
        case events.Reinforced():
            again = f"it was met again{_came(event.of, event.scores)}"
            return f"{name} weighs {centre(event.depth_weight):.3f}: {again}"
        case events.Buffered(of=None):
            return f"content waits in the buffer{_came(None, event.scores)}"
        case events.Buffered():
            return f"what {event.of} put into the buffer waits there again"
        case events.Dropped():
            return f"content was dropped{_came(event.of, event.scores)}"
        case events.Conflicted():
            return f"{name} contradicts {event.other}: {_worded('outcomes', event.outcome)}"
        case events.Settled():
            return f"conflict {event.conflict} is settled: {_worded('winners', event.winner)}"
        case events.Reopened():
            return f"conflict {event.conflict} is open again"
        case events.Voted():
            where = f"in round {event.round} of session {event.session[:_SESSION_SHOWN]}"
            return f"{name} is voted {event.vote} {where}"
        case events.Resolved():
            return _resolved(event)
        case events.Weakened():
            return f"{name} has {event.factor:g} times its strength"
        case events.Strengthened():
            return f"{name} has strength {event.strength:g}"
        case events.Recalled():
            return f"of use on {_time(event.at)}: {', '.join(event.memories)}"
        case events.Ticked():
            return f"time has passed up to {_time(event.until)}; falls: {event.falls}"
        case events.Degraded():
            return f"{name} is {TIER_WORDS[event.tier]}: {_fading(event)}"
        case events.Revived():
            return f"{name} is {TIER_WORDS[event.tier]} again, with strength {event.strength:.2f}"
        case events.Relearned():
            return f"{name} says what {event.of} said, which had faded and was deleted"
        case events.Unlearned():
            return f"{name} does not count as what {event.of} said any more"
        case events.Maintained():
            return f"jobs of upkeep are done: {', '.join(event.jobs)}"
        case events.Consolidated():
            return _consolidated(event, name)
    return None


def _worded(table: str, word: str) -> str:
    return _WORDS.file.tables[table][word]


def _came(of: str | None, scores: events.Scores | None) -> str:
    told = "" if of is None else f", out of the buffer ({of})"
    if scores is not None:
        told += f", as {scores.relevance} in relevance and {scores.novelty}"
    return told


def _fading(fall: events.Degraded) -> str:
    (rule,) = (one for one in FALLS if one.tier == fall.tier)
    return (
        f"its strength has been under {rule.below:g} since {_time(fall.below_since)}, "
        f"{rule.days:g} days long by {_time(fall.due_at)}, when it was {fall.strength:.3f}"
    )


def _time(instant: int) -> str:
    return f"{to_datetime(instant):%Y-%m-%d %H:%M} UTC"


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
        told = [_worded("triggers", trigger) for trigger in event.triggers]
        said += f", and {' and '.join(told)}"
    if event.merged is not None:
        said += f"; {len(event.parts)} that say the same become {event.merged}"
    return said
