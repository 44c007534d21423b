"""The parts of a cue that asks for several things, each a cue of its own.

By the shape of the sentence alone: several questions, questions joined by 'and',
people of whom each is asked, things that are compared, a time told by another
event. A part keeps the cue's own words.
"""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex
from mnemolog.language.sentences import main_clauses
from mnemolog.recall.cues.lists import LISTS

_ASKS = regex(r"\?|\b(?:compare|list|tell|show|summari[sz]e)\b", re.IGNORECASE)
_NEXT_CLAUSE = LISTS.pattern("next_clause")
_EACH = LISTS.pattern("each")
_LISTED = regex(r",? (?:and|or) (?=\S)|, ")
_EITHER = LISTS.pattern("either")
_BETWEEN = LISTS.pattern("between")
_COMPARED = LISTS.pattern("compared")
_COMPARES = LISTS.pattern("compares")
_TOLD_BY_EVENT = LISTS.pattern("told_by_event")
_PAIRS = (_BETWEEN, _COMPARED, _COMPARES, _TOLD_BY_EVENT)
_PERSON = regex(r"(?<=[a-z] )[A-Z][a-z]+\b")
_PRONOUN = regex(r"\b(?:he|she)\b")
_CONTENT = regex(r"\w{3}")

MOST = 5
"""Most parts that a cue is split into."""


def parts_of(cue: str) -> tuple[str, ...]:
    """The parts of a cue, in its order; none for a plain cue."""
    text = " ".join(cue.split())
    clauses = [
        clause
        for start, end in main_clauses(text)
        if _ASKS.search(text, start, end)
        for clause in _NEXT_CLAUSE.split(text[start:end])
    ]
    parts: list[str] = []
    for clause in clauses:
        parts += _split(clause.strip()) or [clause]
    found = dict.fromkeys(_trimmed(part) for part in _named(parts))
    worded = [part for part in found if _CONTENT.search(part)]
    return tuple(worded[:MOST]) if len(worded) > 1 else ()


def _split(clause: str) -> list[str]:
    """Parts of one clause; none if it is plain."""
    each = _EACH.search(clause)
    if each:
        # 'What did Dana and Priya each say?' asks of Dana, and of Priya.
        left, right = clause[: each.start()], clause[each.end() :].strip()
        names = _LISTED.split(each["names"] or each["others"])
        verb = each["verb"].lower()
        verb = _OF_ONE.get(verb, verb)
        return [f"{left}{verb} {name} {right}" for name in names]
    order = _EITHER.search(clause)
    if order:
        return [f"{order['head']} {option}" for option in _LISTED.split(order["options"])]
    for pattern in _PAIRS:
        found = pattern.search(clause)
        if found:
            return [found["one"], found["other"]]
    return []


def _named(parts: list[str]) -> list[str]:
    """The parts with 'he' and 'she' replaced, where the cue names one person before them."""
    people = _PERSON.findall(parts[0]) if parts else []
    if len(people) != 1:
        return parts
    return [parts[0], *(_PRONOUN.sub(people[0], part, count=1) for part in parts[1:])]


def _trimmed(part: str) -> str:
    return re.sub(r"^(?:(?i:and|or|but|also|then)\b|,|;)\s*", "", part.strip()).strip(" ,;.?!:")


_OF_ONE = {"do": "does", "are": "is", "were": "was", "have": "has"}
