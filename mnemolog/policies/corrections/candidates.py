"""Candidates for the target of a correction: what it demands of them, and how they score.

Nouns that only name the kind of a value need not be said: 'the day of the retrospective is
Friday' says of 'The retrospective is on Monday' what it says without 'day'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from mnemolog.language.entities import everyday_kinds, everyday_name
from mnemolog.language.words.lexicon import LEXICON
from mnemolog.policies.corrections.readings import CorrectionReading
from mnemolog.policies.corrections.terms import (
    LISTS,
    RE,
    TELLING,
    Term,
    key_of,
    keys,
    subject_of,
    terms,
)

_WORK = ("job", "occupation", "profession", "role", "position")
_COVER, _PRECISION, _MEANING = 0.6, 0.2, 0.2


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
            held = (keys((*terms(one.text), *terms(one.speaker or ""))) for one in candidates)
            known = any(agent <= some for some in held)
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
    found = ((text, term) for text in texts for term in terms(text))
    return frozenset(
        one.key
        for text, one in found
        if one.kind == "name" or (text[one.start].isupper() and RE.after_name.match(text, one.end))
    )


def kinds_of(said: CandidateSentence) -> frozenset[str]:
    """The keys of nouns that name the kind of a value that a sentence has, by its measure."""
    measures = {term.quantity.dimension for term in said.found if term.quantity is not None}
    return _nouns(measures, "nouns_of_measures")


def kinds_of_related(said: CandidateSentence) -> frozenset[str]:
    """Keys as of `kinds_of`, and of nouns that the verb implies: a car for what one drives."""
    related = _nouns(said.held, "nouns_of_relations") | kinds_of_values(said.text)
    work = map(key_of, _WORK) if RE.is_of_a_kind.search(said.text) else ()
    return kinds_of(said) | related | frozenset(work)


def kinds_of_values(text: str) -> frozenset[str]:
    """The keys of nouns for what the words of a text are, as anybody knows: of a parrot, a pet."""
    kinds: set[str] = set()
    for word in RE.plain_word.findall(text.lower()):
        known, household = everyday_name(word), LEXICON.key_of("household", word)
        kinds |= set() if known is None else {kind.name for kind in everyday_kinds(known)}
        kinds |= {household} if household else set()
        kinds |= {"diet"} if word in LISTS.words("diets") else set()
    return frozenset(map(key_of, kinds))


def kinds_owned(statement: str, said: CandidateSentence) -> frozenset[str]:
    """The noun of 'Chloe's pet is a rabbit' where a sentence says only that she has something."""
    owned = RE.owned.search(statement)
    has = RE.has_it.search(said.text)
    return frozenset() if owned is None or has is None else frozenset([key_of(owned["what"])])


def head_nouns(statement: str, said: CandidateSentence) -> frozenset[str]:
    """The keys of the nouns by which a statement names what a value is: 'the region of Sable'.

    Where the old value is named as well, a sentence need not have them; none where it
    names what its own value is, for the villain of a novel is not its hero.
    """
    found = [RE.head.match(text) for text in (statement, said.text)]
    nouns = ((one["of"] or one["had"]).lower().split() if one else () for one in found)
    ours, theirs = (frozenset(map(key_of, some)) for some in nouns)
    return ours if not theirs or theirs & ours else frozenset()


def names_a_kind(statement: str) -> bool:
    """True if a statement names what somebody has: 'Dana's car is a Tesla', not 'is red'."""
    owned = RE.owned.search(statement)
    is_one = owned is not None and key_of(owned["what"]) in kinds_of_values(statement)
    return is_one or RE.named.search(statement) is not None


def _nouns(held: set[str], table: str) -> frozenset[str]:
    return frozenset(
        key_of(noun)
        for kinds, nouns in LISTS.table(table).items()
        if not held.isdisjoint(kinds.split())
        for noun in nouns
    )


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

    `start` and `end` are the characters of the sentence in dispute, `value_start`
    and `value_end` those of the value that no longer holds, where it is known;
    `new` is the value that takes its place, and `which` says that it merely tells which
    of several things is meant.
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


class Fit(msgspec.Struct, frozen=True):
    """Fit of a sentence: the words of a correction that it holds.

    `cover` is the share of it that is held, `precision` the share of the sentence
    that is spoken of, `bonus` what speaks for or against it beside. `value` is what
    no longer holds and `new` what takes its place; `extra` is spoken of by neither.
    `which` where the new value tells which of several things is meant.
    """

    cover: float
    extra: Sequence[Term]
    value: Sequence[Term]
    new: str | None
    old_keys: Iterable[str]
    precision: float = 0.0
    bonus: float = 0.0
    which: bool = False


def lists_more(said: CandidateSentence, need: dict[str, Term], extra: Sequence[Term]) -> bool:
    """True if a sentence says of several things what a correction takes back of one."""
    others = keys(extra)
    return any(
        not others.isdisjoint({one.key, two.key})
        and not need.keys().isdisjoint({one.key, two.key})
        and RE.listed_with.fullmatch(said.text[one.end : two.start]) is not None
        for one, two in pairwise(said.found)
    )


def unless(
    held: set[str], kinds: frozenset[str] | set[str], found: Iterable[Term]
) -> dict[str, Term]:
    """Terms that a target must hold: not those of kinds, unless it does hold them."""
    return {term.key: term for term in found if term.key in held or term.key not in kinds}


def told_apart(
    asked: TargetDemands,
    said: CandidateSentence,
    cover: float,
    missing: Iterable[Term],
    extra: Iterable[Term],
) -> float:
    """A cover, less where a sentence shows by another word that it speaks of something else."""
    both = [keys(some) - neutral() for some in (missing, extra)]
    related = all(any(key[0] == "<" for key in some) for some in both)
    if related or all(any(key[0] != "<" or key in TELLING for key in some) for some in both):
        cover *= 0.8
    return cover * 0.7 if _possessed(asked, said) else cover


def decides(asked: TargetDemands, term: Term) -> bool:
    """True if a target that lacks a term speaks of something else: a name, an amount."""
    return term.kind == "quantity" or term.key in asked.named


def share(need: Iterable[Term], held: set[str]) -> float:
    """The share of some terms' weight that is held, in [0, 1]; 1 of none."""
    whole = sum(term.weight for term in need)
    return sum(term.weight for term in need if term.key in held) / whole if whole else 1.0


def precision_of(need: dict[str, Term], said: CandidateSentence, value: Sequence[Term]) -> float:
    """The share of a sentence that the correction speaks of."""
    return share(said.found, need.keys() | keys(value)) if said.found else 0.0


def _possessed(asked: TargetDemands, said: CandidateSentence) -> bool:
    """True if a sentence is about a thing of somebody, and the correction about the person."""
    told = keys((*asked.old, *asked.new, *asked.about))
    firsts = subject_of(said.text)
    for match in RE.possessed.finditer(said.text):
        who, what = key_of(match["who"]), key_of(match["what"])
        if who in asked.named and who in told and {who, what} <= firsts:
            return what not in told and what not in neutral() and what[0] != "<"
    return False


def matched(
    asked: TargetDemands, candidate: TargetCandidate, said: CandidateSentence, fit: Fit
) -> TargetMatch:
    """A candidate's match: mostly cover, then precision and nearness in meaning."""
    cosine = max(0.0, min(1.0, candidate.cosine))
    score = _COVER * fit.cover + _PRECISION * fit.precision + _MEANING * cosine + fit.bonus
    subject, known, value = subject_of(said.text), neutral() | keys(asked.new), fit.value
    beside = {term.start for term in fit.extra}
    words = (said.text[one.start : one.end] for one in said.found if one.start not in beside)
    told = ", ".join(dict.fromkeys(words))
    return TargetMatch(
        candidate=candidate,
        score=round(max(0.0, min(1.0, score)), 4),
        cover=round(fit.cover, 4),
        why=f"it says {told}" if told else "it is near in meaning",
        start=said.start,
        end=said.start + len(said.text),
        extra=len(fit.extra),
        value_start=said.start + min(term.start for term in value) if value else -1,
        value_end=said.start + max(term.end for term in value) if value else -1,
        new=fit.new,
        old_keys=frozenset(fit.old_keys),
        # Words of its subject that show that it is another one than the correction's.
        apart=frozenset(key for key in keys(fit.extra) & subject - known if key[0] != "<"),
        named=frozenset(term.key for term in fit.extra if decides(asked, term)),
        which=fit.which,
    )
