"""Subjects that a clause leaves out: what 'it' and 'she' are, beside the sentences around it."""

from __future__ import annotations

import re

from msgspec.structs import replace

from mnemolog.language.clauses.masked_sentences import MaskedSentence
from mnemolog.language.dates.calendar import MONTHS, WEEKDAYS
from mnemolog.language.patterns import before
from mnemolog.policies.corrections.readings import (
    CorrectionReading,
    cut,
    instead,
    is_statement,
    opened,
    without_now,
)
from mnemolog.policies.corrections.terms import RE, is_stop_word, keys, same_measure, terms

_I = re.IGNORECASE
_NO_PERSON = frozenset([*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTHS])
_SHORT = 3


def two_acts(clause: str) -> tuple[str, str] | None:
    """A clause of one subject and two verbs as two clauses: what ended, and what is so now.

    'Omar left Acme and works at Globex now' is 'Omar left Acme' and 'Omar works
    at Globex now'. None where a clause is no such pair.
    """
    match = RE.two_acts.match(RE.is_shortened.sub(r"\g<who> is ", clause))
    if match is None:
        return None
    subject, does = match["subject"], match["does"]
    agrees = RE.agrees_plural if RE.plural_pronoun.match(subject) else RE.agrees
    placed = RE.now_anywhere.search(does) or RE.places.match(match["what"])
    if agrees.match(match["verb"]) is None or not placed or not is_statement(f"{subject} {does}"):
        return None
    return f"{subject}{match['gave']}", f"{subject} {does}"


def two_subjects(sentence: str) -> tuple[int, str] | None:
    """End of the clause about the first of two subjects, and the other clause; None of one.

    'Dana moved to Bergen and Omar moved to Porto'; with the verb said once, too:
    'we moved the demo to Monday and the sync to Tuesday'.
    """
    if gap := RE.gapped.match(sentence):
        return gap.end("first"), f"{gap['verb']} {gap['second']}"
    if RE.not_alone.match(sentence) is not None:
        return None
    for match in RE.and_other.finditer(sentence):
        if RE.says_it.match(sentence[: match.start()]):
            return match.start(), sentence[match.end() :]
    return None


def with_antecedent(clause: str, before: str) -> str | None:
    """A clause whose 'he' or 'she' is the one person that the words before it name.

    As it is where it begins with no such word, or nobody is named; None where it
    may be any of several people.
    """
    pronoun, possessive = RE.by_pronoun.match(clause), RE.by_possessive.match(clause)
    people = _people_in(before)
    if (pronoun is None and possessive is None) or not people:
        return clause
    other = RE.his if RE.hers.match(clause) is not None else RE.hers
    if len(people) > 1 or other.search(before) is not None:
        return None
    (who,) = people
    if pronoun is None:
        return f"{who}'s {clause[possessive.end() if possessive else 0 :]}"
    rest = clause[pronoun.end() :]
    return (
        f"{who} {'has' if RE.perfect.match(rest) else 'is'}{rest}" if pronoun["is"] else who + rest
    )


def _people_in(text: str) -> set[str]:
    """The person that a text is about, its subject; else all whom it names."""
    found: set[str] = set()
    acting: set[str] = set()
    for match in RE.person_name.finditer(text):
        word, after = match[0], text[match.end() :]
        if is_stop_word(word.lower()) or word.lower() in _NO_PERSON:
            continue
        if text[: match.start()].strip(" \"'("):
            if before(RE.placed, text, match.start()) is None:
                found.add(word)
                acting |= {word} if RE.acts.match(after) else set()
        elif RE.and_another.match(after) is not None:
            found.add(word)
        elif RE.acts.match(after):
            return {word}
    # 'I said that Diego is learning Greek' is about Diego.
    return acting if len(acting) == 1 else found


def back(sentence: str) -> bool:
    """True if a sentence begins with a pronoun that refers to the one before it."""
    return RE.refers_back.match(sentence) is not None


def named(part: MaskedSentence, earlier: str) -> MaskedSentence:
    """A sentence of 'he' or 'she' with the name that the one before it gives.

    With a doubt, where it may be any of several people.
    """
    rest = without_now(opened(part.text)[1])
    told = with_antecedent(rest, earlier)
    if told is None:
        return replace(part, doubt=part.doubt or "of one of several people")
    if told == rest:
        return part
    return replace(part, text=f"{part.text[: len(part.text) - len(rest)]}{told}")


def said_before(reading: CorrectionReading, before: MaskedSentence) -> CorrectionReading:
    """A reading with the statement before it, where that says otherwise of the same."""
    core = cut(opened(before.text)[1])
    if reading.old is None or reading.old_kind != "statement" or not is_statement(core):
        return reading
    old, new = keys(terms(reading.old)), keys(terms(before.unmasked(core)))
    if new <= old or len(old & new) * 2 < len(old):
        return reading
    said, kind = instead(before, core)
    return replace(reading, new=said, new_kind=kind)


def recalled(reading: CorrectionReading, before: MaskedSentence) -> CorrectionReading:
    """A reading of only what is so now as the correction of the statement before it.

    'I told you that the budget is 40. That was a mistake, it is 50.'
    """
    told = RE.told_before.match(before.text)
    core = cut(before.text if told is None else before.text[told.end() :])
    new, value = reading.new or "", reading.new_kind == "value"
    if reading.form != "marked" or not is_statement(core) or not (value or back(new) or told):
        return reading
    if value and not _same_kind(core, new):
        return reading
    sentence = f"{before.unmasked(before.text)} {reading.sentence}"
    return replace(reading, old=before.unmasked(core), sentence=sentence)


def _same_kind(statement: str, value: str) -> bool:
    """True if a value may stand where a statement ends: an amount or a name for its like."""
    old, new = terms(statement), terms(value)
    amounts = [[term.quantity for term in some if term.quantity is not None] for some in (old, new)]
    if any(amounts):
        return any(same_measure(one, other) for one in amounts[0] for other in amounts[1])
    if not old or not new:
        return False
    if old[-1].kind == "name":
        return any(term.kind == "name" or value[term.start].isupper() for term in new)
    return len(value.split()) <= _SHORT


def with_contrast(
    part: MaskedSentence, following: MaskedSentence | None, said: str
) -> MaskedSentence:
    """A denial with the sentence after it, where that says at once what is so instead."""
    if following is None or following.doubt is not None or RE.denies_it.search(part.text) is None:
        return part
    after = following.text
    if (told := RE.it_is.match(after)) is None:
        return part
    if sign := (told["sign"] or "").strip().lower():
        joined = sign in part.text.lower().split()
    else:
        firm = any(one.kind != "word" or after[one.start].isupper() for one in terms(after))
        joined = (firm and _same_kind(part.text, after)) or (
            f"{part.text}; {after.rstrip('.! ')}" in said
            and RE.of_what.search(part.text) is not None
        )
    return replace(part, text=f"{part.text.rstrip('.;! ')}; {after}") if joined else part
