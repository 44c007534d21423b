"""Fit of a memory to a correction that gives only a topic and a new value."""

from __future__ import annotations

import re

from mnemolog.policies.corrections.target.demands import (
    CandidateSentence,
    TargetCandidate,
    TargetDemands,
)
from mnemolog.policies.corrections.target.kinds import kinds_of_related, kinds_owned
from mnemolog.policies.corrections.target.scoring import (
    Fit,
    TargetMatch,
    decides,
    matched,
    precision_of,
    share,
    unless,
)
from mnemolog.policies.corrections.target.slots import no_name
from mnemolog.policies.corrections.target.values import stale_value
from mnemolog.policies.corrections.terms import Term, keys, same_measure


def against_value(
    asked: TargetDemands, candidate: TargetCandidate, said: CandidateSentence
) -> TargetMatch | None:
    """A target of which only the topic and a new value are told."""
    if not asked.about and asked.relation is not None and asked.new:
        return _by_relation(asked, candidate, said, asked.relation)
    if not asked.about:
        return _by_measure(asked, candidate, said)
    held = said.held
    kinds = kinds_of_related(said) | kinds_owned(asked.reading.about or "", said)
    need = unless(held, kinds, asked.about)
    cover = share(need.values(), held)
    if (
        any(decides(asked, term) and term.key not in held for term in need.values())
        or not asked.required <= held
    ):
        cover *= 0.5
    rest = [term for term in said.found if term.key not in need]
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    if keys(asked.new) and keys(asked.new) <= held:
        return None
    value = stale_value(asked.new, rest, said, asked) if asked.new else rest[-1:]
    if not value:
        cover *= 0.5
    bonus = 0.0
    if asked.relation is not None and not measured:
        bonus = 0.15 if asked.relation in held else -0.1
        cover = cover if asked.relation in held else cover * 0.9
        if no_name(asked, asked.new, value):
            cover *= 0.5
    about = asked.reading.about or ""
    capitals = {term.key for term in asked.about if about[term.start].isupper()}
    only_names = need.keys() <= (asked.named & capitals) and len(need) == len(keys(asked.about))
    if only_names and not measured and asked.relation not in held and asked.new:
        cover *= 0.9
        if not _like_role(asked, said):
            cover *= 0.8
    extra = [term for term in rest if term not in value]
    fit = Fit(
        cover,
        extra,
        value,
        asked.reading.new,
        frozenset(need) | keys(value),
        precision_of(need, said, value),
        bonus,
    )
    return matched(asked, candidate, said, fit)


def _like_role(asked: TargetDemands, said: CandidateSentence) -> bool:
    """True if a bare statement about someone is of the kind 'X is a Y'."""
    return (
        asked.reading.form == "became"
        and re.search(r"\b(?:is|works as)\s+(?:an?|the|our)\b", said.text) is not None
    )


def _by_relation(
    asked: TargetDemands, candidate: TargetCandidate, said: CandidateSentence, relation: str
) -> TargetMatch | None:
    """A target of which nothing is told but a new value of its relation: 'she moved to Bergen'."""
    if relation not in said.held or keys(asked.new) <= said.held:
        return None
    value = stale_value(asked.new, said.found, said, asked)
    return _nothing_but(value, asked, candidate, said)


def _by_measure(
    asked: TargetDemands, candidate: TargetCandidate, said: CandidateSentence
) -> TargetMatch | None:
    """A target of which nothing is told but the new value: one of its measure."""
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    if not measured or keys(asked.new) <= said.held:
        return None
    value = [
        term
        for term in said.found
        if term.quantity is not None and same_measure(term.quantity, measured[0])
    ]
    return _nothing_but(value if len(value) == 1 else [], asked, candidate, said)


def _nothing_but(
    value: list[Term], asked: TargetDemands, candidate: TargetCandidate, said: CandidateSentence
) -> TargetMatch | None:
    """The match of a target by its value alone; None without one."""
    if not value:
        return None
    extra = [term for term in said.found if term not in value]
    return matched(asked, candidate, said, Fit(1.0, extra, value, asked.reading.new, keys(value)))
