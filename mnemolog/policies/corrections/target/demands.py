"""Demands of a correction on its target, and the memories that may meet them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.reading.correction_reading import CorrectionReading
from mnemolog.policies.corrections.terms import Term, keys, subject_of, terms

_I = re.IGNORECASE


# Not the 'me' of an address such as me@home.net.
FIRST_PERSON = regex(r"(?<![\w.@-])(?:i|my|me|mine|myself|i'm|i've|i'd)\b(?![@-]|\.\w)", _I)


NEUTRAL = frozenset(
    [
        "dai",
        "week",
        "month",
        "quarter",
        "year",
        "morn",
        "evening",
        "afternoon",
        "regular",
        "usual",
        "main",
        "current",
        "whole",
        "official",
        "new",
        "old",
        "own",
        "team",
        "entire",
        "everyday",
        "typic",
        "weekli",
        "daili",
    ]
)


_BELONGS = {"residence": regex(r"\b(?:moved|relocated|shifted)\b", _I)}


_PERSONAL = regex(r"^(?:stopped|ceased|quit|gave up|given up|no longer|finished|sold)", _I)


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
    """One sentence of a candidate with its terms."""

    text: str
    start: int
    found: tuple[Term, ...]
    also: frozenset[str]

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
        named = _names(
            [
                reading.old,
                reading.new,
                reading.about,
                reading.sentence,
                *(one.text for one in candidates),
            ]
        )
        old, new, about = (terms(part or "") for part in (reading.old, reading.new, reading.about))
        agent = keys(terms(reading.agent or ""))
        if agent and not _PERSONAL.match(_verb_of(reading)):
            known = any(
                agent <= (keys(terms(one.text)) | keys(terms(one.speaker or "")))
                for one in candidates
            )
            agent = set() if known and (about or reading.form == "dropped") else agent
        stating = reading.old if reading.old_kind == "statement" else None
        stating = stating or (reading.new if reading.new_kind == "statement" else None)
        own = " ".join(
            part for part in (reading.old, reading.new, reading.about, reading.sentence) if part
        )
        return TargetDemands(
            reading,
            old,
            new,
            about,
            required=frozenset(agent),
            scope=frozenset(keys(terms(reading.scope or ""))),
            subject=frozenset(subject_of(stating or "")),
            speaker=reading.speaker or corrector,
            first_person=FIRST_PERSON.search(_core(reading) or own) is not None,
            named=named,
            relation=next(
                (f"<{name}>" for name, verb in _BELONGS.items() if verb.search(reading.sentence)),
                None,
            ),
        )


def _core(reading: CorrectionReading) -> str:
    return " ".join(part for part in (reading.old, reading.new, reading.about) if part) + (
        " I"
        if reading.agent is None
        and re.search(
            r"\bI(?:'ve)? (?:have |just |recently |finally )*(?:moved|left|quit|stopped|gave up"
            r"|switched|changed|relocated|sold|dropped|cancell?ed|became|no)\b",
            reading.sentence,
        )
        else ""
    )


def _verb_of(reading: CorrectionReading) -> str:
    match = re.search(
        r"\b(?:stopped|ceased|quit|gave up|given up|no longer|finished|sold)\b",
        reading.sentence,
        _I,
    )
    return match[0] if match else ""


def _names(texts: Iterable[str | None]) -> frozenset[str]:
    """The terms that some text writes as a name."""
    found: set[str] = set()
    for text in texts:
        for term in terms(text or ""):
            if term.kind == "name" or (
                text is not None
                and text[term.start].isupper()
                and re.match(
                    r"(?:'s|\u2019s)\s|\s+and\s+[A-Z]|\s+(?:lives|works|has|is|was|moved|left"
                    r"|[a-z]+s)\b",
                    text[term.end :],
                )
            ):
                found.add(term.key)
    return frozenset(found)
