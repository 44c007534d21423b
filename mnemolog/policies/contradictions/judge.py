"""Contradiction judge: the port, its input and result, and the built-in rules."""

from __future__ import annotations

from typing import Protocol

import msgspec

from mnemolog.language.clauses.readings import Reading, read
from mnemolog.language.dates.calendar import WEEKDAYS
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import ConflictType, MemoryKind, Severity, SourceType
from mnemolog.policies.contradictions.disagreement import Disagreement, disagreement

_REMEMBERED_READINGS = 4096


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


class Judge(Protocol):
    """Port: decides whether a new memory contradicts an old one."""

    @property
    def name(self) -> str:
        """Name of the judge, as stored in the event of a conflict."""
        ...

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction between the two memories, or None if both may hold."""
        ...


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
        self._readings: dict[str, Reading] = {}

    @property
    def name(self) -> str:
        """Name and version of the judge: another version may judge differently."""
        return "rules-2"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction between the two memories, or None if both may hold."""
        if _apart(new, old):
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

    def _read(self, text: str) -> Reading:
        reading = self._readings.get(text)
        if reading is None:
            reading = read(text)
            if len(self._readings) >= _REMEMBERED_READINGS:
                # Evict the oldest half at once; this is cheaper than tracking the order of use.
                kept = list(self._readings.items())[_REMEMBERED_READINGS // 2 :]
                self._readings = dict(kept)
            self._readings[text] = reading
        return reading


def _apart(new: Statement, old: Statement) -> bool:
    """True if the valid times of two memories do not overlap, as far as they are known."""
    return (old.valid_until is not None and new.valid_from is not None
            and old.valid_until <= new.valid_from) or (
        new.valid_until is not None and old.valid_from is not None
        and new.valid_until <= old.valid_from
    )  # fmt: skip


def _same_times(one: int, other: int) -> frozenset[str]:
    """Relative time words that mean the same time at two moments, in UTC."""
    first, second = to_datetime(one), to_datetime(other)
    same = {"month"} if (first.year, first.month) == (second.year, second.month) else set[str]()
    if first.year == second.year:
        same.add("year")
    if first.isocalendar()[:2] == second.isocalendar()[:2]:
        same |= {"week", "weekend", *WEEKDAYS}
    if first.date() == second.date():
        same |= {"today", "tonight", "tomorrow", "yesterday", "morning", "afternoon",
                 "evening", "night"}  # fmt: skip
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
    sensitive = not found.fixed
    same_source = _source(new) == _source(old)
    if kind == "direct":
        explained = found.state or same_source
        minor = not found.grave and condition is None and explained and not _belied(found, new, old)
    elif kind == "granularity":
        minor = not found.coarser
    else:
        minor = kind == "value" and sensitive and condition is None
    return Contradiction(
        type=kind,
        severity="minor" if minor else "major",
        attribute=found.attribute or None,
        time_sensitive=sensitive,
        condition=condition,
        reason=_REASONS[kind].format(about=found.attribute, new=found.new, old=found.old),
    )


def _belied(found: Disagreement, new: Statement, old: Statement) -> bool:
    """True if another source denies a person's statement about themselves."""
    scheme, _, name = (old.source or "").partition(":")
    own = scheme == "user" and bool(name) and {*name.lower().split(".")} <= found.subject
    return own and new.source != old.source


def _source(statement: Statement) -> tuple[str | None, str]:
    return statement.source, statement.source_type


_REASONS: dict[ConflictType, str] = {
    "direct": "One says '{new}', the other '{old}'.",
    "value": "They give two values for '{about}': {new}, before {old}.",
    "temporal": "They give two states for '{about}' at one time: {new} and {old}.",
    "granularity": "They say '{about}' at two levels of detail: {new}, before {old}.",
}
