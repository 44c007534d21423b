"""Learning from a recall session: its context, its memories, and the relevance weights."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec

from mnemolog.ledger.events import Lead, Lesson, Neighbourhood, Resolved, Vote
from mnemolog.ledger.ids_and_times import MemoryId

_ACCEPTED = 0.8
_BEARING: Mapping[Vote, float] = {"hot": 0.5, "cold": -0.15, "wrong": -0.5}
"""Bearing of a memory on the context, by vote; a warm or spark memory was not the one."""


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
    shown, votes, accepted = ballot.shown, ballot.votes, tuple(dict.fromkeys(ballot.accepted))
    hot = [one for one, vote in sorted(votes.items()) if vote == "hot"]
    sought = tuple(dict.fromkeys([*accepted, *hot]))
    bearings = {one: _BEARING[vote] for one, vote in votes.items() if vote in _BEARING}
    bearings |= dict.fromkeys(accepted, _ACCEPTED)
    sparks = {one: shown[one].spark for one in accepted if one in shown}
    return Resolved(
        session=session,
        rounds=rounds,
        context=context,
        votes=dict(sorted(Counter(votes.values()).items())),
        accepted=accepted,
        lessons=tuple(Lesson(one, bearing) for one, bearing in sorted(bearings.items())),
        together=sought if len(sought) > 1 else (),
        leads=tuple(Lead(spark, one) for one, spark in sparks.items() if spark is not None),
        evidence=_evidence(shown, frozenset(accepted)),
    )


def _evidence(shown: Mapping[MemoryId, Shown], accepted: Collection[MemoryId]) -> dict[str, float]:
    """Evidence per component, in [-1, 1]: how far it ranks accepted above other memories.

    2 AUC - 1 (Somers' D): over all pairs of an accepted and another memory, the share in
    which the accepted one has the higher value minus the share in which it has the lower
    one. Random ranking gives 0.
    """
    evidence = {}
    for name in sorted({name for one in shown.values() for name in one.components}):
        ranked: dict[bool, list[float]] = {True: [], False: []}
        for one, each in shown.items():
            if name in each.components:
                ranked[one in accepted].append(each.components[name])
        pairs = [(one > other) - (one < other) for one in ranked[True] for other in ranked[False]]
        if any(pairs):
            evidence[name] = round(sum(pairs) / len(pairs), 4)
    return evidence
