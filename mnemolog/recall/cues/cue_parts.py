"""The parts of a cue that asks for several things, each a cue of its own.

By the shape of the sentence alone: several questions, questions joined by 'and',
people of whom each is asked, things that are compared, a time told by another
event. A part keeps the cue's own words.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.language.sentences import main_clauses
from mnemolog.recall.detector.lexicon import PAST_TENSE

MOST = 5
"""How many parts a cue falls into at most."""


def parts_of(cue: str) -> tuple[str, ...]:
    """The parts of a cue, in its order; none for a plain cue."""
    text = " ".join(cue.split())
    patterns = _patterns()
    clauses = [
        clause
        for start, end in main_clauses(text)
        if patterns.asks.search(text, start, end)
        for clause in patterns.next_clause.split(text[start:end])
    ]
    parts: list[str] = []
    for clause in clauses:
        parts += _split(clause.strip(), patterns) or [clause]
    found = dict.fromkeys(_trimmed(part) for part in _named(parts, patterns))
    worded = [part for part in found if patterns.content.search(part)]
    return tuple(worded[:MOST]) if len(worded) > 1 else ()


def _split(clause: str, patterns: _Patterns) -> list[str]:
    """What one clause falls into; nothing if it is plain."""
    each = patterns.each.search(clause)
    if each:
        # 'What did Dana and Priya each say?' asks of Dana, and of Priya.
        left, right = clause[: each.start()], clause[each.end() :].strip()
        names = patterns.listed.split(each["names"] or each["others"])
        verb = each["verb"].lower()
        verb = _OF_ONE.get(verb, verb)
        return [f"{left}{verb} {name} {right}" for name in names]
    order = patterns.either.search(clause)
    if order:
        return [f"{order['head']} {option}" for option in patterns.listed.split(order["options"])]
    for pattern in patterns.pairs():
        found = pattern.search(clause)
        if found:
            return [found["one"], found["other"]]
    return []


def _named(parts: list[str], patterns: _Patterns) -> list[str]:
    """The parts with 'he' and 'she' replaced, where the cue names one person before them."""
    people = patterns.person.findall(parts[0]) if parts else []
    if len(people) != 1:
        return parts
    return [parts[0], *(patterns.pronoun.sub(people[0], part, count=1) for part in parts[1:])]


def _trimmed(part: str) -> str:
    return re.sub(r"^(?:(?i:and|or|but|also|then)\b|,|;)\s*", "", part.strip()).strip(" ,;.?!:")


_OF_ONE = {"do": "does", "are": "is", "were": "was", "have": "has"}


class _Patterns(msgspec.Struct, frozen=True):
    asks: re.Pattern[str]
    next_clause: re.Pattern[str]
    each: re.Pattern[str]
    listed: re.Pattern[str]
    either: re.Pattern[str]
    between: re.Pattern[str]
    compared: re.Pattern[str]
    compares: re.Pattern[str]
    told_by_event: re.Pattern[str]
    person: re.Pattern[str]
    pronoun: re.Pattern[str]
    content: re.Pattern[str]

    def pairs(self) -> tuple[re.Pattern[str], ...]:
        """The patterns of a clause that holds one thing and another."""
        return self.between, self.compared, self.compares, self.told_by_event


@cache
def _patterns() -> _Patterns:
    asks = (
        r"(?:what|who|whom|whose|when|where|which|why|how) (?:\w+ ){0,3}?"
        r"(?:did|do|does|is|are|was|were|has|have|had|will|would|can|could|should)\b"
    )
    verb = r"(?P<verb>(?i:did|do|does|has|have|had|is|are|was|were|will|would|can|could|should))"
    name = r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)?"
    event = (
        r"(?:i|we|you|he|she|they|[A-Z]\w+|(?:my|our|the|his|her) \w+) "
        rf"(?:\w{{3,}}ed|{'|'.join(sorted(PAST_TENSE))})\b"
    )
    return _Patterns(
        asks=regex(r"\?|\b(?:compare|list|tell|show|summari[sz]e)\b", re.IGNORECASE),
        next_clause=regex(rf",? (?:and|but) (?=(?:also )?{asks})", re.IGNORECASE),
        each=regex(
            rf"\b{verb} (?:(?P<both>both )(?P<names>{name}(?:, {name})*,? and {name})"
            rf"|(?P<others>{name}(?:, {name})*,? and {name}) each\b)"
        ),
        listed=regex(r",? (?:and|or) (?=\S)|, "),
        either=regex(
            r"^(?P<head>(?:which|what|who|where)\b[^,:]*? (?:first|last|more|most|less|least|better"
            r"|best|\w+er|choose|like)\b[^,:]*?)[,:] (?P<options>[^?]* or [^?]*)",
            re.IGNORECASE,
        ),
        between=regex(
            r"\b(?:passed|were there|are there|elapsed|difference|did it take|have|time)\b"
            r"[^?]*?\bbetween (?P<one>[^?]+?) and (?P<other>(?:when|the|my|our|i|we)\b[^?]+)",
            re.IGNORECASE,
        ),
        compared=regex(
            r"\bcompare (?P<one>[^?]+?) (?:with|to|and|against|versus|vs\.?) (?P<other>[^?]+)$",
            re.IGNORECASE,
        ),
        compares=regex(
            r"\bhow (?:does|do|did) (?P<one>[^?]+?) compare (?:with|to|against) (?P<other>[^?]+)",
            re.IGNORECASE,
        ),
        told_by_event=regex(
            rf"^(?P<one>[^?]+?),? (?:before|after|since|until) (?P<other>{event}[^?]*)"
        ),
        person=regex(r"(?<=[a-z] )[A-Z][a-z]+\b"),
        pronoun=regex(r"\b(?:he|she)\b"),
        content=regex(r"\w{3}"),
    )
