"""Deciding what a recall session teaches: about its context, its memories, and relevance itself."""

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
    """What a session showed of a memory: its components of relevance, and through which spark.

    No components where votes had steered the search that found it.
    """

    components: dict[str, float]
    spark: MemoryId | None = None


class Ballot(msgspec.Struct, frozen=True):
    """What a session showed, what was voted on it, and what was accepted."""

    shown: Mapping[MemoryId, Shown]
    votes: Mapping[MemoryId, Vote]
    accepted: Sequence[MemoryId] = ()


def decide_resolution(
    session: str, rounds: int, context: Neighbourhood, ballot: Ballot
) -> Resolved:
    """What a session that ends taught (SPEC §8.4).

    What was accepted or hot bears on the context, what was cold or wrong does not;
    what was accepted or hot together is associated; a spark through which something
    accepted was first shown is a lead; and each component of relevance has the evidence
    of how it had ranked what was accepted.
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
    """How far each component ranks what was accepted above the rest, in [-1, 1]: 2 AUC - 1.

    That is how much more often one of the accepted has the higher value than the lower
    one, over all pairs of one of them and one of the others (Somers' D). At random it is 0.
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
