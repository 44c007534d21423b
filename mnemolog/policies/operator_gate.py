"""Operator gate: proposes a new operator only for failures that recur on other cues.

The number of operators stays small. The first response to a failure uses existing means (a
rule, a setting, a note). A new operator is worth its cost only if the same class of failure
recurs on another cue with that mitigation in place.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids_and_times import EventId, Position
from mnemolog.policies.memories import checked_text
from mnemolog.results import Results, Value

Operator = Literal["revision", "evaluation", "attention"]

OPERATORS: dict[str, Operator] = {
    "missed_correction": "revision",
    "bad_trade_off": "evaluation",
    "lost_focus": "attention",
}
"""The classes of failure that an operator answers to, and which one."""

DISTINCT_CUES = 2
"""On how many distinct cues a class must have failed, with mitigation in place."""

_ALSO_CALLED = {"bad_tradeoff": "bad_trade_off", "focus_failure": "lost_focus"}
_NAME_LIMIT = 200
# Polite phrases around a request are not part of the request.
_POLITE = frozenset({"hello", "hey", "hi", "kindly", "know", "pleas", "remind", "tell", "thank"})

Terms = Callable[[str], Iterable[str]]
"""The terms of a cue: stemmed, without the words that every sentence has."""


class FailureReport(Value, frozen=True):
    """Reported failure; `cue` is None after redaction."""

    position: Position
    event_id: EventId
    failure: str
    mitigated: bool
    cue: str | None
    note: str | None = None


class FailureClass(Value, frozen=True):
    """Class of failures: its reports and the verdict on them, which `says` words.

    `cues` holds one of each distinct cue that failed with mitigation in place. `operator`
    is None for a class that the reporter defined.
    """

    failure: str
    operator: Operator | None
    reports: tuple[FailureReport, ...]
    cues: tuple[str, ...]
    says: str


class GateProposal(Value, frozen=True):
    """Operator that is worth building, and the reports that support it."""

    operator: Operator
    failure: str
    reason: str
    cues: tuple[str, ...]
    evidence: tuple[EventId, ...]


class Gate(Results[GateProposal], frozen=True):
    """Verdict on the reported failures: `proposals`, if any; `message` is a sentence."""

    _over = "proposals"

    proposals: tuple[GateProposal, ...]
    classes: tuple[FailureClass, ...]
    message: str


def decide_gate(reports: Sequence[FailureReport], terms: Terms) -> Gate:
    """Operators that these reports justify; `reports` are the valid ones, oldest first.

    A redacted cue does not count as evidence, because it can no longer be compared with
    other cues.
    """
    names = dict.fromkeys(report.failure for report in reports)
    classes = tuple(
        _class(name, tuple(one for one in reports if one.failure == name), terms) for name in names
    )
    proposals = tuple(
        GateProposal(
            one.operator,
            one.failure,
            one.says,
            one.cues,
            tuple(report.event_id for report in one.reports if report.mitigated),
        )
        for one in classes
        if one.operator is not None and len(one.cues) >= DISTINCT_CUES
    )
    message = (
        "Nothing is proposed: no class recurred on two distinct cues with mitigation in place."
    )
    if proposals:
        message = f"Proposed: {', '.join(one.operator for one in proposals)}."
    elif not reports:
        message = "No failure is reported, so nothing is proposed."
    elif len(reports) == 1:
        message = "One miss is reported, which proposes nothing."
    return Gate(proposals, classes, message)


def _class(failure: str, reports: tuple[FailureReport, ...], terms: Terms) -> FailureClass:
    distinct: dict[frozenset[str], str] = {}
    for report in reports:
        if report.mitigated and report.cue is not None:
            distinct.setdefault(asked(report.cue, terms), report.cue)
    cues, operator = tuple(distinct.values()), OPERATORS.get(failure)
    mitigated = sum(report.mitigated for report in reports)
    says = f"{failure} was reported {_times(mitigated)} with mitigation in place, "
    if operator is None:
        says = (
            f"{failure} was reported {_times(len(reports))}; it is a class of your own, which no "
            "operator answers to: nothing is proposed"
        )
    elif not mitigated:
        says = (
            f"{failure} was reported {_times(len(reports))}, never with mitigation in place: "
            "mitigate it first, nothing is proposed"
        )
    elif len(cues) >= DISTINCT_CUES:
        says = (
            f"{failure} recurred on {len(cues)} distinct cues with mitigation in place: "
            f"a native {operator} operator is proposed"
        )
    elif not cues:
        says += "but the cues are redacted: nothing is proposed"
    else:
        says += "on one cue: nothing is proposed unless it recurs on another"
    return FailureClass(failure, operator, reports, cues, says)


def asked(cue: str, terms: Terms) -> frozenset[str]:
    """Terms that a cue asks for: equal for cues that differ only in wording.

    Case, blanks, punctuation, order, inflection, closed-class words and polite words are
    ignored. A cue of only such words keeps its terms; a cue without terms stands for
    itself.
    """
    cue = unicodedata.normalize("NFKC", cue)
    found = frozenset(terms(cue))
    return found - _POLITE or found or frozenset({" ".join(cue.casefold().split())})


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def checked_failure(failure: str) -> str:
    """Class of failure in lowercase with underscores. Raises `InvalidField`."""
    text = checked_text("failure", failure) or ""
    name = "_".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
    if not name.strip("_") or len(name) > _NAME_LIMIT:
        fix = f"use one of {', '.join(OPERATORS)}, or a word of your own"
        raise InvalidField("failure", "is empty or too long", fix)
    return _ALSO_CALLED.get(name, name)
