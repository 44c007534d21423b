"""How well a memory fits what a correction says of its target."""

from __future__ import annotations

import re

from ledger.patterns import regex
from policies.rectifying.asserting import passages, spoken
from policies.rectifying.demands import FIRST_PERSON, Asked, Candidate, Said, subject_of
from policies.rectifying.scoring import (
    Match,
    decides,
    lists_more,
    loose_words,
    matched,
    possessed,
    precision_of,
    score_of,
    share,
    told_apart,
)
from policies.rectifying.slots import (
    Slot,
    as_what,
    elsewhere,
    of_measures,
    stale_value,
    unsure,
    value_of,
)
from policies.rectifying.terms import Term, keys, same_measure, terms

_I = re.IGNORECASE


_HAS = regex(
    r"\b(?:we|i|our team|the team|team|everyone|company|they)\b[^.;]{0,30}?\b(?:use|using"
    r"|have|hold|run|do|keep|host|take|get|offer|support|meet|rely|deploy|store|build"
    r"|subscribe|pay|write|publish|ship|organi[sz]e|maintain)\w*\b",
    _I,
)


def best_match(asked: Asked, candidate: Candidate) -> Match | None:
    """How well the sentence of a candidate that fits best fits; None if none does at all."""
    speaker, said = spoken(candidate.text)
    speaker = speaker or candidate.speaker
    offset = len(candidate.text) - len(said)
    if _other_person(asked, speaker, said):
        return None
    also = frozenset(keys(terms(" ".join(candidate.labels))))
    found: list[Match] = []
    for start, end in passages(said):
        text = said[start:end]
        own = keys(terms(speaker or "")) if FIRST_PERSON.search(text) else set()
        piece = Said(text, offset + start, terms(text), frozenset(own))
        match = _match(asked, candidate, piece, also)
        if match is not None:
            found.append(match)
    return max(found, key=lambda match: match.score, default=None)


def _other_person(asked: Asked, speaker: str | None, said: str) -> bool:
    """Whether a correction and a memory are each in the first person, of two people."""
    if not asked.first_person:
        return False
    mine = FIRST_PERSON.search(said) is not None
    if asked.speaker is None or speaker is None:
        return not mine
    same = bool(keys(terms(asked.speaker)) & keys(terms(speaker)))
    if mine:
        return not same
    return not keys(terms(asked.speaker)) & keys(terms(said))


def _match(asked: Asked, candidate: Candidate, said: Said, labels: frozenset[str]) -> Match | None:
    """How well one sentence of a candidate fits."""
    if not said.found or not asked.scope <= (said.held | labels):
        return None
    if (
        asked.old
        and asked.reading.old_kind == "value"
        and asked.new
        and asked.reading.new_kind == "statement"
    ):
        return _against_statement(asked, candidate, said, named_old=True)
    if asked.old:
        return _against_old(asked, candidate, said)
    if asked.new and asked.reading.new_kind == "statement":
        return _against_statement(asked, candidate, said, named_old=False)
    return _against_value(asked, candidate, said)


def _against_old(asked: Asked, candidate: Candidate, said: Said) -> Match | None:
    """A target that must hold the words which are taken back."""
    need = {term.key: term for term in (*asked.old, *asked.about)}
    held = said.held
    cover = share(need.values(), held)
    missing = [term for term in need.values() if term.key not in held]
    if any(decides(asked, term) for term in missing) or not (
        asked.required | asked.subject
    ) <= held | loose_words(asked):
        cover *= 0.5
    extra = [term for term in said.found if term.key not in need and term.key not in asked.required]
    cover = told_apart(cover, missing, extra)
    if possessed(asked, said):
        cover *= 0.7
    if (
        asked.reading.new is None
        and asked.reading.old_kind == "statement"
        and lists_more(said, need, extra)
    ):
        cover *= 0.7
    value = _disputed(asked, said, need)
    score = score_of(cover, precision_of(need, said, ()), candidate) + _bears(asked, said, need)
    return matched(
        asked,
        candidate,
        said,
        cover,
        score,
        extra,
        value,
        asked.reading.new if asked.reading.new_kind == "value" else None,
        frozenset(need),
    )


def _against_statement(
    asked: Asked, candidate: Candidate, said: Said, *, named_old: bool
) -> Match | None:
    """A target that says the same as the new statement but for one value."""
    held, new = said.held, asked.reading.new or ""
    fresh = [term for term in asked.new if term.key not in held]
    olds = keys(asked.old)
    if not fresh or not asked.required <= held or (named_old and not olds <= held):
        return None
    new_keys = keys(asked.new)
    stale = [term for term in said.found if term.key not in new_keys]
    fresh_value = value_of(fresh)
    if named_old:
        old_value = [term for term in said.found if term.key in olds]
    else:
        old_value = stale_value(fresh_value, stale, said, asked)
        if asked.subject and asked.subject <= keys(fresh_value):
            theirs_first = subject_of(said.text)
            named = [term for term in stale if term.key in asked.named]
            old_value = named or [term for term in stale if term.key in theirs_first] or stale[-1:]
    if not old_value:
        return None
    value_keys = keys(fresh_value)
    need = {term.key: term for term in asked.new if term.key not in value_keys}
    cover = share(need.values(), held)
    one = Slot(fresh_value, old_value, stale, need, named_old)
    if (
        elsewhere(asked, said, one)
        or as_what(asked, said, one)
        or (not named_old and unsure(asked, said, one))
    ):
        cover *= 0.5
    old_keys = keys(old_value)
    extra = [term for term in said.found if term.key not in new_keys and term.key not in old_keys]
    cover = told_apart(cover, [term for term in need.values() if term.key not in held], extra)
    if possessed(asked, said):
        cover *= 0.7
    score = score_of(cover, precision_of(need, said, old_value), candidate)
    worded = new[min(t.start for t in fresh_value) : max(t.end for t in fresh_value)]
    return matched(
        asked,
        candidate,
        said,
        cover,
        score,
        extra,
        old_value,
        worded,
        frozenset(old_keys | (new_keys & held)),
    )


def _against_value(asked: Asked, candidate: Candidate, said: Said) -> Match | None:
    """A target of which only the topic and a new value are told."""
    need = {term.key: term for term in asked.about}
    if not need and asked.relation is not None and asked.new:
        return _by_relation(asked, candidate, said, asked.relation)
    if not need:
        return _by_measure(asked, candidate, said)
    held = said.held
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
    only_names = all(key in asked.named for key in need)
    if only_names and not measured and asked.relation not in held and asked.new:
        cover *= 0.9
        if not _like_role(asked, said):
            cover *= 0.8
    extra = [term for term in rest if term not in value]
    score = score_of(cover, precision_of(need, said, value), candidate) + bonus
    return matched(
        asked,
        candidate,
        said,
        cover,
        score,
        extra,
        value,
        asked.reading.new,
        frozenset(need) | keys(value),
    )


def _like_role(asked: Asked, said: Said) -> bool:
    """Whether a bare statement about someone is of the kind 'X is a Y'."""
    return (
        asked.reading.form == "became"
        and re.search(r"\b(?:is|works as)\s+(?:an?|the|our)\b", said.text) is not None
    )


def _by_relation(asked: Asked, candidate: Candidate, said: Said, relation: str) -> Match | None:
    """A target of which nothing is told but a new value of its relation: 'she moved to Bergen'."""
    if relation not in said.held or keys(asked.new) <= said.held:
        return None
    value = stale_value(asked.new, said.found, said, asked)
    if not value:
        return None
    score = 0.6 + 0.2 * candidate.cosine
    new = asked.reading.new
    return matched(asked, candidate, said, 1.0, score, [], value, new, keys(value))


def _by_measure(asked: Asked, candidate: Candidate, said: Said) -> Match | None:
    """A target of which nothing is told but the new value: one of its measure."""
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    if not measured or keys(asked.new) <= said.held:
        return None
    value = [
        term
        for term in said.found
        if term.quantity is not None and same_measure(term.quantity, measured[0])
    ]
    if len(value) != 1:
        return None
    return matched(
        asked,
        candidate,
        said,
        1.0,
        0.6 + 0.2 * candidate.cosine,
        [],
        value,
        asked.reading.new,
        keys(value),
    )


def _disputed(asked: Asked, said: Said, need: dict[str, Term]) -> list[Term]:
    """The value of a target that the new one replaces, where both are values."""
    reading = asked.reading
    if reading.old_kind == "value":
        olds = keys(asked.old)
        return [term for term in said.found if term.key in olds]
    if not asked.new or reading.new_kind != "value":
        return []
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    found = [term for term in said.found if term.key in need and term.key not in asked.subject]
    if measured:
        return of_measures(measured, found[::-1])
    return [term for term in found if term.key[0] != "<"][-1:]


def _bears(asked: Asked, said: Said, need: dict[str, Term]) -> float:
    """What speaks for or against a sentence being the one that says a thing is so."""
    if asked.reading.old_kind != "thing":
        return 0.0
    bonus = 0.1 if _HAS.search(said.text) else 0.0
    places = [term for term in said.found if term.key in need]
    if places:
        last = places[-1]
        following = next((term for term in said.found if term.start >= last.end), None)
        if (
            following is not None
            and not said.text[last.end : following.start].strip()
            and following.kind == "word"
        ):
            bonus -= 0.15
        subject = subject_of(said.text)
        if (
            asked.reading.agent is None
            and subject
            and not subject & set(need)
            and subject <= asked.named
        ):
            bonus -= 0.1
    return bonus
