"""Contradiction judge: the port, the built-in rules, and which of two memories remains valid."""

from functools import lru_cache
from typing import Protocol

import msgspec

from mnemolog.language.calendar import WEEKDAYS
from mnemolog.language.clauses.assertions import says_one_thing
from mnemolog.language.clauses.readings import Reading, read
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import (
    ConflictType,
    MemoryKind,
    Outcome,
    Resolution,
    Severity,
    SourceType,
)
from mnemolog.policies.contradictions.disagreement import Disagreement, disagreement

CLEARLY_MORE_RELIABLE = 0.3
_EQUAL = 1e-9
_REMEMBERED_READINGS = 4096
_OF_A_DAY = "today tonight tomorrow yesterday morning afternoon evening night"
_REASONS: dict[ConflictType, str] = {
    "direct": "One says '{new}', the other '{old}'.",
    "value": "They give two values for '{about}': {new}, before {old}.",
    "temporal": "They give two states for '{about}' at one time: {new} and {old}.",
    "granularity": "They say '{about}' at two levels of detail: {new}, before {old}.",
}


class Statement(msgspec.Struct, frozen=True):
    """Memory as the input of a judge.

    `confidence` is source confidence times extraction confidence, in [0, 1]. `said_at` is
    the start of the valid time, or else the time of recording; times are in microseconds
    since 1970 UTC.
    """

    text: str
    source: str | None = None
    source_type: SourceType = "user_stated"
    confidence: float = 0.9
    kind: MemoryKind = "semantic"
    category: str | None = None
    said_at: int = 0
    valid_from: int | None = None
    valid_until: int | None = None


class Contradiction(msgspec.Struct, frozen=True):
    """Contradiction between two memories.

    `attribute` describes the attribute in words. `time_sensitive` is True for an attribute
    that changes with time (a job, a home, a price, a schedule) and False for one that does
    not (a date of birth). `condition` is a condition, stated by one memory, under which
    both may hold ('at work', 'in winter'). `reason` is a readable sentence.
    """

    type: ConflictType
    severity: Severity
    attribute: str | None
    time_sensitive: bool
    condition: str | None
    reason: str


class Choice(msgspec.Struct, frozen=True):
    """Resolution strategy, its outcome for these two memories, and the reason in a sentence."""

    resolution: Resolution
    outcome: Outcome
    reason: str


class Judge(Protocol):
    """Port: decides whether a new memory contradicts an old one."""

    @property
    def name(self) -> str:
        """Name of the judge, as stored in the event of a conflict."""

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction between the two memories, or None if both may hold."""


class RuleJudge:
    """Built-in judge: rules over English statements, no model.

    It caches the readings of recent texts, because a new memory is compared with many old
    ones, and an old one is compared again and again.

    Types of contradiction and their severity:

    | type | found where | minor if | else major: |
    | --- | --- | --- | --- |
    | value | one attribute has two values | it changes with time | born, origin; a condition |
    | direct | one affirms, one denies | one source, or a state | health; a condition; own word |
    | temporal | two states at one stated time | never | time does not explain both |
    | granularity | one says it more exactly | the new one does | the old one does |

    A contradiction that the passage of time explains is minor: the newer memory is accepted
    without asking. It is major if another source denies a person's statement about
    themselves.
    """

    def __init__(self) -> None:
        self._read = lru_cache(_REMEMBERED_READINGS)(read)

    @property
    def name(self) -> str:
        """Name and version of the judge: another version may judge differently."""
        return "rules-2"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction between the two memories, or None if both may hold."""
        if _ends_before(old, new) or _ends_before(new, old):
            return None
        first, second = self._read(new.text), self._read(old.text)
        found = disagreement(
            first,
            second,
            same_speaker=_speaker(new, first) == _speaker(old, second),
            same_times=_same_times(new.said_at, old.said_at),
        )
        return None if found is None else _classed(found, new, old)

    def reads(self, text: str) -> bool:
        """True if a text states anything that another text could contradict."""
        reading = self._read(text)
        return bool(reading.frames or reading.predicates)


def _ends_before(one: Statement, other: Statement) -> bool:
    """True if the valid time of one memory is known to end before that of the other begins."""
    end, start = one.valid_until, other.valid_from
    return end is not None and start is not None and end <= start


def _same_times(one: int, other: int) -> frozenset[str]:
    """Relative time words that mean the same time at two moments, in UTC."""
    first, second = to_datetime(one), to_datetime(other)
    same = {"month"} if (first.year, first.month) == (second.year, second.month) else set[str]()
    if first.year == second.year:
        same.add("year")
    if first.isocalendar()[:2] == second.isocalendar()[:2]:
        same |= {"week", "weekend", *WEEKDAYS}
    if first.date() == second.date():
        same |= {*_OF_A_DAY.split()}
    return frozenset(same)


def _speaker(statement: Statement, reading: Reading) -> str:
    """Speaker that 'I' refers to: the one named in the text, else the source user or agent."""
    if reading.speaker is not None:
        return reading.speaker.lower()
    source = statement.source or ""
    if source.startswith(("user:", "agent:")):
        return source
    return "user" if statement.source_type == "user_stated" else source


def _classed(found: Disagreement, new: Statement, old: Statement) -> Contradiction:
    kind = found.type
    bounded = None not in {new.valid_from, new.valid_until, old.valid_from, old.valid_until}
    if kind == "value" and bounded and not found.fixed:
        kind = "temporal"
    condition = found.condition
    if found.coarser:
        condition = f"{found.new} is {found.old} said less exactly"
    if kind == "direct":
        same_source = (new.source, new.source_type) == (old.source, old.source_type)
        scheme, _, name = (old.source or "").partition(":")
        own = scheme == "user" and bool(name) and {*name.lower().split(".")} <= found.subject
        # Another source denies a person's statement about themselves.
        belied = own and new.source != old.source
        explained = (found.state or same_source) and condition is None
        minor = explained and not found.grave and not belied
    elif kind == "granularity":
        minor = not found.coarser
    else:
        minor = kind == "value" and not found.fixed and condition is None
    return Contradiction(
        type=kind,
        severity="minor" if minor else "major",
        attribute=found.attribute or None,
        time_sensitive=not found.fixed,
        condition=condition,
        reason=_REASONS[kind].format(about=found.attribute, new=found.new, old=found.old),
    )


def choose_resolution(found: Contradiction, new: Statement, old: Statement) -> Choice:
    """Resolution strategy for a contradiction, and its outcome.

    | contradiction | strategy |
    | --- | --- |
    | of minor severity | recency |
    | granularity, where the older memory is the finer | conditional: both stand |
    | of a value, where one memory states a condition | conditional |
    | of a value that changes with time | recency |
    | of any other value | authority |
    | major, and the confidences differ by more than 0.3 | authority |
    | major, and one memory states a condition | conditional |
    | major otherwise | escalate |

    Recency keeps the newer memory. The old one is `superseded` by the new one, or the new
    one is `outdated` if it describes an earlier time than the old one. Authority keeps the
    more reliable memory. At equal confidence, a user's unprompted statement wins over other
    sources, then the newer of two memories from one source wins; otherwise neither wins and
    the new one is `contested`.

    A memory is not retired if it says more than the disputed point, because the rest would
    be lost with it. The new memory is then `contested`, not `both`: it is marked wherever
    it is shown and listed among the open conflicts. If both stayed valid, the stale half
    would be read as true.
    """
    strategy = _strategy(found, new, old)
    if strategy == "conditional":
        return Choice(strategy, "both", f"{found.reason} Both stand: {found.condition}.")
    if strategy == "escalate":
        return Choice(strategy, "pending", f"{found.reason} Nothing says which of them is right.")
    outcome: Outcome = "superseded"
    reason, more = "The newer one stands", "the old one says more than that"
    if strategy == "authority":
        newer, reason = more_reliable(new, old)
        outcome = "superseded" if newer else "contested"
    elif new.said_at < old.said_at:
        outcome, reason = "outdated", "The new one tells of an earlier time"
        more = "it says more than that"
    if outcome != "contested" and not says_one_thing(
        (old if outcome == "superseded" else new).text
    ):
        outcome, reason = "contested", f"{reason}, but {more}"
    return Choice(strategy, outcome, f"{found.reason} {reason}.")


def _strategy(found: Contradiction, new: Statement, old: Statement) -> Resolution:
    if found.severity == "minor":
        return "recency"
    conditional = found.condition is not None
    if conditional and found.type in {"value", "granularity"}:
        return "conditional"
    if found.type == "value":
        return "recency" if found.time_sensitive else "authority"
    if abs(new.confidence - old.confidence) > CLEARLY_MORE_RELIABLE + _EQUAL:
        return "authority"
    return "conditional" if conditional else "escalate"


def more_reliable(new: Statement, old: Statement) -> tuple[bool | None, str]:
    """True if the new memory is the more reliable, None if neither is; and the reason."""
    if abs(new.confidence - old.confidence) > _EQUAL:
        wins, why = new.confidence > old.confidence, "The {} one is more reliable"
    elif (new.source_type == "user_stated") != (old.source_type == "user_stated"):
        wins, why = new.source_type == "user_stated", "The user said the {} one"
    elif (new.source, new.source_type) == (old.source, old.source_type):
        wins, why = new.said_at >= old.said_at, "The same source said the {} one later"
    else:
        return None, "Two sources are equally reliable"
    return wins, why.format("new" if wins else "old")
