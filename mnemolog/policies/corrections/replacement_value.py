"""A new value in the place of the old one in a sentence, where the sentence still reads.

A splice that is missed leaves the correction in its own words; one that is wrong makes a
memory say what nobody said. So it is made only where the words around both values agree.
"""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.morphology import plural, singular, verb_forms
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.numbers import Number, number_at
from mnemolog.language.words.lexicon import BE, HAVE
from mnemolog.policies.corrections.leads import (
    LEAD,
    LEADING,
    ValueLead,
    are_times,
    determiner_of,
    ends_inside_phrase,
    own_lead,
    preposition_of,
    split_lead,
    time_preposition,
)
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.terms import key_of, keys, terms

_I = re.IGNORECASE
_QUOTED = regex(r"“[^“”]*”|\"[^\"]*\"|\u2018[^\u2018\u2019]*\u2019|(?<!\w)'[^']+'(?!\w)|`[^`]+`")
_TOKEN_GOES_ON = regex(r"[:/@#?=&.\\-]+\w\S*?(?=[.,;:!?)\]\"'”\u2019]*(?:\s|$))")
_TOLD = LISTS.pattern("told")
# From the first of the blanks alone: from each of them it would cost their square.
_BESIDE_LAST = LISTS.pattern("beside_last")
_OF_THE_OLD = LISTS.pattern("of_the_old")
"""Words about the old value alone: where it is, who that is."""
_EDGE = regex(r"\b")
_NAMED_SO = regex(r"\s+(?:called|named)\b", _I)
_BOUND = regex(r"\s+(?!(?:and|or|but|when|while|if|because|since|until)\b)", _I)
_ADVERB = r"(?:just|really|simply|now|also|only|actually|currently|still|always|usually|often)"
_WITHOUT_ADVERBS = regex(rf"(?<!\s)(?:\s+{_ADVERB})+\s*$|^(?:{_ADVERB}\s+)+", _I)
_OBJECT = regex(r"\b(?:them|him|it|us|me|this|that|these|those)\b", _I)
_SIGN = regex(r"[$€£]?\s?")
_IN_THOUSANDS = regex(r"(?:k|m|thousand|million|billion)\b", _I)


class NewValue(msgspec.Struct, frozen=True):
    """A new value, with what stands before and after it in the statement that says it.

    `named` says that the old value was named: what is in dispute is then sure.
    """

    text: str
    before: str = ""
    after: str = ""
    named: bool = False


class _Slot(msgspec.Struct, frozen=True):
    """A sentence around the value that no longer holds."""

    before: str
    old: str
    after: str


def phrase_in(statement: str, value: str, *, named: bool) -> NewValue:
    """A value with the preposition and the article that a statement has before it."""
    before, same, after = statement.rpartition(value)
    if not same:
        return NewValue(value, named=named)
    lead = LEADING.search(before)
    start = len(before) if lead is None else lead.start()
    text = f"{before[start:]}{value}"
    if not before[:start].strip() and lead is not None and lead["det"]:
        # A capital that only opens the statement.
        text = text[:1].lower() + text[1:]
    return NewValue(
        text, before[:start].strip(), _WITHOUT_ADVERBS.sub("", after.rstrip(" .!")), named
    )


def spliced(sentence: str, start: int, end: int, new: NewValue) -> str | None:
    """A sentence with a phrase where its value was; None where the two do not fit."""
    slot = _trimmed(_whole(sentence, start, end, new))
    if is_told(slot.before) or _narrowed(slot) or _keeps(slot, new):
        # 'Ben said that it is on Friday': what he said stays what he said.
        return None
    text = _counted(slot.old, _without_overlap(slot.before, new.text))
    new = msgspec.structs.replace(new, text=text)
    after = _following(slot, new)
    if after is None or not _same_verb(slot, new):
        return None
    before = _joined(slot, new, after)
    return None if before is None else f"{before}{after}"


def is_quoted(sentence: str, start: int, end: int) -> bool:
    """True if a value is a quotation, or part of one."""
    return any(one.start() < start and end < one.end() for one in _QUOTED.finditer(sentence))


def is_told(before: str) -> bool:
    """True if a sentence begins by saying that somebody says or thinks the rest."""
    return _TOLD.search(before) is not None


def is_predicate(value: str) -> bool:
    """True if words say what somebody does, and name nothing: 'works as a nurse'."""
    first, _, more = _WITHOUT_ADVERBS.sub("", value).partition(" ")
    form = verb_forms().get(first)
    return bool(more) and (first in BE | HAVE or (form is not None and form.form == "s"))


def points_at_something(value: str) -> bool:
    """True if a pronoun in some words refers to something that they do not name."""
    return _OBJECT.search(value) is not None


def _whole(sentence: str, start: int, end: int, new: NewValue) -> _Slot:
    """The slot of a value, grown to the whole of the quotation or the address that it is part of.

    Not over what the statement has beside the new value as well: `make all` and `make fast`.
    """
    for quoted in _QUOTED.finditer(sentence):
        if quoted.start() < start and end < quoted.end():
            first, last = sentence[quoted.start() + 1 : start], sentence[end : quoted.end() - 1]
            start -= 0 if new.before.endswith(first.strip()) else len(first)
            end += 0 if new.after.startswith(last.strip()) else len(last)
    goes_on = _TOKEN_GOES_ON.match(sentence, end)
    end = end if goes_on is None else goes_on.end()
    return _Slot(sentence[:start], sentence[start:end], sentence[end:])


def _trimmed(slot: _Slot) -> _Slot:
    """A slot without what is said of the old value alone."""
    beside = _BESIDE_LAST.search(slot.old)
    old, after = slot.old, slot.after
    if beside is not None:
        old, after = old[: beside.start()], old[beside.start() :] + after
        after = after if after[:1].isspace() else f" {after}"
    described = _OF_THE_OLD.match(after)
    return _Slot(slot.before, old, after if described is None else after[described.end() :])


def _keeps(slot: _Slot, new: NewValue) -> bool:
    """True if the old value holds the word before the new value."""
    last = new.before.casefold().split()[-1:]
    return bool(last) and last[0] in slot.old.casefold().split()


def _narrowed(slot: _Slot) -> bool:
    """True if a sentence says the place of the old value: 'lives in a flat in Oslo'."""
    _, lead = split_lead(slot.before)
    if not lead.prep or time_preposition(slot.old) is not None:
        return False
    own, more = own_lead(slot.after.lstrip())
    return own.prep.lower() == lead.prep.lower() and time_preposition(more) is None


def _counted(old: str, new: str) -> str:
    """A bare number as the amount of what the old one counts: '8 years' for '7 years'."""
    number, had = number_at(new, 0), _amount(old)
    if number is None or had is None or number.end != len(new) or had.end == len(old):
        return new
    if _in_thousands(old, had) and not _in_thousands(new, number):
        # Whether 'it is 55' says 55 or 55 thousand is for the reader to tell.
        return new
    rest = old[had.end :]
    noun = re.match(r"\s*(\w+)", rest)
    if noun is None:
        return new
    single = number.value <= 1
    if single != (had.value <= 1):
        word = noun[1]
        other = singular(word) if single else plural(word)
        if singular(other) != singular(word) or (single and other == word):
            return new
        rest = rest[: noun.start(1)] + other + rest[noun.end() :]
    return f"{old[: had.start]}{new}{rest}"


def _amount(text: str) -> Number | None:
    """The number that a text begins with, behind the sign of a currency."""
    sign = _SIGN.match(text)
    return number_at(text, sign.end() if sign is not None else 0)


def _in_thousands(text: str, number: Number) -> bool:
    """True if a number is written with a word or letter for thousands or millions."""
    last = re.split(r"[\s\d]", text[number.start : number.end])[-1]
    return (
        _IN_THOUSANDS.match(last) is not None or _IN_THOUSANDS.match(text, number.end) is not None
    )


def _following(slot: _Slot, new: NewValue) -> str | None:
    """Words that follow the old value and the new one; None where they do not fit the new one."""
    after = slot.after
    if new.after and not after.casefold().startswith(new.after.casefold()):
        # 'Milo is Omar's dog' tells what 'Omar's dog is called Luna' told, turned around.
        turned = keys(terms(new.after)) <= keys(terms(slot.before))
        if after.strip(" .!") or not turned:
            return None
    if _NAMED_SO.match(after) is not None and _amount(new.text) is not None:
        # 'A cat called Momo' is not two of them.
        return None
    if re.match(r"\s+(?:an?|the|my|our|his|her|its|their)\s|\s+(?:old|long|high)\b", after) and (
        not new.after
    ):
        fits = re.match(r"\s+(?:old|long|high)\b", after) and new.text.partition(" ")[2]
        if not fits:
            return None
    after = after[_repeated(new.text, after) :]
    same = {key for key in keys(terms(new.text)) & keys(terms(after)) if key[0] != "<"}
    return None if same - keys(terms(slot.old)) else after


def _repeated(text: str, after: str) -> int:
    """Length of the words after the old value that repeat the end of the new one.

    'The chairman of the union' in the place of 'a member' of the union.
    """
    for start in range(max(0, len(text) - len(after)), len(text)):
        length = len(text) - start
        again = text[start].isspace() and text[start:].lower() == after[:length].lower()
        if again and _EDGE.match(after, length) is not None:
            return length
    return 0


def _same_verb(slot: _Slot, new: NewValue) -> bool:
    """True if a statement says of the new value what the sentence says of the old one."""
    words = _WITHOUT_ADVERBS.sub("", new.before).split()
    if not words or new.named:
        return True
    said = words[-1].casefold()
    if said in BE or said.endswith(("'s", "'re", "'m")):
        return True
    last = slot.before.split()
    if said in HAVE:
        return not HAVE.isdisjoint(word.casefold() for word in last) or any(
            key_of(word.casefold()) == "<owner>" for word in last
        )
    return key_of(said) in keys(terms(slot.before)) or said in slot.before.casefold().split()


def _joined(slot: _Slot, new: NewValue, after: str) -> str | None:
    """The sentence as far as the new value, with one preposition and one article before it."""
    head, lead = split_lead(slot.before)
    own, core = own_lead(new.text)
    if is_predicate(new.text) or not core:
        return None
    if own.prep.lower() == "as" and not lead.prep and _ends_in_be(head):
        # 'Works as a nurse' is what 'is a nurse' says.
        own = ValueLead("", own.det)
    if own.prep:
        binds = _BOUND.match(after) is not None and lead.prep.lower() != own.prep.lower()
        fits = not binds or are_times(slot.old, core)
        return f"{head}{new.text}" if fits else None
    det = determiner_of(lead, own.det, slot.old, core)
    inside = bool(own.det) and lead == ValueLead("", "") and ends_inside_phrase(head)
    if det is None or inside or _unlike(slot, new):
        return None
    prep = preposition_of(lead.prep, slot.old, new.text)
    return f"{head}{' '.join(part for part in (prep, det, core) if part)}"


def _without_overlap(before: str, text: str) -> str:
    """A phrase without the words at its beginning that a sentence has before it already."""
    words, said = text.split(), before.rstrip().lower()
    if said == before.lower():
        return text
    for count in range(min(len(words) - 1, len(said.split())), 0, -1):
        same = " ".join(words[:count]).lower()
        held = said.endswith(same) and not said[: -len(same)][-1:].strip()
        if held and LEAD.fullmatch(f"{same} ") is None:
            return " ".join(words[count:])
    return text


def _unlike(slot: _Slot, new: NewValue) -> bool:
    """True if a statement says what something is, and the sentence where: 'is a mill', 'is in'."""
    words, (_, lead) = new.before.split(), split_lead(slot.before)
    if not words or new.named or words[-1].casefold() not in BE:
        return False
    if new.text[:1].isupper() and slot.old[:1].isupper():
        # 'Her company is Globex' tells where she works.
        return False
    placed = lead.prep.casefold() in {"in", "at", "on", "near", "to", "from"}
    return placed and not are_times(slot.old, new.text)


def _ends_in_be(head: str) -> bool:
    return head.rstrip().rpartition(" ")[2].casefold() in BE
