"""Whom a clause speaks of where it does not say so itself: a name before it, a shared subject."""

from __future__ import annotations

import re

from mnemolog.language.dates.calendar import MONTHS, WEEKDAYS
from mnemolog.language.patterns import before, regex
from mnemolog.policies.corrections.sentence_openings import is_statement
from mnemolog.policies.corrections.terms import STOPS

_I = re.IGNORECASE
_PERSON = regex(r"(?<![\w'])[A-Z][a-z]+(?:[-'\u2019][A-Z][a-z]+)?(?![\w-])")
_ACTS = regex(
    r"(?:['\u2019]s\s|\s+(?:(?!(?:as|his|this|its|plus)\b)[a-z]+(?:s|ed)|(?:is|was|has|does|did|can|will)n't|and|left|quit|had|got|went|came|told)\b)"
)
_AND_ANOTHER = regex(r"\s+and\s+[A-Z]")
# Where somebody is, and who somebody is, tells not of whom is spoken.
_PLACED = regex(
    r"\b(?:in|at|near|from|on|via|through|is|was|are|were)\s+(?:the\s+)?"
    r"(?:(?:Dr|Mrs?|Ms|Prof)[.\u2024]?\s+)?$",
    _I,
)
_NO_PERSON = frozenset([*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTHS])
_BY_PRONOUN = regex(r"^(?P<who>he|she)(?P<is>['\u2019]s)?(?=\s)", _I)
_BY_POSSESSIVE = regex(r"^(?:his|her)\s+(?=[\w-]+)", _I)
_HERS = regex(r"\b(?:she|her|hers)\b", _I)
_HIS = regex(r"\b(?:he|his|him)\b", _I)
_PERFECT = regex(r"^\s+(?:\w+ly\s+|just\s+|now\s+)?(?:\w+ed|been|left|gone|become|got|had)\b", _I)

_NOW = regex(r"\b(?:now|these days|nowadays|currently|instead)\b", _I)
_GAVE_UP = (
    r"(?:[a-z]+ed|left|quit|sold|gave|got|went|took|found|bought|began|grew|broke|made|did"
    r")"
)
_PRONOUNS = "(?:he|she|they|it|we|i)"
_TWO_ACTS = regex(
    r"^(?P<subject>(?i:we|i|they|he|she|it)|(?i:the|our|my|his|her|their)\s[\w' -]{1,40}?"
    r"|(?i:project\s)?[A-Z][\w.'-]*(?:\s[A-Z][\w.'-]*)*)"
    r"(?P<gave>(?:'ve|'s|\s+(?:has|have|had|just|recently|finally|already|since))*"
    rf"\s+{_GAVE_UP}\b.*?)(?:,?\s+and\s+(?:{_PRONOUNS}\s+)?|\s*[,;]\s*{_PRONOUNS}\s+)"
    r"(?P<does>(?:now\s+)?(?P<verb>is|are|am|has|have|[a-z]+)\s+(?P<what>\S.*))$"
)
_DID = r"(?:is|are|was|were|has|have|had|will|left|quit|went|now|[a-z]+ed|[a-z]+s)"
_AND_OTHER = regex(
    r"(?:\s*[,;]\s*(?:and|but|while|whereas)|\s+and|\s+while|\s+whereas)\s+"
    rf"(?=(?:[A-Z][\w-]+(?:['\u2019]s(?:\s[a-z]+){{1,3}})?"
    rf"|[Tt]he(?:\s[\w-]+){{1,5}}?)\s+{_DID}\s+\S)"
)
_SAYS_IT = regex(
    rf"^(?:\S+\s+){{0,6}}?(?:[A-Z][\w-]+(?:['\u2019]s(?:\s[a-z]+){{1,3}})?"
    rf"|[Tt]he(?:\s[\w-]+){{1,5}}?"
    rf"|(?i:i|we|he|she|it|they))\s+{_DID}\s+\S"
)
_THING = r"(?:(?i:the|our|my|your|his|her|their)\s|[A-Z][\w-]+['\u2019]s\s)"
_GAPPED = regex(
    rf"^(?P<first>(?P<verb>(?:\S+\s+){{1,4}}?[a-z]+ed)\s+{_THING}[^,;:]+?\s+to\s+[^,;:]+?),?\s+and\s+"
    rf"(?P<second>{_THING}[^,;:]+?\s+to\s+.+)$"
)
_NOT_ALONE = regex(
    r"^.*\b(?:if|when|while|whether|between|both|that|which|who|where|because|said|says)\b", _I
)
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
    """Where what a sentence says of one subject ends, and what it says of another; None of one.

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
        if word.lower() in STOPS or word.lower() in _NO_PERSON:
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
