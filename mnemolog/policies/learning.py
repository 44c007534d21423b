"""Learning from a recall session: its context, its memories, and the relevance weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec

from mnemolog.ledger.events import Lead, Lesson, Neighbourhood, Resolved, Vote
from mnemolog.ledger.ids import MemoryId

_ACCEPTED = 0.8
_BEARING: Mapping[Vote, float] = {"hot": 0.5, "cold": -0.15, "wrong": -0.5}
"""What a vote says of a memory's bearing on the context; what was warm or a spark was not it."""


class Shown(msgspec.Struct, frozen=True):
    """Relevance components of a memory shown in a session, and the spark that found it.

    The components are missing if votes had steered the search that found the memory.
    """

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
    accepted = tuple(dict.fromkeys(ballot.accepted))
    sought = [*accepted, *(one for one, vote in sorted(ballot.votes.items()) if vote == "hot")]
    return Resolved(
        session=session,
        rounds=rounds,
        context=context,
        votes=dict(sorted(Counter(ballot.votes.values()).items())),
        accepted=accepted,
        lessons=_lessons(ballot, accepted),
        together=tuple(dict.fromkeys(sought)) if len(set(sought)) > 1 else (),
        leads=_leads(ballot, accepted),
        evidence=_evidence(ballot.shown, frozenset(accepted)),
    )


def _lessons(ballot: Ballot, accepted: Sequence[MemoryId]) -> tuple[Lesson, ...]:
    bearings = {one: _BEARING[vote] for one, vote in ballot.votes.items() if vote in _BEARING}
    bearings |= dict.fromkeys(accepted, _ACCEPTED)
    return tuple(Lesson(one, bearing) for one, bearing in sorted(bearings.items()))


def _leads(ballot: Ballot, accepted: Sequence[MemoryId]) -> tuple[Lead, ...]:
    sparks = {one: ballot.shown[one].spark for one in accepted if one in ballot.shown}
    return tuple(Lead(spark, one) for one, spark in sparks.items() if spark is not None)


def _evidence(shown: Mapping[MemoryId, Shown], accepted: Collection[MemoryId]) -> dict[str, float]:
    """Evidence per component, in [-1, 1]: how far it ranks accepted above other memories.

    2 AUC - 1 (Somers' D): over all pairs of an accepted and another memory, the share in
    which the accepted one has the higher value minus the share in which it has the lower
    one. Random ranking gives 0.
    """
    names = sorted({name for one in shown.values() for name in one.components})
    evidence = {}
    for name in names:
        values = {
            one: each.components[name] for one, each in shown.items() if name in each.components
        }
        pairs = [
            (values[one] > values[other]) - (values[one] < values[other])
            for one in values
            if one in accepted
            for other in values
            if other not in accepted
        ]
        if any(pairs):
            evidence[name] = round(sum(pairs) / len(pairs), 4)
    return evidence
