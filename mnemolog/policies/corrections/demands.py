"""Demands of a correction on its target, and the memories that may meet them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from mnemolog.policies.corrections.readings import CorrectionReading
from mnemolog.policies.corrections.terms import LISTS, RE, Term, keys, subject_of, terms


class TargetCandidate(msgspec.Struct, frozen=True):
    """A memory that a correction may mean.

    `labels` are its tags and the steps of its place, `speaker` the name of who
    said it, `cosine` how near it is in meaning, `order` its place in the log.
    """

    memory_id: str
    text: str
    labels: tuple[str, ...] = ()
    speaker: str | None = None
    cosine: float = 0.0
    order: int = 0


class CandidateSentence(msgspec.Struct, frozen=True):
    """One sentence of a candidate with its terms, and the keys of who says it."""

    text: str
    start: int
    found: tuple[Term, ...]
    also: frozenset[str] = frozenset()

    @property
    def held(self) -> set[str]:
        """The keys of what it says, and of who says it."""
        return keys(self.found) | self.also


class TargetDemands(msgspec.Struct, frozen=True):
    """Demands of a reading on its target, with the terms of its parts."""

    reading: CorrectionReading
    old: tuple[Term, ...]
    new: tuple[Term, ...]
    about: tuple[Term, ...]
    required: frozenset[str]
    scope: frozenset[str]
    subject: frozenset[str]
    speaker: str | None
    first_person: bool
    named: frozenset[str]
    relation: str | None

    @staticmethod
    def of(
        reading: CorrectionReading, candidates: Sequence[TargetCandidate], corrector: str | None
    ) -> TargetDemands:
        """The demands of a reading."""
        said = [part or "" for part in (reading.old, reading.new, reading.about)]
        old, new, about = map(terms, said)
        agent = keys(terms(reading.agent or ""))
        if agent and not RE.stopped.search(reading.sentence):
            known = any(
                agent <= (keys(terms(one.text)) | keys(terms(one.speaker or "")))
                for one in candidates
            )
            agent = set() if known and (about or reading.form == "dropped") else agent
        stating = reading.old if reading.old_kind == "statement" else None
        stating = stating or (reading.new if reading.new_kind == "statement" else None)
        mine = reading.agent is None and RE.i_changed.search(reading.sentence) is not None
        core = " ".join(filter(None, said))
        return TargetDemands(
            reading,
            old,
            new,
            about,
            required=frozenset(agent),
            scope=frozenset(keys(terms(reading.scope or ""))),
            subject=frozenset(subject_of(stating or "")),
            speaker=reading.speaker or corrector,
            first_person=mine or RE.first_person.search(core or reading.sentence) is not None,
            named=_names([*said, reading.sentence, *(one.text for one in candidates)]),
            relation="<residence>" if RE.moved_home.search(reading.sentence) else None,
        )


@cache
def neutral() -> frozenset[str]:
    """The keys of words that tell no thing from another: 'the main office', 'the new one'."""
    return LISTS.words("neutral")


def _names(texts: Iterable[str]) -> frozenset[str]:
    """The terms that some text writes as a name."""
    return frozenset(
        term.key
        for text in texts
        for term in terms(text)
        if term.kind == "name"
        or (text[term.start].isupper() and RE.after_name.match(text, term.end))
    )
