"""Fit of a memory to a correction: how much of what it takes back a sentence says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mnemolog.language.clauses.assertions import stated_clauses
from mnemolog.language.sentences import spoken
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.target.demands import (
    FIRST_PERSON,
    NEUTRAL,
    CandidateSentence,
    TargetCandidate,
    TargetDemands,
)
from mnemolog.policies.corrections.target.fit_by_value import against_value
from mnemolog.policies.corrections.target.kinds import (
    head_nouns,
    kinds_of,
    kinds_of_related,
    kinds_owned,
    names_a_kind,
)
from mnemolog.policies.corrections.target.scoring import (
    Fit,
    TargetMatch,
    decides,
    lists_more,
    loose_words,
    matched,
    precision_of,
    share,
    told_apart,
    unless,
)
from mnemolog.policies.corrections.target.slots import (
    Slot,
    as_what,
    describes_another,
    elsewhere,
    tells_which,
    unsure,
)
from mnemolog.policies.corrections.target.values import (
    against_old,
    named_in,
    named_value,
    of_measures,
    stale_value,
    value_of,
)
from mnemolog.policies.corrections.terms import Term, keys, negated, subject_of, terms

_I = re.IGNORECASE


_HAS = LISTS.pattern("team_has")


def best_match(asked: TargetDemands, candidate: TargetCandidate) -> TargetMatch | None:
    """Match of the sentence of a candidate that fits best; None if none fits at all."""
    speaker, said = spoken(candidate.text)
    speaker = speaker or candidate.speaker
    offset = len(candidate.text) - len(said)
    if _other_person(asked, speaker, said):
        return None
    also = frozenset(keys(terms(" ".join(candidate.labels))))
    found: list[TargetMatch] = []
    for start, end in stated_clauses(said):
        text = said[start:end]
        own = keys(terms(speaker or "")) if FIRST_PERSON.search(text) else set()
        piece = CandidateSentence(text, offset + start, terms(text), frozenset(own))
        match = _match(asked, candidate, piece, also)
        if match is not None:
            found.append(match)
    return max(found, key=lambda match: match.score, default=None)


def _other_person(asked: TargetDemands, speaker: str | None, said: str) -> bool:
    """True if a correction and a memory are each in the first person, of two people."""
    if not asked.first_person:
        return False
    mine = FIRST_PERSON.search(said) is not None
    if asked.reading.speaker is not None and speaker is None:
        # 'Ben: I live in Linz' is not what nobody in particular said of himself.
        return True
    if asked.speaker is None or speaker is None:
        return not mine
    same = bool(keys(terms(asked.speaker)) & keys(terms(speaker)))
    if mine:
        return not same
    return not keys(terms(asked.speaker)) & keys(terms(said))


def _match(
    asked: TargetDemands,
    candidate: TargetCandidate,
    said: CandidateSentence,
    labels: frozenset[str],
) -> TargetMatch | None:
    """Match of one sentence of a candidate; None if it does not fit at all."""
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
    return against_value(asked, candidate, said)


def _against_old(
    asked: TargetDemands, candidate: TargetCandidate, said: CandidateSentence
) -> TargetMatch | None:
    """A target that must hold the words which are taken back."""
    held = said.held
    kinds = kinds_of(said)
    if asked.reading.new is not None:
        kinds = kinds_of_related(said) | kinds_owned(_told_of(asked), said)
    if asked.reading.old_kind == "value":
        kinds |= head_nouns(f"{asked.reading.about or ''} is", said)
    need = unless(held, kinds, (*asked.old, *asked.about))
    cover = share(need.values(), held)
    missing = [term for term in need.values() if term.key not in held]
    if any(decides(asked, term) for term in missing) or not (
        asked.required | asked.subject
    ) <= held | loose_words(asked):
        cover *= 0.5
    extra = [term for term in said.found if term.key not in need and term.key not in asked.required]
    if asked.reading.old_kind == "statement":
        # 'It is not true that Ben is no cook' does not take back that he is one.
        cover *= 1.0 if negated(asked.reading.old or "") == negated(said.text) else 0.5
    cover = told_apart(asked, said, cover, missing, extra)
    if (
        asked.reading.new is None
        and asked.reading.old_kind == "statement"
        and lists_more(said, need, extra)
    ):
        cover *= 0.7
    fit = Fit(
        cover,
        extra,
        _disputed(asked, said, need),
        _worded(asked, held) if asked.reading.new_kind == "value" else None,
        frozenset(need),
        precision_of(need, said, ()),
        _bears(asked, said, need),
    )
    return matched(asked, candidate, said, fit)


def _against_statement(
    asked: TargetDemands,
    candidate: TargetCandidate,
    said: CandidateSentence,
    *,
    named_old: bool,
) -> TargetMatch | None:
    """A target that says the same as the new statement but for one value."""
    held, new = said.held, asked.reading.new or ""
    related = named_old or names_a_kind(new)
    kinds = kinds_of_related(said) | kinds_owned(new, said) if related else kinds_of(said)
    fresh = [term for term in asked.new if term.key not in held | kinds]
    olds, new_keys = named_in(asked, said), keys(asked.new)
    if not fresh or not asked.required <= held or (named_old and len(olds) < len(keys(asked.old))):
        return None
    stale = [term for term in said.found if term.key not in new_keys]
    fresh_value = against_old(asked, fresh) if named_old else value_of(fresh, new)
    old_value = (
        named_value(olds, new_keys, said)
        if named_old
        else _stale_or_subject(asked, said, fresh_value, stale)
    )
    if not old_value:
        return None
    value_keys, old_keys = keys(fresh_value), keys(old_value)
    # Whoever marks what he says as a correction may call the mobile demo the mobile team's.
    passing = frozenset() if asked.reading.form == "stated" else NEUTRAL
    head = head_nouns(new, said) if named_old else frozenset[str]()
    need = unless(held, kinds | value_keys | passing | head, asked.new)
    cover = share(need.values(), held)
    named_kind = names_a_kind(new) and not kinds.isdisjoint(new_keys - held)
    one = Slot(fresh_value, old_value, stale, need, named_old, named_kind)
    if (
        elsewhere(asked, said, one)
        or as_what(asked, said, one)
        or (named_old and describes_another(asked, said, old_value))
        or (not named_old and unsure(asked, said, one))
    ):
        cover *= 0.5
    # 'Priya uses Vim' says of her editor what it is.
    known = (
        new_keys | old_keys | kinds_of_related(CandidateSentence(new, 0, asked.new, frozenset()))
    )
    extra = [term for term in said.found if term.key not in known]
    missing = [term for term in need.values() if term.key not in held]
    fit = Fit(
        told_apart(asked, said, cover, missing, extra),
        extra,
        old_value,
        new[min(t.start for t in fresh_value) : max(t.end for t in fresh_value)],
        frozenset(old_keys | (new_keys & held)),
        precision_of(need, said, old_value),
        which=not named_old and tells_which(asked, said, fresh_value),
    )
    return matched(asked, candidate, said, fit)


def _stale_or_subject(
    asked: TargetDemands, said: CandidateSentence, fresh: Sequence[Term], stale: Sequence[Term]
) -> Sequence[Term]:
    """The value that a new statement takes back unnamed; its subject, where that is what is new."""
    if not asked.subject or not asked.subject <= keys(fresh):
        return stale_value(fresh, stale, said, asked)
    firsts = subject_of(said.text)
    named = [term for term in stale if term.key in asked.named]
    return named or [term for term in stale if term.key in firsts] or stale[-1:]


def _told_of(asked: TargetDemands) -> str:
    """Topic of a correction of a value: 'Dana's car', or 'Dana's car is a Mazda'."""
    reading = asked.reading
    return reading.about or reading.old or ""


def _worded(asked: TargetDemands, held: set[str]) -> str | None:
    """The new value without the words before it that a target has as well: 'hosted in Oslo'."""
    new = asked.reading.new
    named_old = asked.reading.old_kind == "value"
    if new is None or named_old or not asked.new or asked.new[0].key not in held:
        return new
    return next((new[term.start :] for term in asked.new if term.key not in held), new)


def _disputed(asked: TargetDemands, said: CandidateSentence, need: dict[str, Term]) -> list[Term]:
    """The value of a target that the new one replaces, where both are values."""
    reading = asked.reading
    if reading.old_kind == "value":
        olds = keys(asked.old)
        return [term for term in said.found if term.key in olds]
    if not asked.new or reading.new_kind != "value":
        return []
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    found = [term for term in said.found if term.key in need and term.key not in asked.subject]
    # 'She works there no more, it is Globex now': the value is in the target alone.
    rest = [term for term in said.found if term.key not in need]
    if measured:
        return of_measures(measured, found[::-1]) or of_measures(measured, rest)
    # A thing is what is spoken of: of 'the region of Sable' the value is in the target alone.
    thing = reading.old_kind == "thing"
    placed = [] if thing else [term for term in found if term.key[0] != "<"][-1:]
    fresh = [term for term in asked.new if term.key not in said.held]
    return placed if placed or not fresh else stale_value(fresh, rest, said, asked)


def _bears(asked: TargetDemands, said: CandidateSentence, need: dict[str, Term]) -> float:
    """Bonus of a sentence that likely says that a thing is so; negative if it likely does not."""
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
