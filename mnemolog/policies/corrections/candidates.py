"""Candidates for the target of a correction: what it demands of them, and how they score.

They need not say nouns that only name the kind of a value, as 'the day of the retrospective is
Friday' does: 'The retrospective is on Monday' fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec
from msgspec.structs import replace

from mnemolog.language.names.kinds import everyday_kinds, everyday_name
from mnemolog.language.words.lexicon import household_kinds
from mnemolog.policies.corrections.readings import CorrectionReading
from mnemolog.policies.corrections.terms import (
    LISTS,
    RE,
    Term,
    key_of,
    keys,
    subject_of,
    terms,
)


class TargetCandidate(msgspec.Struct, frozen=True):
    """A memory that a correction may mean.

    `labels` are its tags and the steps of its place, `speaker` the name of who said it,
    `cosine` its nearness in meaning, `order` its place in the log.
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
        agent, sentence = keys(terms(reading.agent or "")), reading.sentence
        if (about or reading.form == "dropped") and not RE.stopped.search(sentence):
            held = (keys((*terms(one.text), *terms(one.speaker or ""))) for one in candidates)
            agent = set() if any(agent <= some for some in held) else agent
        stating = reading.old if reading.old_kind == "statement" else None
        stating = stating or (reading.new if reading.new_kind == "statement" else None)
        mine = reading.agent is None and RE.i_changed.search(sentence) is not None
        core = " ".join(filter(None, said)) or sentence
        return TargetDemands(
            reading,
            old,
            new,
            about,
            frozenset(agent),
            frozenset(keys(terms(reading.scope or ""))),
            frozenset(subject_of(stating or "")),
            reading.speaker or corrector,
            first_person=mine or RE.first_person.search(core) is not None,
            named=_names([*said, sentence, *(one.text for one in candidates)]),
            relation="<residence>" if RE.moved_home.search(sentence) else None,
        )


@cache
def neutral() -> frozenset[str]:
    """The keys of words that tell no thing from another: 'the main office', 'the new one'."""
    return LISTS.words("neutral")


def _names(texts: Iterable[str]) -> frozenset[str]:
    """The terms that some text writes as a name."""
    return frozenset(
        one.key
        for text in texts
        for one in terms(text)
        if one.kind == "name" or (text[one.start].isupper() and RE.after_name.match(text, one.end))
    )


def kinds_of_values(text: str) -> frozenset[str]:
    """The keys of nouns for what the words of a text are, as anybody knows: of a parrot, a pet."""
    words = set(RE.plain_word.findall(text.lower()))
    kinds = {"diet"} if words & LISTS.words("diets") else set[str]()
    kinds |= {household_kinds()[word] for word in words & household_kinds().keys()}
    for known in filter(None, map(everyday_name, words)):
        kinds |= {kind.name for kind in everyday_kinds(known)}
    return frozenset(map(key_of, kinds))


def reworded(reading: CorrectionReading, texts: Iterable[str]) -> CorrectionReading | None:
    """A reading with the one other noun that some texts have for its own; None if none differ."""
    known = {key_of(word) for text in texts for word in RE.any_word.findall(text)}
    groups = [(first, *others) for first, others in LISTS.table("synonyms").items()]
    mates = [set(map(key_of, group)) for group in groups]
    stems = {key_of(word): word for group in groups for word in group}

    def mate(match: re.Match[str]) -> str:
        key = key_of(match[0])
        others = {one for group in mates if key in group for one in group & known}
        return stems[others.pop()] if key not in known and len(others) == 1 else match[0]

    parts = {"old": reading.old, "new": reading.new, "about": reading.about}
    changed = {name: RE.any_word.sub(mate, text) for name, text in parts.items() if text}
    other = replace(reading, **changed)
    return None if other == reading else other


class TargetMatch(msgspec.Struct, frozen=True):
    """Match of a candidate with a correction: its score in [0, 1], and the characters in dispute.

    `start` and `end` are the characters of the sentence in dispute, `value_start` and
    `value_end` those of the value that no longer holds, if known; `new` takes its place, and
    with `which` merely tells which of several things is meant.
    """

    candidate: TargetCandidate
    score: float
    cover: float
    why: str
    start: int
    end: int
    extra: int = 0
    value_start: int = -1
    value_end: int = -1
    new: str | None = None
    old_keys: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    which: bool = False


def decides(asked: TargetDemands, term: Term) -> bool:
    """True if a target that lacks a term speaks of something else: a name, an amount."""
    return term.kind == "quantity" or term.key in asked.named
