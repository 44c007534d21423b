"""Slots: the place where a new statement and a memory differ, and tests of the two values."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from mnemolog.language.patterns import before, regex
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.target.demands import NEUTRAL, CandidateSentence, TargetDemands
from mnemolog.policies.corrections.target.kinds import kinds_of_values
from mnemolog.policies.corrections.target.scoring import decides
from mnemolog.policies.corrections.target.values import preposition, runs_of
from mnemolog.policies.corrections.terms import Term, key_of, keys, subject_of

_I = re.IGNORECASE


_HAS_A = regex(r"\b(?:has|have|owns?|drives?|rides?)\s+(?:now\s+)?an?\s+$", _I)
_IS = regex(r"\b(?:is|are|am|(?P<was>was|were))(?: (?:now|very|really|quite|so|too))?\s+$", _I)


_DEFINITE = regex(r"\b(?:the|our|my|your|his|her|their|this|that)\s+$", _I)


class Slot(msgspec.Struct, frozen=True):
    """Difference of a new statement and a target: the new value, the old one, what is missing.

    `named_kind` where the new statement has a noun for the kind of the value alone.
    """

    fresh: Sequence[Term]
    value: Sequence[Term]
    stale: Sequence[Term]
    need: dict[str, Term]
    named_old: bool
    named_kind: bool = False


def elsewhere(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if a target speaks of someone or something else than the new statement."""
    held, value_keys = said.held, keys(slot.fresh)
    firsts = keys(asked.old) <= subject_of(said.text)
    common = keys(asked.new) & held
    placed = {term.start for term in slot.value}
    other = [term for term in slot.stale if term.start not in placed and term.key not in NEUTRAL]
    # 'Pepper is Omar's dog, not Rufus': the new value comes first, and nothing else is said.
    turned = firsts or not any(term.key[0] != "<" for term in other)
    if slot.named_old:
        # Whoever is another and does another thing is not in anybody's place.
        turned = turned and value_keys <= asked.subject | NEUTRAL
    role = asked.subject <= value_keys and (turned if slot.named_old else _is_role(asked, common))
    if any(decides(asked, term) and term.key not in held for term in slot.need.values()):
        return True
    if slot.named_old and other and len(runs_of(slot.fresh, asked.reading.new or "")) > 1:
        return True
    if role:
        return bool(asked.subject) and not set(slot.need) <= held
    named = {key for key in asked.subject if key in asked.named}
    subject = asked.subject & slot.need.keys()
    loose = len(subject & held) * 2 < len(subject)
    return not named <= held or bool(asked.subject & value_keys) or loose


def as_what(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if one says as what someone works, and the other where."""
    signs = [
        preposition(asked.reading.new or "", min(term.start for term in slot.fresh)),
        preposition(said.text, min(term.start for term in slot.value)),
    ]
    return None not in signs and (signs[0] == "as") != (signs[1] == "as")


def describes_another(asked: TargetDemands, said: CandidateSentence, value: Sequence[Term]) -> bool:
    """True if the old value merely describes what a correction does not speak of: 'green tea'."""
    last = value[-1]
    after = next((term for term in said.found if term.start >= last.end), None)
    return (
        after is not None
        and {last.kind, after.kind} == {"word"}
        and after.key[0] != "<"
        and after.key not in keys(asked.new) | NEUTRAL
        and not said.text[last.end : after.start].strip()
    )


def tells_which(asked: TargetDemands, said: CandidateSentence, fresh: Sequence[Term]) -> bool:
    """True if a new value tells which of several is meant: 'the search service', 'for Ben'.

    A target with another value there may be of another one, of which it still holds.
    """
    new, last = asked.reading.new or "", fresh[-1]
    after = next((term for term in asked.new if term.start >= last.end), None)
    of_a_kind = (
        after is not None
        and after.key in said.held
        and not new[last.end : after.start].strip()
        and before(_DEFINITE, new, fresh[0].start) is not None
    )
    return of_a_kind or preposition(new, fresh[0].start) == "for"


def unsure(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if a target need not say the same of its subject, where the old value is not named."""
    held, new = said.held, asked.reading.new or ""
    new_keys = keys(asked.new)
    common = new_keys & held
    measured = any(term.kind == "quantity" for term in slot.fresh)
    settled = any(term.kind == "quantity" and term.key in held for term in asked.new)
    runs = len(runs_of(slot.fresh, new)), len(runs_of(slot.stale, said.text))
    two_points = not measured and min(runs) > 1
    nobody = bool(common & _ROLES) and not any(term.key in asked.named for term in slot.fresh)
    relations = [{key for key in some if key[0] == "<"} for some in (new_keys, held)]
    related = not all(relations) or bool(relations[0] & relations[1])
    telling = any(key not in asked.named and (key[0] != "<" or key in _SINGLE) for key in common)
    # 'The owner is Helen' names the one who fills a place, as 'Dana owns a bike' does not.
    telling = telling or (bool(common & _ROLES) and _PLACE_OF.search(new) is not None)
    telling = telling or slot.named_kind or _of_one_kind(asked, said, slot)
    # What is used for one thing may be used for another as well.
    beside = (
        asked.reading.manner != "explicit"
        and "<use>" in common
        and preposition(new, slot.fresh[0].start) == "for"
    )
    # That a plain statement takes something back shows in nothing but its saying the same.
    plain = asked.reading.form == "stated" and (
        bool(set(slot.need) - held) or _told(slot.stale, slot.value)
    )
    return (
        two_points
        or _of_another_kind(asked, said, slot)
        or no_name(asked, slot.fresh, slot.value)
        or (settled and not measured)
        or nobody
        or not related
        or (not measured and not telling)
        or beside
        or plain
    )


def _of_one_kind(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if the two values are plainly of one kind, of which somebody has one.

    Whoever announces a correction of 'owns a Skoda' by 'owns a Subaru' need not say
    'car'; said without, it may be a second one. Of diets, one keeps but one.
    """
    new = asked.reading.new or ""
    values = _written(slot.fresh, new), _written(slot.value, said.text)
    shared = kinds_of_values(values[0]) & kinds_of_values(values[1])
    if key_of("diet") in shared or asked.reading.manner != "explicit":
        return key_of("diet") in shared
    starts = min(term.start for term in slot.fresh), min(term.start for term in slot.value)
    has = before(_HAS_A, new, starts[0]), before(_HAS_A, said.text, starts[1])
    return None not in has and bool(shared)


def _of_another_kind(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if the new value says something else of a thing than the old one: its price, its use."""
    if any(term.kind == "quantity" for term in slot.value):
        return not any(term.kind == "quantity" for term in slot.fresh)
    new = asked.reading.new or ""
    starts = min(term.start for term in slot.fresh), min(term.start for term in slot.value)
    said_so = before(_IS, new, starts[0]), before(_IS, said.text, starts[1])
    if said_so[0] is None or said_so[1] is None:
        return False
    if (said_so[0]["was"] is None) != (said_so[1]["was"] is None):
        return True
    values = _written(slot.fresh, new), _written(slot.value, said.text)
    kinds = [kinds_of_values(value) for value in values]
    return any(kinds) and kinds[0].isdisjoint(kinds[1])


def _written(found: Sequence[Term], text: str) -> str:
    """Some terms as a text has them, from the first to the last."""
    return text[min(term.start for term in found) : max(term.end for term in found)]


def no_name(asked: TargetDemands, fresh: Sequence[Term], value: Sequence[Term]) -> bool:
    """True if words that are no name would replace a name: 'Dana moved to the next topic'."""
    sentence, new = asked.reading.sentence, asked.reading.new or ""
    if sentence == sentence.lower() or not value or not fresh:
        # Whoever writes no capitals writes none in names.
        return False
    names = all(term.kind == "name" for term in value)
    return names and not any(term.kind != "word" or new[term.start].isupper() for term in fresh)


def _told(stale: Sequence[Term], old_value: Sequence[Term]) -> bool:
    placed = {term.start for term in old_value}
    return any(term.start not in placed and term.key not in NEUTRAL for term in stale)


_SINGLE = frozenset(
    """
    <residence> <employment> <study> <located> <drive> <lead> <name> <host> <birth> <build>
    <allergy> <telephone> <mail> <cost> <due>
    """.split()  # noqa: SIM905 - as above
)
"""Relations in which one has one at a time: the other value takes the place of the first."""


_ROLES = frozenset(["<lead>", "<owner>"])


_PLACE_OF = regex(r"\b(?:owner|lead|manager|head)\b.*\bis\b|\bis the (?:owner|lead|manager)\b", _I)


_ROLE = LISTS.pattern("role")


def _is_role(asked: TargetDemands, common: set[str]) -> bool:
    """True if a statement names the holder of a role that has one holder at a time."""
    return bool(common & _ROLES) or (
        bool(common) and _ROLE.search(asked.reading.new or "") is not None
    )
