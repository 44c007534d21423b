"""Built-in rules over English statements that find and class contradictions."""

from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from mnemolog.language.clauses.readings import Reading, read
from mnemolog.language.dates import read_dates
from mnemolog.language.lists import regex
from mnemolog.language.told_times import begins_ahead
from mnemolog.ledger import events
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import ConflictType
from mnemolog.policies.contradictions.disagreement import (
    Disagreement,
    disagreement,
    may_disagree,
    shared_times,
)
from mnemolog.policies.contradictions.judge import Contradiction, Statement

_REMEMBERED_READINGS = 4096
_NOW = regex(r"(?i)\bnow\b")
UNSURE = 0.5  # Most confidence where something speaks against a finding
_REASONS: dict[ConflictType, str] = {
    "direct": "One says '{new}', the other '{old}'.",
    "value": "They give two values for '{about}': {new}, before {old}.",
    "temporal": "They give two states for '{about}' at one time: {new} and {old}.",
    "granularity": "They say '{about}' at two levels of detail: {new}, before {old}.",
}


class RuleJudge:
    """Built-in judge: rules over English statements, no model.

    It caches the readings of recent texts: a new memory is compared with many old ones, and
    an old one again and again.

    Types of contradiction and their severity:

    | type | found where | minor if | else major: |
    | --- | --- | --- | --- |
    | value | one attribute has two values | it changes with time | born, origin; a condition |
    | direct | one affirms, one denies | one source, or a state | health; a condition; own word |
    | temporal | two states at one stated time | never | time does not explain both |
    | granularity | one says it more exactly | the new one does | the old one does |

    A contradiction that the passage of time explains is minor: the newer memory is accepted
    without asking. It is major if another source denies what a person says of themselves.
    """

    def __init__(self) -> None:
        self._read = lru_cache(_REMEMBERED_READINGS)(read)

    @property
    def name(self) -> str:
        """Name and version of the judge: another version may judge differently."""
        return "rules-2"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction between the two memories, or None if both may hold."""
        first, second = self._read(new.text), self._read(old.text)
        if not may_disagree(first, second) or in_different_periods(new, old):
            return None
        same_speaker = _speaker(new, first) == _speaker(old, second)
        times = shared_times(new.said_at, old.said_at)
        found = disagreement(first, second, same_speaker=same_speaker, same_times=times)
        if found is None:
            return None
        classed = _classed(found, new, old)
        if classed.condition is None and begins_later(new, old):
            return replace(classed, confidence=UNSURE)
        return classed

    def comparable(self, new: Statement, olds: Iterable[Statement]) -> list[bool]:
        """Of each old memory False if it says nothing that the new one could contradict."""
        said = self._read(new.text)
        return [may_disagree(said, self._read(old.text)) for old in olds]

    def reads(self, text: str) -> bool:
        """True if a text states anything that another text could contradict."""
        reading = self._read(text)
        return bool(reading.frames or reading.predicates)


def in_different_periods(one: Statement, other: Statement) -> bool:
    """True if one memory's valid time ends before the other's begins."""
    for first, second in ((one, other), (other, one)):
        end, start = first.valid_until, second.valid_from
        if end is not None and start is not None and end <= start:
            return True
    return False


def begins_later(new: Statement, old: Statement) -> bool:
    """True if a new statement names a day to come, and no "now", so that the old one holds today.

    If the old one names a day to come as well, or one that comes again, the day is what changed:
    "the launch is in May", then "in July".
    """
    if new.said_at < old.said_at or _NOW.search(new.text) is not None:
        return False
    said = to_datetime(new.said_at)
    return begins_ahead(new.text, said) and not any(
        one.precision != "vague"
        and one.relation != "since"
        and (one.relation != "after" or one.start > said)
        and (one.repeats is not None or one.end > said)
        for one in read_dates(old.text, said)
    )


def _speaker(statement: Statement, reading: Reading) -> str:
    """Speaker that 'I' refers to: the one named in the text, else the source user or agent."""
    if reading.speaker is not None:
        return reading.speaker.lower()
    source = statement.source or ""
    given = source.startswith(("user:", "agent:")) or statement.source_type != "user_stated"
    return source if given else "user"


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
    severity: events.Severity = "minor" if minor else "major"
    reason = _REASONS[kind].format(about=found.attribute, new=found.new, old=found.old)
    about, sensitive = found.attribute or None, not found.fixed
    return Contradiction(kind, severity, about, sensitive, condition, reason)
