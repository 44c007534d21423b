"""Scores of sentences as targets of a correction, and the matches made from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from mnemolog.policies.corrections.demands import (
    CandidateSentence,
    TargetCandidate,
    TargetDemands,
    neutral,
)
from mnemolog.policies.corrections.terms import RE, TELLING, Term, key_of, keys, subject_of

_COVER, _PRECISION, _MEANING = 0.6, 0.2, 0.2


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
    """A cover, less where a sentence shows by another word that it speaks of something else.

    The word stands in the place of one that it lacks, or tells what somebody has.
    """
    both = [keys(some) - neutral() for some in (missing, extra)]
    related = all(any(key[0] == "<" for key in some) for some in both)
    if related or all(any(key[0] != "<" or key in TELLING for key in some) for some in both):
        cover *= 0.8
    return cover * 0.7 if _possessed(asked, said) else cover


def loose_words(asked: TargetDemands) -> frozenset[str]:
    """Words of a subject that a target may word otherwise: those that are no names."""
    free = asked.subject - asked.named
    return frozenset(key for key in free if not key.startswith(("clock", "date", "number")))


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
        apart=frozenset(
            key for key in keys(fit.extra) & subject if key not in known and key[0] != "<"
        ),
        named=frozenset(term.key for term in fit.extra if decides(asked, term)),
        which=fit.which,
    )
