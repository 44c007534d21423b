"""Learning from a recall session, and the operator gate for failures that recur on other cues.

The number of operators stays small. The first response to a failure uses existing means (a
rule, a setting, a note). A new operator is worth its cost only if the same class of failure
recurs on another cue with that mitigation in place.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Lead, Lesson, Neighbourhood, Resolved, Vote
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.policies.memories import checked_text
from mnemolog.results import Results, Value

_ACCEPTED = 0.8
# Bearing of a memory on the context; a warm or spark memory was not the one.
_BEARING: Mapping[Vote, float] = {"hot": 0.5, "cold": -0.15, "wrong": -0.5}


class Shown(msgspec.Struct, frozen=True):
    """Relevance components of a memory shown in a session, unless steered, and its spark."""

    components: dict[str, float]
    spark: MemoryId | None = None


class Ballot(msgspec.Struct, frozen=True):
    """Memories shown in a session, the votes on them, and the accepted ones."""

    shown: Mapping[MemoryId, Shown]
    votes: Mapping[MemoryId, Vote]
    accepted: Sequence[MemoryId] = ()


def decide_resolution(
    session: str, rounds: int, context: Neighbourhood, ballot: Ballot
) -> Resolved:
    """Event with what a finished session taught (SPEC §8.4).

    - Accepted and hot memories become relevant to the context; cold and wrong ones do not.
    - Accepted and hot memories are associated with each other.
    - A spark that first showed an accepted memory becomes a lead.
    - Each component of relevance gets evidence of how well it ranked the accepted memories.
    """
    shown, votes, accepted = ballot.shown, ballot.votes, tuple(dict.fromkeys(ballot.accepted))
    hot = [one for one, vote in sorted(votes.items()) if vote == "hot"]
    sought = tuple(dict.fromkeys([*accepted, *hot]))
    bearings = {one: _BEARING[vote] for one, vote in votes.items() if vote in _BEARING}
    bearings |= dict.fromkeys(accepted, _ACCEPTED)
    sparks = {one: shown[one].spark for one in accepted if one in shown}
    return Resolved(
        session,
        rounds,
        context,
        votes=dict(sorted(Counter(votes.values()).items())),
        accepted=accepted,
        lessons=tuple(Lesson(one, bearing) for one, bearing in sorted(bearings.items())),
        together=sought if len(sought) > 1 else (),
        leads=tuple(Lead(spark, one) for one, spark in sparks.items() if spark is not None),
        evidence=_evidence(shown, frozenset(accepted)),
    )


def _evidence(shown: Mapping[MemoryId, Shown], accepted: Collection[MemoryId]) -> dict[str, float]:
    """Evidence per component, in [-1, 1]: how far it ranks accepted above other memories.

    2 AUC - 1 (Somers' D): over all pairs of an accepted and another memory, the share in which
    the accepted one is higher minus that in which it is lower. Random ranking gives 0.
    """
    ranked: dict[str, dict[bool, list[float]]] = {}
    for one, each in shown.items():
        for name, value in each.components.items():
            ranked.setdefault(name, {True: [], False: []})[one in accepted].append(value)
    evidence = {}
    for name, values in sorted(ranked.items()):
        pairs = [(one > other) - (one < other) for one in values[True] for other in values[False]]
        if any(pairs):
            evidence[name] = round(sum(pairs) / len(pairs), 4)
    return evidence


Operator = Literal["revision", "evaluation", "attention"]

# The classes of failure that an operator answers to, and which one.
OPERATORS: dict[str, Operator] = {
    "missed_correction": "revision",
    "bad_trade_off": "evaluation",
    "lost_focus": "attention",
}
DISTINCT_CUES = 2  # on which a class must have failed, with mitigation in place

_ALSO_CALLED = {"bad_tradeoff": "bad_trade_off", "focus_failure": "lost_focus"}
_NAME_LIMIT = 200
# Polite phrases around a request are not part of the request.
_POLITE = frozenset({"hello", "hey", "hi", "kindly", "know", "pleas", "remind", "tell", "thank"})

Terms = Callable[[str], Iterable[str]]  # of a cue: stemmed, without stop words


class FailureReport(Value, frozen=True):
    """Reported failure; `cue` is None after redaction."""

    position: Position
    event_id: EventId
    failure: str
    mitigated: bool
    cue: str | None
    note: str | None = None


class FailureClass(Value, frozen=True):
    """Class of failures: its reports, each distinct cue that failed despite mitigation, a verdict.

    `operator` is None for a class of the reporter's own.
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
    """Operators that these reports justify; a redacted cue is no evidence.

    `reports` are the valid ones, oldest first.
    """
    by_name: dict[str, list[FailureReport]] = {}
    for report in reports:
        by_name.setdefault(report.failure, []).append(report)
    classes = tuple(_class(name, tuple(own), terms) for name, own in by_name.items())
    proposals = []
    for one in classes:
        if one.operator is not None and len(one.cues) >= DISTINCT_CUES:
            evidence = tuple(report.event_id for report in one.reports if report.mitigated)
            proposals.append(GateProposal(one.operator, one.failure, one.says, one.cues, evidence))
    if proposals:
        message = f"Proposed: {', '.join(one.operator for one in proposals)}."
    elif not reports:
        message = "No failure is reported, so nothing is proposed."
    elif len(reports) == 1:
        message = "One miss is reported, which proposes nothing."
    else:
        lacking = "no class recurred on two distinct cues with mitigation in place"
        message = f"Nothing is proposed: {lacking}."
    return Gate(tuple(proposals), classes, message)


def _class(failure: str, reports: tuple[FailureReport, ...], terms: Terms) -> FailureClass:
    distinct: dict[frozenset[str], str] = {}
    for report in reports:
        if report.mitigated and report.cue is not None:
            distinct.setdefault(asked(report.cue, terms), report.cue)
    cues, operator = tuple(distinct.values()), OPERATORS.get(failure)
    mitigated, placed = sum(report.mitigated for report in reports), "with mitigation in place"
    often, hindered = (
        f"was reported {'once' if count == 1 else f'{count} times'}"
        for count in (len(reports), mitigated)
    )
    if operator is None:
        own = "it is a class of your own, which no operator answers to"
        says = f"{often}; {own}: nothing is proposed"
    elif not mitigated:
        says = f"{often}, never {placed}: mitigate it first, nothing is proposed"
    elif len(cues) >= DISTINCT_CUES:
        distinctly = f"recurred on {len(cues)} distinct cues {placed}"
        says = f"{distinctly}: a native {operator} operator is proposed"
    elif not cues:
        says = f"{hindered} {placed}, but the cues are redacted: nothing is proposed"
    else:
        says = f"{hindered} {placed}, on one cue: nothing is proposed unless it recurs on another"
    return FailureClass(failure, operator, reports, cues, f"{failure} {says}")


def asked(cue: str, terms: Terms) -> frozenset[str]:
    """Terms that a cue asks for: equal for cues that differ only in wording.

    Case, blanks, punctuation, order, inflection, closed-class words and polite words are
    ignored. A cue of only such words keeps its terms; one without terms stands for itself.
    """
    cue = unicodedata.normalize("NFKC", cue)
    found = frozenset(terms(cue))
    return found - _POLITE or found or frozenset({" ".join(cue.casefold().split())})


def checked_failure(failure: str) -> str:
    """Class of failure in lowercase with underscores. Raises `InvalidField`."""
    text = checked_text("failure", failure) or ""
    name = "_".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
    if not name.strip("_") or len(name) > _NAME_LIMIT:
        fix = f"use one of {', '.join(OPERATORS)}, or a word of your own"
        raise InvalidField("failure", "is empty or too long", fix)
    return _ALSO_CALLED.get(name, name)
