"""A new value in the place of the old one in a sentence, if the words around both agree.

A missed splice leaves the correction in its own words; a wrong one makes a memory say what
nobody said.
"""

import re
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from mnemolog.language.quantities.amounts import clocks
from mnemolog.language.quantities.numbers import Number, number_at
from mnemolog.language.words.lexicon import BE, HAVE, plural, singular, verb_forms
from mnemolog.policies.corrections.terms import RE, key_of, keys, terms


class NewValue(msgspec.Struct, frozen=True):
    """A new value, with what its statement has around it, and whether the old one was `named`."""

    text: str
    before: str = ""
    after: str = ""
    named: bool = False


class _ValueSlot(NamedTuple):
    before: str
    old: str
    after: str


class _ValueLead(NamedTuple):
    prep: str = ""
    det: str = ""


_NO_LEAD = _ValueLead()


def phrase_in(statement: str, value: str, *, named: bool) -> NewValue:
    """A value with the preposition and the article that a statement has before it."""
    before, same, after = statement.rpartition(value)
    if not same:
        return NewValue(value, named=named)
    lead = RE.leading.search(before)
    start = len(before) if lead is None else lead.start()
    text, before = f"{before[start:]}{value}", before[:start].strip()
    if not before and lead is not None and lead["det"]:
        # A capital that only opens the statement.
        text = text[:1].lower() + text[1:]
    return NewValue(text, before, RE.adverbs_at_ends.sub("", after.rstrip(" .!")), named)


def spliced(sentence: str, start: int, end: int, new: NewValue) -> str | None:
    """A sentence with a phrase where its value was; None where the two do not fit."""
    slot = _slot(sentence, start, end, new)
    last = new.before.casefold().split()[-1:]
    keeps = bool(last) and last[0] in slot.old.casefold().split()
    if is_told(slot.before) or _narrowed(slot) or keeps:
        # 'Ben said that it is on Friday': what he said stays what he said.
        return None
    new = replace(new, text=_counted(slot.old, _without_overlap(slot.before, new.text)))
    after = _following(slot, new)
    if after is None or not _same_verb(slot, new):
        return None
    before = _joined(slot, new, after)
    return None if before is None else f"{before}{after}"


def is_told(before: str) -> bool:
    """True if a sentence begins by saying that somebody says or thinks the rest."""
    return RE.told.search(before) is not None


def is_predicate(value: str) -> bool:
    """True if words say what somebody does, and name nothing: 'works as a nurse'."""
    first, _, more = RE.adverbs_at_ends.sub("", value).partition(" ")
    form = verb_forms().get(first)
    return bool(more) and (first in BE | HAVE or (form is not None and form.form == "s"))


def _slot(sentence: str, start: int, end: int, new: NewValue) -> _ValueSlot:
    """The slot of a value, grown to the quotation or address of which the new one has no part."""
    for quoted in RE.quoted.finditer(sentence):
        if quoted.start() < start and end < quoted.end():
            first, last = sentence[quoted.start() + 1 : start], sentence[end : quoted.end() - 1]
            start -= 0 if new.before.endswith(first.strip()) else len(first)
            end += 0 if new.after.startswith(last.strip()) else len(last)
    goes_on = RE.token_goes_on.match(sentence, end)
    end = end if goes_on is None else goes_on.end()
    old, after = sentence[start:end], sentence[end:]
    # Without what is said of the old value alone.
    if beside := RE.beside_last.search(old):
        old, after = old[: beside.start()], old[beside.start() :] + after
        after = after if after[:1].isspace() else f" {after}"
    described = RE.of_the_old.match(after)
    after = after if described is None else after[described.end() :]
    return _ValueSlot(sentence[:start], old, after)


def _narrowed(slot: _ValueSlot) -> bool:
    """True if a sentence says the place of the old value: 'lives in a flat in Oslo'."""
    _, lead = _split_lead(slot.before)
    if not lead.prep or _time_preposition(slot.old) is not None:
        return False
    own, more = _own_lead(slot.after.lstrip())
    return own.prep.lower() == lead.prep.lower() and _time_preposition(more) is None


def _counted(old: str, new: str) -> str:
    """A bare number as the amount of what the old one counts: '8 years' for '7 years'."""
    number, had = number_at(new, 0), _amount(old)
    if number is None or had is None or number.end != len(new) or had.end == len(old):
        return new
    rest = old[had.end :]
    noun = re.match(r"\s*(\w+)", rest)
    # Whether 'it is 55' says 55 or 55 thousand is for the reader to tell.
    if noun is None or (_in_thousands(old, had) and not _in_thousands(new, number)):
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
    sign = RE.currency_sign.match(text)
    return number_at(text, sign.end() if sign is not None else 0)


def _in_thousands(text: str, number: Number) -> bool:
    last = re.split(r"[\s\d]", text[number.start : number.end])[-1]
    return bool(RE.in_thousands.match(last) or RE.in_thousands.match(text, number.end))


def _following(slot: _ValueSlot, new: NewValue) -> str | None:
    """Words that follow the old value and the new one; None where they do not fit the new one."""
    after = slot.after
    # 'Milo is Omar's dog' tells what 'Omar's dog is called Luna' told, turned around.
    turned = not after.strip(" .!") and keys(terms(new.after)) <= keys(terms(slot.before))
    if not turned and not after.casefold().startswith(new.after.casefold()):
        return None
    measured = RE.measured_so.match(after)
    unlike = measured is None or not new.text.partition(" ")[2]
    if (measured or RE.determined.match(after)) and not new.after and unlike:
        return None
    # 'A cat called Momo' is not two of them.
    if RE.named_so.match(after) is not None and _amount(new.text) is not None:
        return None
    for start in range(max(0, len(new.text) - len(after)), len(new.text)):
        # 'The chairman of the union' in the place of 'a member' of the union.
        again = new.text[start:]
        same = again[0].isspace() and again.lower() == after[: len(again)].lower()
        if same and RE.word_edge.match(after, len(again)) is not None:
            after = after[len(again) :]
            break
    both = {key for key in keys(terms(new.text)) & keys(terms(after)) if key[0] != "<"}
    return None if both - keys(terms(slot.old)) else after


def _same_verb(slot: _ValueSlot, new: NewValue) -> bool:
    said = "".join(RE.adverbs_at_ends.sub("", new.before).casefold().split()[-1:])
    if not said or new.named or said in BE or said.endswith(("'s", "'re", "'m")):
        return True
    before = slot.before.casefold().split()
    if said in HAVE:
        return not HAVE.isdisjoint(before) or any(key_of(word) == "<owner>" for word in before)
    return key_of(said) in keys(terms(slot.before)) or said in before


def _joined(slot: _ValueSlot, new: NewValue, after: str) -> str | None:
    """The sentence as far as the new value, with one preposition and one article before it."""
    head, lead = _split_lead(slot.before)
    own, core = _own_lead(new.text)
    if is_predicate(new.text) or not core:
        return None
    in_be = head.rstrip().rpartition(" ")[2].casefold() in BE
    if own.prep.lower() == "as" and not lead.prep and in_be:
        # 'Works as a nurse' is what 'is a nurse' says.
        own = _ValueLead("", own.det)
    if own.prep:
        binds = RE.bound_to_value.match(after) is not None and lead.prep.lower() != own.prep.lower()
        return None if binds and not _are_times(slot.old, core) else f"{head}{new.text}"
    det = _determiner(lead, own.det, slot.old, core)
    inside = bool(own.det) and lead == _NO_LEAD and _ends_inside_phrase(head)
    if det is None or inside or _unlike(slot, new):
        return None
    prep = lead.prep
    if prep.lower() in {"in", "on", "at"} and _time_preposition(slot.old) is not None:
        # Another one before a time of another kind.
        prep = "" if RE.dateless.match(new.text) else _time_preposition(new.text) or prep
    return f"{head}{' '.join(part for part in (prep, det, core) if part)}"


def _without_overlap(before: str, text: str) -> str:
    """A phrase without the words at its beginning that a sentence has before it already."""
    words, said = text.split(), before.rstrip().lower()
    if said == before.lower():
        return text
    for count in range(min(len(words) - 1, len(said.split())), 0, -1):
        same = " ".join(words[:count]).lower()
        held = said.endswith(same) and not said[: -len(same)][-1:].strip()
        if held and RE.lead.fullmatch(f"{same} ") is None:
            return " ".join(words[count:])
    return text


def _unlike(slot: _ValueSlot, new: NewValue) -> bool:
    """True if a statement says what something is, and the sentence where: 'is a mill', 'is in'."""
    words, (_, lead) = new.before.split(), _split_lead(slot.before)
    # 'Her company is Globex' tells where she works.
    names = new.text[:1].isupper() and slot.old[:1].isupper()
    if not words or new.named or words[-1].casefold() not in BE or names:
        return False
    placed = lead.prep.casefold() in {"in", "at", "on", "near", "to", "from"}
    return placed and not _are_times(slot.old, new.text)


def _split_lead(before: str) -> tuple[str, _ValueLead]:
    """The beginning of a sentence, and the preposition and the article that it ends with."""
    found = RE.leading.search(before)
    return (before, _NO_LEAD) if found is None else (before[: found.start()], _lead_of(found))


def _own_lead(text: str) -> tuple[_ValueLead, str]:
    """The preposition and the article that a phrase begins with, and the rest of it."""
    found = RE.lead.match(text)
    return (_NO_LEAD, text) if found is None else (_lead_of(found), text[found.end() :])


def _lead_of(found: re.Match[str]) -> _ValueLead:
    return _ValueLead(found["prep"] or "", found["det"] or "")


def _ends_inside_phrase(head: str) -> bool:
    if (found := RE.inside_phrase.search(head)) is None:
        return False
    words, known = found[1].split(), verb_forms()
    forms = [known[word].form for word in words if word in known]
    return (BE | HAVE).isdisjoint(words) and {"s", "past"}.isdisjoint(forms)


def _determiner(lead: _ValueLead, own: str, old: str, core: str) -> str | None:
    """Determiner of a new value, its own or that of the old; None where it is not known."""
    if own or not lead.det or RE.says_of_itself.match(core) is not None:
        return own
    det = lead.det.lower()
    if core[:1].isupper() and not old[:1].isupper():
        # 'At a bank', 'at Globex'.
        return "" if lead.prep and det in {"a", "an", "the"} else None
    if RE.plural_name.match(core) is not None:
        return {"a": "", "an": "", "every": None, "each": None}.get(det, lead.det)
    if det not in {"a", "an"}:
        return lead.det
    # 'An' before what sounds as if it began with a vowel: 'an MBA', but 'a union'.
    vowel = RE.sounds_vowel.match(core if core[1:2].isupper() else core.lower())
    return "an" if vowel is not None and RE.sounds_consonant.match(core) is None else "a"


def _time_preposition(text: str) -> str | None:
    bare = RE.article.sub("", text)
    if any(one.start == 0 for one in clocks(bare)):
        return "at"
    return "on" if RE.day.match(bare) else "in" if RE.span.match(bare) else None


def _are_times(old: str, new: str) -> bool:
    return _time_preposition(old) is not None and _time_preposition(new) is not None
