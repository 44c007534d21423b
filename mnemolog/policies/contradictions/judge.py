"""Whether two memories contradict each other: what a judge is asked, and what it answers."""

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
    """One memory as a judge sees it.

    `confidence` is that of its source times that of its extraction, in [0, 1].
    `said_at` is when it began to hold or else when it was recorded; times are in
    microseconds since 1970 UTC.
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
    """What two memories disagree on.

    `attribute` says it in words. `time_sensitive` tells an attribute that changes
    with time (a job, a home, a price, a schedule) from one that does not (a date of
    birth). `condition` is that under which both may stand ('at work', 'in winter'),
    where one of them states one. `reason` is a readable sentence.
    """

    type: ConflictType
    severity: Severity
    attribute: str | None
    time_sensitive: bool
    condition: str | None
    reason: str


class Judge(Protocol):
    """Says whether a new memory contradicts an old one."""

    @property
    def name(self) -> str:
        """Who judges, as the event of a conflict names it."""
        ...

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """What the two disagree on, or None where both may hold."""
        ...


class RuleJudge:
    """The built-in judge: rules over English statements, no model.

    It keeps what it read of the last texts, since a new memory is judged against
    many old ones, and an old one again and again.

    How it classes what it finds, and how severe that is:

    | type | found where | minor if | else major: |
    | --- | --- | --- | --- |
    | value | one attribute has two values | it changes with time | born, origin; a condition |
    | direct | one affirms, one denies | one source, or a state | health; a condition; own word |
    | temporal | two states at one stated time | never | time does not explain both |
    | granularity | one says it more exactly | the new one does | the old one does |

    Minor is what time explains: the newer one is taken over without asking. It is not
    where another source denies what somebody said of themselves.
    """

    def __init__(self) -> None:
        self._readings: dict[str, Reading] = {}

    @property
    def name(self) -> str:
        """Its name and version: another version may judge otherwise."""
        return "rules-2"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """What the two disagree on, or None where both may hold."""
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
        """Whether a text states anything that another one could contradict."""
        reading = self._read(text)
        return bool(reading.frames or reading.predicates)

    def _read(self, text: str) -> Reading:
        reading = self._readings.get(text)
        if reading is None:
            reading = read(text)
            if len(self._readings) >= _REMEMBERED_READINGS:
                # The oldest half goes at once: cheaper than keeping an order of use.
                kept = list(self._readings.items())[_REMEMBERED_READINGS // 2 :]
                self._readings = dict(kept)
            self._readings[text] = reading
        return reading


def _apart(new: Statement, old: Statement) -> bool:
    """Whether the valid times of two memories share no instant, as far as they are given."""
    return (old.valid_until is not None and new.valid_from is not None
            and old.valid_until <= new.valid_from) or (
        new.valid_until is not None and old.valid_from is not None
        and new.valid_until <= old.valid_from
    )  # fmt: skip


def _same_times(one: int, other: int) -> frozenset[str]:
    """The words for times that mean the same time in what was said at two moments, in UTC."""
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
    """Who 'I' is: the one named in the text, else the user or agent that is the source."""
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
    """Whether another source denies what somebody said of themselves."""
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
