"""Subjects that a clause leaves out: the name before it, or one that it shares."""

from __future__ import annotations

import re

from mnemolog.language.dates.calendar import MONTHS, WEEKDAYS
from mnemolog.language.patterns import before, regex
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.reading.sentence_openings import is_statement
from mnemolog.policies.corrections.terms import is_stop_word

_I = re.IGNORECASE
_PERSON = regex(r"(?<![\w'])[A-Z][a-z]+(?:[-'\u2019][A-Z][a-z]+)?(?![\w-])")
_ACTS = LISTS.pattern("acts")
_AND_ANOTHER = regex(r"\s+and\s+[A-Z]")
# Where somebody is, and who somebody is, tells not of whom is spoken.
_PLACED = LISTS.pattern("placed")
_NO_PERSON = frozenset([*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTHS])
_BY_PRONOUN = regex(r"^(?P<who>he|she)(?P<is>['\u2019]s)?(?=\s)", _I)
_BY_POSSESSIVE = regex(r"^(?:his|her)\s+(?=[\w-]+)", _I)
_HERS = regex(r"\b(?:she|her|hers)\b", _I)
_HIS = regex(r"\b(?:he|his|him)\b", _I)
_PERFECT = regex(r"^\s+(?:\w+ly\s+|just\s+|now\s+)?(?:\w+ed|been|left|gone|become|got|had)\b", _I)

_NOW = regex(r"\b(?:now|these days|nowadays|currently|instead)\b", _I)
_TWO_ACTS = LISTS.pattern("two_acts")
_AND_OTHER = LISTS.pattern("and_other")
_SAYS_IT = LISTS.pattern("says_it")
_GAPPED = LISTS.pattern("gapped")
_NOT_ALONE = LISTS.pattern("not_alone")
_IS = regex(r"\b(?P<who>he|she|it)['\u2019]s\s+(?=(?:now\s+)?(?:at|in|on|with|an?|the|now)\b)", _I)
_PLURAL = regex(r"^(?:we|i|they)$", _I)
_AGREES = regex(r"^(?:is|has|[a-z]+s)$")
_AGREES_PLURAL = regex(r"^(?:are|am|have|(?!is$|has$|was$)[a-z]*[a-rt-z])$")
_PLACES = regex(r"^(?:at|in|for|as|with|on|to|by)\s", _I)


def two_acts(clause: str) -> tuple[str, str] | None:
    """A clause of one subject and two verbs as two clauses: what ended, and what is so now.

    'Omar left Acme and works at Globex now' is 'Omar left Acme' and 'Omar works
    at Globex now'. None where a clause is no such pair.
    """
    match = _TWO_ACTS.match(_IS.sub(r"\g<who> is ", clause))
    if match is None:
        return None
    subject, does, verb = match["subject"], match["does"], match["verb"]
    if (_AGREES_PLURAL if _PLURAL.match(subject) else _AGREES).match(verb) is None:
        return None
    if _NOW.search(does) is None and _PLACES.match(match["what"]) is None:
        return None
    second = f"{subject} {does}"
    return (f"{subject}{match['gave']}", second) if is_statement(second) else None


def two_subjects(sentence: str) -> tuple[int, str] | None:
    """End of the clause about the first of two subjects, and the other clause; None of one.

    'Dana moved to Bergen and Omar moved to Porto'; with the verb said once, too:
    'we moved the demo to Monday and the sync to Tuesday'.
    """
    gap = _GAPPED.match(sentence)
    if gap is not None:
        return gap.end("first"), f"{gap['verb']} {gap['second']}"
    if _NOT_ALONE.match(sentence) is not None:
        return None
    for match in _AND_OTHER.finditer(sentence):
        if _SAYS_IT.match(sentence[: match.start()]):
            return match.start(), sentence[match.end() :]
    return None


def with_antecedent(clause: str, before: str) -> str | None:
    """A clause whose 'he' or 'she' is the one person that the words before it name.

    As it is where it begins with no such word, or nobody is named; None where it
    may be any of several people.
    """
    pronoun, possessive = _BY_PRONOUN.match(clause), _BY_POSSESSIVE.match(clause)
    people = _people_in(before)
    if (pronoun is None and possessive is None) or not people:
        return clause
    other = _HIS if _HERS.match(clause) is not None else _HERS
    if len(people) > 1 or other.search(before) is not None:
        return None
    (who,) = people
    if possessive is not None:
        return f"{who}'s {clause[possessive.end() :]}"
    rest = clause[1 if pronoun is None else pronoun.end() :]
    if pronoun is not None and pronoun["is"]:
        return f"{who} {'has' if _PERFECT.match(rest) else 'is'}{rest}"
    return f"{who}{rest}"


def _people_in(text: str) -> set[str]:
    """The person that a text is about, its subject; else all whom it names."""
    found: set[str] = set()
    acting: set[str] = set()
    for match in _PERSON.finditer(text):
        word, after = match[0], text[match.end() :]
        if is_stop_word(word.lower()) or word.lower() in _NO_PERSON:
            continue
        if text[: match.start()].strip(" \"'("):
            if before(_PLACED, text, match.start()) is None:
                found.add(word)
                acting |= {word} if _ACTS.match(after) else set()
        elif _AND_ANOTHER.match(after) is not None:
            found.add(word)
        elif _ACTS.match(after):
            return {word}
    # 'I said that Diego is learning Greek' is about Diego.
    return acting if len(acting) == 1 else found
